/**
 * Files of the origin's private file system (OPFS), by handles that read and write synchronously. Browsers give these to
 * dedicated workers only, and each file to one of them at a time.
 */
import { StoreError } from "../../errors/hindcast-error.ts";
import { pause } from "../../primitives/platform/turns.ts";
import type { JournalFile, JournalFolder } from "../../store/backends/journal-file.ts";
import { folderUnusable } from "../../store/folder-errors.ts";

/** The part of a synchronous handle that is used. */
export interface SyncHandle {
  getSize(): number;
  read(target: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** The part of a file's handle that is used. */
interface FileHandle {
  getFile(): Promise<{ text(): Promise<string> }>;
  createSyncAccessHandle(): Promise<SyncHandle>;
}

/** The part of a folder's handle that is used. */
export interface FolderHandle {
  getFileHandle(name: string, options?: { readonly create: boolean }): Promise<FileHandle>;
  getDirectoryHandle(name: string, options?: { readonly create: boolean }): Promise<FolderHandle>;
  keys(): AsyncIterable<string>;
}

/** The part of a worker's scope that is used. */
interface Scope {
  readonly FileSystemFileHandle?: { readonly prototype: object };
  readonly navigator: { readonly storage?: { getDirectory(): Promise<FolderHandle> } };
}

/** How long a file may be in use: that of a tab that was closed, or crashed, is free after up to two seconds. */
const LOCKED_MS = 3_000;
const RETRY_MS = 40;

const scope = globalThis as unknown as Scope;

/** @throws {StoreError} `DATA_DIR_UNUSABLE` where there are no synchronous handles */
export function requireWorker(dataDir: string): void {
  const { FileSystemFileHandle: handle } = scope;
  if (handle !== undefined && "createSyncAccessHandle" in handle.prototype && scope.navigator.storage) return;
  throw new StoreError({
    code: "DATA_DIR_UNUSABLE",
    what: "In a browser only a node in a worker has data folders: elsewhere files cannot be read synchronously.",
    where: `Folder: ${dataDir}.`,
    fix:
      "Create the node with createWorkerNode of hindcast/worker, in a page by https or of this machine. Or leave dataDir " +
      "out, and keep the chain with dumpState().",
  });
}

/**
 * A folder of the private file system.
 *
 * @throws {StoreError} `DATA_DIR_UNUSABLE`
 */
export async function openFolder(path: string, isMade: boolean): Promise<FolderHandle> {
  requireWorker(path);
  const storage = scope.navigator.storage as { getDirectory(): Promise<FolderHandle> };
  let folder = await storage.getDirectory().catch((error: unknown) => {
    throw (error as { name?: string }).name === "SecurityError" ? filesRefused(path, error) : error;
  });
  for (const name of path.split("/").filter((part) => part !== "")) {
    folder = await folder.getDirectoryHandle(name, { create: isMade });
  }
  return folder;
}

/**
 * Opens a file for this worker alone, and makes it if it is not there.
 *
 * @throws {StoreError} `DATA_DIR_LOCKED` if another worker has it for longer, `DATA_DIR_UNUSABLE`
 */
export async function openHandle(path: string, name: string): Promise<SyncHandle> {
  const end = performance.now() + LOCKED_MS;
  for (;;) {
    try {
      const file = await (await openFolder(path, true)).getFileHandle(name, { create: true });
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (!isLocked(error)) throw error instanceof StoreError ? error : folderUnusable(path, error);
      if (performance.now() > end) throw folderTaken(path);
    }
    await pause(RETRY_MS);
  }
}

/** So does Firefox in its private windows, and any browser whose user allows sites no data. */
function filesRefused(dataDir: string, cause: unknown): StoreError {
  return new StoreError({
    code: "DATA_DIR_UNUSABLE",
    what: "This browser allows the site no files, as in a private window of Firefox.",
    where: `Folder: ${dataDir}.`,
    fix: "Open the page in a common window. Or leave dataDir out, and keep the chain with dumpState().",
    cause,
  });
}

/** Chromium and Firefox say that it cannot be modified, Safari that its state is invalid. */
function isLocked(error: unknown): boolean {
  return ["NoModificationAllowedError", "InvalidStateError"].includes((error as { name?: string }).name ?? "");
}

function folderTaken(folder: string): StoreError {
  return new StoreError({
    code: "DATA_DIR_LOCKED",
    what: "The data folder is in use by another tab or worker of this site.",
    where: `Folder: ${folder}.`,
    fix: "Connect to the node there by a port of it (node.port(), connectNode), close it, or name another folder.",
  });
}

/** The files of a journal. Each batch is flushed, because nobody closes a tab's node. */
export function privateJournal(path: string): JournalFolder {
  return { path, flushesEach: true, open: async (name) => fileOf(await openHandle(path, name)) };
}

function fileOf(handle: SyncHandle): JournalFile {
  return {
    size: () => handle.getSize(),
    read: (target, at) => {
      const count = handle.read(target, { at });
      if (count > target.length) throw new Error("the browser could not read the file");
      return count;
    },
    write: (bytes, at) => {
      // In private windows no error tells that the quota is used up, but fewer bytes do, or a number below zero as 32 bits.
      const count = handle.write(bytes, { at });
      if (count === bytes.length) return;
      throw new Error(`the browser wrote ${count < bytes.length ? count : 0} of ${bytes.length} bytes`);
    },
    truncate: (size) => handle.truncate(size),
    flush: () => handle.flush(),
    close: () => handle.close(),
  };
}
