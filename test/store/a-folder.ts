/** Folders for tests: made below the system's, and told apart byte for byte. */
import { createHash } from "node:crypto";
import { lstat, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const made: string[] = [];

afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** An empty folder that is gone after the test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hindcast-store-"));
  made.push(folder);
  return folder;
}

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
