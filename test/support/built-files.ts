/** Builds the program of threads and the explorer, for nodes that tests run from their sources. */
import { fileURLToPath } from "node:url";
import { buildFiles } from "../../.ci/built-files.mjs";

export async function setup(): Promise<void> {
  await buildFiles(fileURLToPath(new URL("../../", import.meta.url)));
}
