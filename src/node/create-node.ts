/** Creates nodes. */
import { openBackend } from "./backend.ts";
import { HindcastNode } from "./hindcast-node.ts";
import type { NodeOptions } from "./options/options.ts";

/**
 * Creates a node with its chain in memory or in a folder.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`, `INVALID_GENESIS`
 * @throws {StoreError} `DATA_DIR_LOCKED`, `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`, `STORE_CORRUPT`
 */
export async function createNode(options: NodeOptions = {}): Promise<HindcastNode> {
  return new HindcastNode(await openBackend(options), options);
}
