/**
 * Allows one node per data folder. The lock is taken before LevelDB opens the folder, because LevelDB renames files
 * before it locks.
 *
 * The lock is a listening local socket named after the folder's device and inode. The operating system closes it with
 * its process, so that there are no stale locks. It is outside the folder. Where sockets are forbidden, or processes do
 * not see each other's (containers), only LevelDB's lock applies.
 */
import { rm, stat } from "node:fs/promises";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderLocked, folderUnusable } from "../folder-errors.ts";
import { levelCode } from "../store-errors.ts";

/** Milliseconds for the holder to answer with its process id. If it is too busy, the error leaves the id out. */
const ANSWER_TIMEOUT_MS = 250;
const MAXIMUM_ANSWER_BYTES = 32;
const ATTEMPTS = 3;

/** Loaded when it is first needed: a chain in memory does without. */
const net = (): typeof import("node:net") => process.getBuiltinModule("node:net");

/** A lock that is held. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks an existing folder.
 *
 * @param platform - as `process.platform`; decides the kind of socket
 * @throws {StoreError} `DATA_DIR_LOCKED` if another node holds it, in this process or another
 */
export async function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<FolderLock> {
  const path = await socketPath(folder, platform);
  for (let attempt = 1; ; attempt++) {
    const server = net().createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end(String(process.pid));
    });
    try {
      await listen(server, path);
      return { release: () => close(server) };
    } catch (error) {
      // Any other error means that sockets cannot be used here.
      if (levelCode(error) !== "EADDRINUSE") return { release: () => Promise.resolve() };
    }
    const holder = await askHolder(path);
    if (holder !== "gone" || attempt === ATTEMPTS)
      throw folderLocked(folder, holder === "gone" ? undefined : holder === process.pid ? "own" : holder);
    if (isFile(platform)) await rm(path, { force: true });
  }
}

/**
 * Path of the socket. Linux has abstract sockets and Windows has pipes, both without a file. Elsewhere a killed process
 * leaves a file behind.
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
    // Not shared between workers of a cluster.
    server.listen({ path, exclusive: true }, () => {
      server.off("error", reject);
      // Errors of single connections do not affect the lock.
      server.on("error", () => undefined);
      server.unref();
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Process id of the holder; undefined if it does not answer; "gone" if nobody listens. */
function askHolder(path: string): Promise<number | undefined | "gone"> {
  return new Promise((resolve) => {
    const socket = net().createConnection(path);
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
