/** Creates socket files that only their owner can use, from the beginning. */
import { chmod, link, lstat, mkdtemp, rename, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { dirname, join } from "node:path";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";

/** Only the user who started the node may connect, because Host and Origin cannot be checked here. */
const OWNER_ONLY = 0o600;

/** Longest path that the operating system accepts; it would truncate a longer one. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/**
 * Listens at a path. Replaces a file on which nobody listens.
 *
 * A new socket file has the process's default permissions. So it is created in a new private folder, gets its final
 * permissions there, and is then moved to its path.
 *
 * @returns a function that removes the file, unless it belongs to another server by then
 * @throws {InvalidParamsError} `PORT_IN_USE` if another program listens there, `CANNOT_LISTEN` for any other reason
 */
export async function listenPrivately(server: Server, path: string): Promise<() => Promise<void>> {
  try {
    if (process.platform !== "win32") return await listenInPlace(server, path);
    // Named pipes have no file; their name is in use as long as a program listens.
    await listen(server, path);
    return () => Promise.resolve();
  } catch (error) {
    // Nobody has a handle of the server yet, so that nobody else would close it.
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

/** Moves a socket to its path, if no other program uses that. */
async function publish(made: string, path: string): Promise<void> {
  try {
    await linkOrRename(made, path);
  } catch (error) {
    if (!isTaken(error) || !(await isLeftBehind(path))) throw error;
    await rm(path, { force: true });
    await linkOrRename(made, path);
  }
}

/**
 * Creating a hard link fails if the file exists, whereas renaming would replace it. Some file systems have no hard
 * links.
 */
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

/** Whether a path is a socket on which nobody listens. */
async function isLeftBehind(path: string): Promise<boolean> {
  const file = await lstat(path).catch(() => undefined);
  // Its program has removed it in the meantime.
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
    what: `Cannot listen on ${path}: another program does, or it is not a socket.`,
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
