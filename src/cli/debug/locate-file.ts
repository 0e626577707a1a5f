/** Finds the files of sources in a folder, so that an editor opens the user's own. */
import { readFile, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { LocateFile } from "../../debugger/session/sources.ts";

/** Hardhat 3 puts this before the paths of a project's own sources. */
const PROJECT = /^project\//;

/**
 * A function that finds a file below a folder by its path in the build. A file with another text is not the one that
 * was compiled: its lines would be wrong.
 */
export function locateIn(root: string): LocateFile {
  return async (path, text) => {
    const bytes = Buffer.from(text);
    for (const candidate of [path, path.replace(PROJECT, "")]) {
      const file = resolve(root, candidate);
      // A replay file may name anything.
      if (file.startsWith(resolve(root) + sep) && (await hasContent(file, bytes))) return file;
    }
    return undefined;
  };
}

async function hasContent(file: string, bytes: Buffer): Promise<boolean> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size === bytes.length && bytes.equals(await readFile(file));
  } catch {
    return false;
  }
}
