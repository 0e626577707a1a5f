/** Files named on the command line. */
import { constants, createWriteStream } from "node:fs";
import { access, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ErrorCodeOf } from "../../errors/catalogue.ts";
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/**
 * The bytes of a file.
 *
 * @param flag - where its name was given, for the error
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
 * What is made of a file's content; where that fails, the error names the flag and the file.
 *
 * @param where - how far it came, for the error
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
 * Makes sure of the folder of a file that is to be written later, when failing would cost what it is to hold.
 *
 * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
 */
export async function requireFolderOf(flag: string, path: string): Promise<void> {
  try {
    // With the dot a file in the folder's place is an error, too.
    await access(`${dirname(path)}/.`, constants.W_OK);
  } catch (error) {
    throw fileError("FILE_NOT_WRITABLE", `${flag}: cannot write ${path}`, error);
  }
}

/**
 * Writes a file in full or not at all: an older one of the name stays until the new one is complete.
 *
 * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
 * @throws whatever of ours `pieces` throws
 */
export async function writeFileOf(
  flag: string,
  path: string,
  pieces: AsyncIterable<Bytes> | Iterable<Bytes>,
): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    // Where not even that can be removed there is nothing: why it could not be written is what counts.
    await rm(partial, { force: true }).catch(() => undefined);
    if (error instanceof HindcastError) throw error;
    throw fileError("FILE_NOT_WRITABLE", `${flag}: cannot write ${path}`, error);
  }
}

function fileError(code: "FILE_NOT_READABLE" | "FILE_NOT_WRITABLE", what: string, cause: unknown): InvalidParamsError {
  const reason = reasonOf(cause);
  return new InvalidParamsError({ code, what: `${what}: ${reason}.`, cause });
}

/** The system's reason in words, without the path that it repeats. */
function reasonOf(error: unknown): string {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file or folder",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
    ENOTDIR: "a part of its path is no folder",
    ENOSPC: "the disk is full",
    EPERM: "permission denied",
    EROFS: "its file system is read-only",
  };
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ""] ?? message;
}
