/** Reads and writes cache files. Errors are not reported: the fork then works without a cache. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The result; undefined if the file system reports an error. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Names in a folder; none if it does not exist. */
export const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];

/** The content of a file; undefined if it cannot be read. A link in a folder of others may lead to a device without an end. */
export const readFileAt = (path: string): Buffer | undefined =>
  attempt(() => (lstatSync(path).isFile() ? readFileSync(path) : undefined));

/** Writes a file atomically. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(unfinished, content);
    renameSync(unfinished, path);
  });
}

/** Sets the time of last use of a file or folder to now. */
export function touch(path: string): void {
  const now = new Date();
  attempt(() => utimesSync(path, now, now));
}

/** Removes a file, or a folder with its contents. */
export function remove(path: string): void {
  attempt(() => rmSync(path, { recursive: true, force: true }));
}

/** Removes a folder if nothing is in it. */
export function removeEmpty(path: string): void {
  attempt(() => rmdirSync(path));
}

/** Size of a file, or of the files in a folder, in bytes; and its last use in milliseconds. */
export function sizeOf(path: string): { readonly bytes: number; readonly usedAt: number } {
  const own = attempt(() => statSync(path));
  if (own === undefined) return { bytes: 0, usedAt: 0 };
  const bytes = own.isDirectory()
    ? namesIn(path).reduce((sum, name) => sum + (attempt(() => statSync(join(path, name)).size) ?? 0), 0)
    : own.size;
  return { bytes, usedAt: own.mtimeMs };
}
