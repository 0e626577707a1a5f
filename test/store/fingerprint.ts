/** Tells folders apart, byte for byte. */
import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Name, size, time of change and content of a folder and everything in it. */
export async function fingerprint(folder: string): Promise<string[]> {
  const names = [".", ...(await readdir(folder, { recursive: true })).sort()];
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs, size, ino } = await lstat(path);
      const isFolder = (await lstat(path)).isDirectory();
      const digest = isFolder
        ? "folder"
        : createHash("sha256")
            .update(await readFile(path))
            .digest("hex");
      return `${name} ${ino} ${mtimeMs} ${isFolder ? "" : size} ${digest}`;
    }),
  );
}
