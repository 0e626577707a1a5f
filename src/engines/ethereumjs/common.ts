/** EthereumJS' Common for a session: hardfork, chain id, size limits and cryptography. */
import { Common, type ParamsDict } from "@ethereumjs/common";
import { paramsEVM } from "@ethereumjs/evm";
import { HARDFORKS, isAtLeast, isBlobParameterOnly } from "../../chainspec/hardforks/hardforks.ts";
import type { SessionRequest } from "../../evm/engine.ts";
import { recoverPublicKeyByV } from "../../primitives/curves/secp256k1.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { sha256 } from "../../primitives/platform/crypto.ts";
import type { LazyKzg } from "./kzg.ts";

/** The rules of a session's hardfork. `kzg` is for the point evaluation precompile (EIP-4844). */
export function commonOf({ block, chainId }: SessionRequest, kzg: LazyKzg): Common {
  // The other hardforks change only blob limits, which the executor applies (EIP-7892).
  const rules = HARDFORKS.filter((name) => !isBlobParameterOnly(name) && isAtLeast(block.hardfork, name));
  const hardfork = rules.at(-1) ?? "chainstart";
  return new Common({
    chain: {
      name: "hindcast",
      // As a string, because EthereumJS copies its options through JSON and a chain id may exceed 2^53.
      chainId: chainId.toString() as `${number}`,
      defaultHardfork: hardfork,
      consensus: { type: "pow", algorithm: "ethash", ethash: {} },
      genesis: { gasLimit: 0, difficulty: 0, nonce: "0x0000000000000000", extraData: "0x" },
      hardforks: rules.map((name) => ({ name, block: 0 })),
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
