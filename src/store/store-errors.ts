/** The errors of the store. */
import { StoreError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { describeKey } from "./codecs/keys.ts";
import type { TableName } from "./schema.ts";

/** What to do with a damaged folder. */
export const RESTORE = "Restore the data folder from a copy, or delete it and import the chain again.";

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

/** The code of an error of abstract-level or of the file system. */
export function levelCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** What an error says, whatever was thrown. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
