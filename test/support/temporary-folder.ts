/**
 * One folder for all temporary files of a run. It is removed when the run ends, whatever failed and whichever worker was
 * killed. Workers, and the programs that tests start, find it as the system's temporary folder.
 */
import { rmSync } from "node:fs";
import { access, constants, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Variables that programs read: the first on POSIX, the others on Windows. */
const VARIABLES = ["TMPDIR", "TEMP", "TMP"] as const;

/** Linux's folder in memory. */
const IN_MEMORY = "/dev/shm";
/** Free bytes that a run in memory wants there: many times its need. */
const AMPLE = 2 ** 31;

/** Called by vitest before the first test; gives what is called after the last. */
export async function setup({ vite }: TestProject): Promise<() => Promise<void>> {
  // Kills of processes, and what slow tests write by the gigabyte, meet a disk.
  const isInMemory = ["test", "journals"].includes(vite.config.mode) && (await hasAmpleMemory());
  // Paths of sockets may have 104 bytes on macOS, whose own temporary folder takes half of them.
  const folder = await mkdtemp(join(isInMemory ? IN_MEMORY : tmpdir(), "hc-"));
  for (const name of VARIABLES) process.env[name] = folder;
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Interrupted, vitest ends without what it would call at the end.
  process.once("exit", remove);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return async () => remove();
}

/** True if files may be in memory: hundreds of data folders wait for nothing there when they are synced, on a disk for seconds. */
async function hasAmpleMemory(): Promise<boolean> {
  if (VARIABLES.some((name) => process.env[name] !== undefined)) return false;
  try {
    await access(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(IN_MEMORY);
    return bavail * bsize >= AMPLE;
  } catch {
    return false;
  }
}
