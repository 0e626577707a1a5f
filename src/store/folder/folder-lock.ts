/**
 * Allows one node per data folder. The lock is taken before LevelDB opens the folder, whose own lock comes after it has
 * renamed files.
 *
 * The lock is a listening local socket named after the folder's device and inode: the operating system closes it with
 * its process, however that ends, so there is no stale lock to guess about and no process id to mistake for another's.
 * It lies outside the folder. Where sockets are forbidden, or two processes do not see each other's (containers),
 * LevelDB's lock still keeps the second one out.
 */
import { rm, stat } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderLocked, folderUnusable, levelCode } from "../store-errors.ts";

/** Time for the holder to answer with its process id. A busy one does not, and the error then leaves the id out. */
const ANSWER_TIMEOUT_MS = 250;
const MAXIMUM_ANSWER_BYTES = 32;
const ATTEMPTS = 3;

/** A held folder. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of an existing folder.
 *
 * @param platform - as `process.platform`; decides what kind of socket is used
 * @throws {StoreError} `DATA_DIR_LOCKED` if another node has it, in this process or another
 */
export async function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<FolderLock> {
  const path = await socketPath(folder, platform);
  for (let attempt = 1; ; attempt++) {
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end(String(process.pid));
    });
    try {
      await listen(server, path);
      return { release: () => close(server) };
    } catch (error) {
      // Any other failure means that sockets do not work here at all.
      if (levelCode(error) !== "EADDRINUSE") return { release: () => Promise.resolve() };
    }
    const holder = await askHolder(path);
    if (holder !== "gone" || attempt === ATTEMPTS)
      throw folderLocked(folder, holder === "gone" ? undefined : holder === process.pid ? "own" : holder);
    if (isFile(platform)) await rm(path, { force: true });
  }
}

/**
 * Linux has names without files, Windows pipes; both vanish with their owner. Elsewhere a killed owner leaves a file.
 */
async function socketPath(folder: string, platform: NodeJS.Platform): Promise<string> {
  let identity: string;
  try {
    const { dev, ino } = await stat(folder, { bigint: true });
    identity = `hindcast-${dev}-${ino}`;
  } catch (cause) {
    throw folderUnusable(folder, cause);
  }
  if (platform === "linux") return `\0${identity}`;
  return platform === "win32" ? `\\\\?\\pipe\\${identity}` : join(tmpdir(), `${identity}.sock`);
}

function isFile(platform: NodeJS.Platform): boolean {
  return platform !== "linux" && platform !== "win32";
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // Not shared among the workers of a cluster.
    server.listen({ path, exclusive: true }, () => {
      server.off("error", reject);
      // Connections that fail on their way are their callers' trouble.
      server.on("error", () => undefined);
      server.unref();
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Process id of the holder; undefined if it is alive but says nothing; "gone" if nobody listens. */
function askHolder(path: string): Promise<number | undefined | "gone"> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    let text = "";
    const finish = (answer: number | undefined | "gone"): void => {
      resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish(undefined));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (text.length > MAXIMUM_ANSWER_BYTES) finish(undefined);
    });
    socket.on("end", () => finish(/^\d+$/.test(text) ? Number(text) : undefined));
    socket.on("error", (error) => {
      const isGone = ["ECONNREFUSED", "ENOENT"].includes(levelCode(error) ?? "");
      finish(isGone ? "gone" : undefined);
    });
  });
}
