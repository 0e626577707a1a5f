/** Creates nodes. */
import { openBackend } from "./backend.ts";
import { HindcastNode } from "./hindcast-node.ts";
import type { NodeOptions } from "./options/options.ts";

/**
 * Creates a node with its chain in memory or in a folder.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`, `INVALID_GENESIS`
 * @throws {RemoteError} `WRITER_UNREACHABLE`, and {UnsupportedError} `FOLLOWING_REFUSED` for a node to follow
 * @throws {StoreError} `DATA_DIR_LOCKED`, `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`, `STORE_CORRUPT`
 */
export async function createNode(options: NodeOptions = {}): Promise<HindcastNode> {
  const backend = await openBackend(options);
  return new HindcastNode(backend, backend.options);
}
