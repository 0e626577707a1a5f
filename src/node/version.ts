/** Name and version of this build. */
import type { EngineName } from "../evm/engine.ts";
import { loaderAt } from "../primitives/platform/packages.ts";

const { version } = loaderAt(import.meta.url)("../../package.json") as { version: string };

export const VERSION: string = version;

/**
 * The answer of web3_clientVersion: name, version and engine, after the name of the node whose methods these are.
 *
 * Hardhat's network helpers (2 and 3) take HTTP nodes only whose answer begins with `HardhatNetwork`, `anvil` or `zksync`,
 * and Foundry's scripts look for `anvil`. All that they use of Anvil exists here, and their HTTP requests cannot be told
 * from those of others.
 */
export function clientVersion(engine: EngineName): string {
  return `anvil/hindcast/v${version}/${engine}`;
}
