/** Arguments of `node.replay()` and `node.eachReplayedBlock()`. */
import { z } from "zod";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { once } from "../../primitives/once.ts";
import { type LooseBytes, toBytes } from "../../primitives/validation/loose.ts";
import {
  bounds,
  count,
  isObject,
  listOf,
  membersOf,
  requireShape,
  shape,
  someOf,
} from "../../primitives/validation/shape.ts";
import { blockId, call } from "../../services/simulate/argument-shapes.ts";
import type { InsertedTransaction, WhatIfRequest } from "../../services/simulate/what-if/request.ts";
import type { ReplayBounds } from "../../services/simulate/what-if/what-if.ts";
import { isHash } from "./require-hash.ts";

const ADDRESS_BYTES = 20;
const SLOT_BYTES = 32;

/** A block by its number, or as `{ number }`, `{ tag }` or `{ hash }`. */
export type ReplayedBlockId = bigint | number | BlockId;

/** A call to run beside a mined transaction, or after all transactions of a block. One place is given. */
export interface ReplayInsertion {
  readonly before?: Bytes | Hex;
  readonly after?: Bytes | Hex;
  readonly block?: ReplayedBlockId;
  /** Without a price it is free. It takes no nonce, and none of the block's gas. */
  readonly call: CallRequest;
}

/**
 * The part of history to run again, and what changes in it. One of `transaction` and `blocks` is given. Addresses and slots
 * are names of members, as DATA.
 */
export interface ReplayRequest {
  /** Hash of a mined transaction. Those before it in its block run as they did. */
  readonly transaction?: Bytes | Hex;
  /** First and last block. The changed state flows on from one to the next. */
  readonly blocks?: readonly [from: ReplayedBlockId, to: ReplayedBlockId];
  /**
   * Bytecode by address, or an artifact of Hardhat or Foundry, or a contract of solc's output. Its immutables and addresses
   * of libraries are taken over from the deployed code.
   */
  readonly code?: Readonly<Record<Hex, LooseBytes | object>>;
  /** Values by address and slot, of 32 bytes. */
  readonly storage?: Readonly<Record<Hex, Readonly<Record<Hex, LooseBytes | bigint>>>>;
  readonly transactions?: {
    /** Hashes of mined transactions that do not run. Their nonces count as used. */
    readonly drop?: readonly (Bytes | Hex)[];
    readonly insert?: readonly ReplayInsertion[];
    /** Members that a mined transaction has instead; with `creates` it is a creation, which has no recipient. */
    readonly replace?: readonly {
      readonly transaction: Bytes | Hex;
      readonly call: CallRequest;
      readonly creates?: boolean;
    }[];
  };
}

const sized = (length: number, name: string): z.ZodType =>
  shape(`${name} of ${length} bytes, as DATA`, (value) => typeof value === "string" && hasLength(value, length));

function hasLength(value: unknown, length: number): boolean {
  const bytes = toBytes(value as LooseBytes);
  return bytes instanceof Uint8Array && bytes.length === length;
}

const hash = once(() => shape("32 bytes in a Uint8Array or as DATA", isHash));
const code = once(() =>
  shape("bytecode in a Uint8Array or as DATA, or an artifact with deployedBytecode", (value) => {
    return isObject(value) || toBytes(value as LooseBytes) instanceof Uint8Array;
  }),
);
const word = once(() =>
  shape("a slot's value: 32 bytes in a Uint8Array or as DATA, or a bigint below 2^256", (value) => {
    return typeof value === "bigint" ? value >= 0n && value >> 256n === 0n : hasLength(value, SLOT_BYTES);
  }),
);
const id = once(() =>
  shape('a block such as 7n, { tag: "latest" } or { hash }', (value) => {
    if (typeof value === "bigint") return value >= 0n;
    return typeof value === "number" ? Number.isSafeInteger(value) && value >= 0 : blockId().safeParse(value).success;
  }),
);

/** The first argument. */
export const replayRequest = once(() =>
  someOf<ReplayRequest>({
    transaction: hash(),
    blocks: z.tuple([id(), id()], "expected the first and the last block such as [1n, 7n]"),
    code: z.record(sized(ADDRESS_BYTES, "an address") as z.ZodType<string>, code()),
    storage: z.record(
      sized(ADDRESS_BYTES, "an address") as z.ZodType<string>,
      z.record(sized(SLOT_BYTES, "a slot") as z.ZodType<string>, word()),
    ),
    transactions: someOf<NonNullable<ReplayRequest["transactions"]>>({
      drop: listOf(hash()),
      insert: listOf(
        membersOf<ReplayInsertion>({
          before: hash().optional(),
          after: hash().optional(),
          block: id().optional(),
          call: call(),
        }),
      ),
      replace: listOf(membersOf({ transaction: hash(), call: call(), creates: z.boolean().optional() })),
    }),
  }),
);

/** The options. */
export const replayBounds = once(() => someOf<ReplayBounds>({ ...bounds(), limit: count() }));

/**
 * The request with bytes in place of texts.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function whatIfRequest(request: ReplayRequest): WhatIfRequest {
  requireShape(replayRequest(), request, "request");
  const { transaction, blocks, code: codes = {}, storage = {}, transactions = {} } = request;
  const { drop, insert, replace } = transactions;
  return {
    transaction: transaction && toBytes(transaction),
    blocks: blocks && [idOf(blocks[0]), idOf(blocks[1])],
    code: entriesOf(codes).map(([address, given]) => ({
      address: toBytes(address),
      code: isObject(given) ? given : toBytes(given as LooseBytes),
    })),
    storage: entriesOf(storage).map(([address, slots]) => ({
      address: toBytes(address),
      slots: entriesOf(slots).map(([slot, value]) => ({
        slot: toBytes(slot),
        value: typeof value === "bigint" ? bigIntToFixedBytes(value, SLOT_BYTES) : toBytes(value),
      })),
    })),
    transactions: {
      drop: drop?.map(toBytes),
      insert: insert?.map(insertionOf),
      replace: replace?.map((each) => ({ ...each, transaction: toBytes(each.transaction) })),
    },
  };
}

function entriesOf<Value>(members: Readonly<Record<Hex, Value>>): readonly (readonly [Hex, Value])[] {
  return Object.entries(members) as [Hex, Value][];
}

function insertionOf({ before, after, block, call: given }: ReplayInsertion): InsertedTransaction {
  return {
    before: before && toBytes(before),
    after: after && toBytes(after),
    block: block === undefined ? undefined : idOf(block),
    call: given,
  };
}

function idOf(given: ReplayedBlockId): BlockId {
  return typeof given === "object" ? given : { number: BigInt(given) };
}
