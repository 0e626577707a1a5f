import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes a folder hold these files and no others of their kinds. Each is written in one step, since several may build at once; and
 * in order: a file that names others comes after them.
 *
 * @param {string} target - absolute path of the folder
 * @param {ReadonlyMap<string, string>} files - contents by name
 * @param {(name: string) => boolean} isOurs - which other files are removed; default: all but those that are being written
 */
export function writeFolder(target, files, isOurs = (name) => !name.endsWith(".tmp")) {
  mkdirSync(target, { recursive: true });
  for (const [name, content] of files) {
    if (contentOf(join(target, name)) === content) continue;
    const temporary = join(target, `${name}.${process.pid}.tmp`);
    writeFileSync(temporary, content);
    renameSync(temporary, join(target, name));
  }
  for (const name of readdirSync(target)) if (!files.has(name) && isOurs(name)) rmSync(join(target, name), { force: true });
}

function contentOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
