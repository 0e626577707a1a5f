/**
 * One folder for all temporary files of a run. It is removed when the run ends, whatever failed and whichever worker was
 * killed. Workers, and the programs that tests start, find it as the system's temporary folder.
 */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Variables that programs read: the first on POSIX, the others on Windows. */
const VARIABLES = ["TMPDIR", "TEMP", "TMP"] as const;

/** Called by vitest before the first test; gives what is called after the last. */
export async function setup(): Promise<() => Promise<void>> {
  // Paths of sockets may have 104 bytes on macOS, whose own temporary folder takes half of them.
  const folder = await mkdtemp(join(tmpdir(), "hc-"));
  for (const name of VARIABLES) process.env[name] = folder;
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Interrupted, vitest ends without what it would call at the end.
  process.once("exit", remove);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return async () => remove();
}
