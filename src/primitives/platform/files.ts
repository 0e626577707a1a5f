/**
 * Files that are read: folders and contents. Small reads are synchronous: by Node's threads each would take ten times as
 * long, and a folder of artifacts has thousands.
 */
import { join, resolve } from "node:path";

const fs = (): typeof import("node:fs") => process.getBuiltinModule("node:fs");

/** An entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "folder" | "other";
}

/**
 * Lists the entries of a folder, by name.
 *
 * @throws {Error} Node's, for what is no folder or may not be read
 */
export function listFolder(folder: string): readonly FolderEntry[] {
  return fs()
    .readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({
      name: entry.name,
      path: join(folder, entry.name),
      kind: entry.isDirectory() ? ("folder" as const) : entry.isFile() ? ("file" as const) : ("other" as const),
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The path of an entry of a folder. */
export const joinPath = (folder: string, name: string): string => join(folder, name);

/** Bytes of a piece, which are read in a fraction of a millisecond. */
const PIECE_BYTES = 256 * 1024;

/**
 * A file piece by piece.
 *
 * @throws {Error} Node's, for what is no file or may not be read
 */
export function* readPieces(path: string): Generator<Uint8Array> {
  const { closeSync, openSync, readSync } = fs();
  const file = openSync(path, "r");
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE_BYTES);
      const length = readSync(file, piece, 0, piece.length, null);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Bytes of a file from `start` to before `end`. */
export interface FilePart {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads parts of a file, one after another.
 *
 * @throws {Error} Node's; `RangeError` if the file ends before a part does
 */
export function* readParts(path: string, parts: Iterable<FilePart>): Generator<Uint8Array> {
  const { closeSync, openSync, readSync } = fs();
  const file = openSync(path, "r");
  try {
    for (const { start, end } of parts) {
      const part = new Uint8Array(end - start);
      for (let length = 0; length < part.length; ) {
        const bytesRead = readSync(file, part, length, part.length - length, start + length);
        if (bytesRead === 0) throw new RangeError(`the file ends before byte ${end}`);
        length += bytesRead;
      }
      yield part;
    }
  } finally {
    closeSync(file);
  }
}

/** The properties of a file or folder that change when it is written. */
export interface FileStamp {
  /** Another one for another content. */
  readonly text: string;
  /** Time of the last change, in milliseconds since 1970. */
  readonly timeMs: number;
}

/** The stamp of a file or folder; undefined if there is none. */
export function stampOf(path: string | URL): FileStamp | undefined {
  try {
    const found = fs().statSync(path, { throwIfNoEntry: false });
    return found && { text: `${found.ino}:${found.mtimeMs}:${found.size}`, timeMs: found.mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * The whole of a small file.
 *
 * @throws {Error} Node's, for what is no file or may not be read
 */
export const readBytes = (path: string | URL): Uint8Array => fs().readFileSync(path);

/** An absolute path. */
export const absolutePath = (path: string): string => resolve(path);
