/** Files that are read: folders and contents. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

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
export async function listFolder(folder: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .map((entry) => ({
      name: entry.name,
      path: join(folder, entry.name),
      kind: entry.isDirectory() ? ("folder" as const) : entry.isFile() ? ("file" as const) : ("other" as const),
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The path of an entry of a folder. */
export const joinPath = (folder: string, name: string): string => join(folder, name);

/** A file piece by piece; what keeps it from being read is thrown while the pieces are read. */
export function readPieces(path: string): AsyncIterable<Uint8Array> {
  return process.getBuiltinModule("node:fs").createReadStream(path);
}
