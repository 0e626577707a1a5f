import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Makes a folder hold these files and no others of their kinds. They are written in order: a file that names others comes
 * after them.
 *
 * @param {string} target - absolute path of the folder
 * @param {ReadonlyMap<string, string>} files - contents by name
 * @param {(name: string) => boolean} isOurs - which other files are removed; default: all but those that are being written
 */
export function writeFolder(target, files, isOurs = (name) => !name.endsWith(".tmp")) {
  for (const [name, content] of files) {
    if (contentOf(join(target, name)) !== content) writeInOneStep(join(target, name), content);
  }
  for (const name of readdirSync(target))
    if (!files.has(name) && isOurs(name)) rmSync(join(target, name), { force: true });
}

/** Others see the whole file or none of it: several may build at once. */
export function writeInOneStep(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

/** The text of a file; undefined if there is none. */
export function contentOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
