/** Name and version of this build. */
import type { EngineName } from "../evm/engine.ts";
import { packageVersion } from "../primitives/platform/built-files.ts";

/** The version in `package.json`, which `web3_clientVersion` and `--version` show. */
export const VERSION: string = packageVersion();

/**
 * The answer of web3_clientVersion: the name of the emulated node, then name, version and engine of this one.
 *
 * Hardhat's network helpers (2 and 3) accept HTTP nodes only if the answer begins with `HardhatNetwork`, `anvil` or
 * `zksync`, and Foundry's scripts look for `anvil`. All methods of Anvil that they use exist here. Their requests
 * cannot be distinguished from those of other clients.
 *
 * @param name - by which plugins know the node
 */
export function clientVersion(name: string, engine: EngineName): string {
  return `${name}/hindcast/v${VERSION}/${engine}`;
}
