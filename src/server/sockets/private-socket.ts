/** A socket file that is its owner's alone from the first moment on. */
import { chmod, link, lstat, mkdtemp, rename, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { dirname, join } from "node:path";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";

/** Only the user who started the node may connect: there is no Host or Origin to check here. */
const OWNER_ONLY = 0o600;

/** What an address of the system holds; a longer path would be cut, and another file made. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Listens at a path. A file that nobody listens at any more is replaced.
 *
 * A socket file has the rights that the process gives to every file, until somebody changes them. So it is made in a new
 * folder that nobody else may enter, and comes to its place with the rights it is to have.
 *
 * @returns what removes the file, unless it is another server's by then
 * @throws {InvalidParamsError} `PORT_IN_USE` if another program listens there, `CANNOT_LISTEN` for any other reason
 */
export async function listenPrivately(server: Server, path: string): Promise<() => Promise<void>> {
  try {
    if (process.platform !== "win32") return await listenInPlace(server, path);
    // Named pipes have no file, and their name is taken for as long as somebody listens.
    await listen(server, path);
    return () => Promise.resolve();
  } catch (error) {
    // A server that nobody holds would listen for good.
    server.close();
    if (error instanceof InvalidParamsError) throw error;
    throw isTaken(error) ? inUse(path, error) : cannotListen(path, error);
  }
}

async function listenInPlace(server: Server, path: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(dirname(path), ".hc"));
  try {
    const made = join(folder, "s");
    const length = Math.max(Buffer.byteLength(path), Buffer.byteLength(made));
    if (length > MAX_PATH_BYTES) throw new Error(`with what is put beside it, it takes ${length} bytes`);
    await listen(server, made);
    await chmod(made, OWNER_ONLY);
    const { ino } = await lstat(made);
    await publish(made, path);
    return async () => {
      const file = await lstat(path).catch(() => undefined);
      if (file?.ino === ino) await rm(path, { force: true });
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives a socket its path, where nobody else has that. */
async function publish(made: string, path: string): Promise<void> {
  try {
    await linkOrRename(made, path);
  } catch (error) {
    if (!isTaken(error) || !(await isLeftBehind(path))) throw error;
    await rm(path, { force: true });
    await linkOrRename(made, path);
  }
}

/** A second name fails where there is a file, which a new name would replace. Not every file system knows the former. */
async function linkOrRename(made: string, path: string): Promise<void> {
  try {
    await link(made, path);
  } catch (error) {
    if (isTaken(error) || (await lstat(path).catch(() => undefined)) !== undefined) throw error;
    await rename(made, path);
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Whether a path is a socket that nobody listens at. */
async function isLeftBehind(path: string): Promise<boolean> {
  const file = await lstat(path).catch(() => undefined);
  // It went with its program a moment ago.
  if (file === undefined) return true;
  if (!file.isSocket()) return false;
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  });
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EADDRINUSE" || code === "EEXIST";
}

function inUse(path: string, cause: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "PORT_IN_USE",
    what: `Cannot listen on ${path}: another program does, or it is no socket.`,
    fix: "Stop the other program or choose another path.",
    cause,
  });
}

function cannotListen(path: string, cause: unknown): InvalidParamsError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new InvalidParamsError({
    code: "CANNOT_LISTEN",
    what: `Cannot listen on ${path}: ${reason}.`,
    fix: `Choose a path in a folder that you may write to, of at most ${MAX_PATH_BYTES - 13} bytes.`,
    cause,
  });
}
