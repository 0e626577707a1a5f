/** Builds the explorer next to the module that serves it, for nodes that tests run from their sources. */
import { fileURLToPath } from "node:url";
import { writeExplorer } from "../../.ci/explorer.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

export async function setup(): Promise<void> {
  await writeExplorer(root, fileURLToPath(new URL("../../src/node/pages/explorer/", import.meta.url)));
}
