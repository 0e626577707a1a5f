/**
 * Params of the methods that control a node. Their callers are test scripts, which send numbers in every spelling that
 * some node takes: JSON numbers, decimal strings, hex with and without leading zeros.
 */
import type { MineOptions } from "../../miner/mining-run.ts";
import { decodeData, isData } from "../../primitives/hex.ts";
import { MAX_UINT256 } from "../../primitives/limits.ts";
import { anything, boolean, either, listOf, natural, pairOf, string, textLike } from "../../primitives/schema.ts";
import { object, strictObject } from "../../primitives/schema-objects.ts";
import { callObject } from "./call-object.ts";
import { countOrDecimal, data, hash } from "./primitives.ts";

const AMOUNT_SHAPE = 'expected a number such as "0xa", "10" or 10, below 2^256';

/** A number below 2^256 in any spelling: wei, a nonce, an id. */
export const amount = either([natural(AMOUNT_SHAPE), textLike(/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/)], AMOUNT_SHAPE)
  .to(BigInt)
  .where((value) => value <= MAX_UINT256, "expected a number below 2^256");

/** How many, as a JS number. */
export const count = countOrDecimal
  .where((value) => value <= BigInt(Number.MAX_SAFE_INTEGER), "expected a count below 2^53")
  .to(Number);

const WORD_SHAPE = "expected a word: hex of at most 32 bytes, or a number below 2^256";

/** A storage slot or value in any spelling, as 32 bytes. */
export const word = either(
  [
    textLike(/^0x[0-9a-fA-F]{0,64}$/).to((text) => decodeData(`0x${text.slice(2).padStart(64, "0")}`)),
    amount.to((value) => decodeData(`0x${value.toString(16).padStart(64, "0")}`)),
  ],
  WORD_SHAPE,
);

/** Hex of any length, an odd digit at the front included; some tools send `0x0` for no code. */
export const looseData = textLike(/^0x[0-9a-fA-F]*$/, { shape: 'expected DATA such as "0x00ff"' }).to((text) =>
  decodeData(isData(text) ? text : `0x0${text.slice(2)}`),
);

export const enabled = boolean();

/** A signed transaction, or one to be completed and signed, and the index of the new block that it goes into. */
export const transactionBlockPairs = listOf(
  pairOf(either([data, callObject]), count),
  "expected a list of [transaction, block index] pairs",
);

/** How many blocks; or, as one object, with the transactions too. */
export const reorgDepth = either(
  [
    count.to((depth) => ({ depth, transactionBlockPairs: undefined })),
    strictObject({ depth: count, txBlockPairs: transactionBlockPairs.nullish() }).to(({ depth, txBlockPairs }) => ({
      depth,
      transactionBlockPairs: txBlockPairs,
    })),
  ],
  "expected a depth, or an object with depth and txBlockPairs",
);

/** Nothing, a timestamp in seconds, or Ganache's `{ timestamp, blocks }`. */
export const mineParam = either(
  [
    countOrDecimal.to((timestamp): MineOptions => ({ timestamp })),
    strictObject({ timestamp: countOrDecimal.nullish(), blocks: count.nullish() }).to(
      ({ timestamp, blocks }): MineOptions => ({
        ...(timestamp === undefined ? {} : { timestamp }),
        ...(blocks === undefined ? {} : { blocks }),
      }),
    ),
  ],
  "expected a timestamp in seconds or an object with timestamp and blocks",
);

/** What `hindcast_mine` takes. */
export const hindcastMineParam = strictObject({
  blocks: count.nullish(),
  timestamp: countOrDecimal.nullish(),
  interval: countOrDecimal.nullish(),
  uncles: listOf(hash).nullish(),
});

/** What `hindcast_mineSideBlock` takes. */
export const sideBlockParam = strictObject({
  parent: hash.nullish(),
  timestamp: countOrDecimal.nullish(),
  coinbase: data.where((bytes) => bytes.length === 20, "expected DATA of 20 bytes").nullish(),
  extraData: data.where((bytes) => bytes.length <= 32, "expected DATA of at most 32 bytes").nullish(),
});

/** What reset takes: Hardhat's and Anvil's options name a chain to fork. */
export const resetParam = object({
  forking: object({ jsonRpcUrl: string().nullish(), blockNumber: anything }).nullish(),
});
