/** Checks a request of a what-if replay against the chain, and plans its blocks. */
import type { BlockViews } from "../../../chain/block-views.ts";
import { type BlockId, LATEST } from "../../../chain/blocks/block-id.ts";
import type { TransactionLocation } from "../../../chain/read/chain-reader.ts";
import type { ChainBlocks } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { genesisNotTraceable, requireTransaction } from "../debug/errors.ts";
import { replacedCall } from "./replaced-call.ts";
import type { InsertedTransaction, TransactionChanges, WhatIfRequest } from "./request.ts";

/** The change of a transaction. */
export type ChangeKind = "none" | "dropped" | "replaced" | "inserted";

/** A transaction of a block, mined or not. */
export type PlannedTransaction =
  | { readonly change: "none" | "dropped"; readonly tx: Transaction; readonly index: number }
  | { readonly change: "replaced"; readonly tx: Transaction; readonly index: number; readonly call: CallRequest }
  | { readonly change: "inserted"; readonly call: CallRequest };

/** The calls that run beside a mined transaction, or at the end of a block, by its hash or number. */
type Inserted = ReadonlyMap<string, readonly InsertedTransaction[]>;

/** The blocks of a run, and what changes in each. */
export class WhatIfPlan {
  readonly from: bigint;
  readonly to: bigint;
  /** Index of the only transaction that runs on the changed state; undefined for whole blocks. */
  readonly only: number | undefined;
  readonly #dropped: ReadonlySet<string>;
  readonly #replaced: ReadonlyMap<string, CallRequest>;
  readonly #before: Inserted;
  readonly #after: Inserted;
  readonly #atEnd: Inserted;

  private constructor(range: PlannedRange, changes: ResolvedChanges) {
    this.from = range.from;
    this.to = range.to;
    this.only = range.only;
    this.#dropped = changes.dropped;
    this.#replaced = changes.replaced;
    this.#before = changes.before;
    this.#after = changes.after;
    this.#atEnd = changes.atEnd;
  }

  /**
   * @param maxBlocks - most blocks of a range; undefined: any number
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a range or changes that contradict themselves or each other
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`, `HEADER_NOT_FOUND`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`
   */
  static async of(
    { chain, views }: { readonly chain: ChainBlocks; readonly views: BlockViews },
    request: WhatIfRequest,
    maxBlocks: number | undefined,
  ): Promise<WhatIfPlan> {
    const range = await rangeOf(chain, views, request, maxBlocks);
    return new WhatIfPlan(range, await resolveChanges(chain, views, request.transactions ?? {}, range));
  }

  /** The transactions of a block in the order in which they run. */
  transactionsOf(block: Block): readonly PlannedTransaction[] {
    const first = this.only ?? 0;
    const mined = block.transactions.slice(first, this.only === undefined ? undefined : first + 1);
    const planned = mined.flatMap((tx, position): readonly PlannedTransaction[] => {
      const key = bytesKey(tx.hash);
      return [
        ...insertedOf(this.#before.get(key)),
        this.#planned(tx, first + position, key),
        ...insertedOf(this.#after.get(key)),
      ];
    });
    return [...planned, ...insertedOf(this.#atEnd.get(String(block.header.number)))];
  }

  #planned(tx: Transaction, index: number, key: string): PlannedTransaction {
    const call = this.#replaced.get(key);
    if (call !== undefined) return { change: "replaced", tx, index, call };
    return { change: this.#dropped.has(key) ? "dropped" : "none", tx, index };
  }
}

function insertedOf(inserted: readonly InsertedTransaction[] = []): readonly PlannedTransaction[] {
  return inserted.map(({ call }) => ({ change: "inserted", call }));
}

/** Numbers of the first and the last block. */
interface PlannedRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly only: number | undefined;
}

async function rangeOf(
  chain: ChainBlocks,
  views: BlockViews,
  { transaction, blocks }: WhatIfRequest,
  maxBlocks: number | undefined,
): Promise<PlannedRange> {
  if ((transaction === undefined) === (blocks === undefined)) {
    throw contradiction(
      "expected either a transaction or blocks to run again",
      "Give one of `transaction` and `blocks`.",
    );
  }
  if (transaction !== undefined) {
    const { block, index } = await requireTransaction(chain, transaction);
    return { from: block.header.number, to: block.header.number, only: index };
  }
  const [from, to] = await Promise.all((blocks as readonly [BlockId, BlockId]).map((id) => numberOf(views, id)));
  if (from === undefined || to === undefined || from > to) {
    throw contradiction(`the range of blocks runs backwards, from ${from} to ${to}`, "Give the older block first.");
  }
  if (from <= chain.genesis.header.number && chain.pinnedNumber === undefined) throw genesisNotTraceable();
  if (from === 0n) throw genesisNotTraceable();
  if (maxBlocks !== undefined && to - from + 1n > BigInt(maxBlocks)) {
    const fix = `Run parts of the range, or start the node with --trace-filter-blocks ${to - from + 1n}.`;
    throw contradiction(`the range has ${to - from + 1n} blocks, and the limit is ${maxBlocks}`, fix);
  }
  return { from, to, only: undefined };
}

async function numberOf(views: BlockViews, id: BlockId): Promise<bigint> {
  const mined: BlockId = "tag" in id && id.tag === "pending" ? LATEST : id;
  return (await views.require(mined)).block.header.number;
}

interface ResolvedChanges {
  readonly dropped: ReadonlySet<string>;
  readonly replaced: ReadonlyMap<string, CallRequest>;
  readonly before: Inserted;
  readonly after: Inserted;
  readonly atEnd: Inserted;
}

async function resolveChanges(
  chain: ChainBlocks,
  views: BlockViews,
  { drop = [], insert = [], replace = [] }: TransactionChanges,
  range: PlannedRange,
): Promise<ResolvedChanges> {
  const dropped = new Set<string>();
  for (const hash of drop) {
    if (dropped.has(bytesKey(hash))) throw namedTwice(hash);
    await requireWithin(chain, hash, range);
    dropped.add(bytesKey(hash));
  }
  const replaced = new Map<string, CallRequest>();
  for (const { transaction, call, creates = false } of replace) {
    const key = bytesKey(transaction);
    if (dropped.has(key) || replaced.has(key)) throw namedTwice(transaction);
    if (creates && call.to !== undefined) {
      const what = `transaction ${encodeData(transaction)} is replaced by a creation with a recipient`;
      throw contradiction(what, "Leave out `to`, or `creates`.");
    }
    const { block, index } = await requireWithin(chain, transaction, range);
    const mined = replacedCall(block.transactions[index] as Transaction, call);
    replaced.set(key, creates ? { ...mined, to: undefined } : mined);
  }
  const [before, after, atEnd] = [new Map(), new Map(), new Map()] as readonly Map<string, InsertedTransaction[]>[];
  for (const inserted of insert) {
    const { place, key } = await placeOf(chain, views, inserted, range);
    const calls = { before, after, atEnd }[place] as Map<string, InsertedTransaction[]>;
    calls.set(key, [...(calls.get(key) ?? []), inserted]);
  }
  return { dropped, replaced, before, after, atEnd } as ResolvedChanges;
}

async function placeOf(
  chain: ChainBlocks,
  views: BlockViews,
  { before, after, block }: InsertedTransaction,
  range: PlannedRange,
): Promise<{ readonly place: "before" | "after" | "atEnd"; readonly key: string }> {
  if ([before, after, block].filter((place) => place !== undefined).length !== 1) {
    throw contradiction("an inserted transaction needs one place", "Give one of `before`, `after` and `block`.");
  }
  if (block !== undefined) {
    const number = await numberOf(views, block);
    if (number < range.from || number > range.to) throw outside(`block ${number}`, range);
    if (range.only !== undefined) {
      throw contradiction("only one transaction of the block runs again", "Insert `before` or `after` it.");
    }
    return { place: "atEnd", key: String(number) };
  }
  const hash = (before ?? after) as Bytes;
  await requireWithin(chain, hash, range);
  return { place: before === undefined ? "after" : "before", key: bytesKey(hash) };
}

async function requireWithin(chain: ChainBlocks, hash: Bytes, range: PlannedRange): Promise<TransactionLocation> {
  const location = await requireTransaction(chain, hash);
  const { number } = location.block.header;
  const isOther = range.only !== undefined && range.only !== location.index;
  if (number < range.from || number > range.to || isOther) throw outside(`transaction ${encodeData(hash)}`, range);
  return location;
}

function outside(subject: string, { from, to, only }: PlannedRange): InvalidParamsError {
  const part = only === undefined ? `blocks ${from} to ${to}` : `transaction ${only} of block ${from}`;
  return contradiction(`${subject} is not in the part that runs again`, `This is ${part}: name a larger range.`);
}

function namedTwice(hash: Bytes): InvalidParamsError {
  const what = `transaction ${encodeData(hash)} is changed twice`;
  return contradiction(what, "Name it once, in `drop` or in `replace`.");
}

function contradiction(what: string, fix: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_PARAMS", what: `${what}.`, fix });
}
