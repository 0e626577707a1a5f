/** Reads and writes files named on the command line. */
import { constants } from "node:fs";
import { access, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ErrorCodeOf } from "../../errors/catalogue.ts";
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/**
 * The bytes of a file.
 *
 * @param flag - option that names the file, for the error
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`
 */
export async function readFileOf(flag: string, path: string): Promise<Bytes> {
  try {
    return await readFile(path);
  } catch (error) {
    throw fileError("FILE_NOT_READABLE", `${flag}: cannot read ${path}`, error);
  }
}

/**
 * Runs a task on a file's content; an error then names the flag and the file.
 *
 * @param where - describes the position in the file, for the error
 */
export async function naming<T>(
  [flag, path]: readonly [flag: string, path: string],
  task: () => Promise<T>,
  where: () => string | undefined = () => undefined,
): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof InvalidParamsError) || error.code === "INVALID_OPTION") throw error;
    const code = error.code as ErrorCodeOf<"InvalidParams">;
    const place = [error.where, where()].filter((part) => part !== undefined).join(" ");
    throw new InvalidParamsError({
      code,
      what: `${flag} ${path}: ${error.what}`,
      ...(place === "" ? {} : { where: place }),
      ...(error.fix === undefined ? {} : { fix: error.fix }),
      cause: error,
    });
  }
}

/**
 * Checks that a file can be written later, so that the error comes before the work.
 *
 * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
 */
export async function requireFolderOf(flag: string, path: string): Promise<void> {
  try {
    // With the dot, a file in place of the folder is an error too.
    await access(`${dirname(path)}/.`, constants.W_OK);
  } catch (error) {
    throw fileError("FILE_NOT_WRITABLE", `${flag}: cannot write ${path}`, error);
  }
}

/**
 * Writes a file atomically: an older file stays until the new one is complete.
 *
 * @param flush - also waits until the disk has it
 * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
 * @throws {HindcastError} errors of `pieces`
 */
export async function writeFileOf(
  flag: string,
  path: string,
  pieces: AsyncIterable<Bytes> | Iterable<Bytes>,
  { flush = false }: { readonly flush?: boolean } = {},
): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  try {
    await writeFile(partial, pieces, { flush });
    await rename(partial, path);
  } catch (error) {
    // If the partial file cannot be removed, the first error still counts.
    await rm(partial, { force: true }).catch(() => undefined);
    if (error instanceof HindcastError) throw error;
    throw fileError("FILE_NOT_WRITABLE", `${flag}: cannot write ${path}`, error);
  }
}

/** The error of a file that cannot be read or written. @param what - flag and path */
export function fileError(
  code: "FILE_NOT_READABLE" | "FILE_NOT_WRITABLE",
  what: string,
  cause: unknown,
): InvalidParamsError {
  const reason = reasonOf(cause);
  return new InvalidParamsError({ code, what: `${what}: ${reason}.`, cause });
}

/** The system's reason without the path, which the message already has. */
function reasonOf(error: unknown): string {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file or folder",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
    ENOTDIR: "a part of its path is not a folder",
    ENOSPC: "the disk is full",
    EPERM: "permission denied",
    EROFS: "its file system is read-only",
  };
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ""] ?? message;
}
