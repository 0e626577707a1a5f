/** A block context as EthereumJS wants to read it. */
import type { EVM, EVMRunCallOpts } from "@ethereumjs/evm";
import { Address } from "@ethereumjs/util";
import { ZERO_HASH } from "../primitives/hash.ts";
import type { BlockContext } from "./types.ts";

export interface CoreBlock {
  readonly block: NonNullable<EVMRunCallOpts["block"]>;
  /** Answers BLOCKHASH. */
  readonly blockchain: EVM["blockchain"];
}

/** Translates a block context. An ancestor without a known hash reads as zero. */
export function toCoreBlock(context: BlockContext): CoreBlock {
  const blockchain: EVM["blockchain"] = {
    getBlock: async (number) => ({ hash: () => context.blockHash(BigInt(number)) ?? ZERO_HASH }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  const header = {
    number: context.number,
    coinbase: new Address(context.coinbase),
    timestamp: context.timestamp,
    difficulty: context.difficulty,
    prevRandao: context.prevRandao,
    gasLimit: context.gasLimit,
    getBlobGasPrice: () => context.blobBaseFee,
    ...(context.baseFeePerGas === undefined ? {} : { baseFeePerGas: context.baseFeePerGas }),
  };
  return { block: { header }, blockchain };
}
