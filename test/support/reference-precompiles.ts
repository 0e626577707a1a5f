/** EthereumJS' precompiles, as the reference. */
import { Common, Mainnet } from "@ethereumjs/common";
import { createEVM, getActivePrecompiles, type PrecompileFunc } from "@ethereumjs/evm";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import { LazyKzg } from "../../src/engines/ethereumjs/kzg.ts";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";

/** Result of a precompile. Gas is the amount used: all of it on failure. */
export interface ReferenceAnswer {
  readonly gasUsed: bigint;
  /** Undefined when it failed. */
  readonly output: Bytes | undefined;
}

export type Reference = (home: number, input: Bytes, gasLimit: bigint) => Promise<ReferenceAnswer>;

/** The precompiles of a hardfork. */
export async function referencePrecompiles(hardfork: Hardfork): Promise<Reference> {
  const common = new Common({ chain: Mainnet, hardfork, customCrypto: { kzg: new LazyKzg() } });
  const evm = await createEVM({ common });
  const active = getActivePrecompiles(common);
  return async (home, data, gasLimit) => {
    const run = active.get(home.toString(16).padStart(40, "0")) as PrecompileFunc;
    const { executionGasUsed, exceptionError, returnValue } = await run({ data, gasLimit, common, _EVM: evm });
    return { gasUsed: executionGasUsed, output: exceptionError === undefined ? returnValue : undefined };
  };
}
