/** EthereumJS' Common for a session: hardfork, chain id, size limits and cryptography. */
import { Common, Hardfork as KnownHardfork, type ParamsDict } from "@ethereumjs/common";
import { paramsEVM } from "@ethereumjs/evm";
import { EIPS, hardforkOf, hasEip } from "../../chainspec/hardforks/eips.ts";
import { HARDFORKS, type Hardfork, isAtLeast, isBlobParameterOnly } from "../../chainspec/hardforks/hardforks.ts";
import type { SessionRequest } from "../../evm/engine.ts";
import { recoverPublicKeyByV } from "../../primitives/curves/secp256k1.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { sha256 } from "../../primitives/platform/crypto.ts";
import type { LazyKzg } from "./kzg.ts";

/** Hardforks whose rules EthereumJS has. Those of EIP-7892 change only blob limits, which the executor applies. */
const KNOWN: readonly Hardfork[] = HARDFORKS.filter(
  (name) => !isBlobParameterOnly(name) && (Object.values(KnownHardfork) as readonly string[]).includes(name),
);

/**
 * The EIPs of the hardforks, by the chain specification's table in place of EthereumJS' own. EthereumJS has single EIPs from
 * EIP-2929's hardfork on. A hardfork that it does not know adds its EIPs to the newest that it knows.
 */
function eipsOf(hardfork: Hardfork, names: readonly Hardfork[]): Record<string, { eips: number[] }> {
  const added = new Map(names.filter((name) => hasEip(name, 2929)).map((name) => [name, { eips: [] as number[] }]));
  for (const eip of EIPS.filter((each) => hasEip(hardfork, each))) {
    const name = names.findLast((each) => isAtLeast(hardforkOf(eip), each));
    if (name !== undefined) added.get(name)?.eips.push(eip);
  }
  return Object.fromEntries(added);
}

/** The rules of a session's hardfork. `kzg` is for the point evaluation precompile (EIP-4844). */
export function commonOf({ block, chainId }: SessionRequest, kzg: LazyKzg): Common {
  const names = KNOWN.filter((name) => isAtLeast(block.hardfork, name));
  const hardfork = names.at(-1) as Hardfork;
  return new Common({
    chain: {
      name: "hindcast",
      // As a string, because EthereumJS copies its options through JSON and a chain id may exceed 2^53.
      chainId: chainId.toString() as `${number}`,
      defaultHardfork: hardfork,
      consensus: { type: "pow", algorithm: "ethash", ethash: {} },
      genesis: { gasLimit: 0, difficulty: 0, nonce: "0x0000000000000000", extraData: "0x" },
      hardforks: names.map((name) => ({ name, block: 0 })),
      customHardforks: eipsOf(block.hardfork, names),
      bootstrapNodes: [],
    },
    hardfork,
    customCrypto: { kzg, ecrecover: recoverPublicKeyByV, keccak256, sha256 },
  });
}

/** EthereumJS' prices, with the session's size limits in place of mainnet's (EIP-170, EIP-3860, EIP-7954). */
export function paramsOf({ maxCodeSize, maxInitCodeSize }: SessionRequest): ParamsDict {
  return {
    ...paramsEVM,
    607: { ...paramsEVM["607"], maxCodeSize },
    3860: { ...paramsEVM["3860"], maxInitCodeSize },
    7954: { maxCodeSize, maxInitCodeSize },
  };
}
