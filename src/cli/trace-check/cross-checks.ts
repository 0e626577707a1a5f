/** Rules for the traces of a node's own blocks, whichever client it follows: its methods agree with each other. */
import { z } from "zod";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { type Answer, AnswerError, type Ask } from "./node-answers.ts";

/** Something that two methods should agree on, and do not. */
export interface Disagreement {
  readonly rule: string;
  /** Block, transaction or entry in which it was seen first. */
  readonly where: string;
}

/** The extent of a comparison of some blocks, and the rules that do not hold. */
export interface CrossChecks {
  readonly blocks: number;
  readonly transactions: number;
  readonly entries: number;
  readonly disagreements: readonly Disagreement[];
}

const data = z.string().regex(/^0x(?:[0-9a-f]{2})*$/);
const address = z.string().regex(/^0x[0-9a-f]{40}$/);
const quantity = z.string().regex(/^0x(?:0|[1-9a-f][0-9a-f]*)$/);
const place = z.int().min(0);
/** Members of all entries; others may come. */
const common = z.looseObject({ subtraces: place, traceAddress: z.array(place) });
const entryShape = z.discriminatedUnion("type", [
  common.extend({
    type: z.literal("call"),
    action: z.looseObject({
      callType: z.enum(["call", "callcode", "delegatecall", "staticcall"]),
      from: address,
      to: address,
      gas: quantity,
      input: data,
      value: quantity,
    }),
    result: z.looseObject({ gasUsed: quantity, output: data }).nullish(),
    error: z.string().optional(),
  }),
  common.extend({
    type: z.literal("create"),
    action: z.looseObject({ from: address, gas: quantity, init: data, value: quantity }),
    result: z.looseObject({ address, code: data, gasUsed: quantity }).nullish(),
    error: z.string().optional(),
  }),
  common.extend({
    type: z.literal("suicide"),
    action: z.looseObject({ address, balance: quantity, refundAddress: address }),
  }),
  common.extend({
    type: z.literal("reward"),
    action: z.looseObject({
      author: address,
      rewardType: z.enum(["block", "uncle", "emptyStep", "external"]),
      value: quantity,
    }),
  }),
]);

/** The same whatever the order of members. */
function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, member]) => [key, sorted(member)]),
  );
}

/** An entry without what names its block and transaction, as replays have it. */
function unplaced({
  blockHash: _1,
  blockNumber: _2,
  transactionHash: _3,
  transactionPosition: _4,
  ...entry
}: Answer): Answer {
  return entry;
}

/**
 * Compares the traces of the last blocks. What needs a method that the node lacks is left out.
 *
 * @param last - number of the newest
 * @param count - of blocks
 */
export async function crossCheck(ask: Ask, last: number, count: number): Promise<CrossChecks> {
  const comparison = new Comparison(ask);
  const first = Math.max(1, last - count + 1);
  for (let number = first; number <= last; number++) await comparison.block(number);
  await comparison.range(first, last);
  return comparison.result();
}

class Comparison {
  readonly #ask: Ask;
  /** The first place in which a rule does not hold, by rule. */
  readonly #broken = new Map<string, string>();
  readonly #traces: Answer[] = [];
  #blocks = 0;
  #transactions = 0;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  result(): CrossChecks {
    return {
      blocks: this.#blocks,
      transactions: this.#transactions,
      entries: this.#traces.length,
      disagreements: [...this.#broken].map(([rule, where]) => ({ rule, where })),
    };
  }

  async block(number: number): Promise<void> {
    const name = `0x${number.toString(16)}`;
    const where = `block ${number}`;
    const block = await this.#ask("eth_getBlockByNumber", name, false);
    const traces: Answer[] = await this.#ask("trace_block", name);
    this.#blocks++;
    this.#transactions += block.transactions.length;
    this.#traces.push(...traces);
    for (const [index, entry] of traces.entries()) {
      const issue = entryShape.safeParse(entry).error?.issues[0];
      const text = `an entry has Parity's members and forms (${issue?.path.join(".")}: ${issue?.message})`;
      this.#expect(issue === undefined, text, `${where}, entry ${index}`);
    }
    const isOfBlock = traces.every(({ blockHash, blockNumber }) => blockHash === block.hash && blockNumber === number);
    this.#expect(isOfBlock, "the entries of trace_block name their block", where);
    const lists: Answer[][] = [];
    for (const [index, hash] of block.transactions.entries()) lists.push(await this.#transaction(hash, index, where));
    const withoutRewards = traces.filter(({ type }) => type !== "reward");
    this.#expect(same(withoutRewards, lists.flat()), "trace_block is the sum of its trace_transaction", where);
    const filtered = await this.#optional("trace_filter", { fromBlock: name, toBlock: name });
    this.#expectSame(filtered, traces, "trace_filter of a block is its trace_block", where);
    const replayed = await this.#optional("trace_replayBlockTransactions", name, ["trace"]);
    this.#expectSame(
      replayed?.map(({ trace }: Answer) => trace),
      lists.map((list) => list.map(unplaced)),
      "trace_replayBlockTransactions runs what trace_transaction shows",
      where,
    );
  }

  async #transaction(hash: Hex, index: number, block: string): Promise<Answer[]> {
    const where = `${block}, transaction ${hash}`;
    const traces: Answer[] = (await this.#ask("trace_transaction", hash)) ?? [];
    const isNamed = traces.every(
      ({ transactionHash, transactionPosition }) => transactionHash === hash && transactionPosition === index,
    );
    this.#expect(isNamed, "the entries of trace_transaction name their transaction", where);
    this.#expect(areNested(traces), "subtraces counts the entries below, and traceAddress is their path", where);
    const replayed = await this.#optional("trace_replayTransaction", hash, ["trace"]);
    const rule = "trace_replayTransaction runs what trace_transaction shows";
    this.#expectSame(replayed?.trace, traces.map(unplaced), rule, where);
    const { status } = await this.#ask("eth_getTransactionReceipt", hash);
    const hasFailed = traces[0]?.error !== undefined;
    // Before Byzantium a receipt has no status.
    const agrees = status === undefined || (status === "0x0") === hasFailed;
    this.#expect(agrees, "the outermost entry has an error where the receipt says so", where);
    return traces;
  }

  async range(first: number, last: number): Promise<void> {
    if (first > last) return;
    const filter = { fromBlock: `0x${first.toString(16)}`, toBlock: `0x${last.toString(16)}` };
    const found = await this.#optional("trace_filter", filter);
    this.#expectSame(found, this.#traces, "trace_filter is the concatenation of blocks", `blocks ${first} to ${last}`);
  }

  #expect(holds: boolean, rule: string, where: string): void {
    if (!holds && !this.#broken.has(rule)) this.#broken.set(rule, where);
  }

  #expectSame(answer: unknown, expected: unknown, rule: string, where: string): void {
    this.#expect(answer === undefined || same(answer, expected), rule, where);
  }

  /** An answer; undefined where the node lacks the method. */
  async #optional(method: string, ...params: unknown[]): Promise<Answer> {
    try {
      return await this.#ask(method, ...params);
    } catch (error) {
      if (error instanceof AnswerError && error.isMissing) return undefined;
      throw error;
    }
  }
}

/** Depth first, a parent before its children, children counted. */
function areNested(traces: readonly Answer[]): boolean {
  const children = new Map<string, number>();
  for (const [index, { traceAddress }] of traces.entries()) {
    const path = traceAddress.join();
    if (children.has(path) || (index === 0) !== (traceAddress.length === 0)) return false;
    children.set(path, 0);
    if (index === 0) continue;
    const parent = traceAddress.slice(0, -1).join();
    const position = children.get(parent);
    if (position === undefined || traceAddress.at(-1) !== position) return false;
    children.set(parent, position + 1);
  }
  return traces.every(({ traceAddress, subtraces }) => children.get(traceAddress.join()) === subtraces);
}
