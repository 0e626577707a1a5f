/** A page reads no files. Counterpart of `primitives/platform/files.ts`. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { FilePart, FileStamp, FolderEntry } from "../../primitives/platform/files.ts";

function noFiles(path: string | URL): UnsupportedError {
  return new UnsupportedError({
    code: "UNSUPPORTED",
    what: "A browser has no files to read.",
    where: `Path: ${path}.`,
    fix: "Fetch the content, and pass it: an ABI, or a document of a build, to the node's abi.",
  });
}

/** @throws {UnsupportedError} `UNSUPPORTED` */
export function listFolder(folder: string): readonly FolderEntry[] {
  throw noFiles(folder);
}

/** The path of an entry of a folder. */
export const joinPath = (folder: string, name: string): string => `${folder}/${name}`;

/** @throws {UnsupportedError} `UNSUPPORTED` */
export function readPieces(path: string): Generator<Uint8Array> {
  throw noFiles(path);
}

/** @throws {UnsupportedError} `UNSUPPORTED` */
export function readParts(path: string, _parts: Iterable<FilePart>): Generator<Uint8Array> {
  throw noFiles(path);
}

/** Undefined, as of a file that does not exist. */
export const stampOf = (_path: string | URL): FileStamp | undefined => undefined;

/** @throws {UnsupportedError} `UNSUPPORTED` */
export function readBytes(path: string | URL): Uint8Array {
  throw noFiles(path);
}

/** The path as it is. */
export const absolutePath = (path: string): string => path;
