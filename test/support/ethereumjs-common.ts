/** EthereumJS' rule set for a hardfork of a chain, for tests that hold our codecs against its packages. */
import { Common } from "@ethereumjs/common";
import { paramsTx } from "@ethereumjs/tx";
import type { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { HARDFORKS, type Hardfork, isAtLeast } from "../../src/chainspec/hardforks/hardforks.ts";
import { LazyKzg } from "../../src/engines/ethereumjs/kzg.ts";

/** Hardforks that EthereumJS lacks. They change the limits of blobs alone. */
const LACKING: readonly Hardfork[] = ["bpo3", "bpo4", "bpo5"];

/** The hardforks up to it are all listed at block 0. */
export function ethereumjsCommon({ chainId }: ChainSpec, hardfork: Hardfork): Common {
  const names = HARDFORKS.filter((name) => isAtLeast(hardfork, name) && !LACKING.includes(name));
  const common = new Common({
    chain: {
      name: "test",
      // A string, since EthereumJS copies its options through JSON and the id may exceed 2^53.
      chainId: chainId.toString() as `${number}`,
      defaultHardfork: names.at(-1) as string,
      consensus: { type: "pow", algorithm: "ethash", ethash: {} },
      genesis: { gasLimit: 0, difficulty: 0, nonce: "0x0000000000000000", extraData: "0x" },
      hardforks: names.map((name) => ({ name, block: 0 })),
      bootstrapNodes: [],
    },
    hardfork: names.at(-1) as string,
    customCrypto: { kzg: new LazyKzg() },
  });
  common.updateParams(paramsTx);
  return common;
}
