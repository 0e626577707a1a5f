/** Folders for tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AtEnd } from "./at-end.ts";

/**
 * An empty folder that is gone after the test.
 *
 * Not by a hook of this module: test files share their modules, so that such a hook would run in the first of them only.
 *
 * @param atEnd - of a test that runs beside others: its own
 */
export async function aFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hindcast-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
