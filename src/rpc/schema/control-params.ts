/**
 * Params of the methods that control a node. Numbers may be JSON numbers, decimal strings, or hex with and without
 * leading zeros, because test scripts send whatever form their node of choice takes.
 */
import { z } from "zod";
import type { MineOptions } from "../../miner/mining-run.ts";
import { decodeData, parseData } from "../../primitives/bytes/hex.ts";
import { callObject } from "./call-object.ts";
import { namedMembers } from "./named-members.ts";
import { address, amount, countOrDecimal, data, hash, sizedData } from "./primitives.ts";

/** A signature: r, s and v. */
export const signature = sizedData(65);

/** A count in any form, as a number. */
export const count = countOrDecimal
  .refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER), { message: "expected a count below 2^53" })
  .transform(Number);

const WORD_SHAPE = "expected a word: hex of at most 32 bytes, or a number below 2^256";

/** A storage slot or value in any form, as 32 bytes. */
export const word = z.union(
  [
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{0,64}$/)
      .transform((text) => decodeData(`0x${text.slice(2).padStart(64, "0")}`)),
    amount.transform((value) => decodeData(`0x${value.toString(16).padStart(64, "0")}`)),
  ],
  { error: WORD_SHAPE },
);

/** A required parameter with a word that is stored. */
export function storedWord(name: string) {
  return { name, schema: word, isStoredWord: true } as const;
}

/** Hex of any length, even with an odd number of digits: some tools send `0x0` for empty code. */
export const looseData = z
  .string({ error: 'expected DATA such as "0x00ff"' })
  .regex(/^0x[0-9a-fA-F]*$/, { error: 'expected DATA such as "0x00ff"' })
  .transform((text) => parseData(text) ?? decodeData(`0x0${text.slice(2)}`));

/** A switch. */
export const enabled = z.boolean({ error: "expected true or false" });

/**
 * Pairs of a transaction and the index of the new block for it. The transaction is signed, or one to be completed and
 * signed.
 */
export const transactionBlockPairs = z.array(z.tuple([z.union([data, callObject]), count]), {
  error: "expected a list of [transaction, block index] pairs",
});

/** Number of blocks; or an object with that number and the transactions. */
export const reorgDepth = z.union(
  [
    count.transform((depth) => ({ depth, transactionBlockPairs: undefined })),
    z
      .strictObject({ depth: count, txBlockPairs: transactionBlockPairs.nullish() })
      .transform(({ depth, txBlockPairs }) => ({ depth, transactionBlockPairs: txBlockPairs ?? undefined })),
  ],
  { error: "expected a depth, or an object with depth and txBlockPairs" },
);

/** Nothing, a timestamp in seconds, or Ganache's `{ timestamp, blocks }`. */
export const mineParam = z.union(
  [
    countOrDecimal.transform((timestamp): MineOptions => ({ timestamp })),
    z.strictObject({ timestamp: countOrDecimal.nullish(), blocks: count.nullish() }).transform(
      ({ timestamp, blocks }): MineOptions => ({
        ...(timestamp == null ? {} : { timestamp }),
        ...(blocks == null ? {} : { blocks }),
      }),
    ),
  ],
  { error: "expected a timestamp in seconds or an object with timestamp and blocks" },
);

/** The parameter of `hindcast_mine`. */
export const hindcastMineParam = z.strictObject({
  blocks: count.nullish(),
  timestamp: countOrDecimal.nullish(),
  interval: countOrDecimal.nullish(),
  uncles: z.array(hash).nullish(),
});

/** The parameter of `hindcast_mineSideBlock`. */
export const sideBlockParam = z.strictObject({
  parent: hash.nullish(),
  timestamp: countOrDecimal.nullish(),
  coinbase: address.nullish(),
  extraData: data.refine((bytes) => bytes.length <= 32, { message: "expected DATA of at most 32 bytes" }).nullish(),
});

/** The parameter of the reset methods: Hardhat's and Anvil's options name a chain to fork. */
export const resetParam = namedMembers(
  z.object({
    forking: namedMembers(
      z
        .object({
          jsonRpcUrl: z.string().nullish(),
          blockNumber: amount.nullish(),
          httpHeaders: z.record(z.string(), z.string(), "expected an object of texts").nullish(),
        })
        .refine(({ jsonRpcUrl, httpHeaders }) => httpHeaders == null || typeof jsonRpcUrl === "string", {
          message: "expected jsonRpcUrl beside httpHeaders",
        }),
    )
      .transform(({ jsonRpcUrl, blockNumber, httpHeaders }) => ({
        url: jsonRpcUrl ?? undefined,
        headers: httpHeaders ?? undefined,
        blockNumber: blockNumber ?? undefined,
      }))
      .nullish(),
  }),
);

/** Milliseconds between blocks: a number, or Hardhat's pair of the fewest and the most. */
export const miningInterval = z.union(
  [
    count,
    z
      .tuple([count, count])
      .refine(([least, most]) => least > 0 && least <= most, { message: "expected the fewest before the most" }),
  ],
  { error: "expected milliseconds, or a pair of the fewest and the most" },
);
