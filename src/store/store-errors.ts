/** The errors of the store. */
import { StoreError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { describeKey } from "./codecs/keys.ts";
import type { TableName } from "./schema.ts";

const RESTORE = "Restore the data folder from a copy, or delete it and import the chain again.";
const SEPARATE = "Close the other node, or give this one a folder of its own.";

/** The error for a malformed value. */
export function corruptValue(table: TableName, key: Bytes, cause: unknown): StoreError {
  return new StoreError({
    code: "STORE_CORRUPT",
    what: `The store's table "${table}" holds a damaged value.`,
    where: `Key: ${describeKey(table, key)} (${textOf(cause)}).`,
    fix: RESTORE,
    cause,
  });
}

/** The error for a missing entry to which another entry refers. */
export function missingValue(table: TableName, key: Bytes): StoreError {
  return new StoreError({
    code: "STORE_CORRUPT",
    what: `The store's table "${table}" lacks a value.`,
    where: `Key: ${describeKey(table, key)}.`,
    fix: RESTORE,
  });
}

/** For reads and writes after {@link ChainStore.close}. */
export function storeClosed(cause: unknown): StoreError {
  return new StoreError({
    code: "STORE_CLOSED",
    what: "The store is closed.",
    fix: "Open the node again, and close it only when its requests are answered.",
    cause,
  });
}

/** For an error of the disk while a value is read. */
export function readFailed(table: TableName, cause: unknown): StoreError {
  return new StoreError({
    code: "STORE_IO_FAILED",
    what: `The store could not read its table "${table}".`,
    where: `Cause: ${textOf(cause)}.`,
    fix: "Check the disk under the data folder and open the node again.",
    cause,
  });
}

/** For a batch that could not be written, such as on a full disk. */
export function writeFailed(cause: unknown): StoreError {
  return new StoreError({
    code: "STORE_IO_FAILED",
    what: "The store could not write a batch; nothing of it is stored.",
    where: `Cause: ${textOf(cause)}.`,
    fix: "Check free space and permissions of the data folder and open the node again.",
    cause,
  });
}

/** The error of LevelDB's open, as a StoreError. */
export function openingFailed(folder: string, error: unknown): StoreError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = levelCode(cause);
  if (code === "LEVEL_LOCKED") return folderLocked(folder, undefined);
  if (code !== "LEVEL_CORRUPTION") return folderUnusable(folder, cause);
  return new StoreError({
    code: "STORE_CORRUPT",
    what: "The files of the data folder are damaged.",
    where: `Folder: ${folder} (${textOf(cause)}).`,
    fix: RESTORE,
    cause,
  });
}

/** @param holder - process id of who holds the folder, or that it is a node of this process; undefined where it is not said */
export function folderLocked(folder: string, holder: number | "own" | undefined): StoreError {
  const who = holder === "own" ? "another node of this process" : `process ${holder}`;
  return new StoreError({
    code: "DATA_DIR_LOCKED",
    what: `The data folder is in use by ${holder === undefined ? "another process" : who}.`,
    where: `Folder: ${folder}.`,
    fix: SEPARATE,
  });
}

/** For a folder that cannot be made, read or written. */
export function folderUnusable(folder: string, cause: unknown): StoreError {
  return new StoreError({
    code: "DATA_DIR_UNUSABLE",
    what: "The data folder cannot be opened.",
    where: `Folder: ${folder} (${textOf(cause)}).`,
    fix: "Name a folder, on a disk with free space, that this user may read and write.",
    cause,
  });
}

/** For a process in which LevelDB, which is a native addon of Node, cannot be loaded. */
export function levelNotLoaded(folder: string, cause: unknown): StoreError {
  return new StoreError({
    code: "DATA_DIR_UNUSABLE",
    what: "The data folder cannot be opened, because LevelDB, a native addon of Node, cannot be loaded.",
    where: `Folder: ${folder} (${textOf(cause).split("\n", 1)[0]}).`,
    fix:
      "Start Node without --no-addons (with --permission: with --allow-addons) and install the packages level and " +
      "classic-level for this system, or name a new folder: its chain will be in a journal, which needs no addon.",
    cause,
  });
}

/** The code of an error of abstract-level or of the file system. */
export function levelCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
