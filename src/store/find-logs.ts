/**
 * Log queries through the index: cost follows the rarest criterion, not the range of blocks.
 *
 * Each criterion (the addresses, each topic position) is a union of posting lists. In rounds, each reads one chunk from
 * the present position on; the one whose chunk reaches furthest is the rarest here, so that every match up to its end
 * is among its entries. These are looked up in the other criteria, one point read each where their chunks do not reach,
 * and the next round starts behind them. So a round advances at least as far as the rarest criterion's own chunk would.
 */
import { performance } from "node:perf_hooks";
import { type Bytes, compareBytes, equalBytes } from "../primitives/bytes.ts";
import {
  addressLogsPrefix,
  canonicalKey,
  isStorableNumber,
  logsPrefix,
  positionBytes,
  readPosition,
  topicLogsPrefix,
} from "./keys.ts";
import type { BackendSnapshot } from "./level-backend.ts";
import { nextPosition, PostingList, type PostingSource, PostingUnion } from "./posting-list.ts";
import { tables } from "./schema.ts";
import { missingValue } from "./store-errors.ts";

/** Which logs are asked for. */
export interface LogQuery {
  /** Both bounds belong to the range. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Any of these emitted it; empty: any at all. */
  readonly addresses: readonly Bytes[];
  /** At each position any of these; null or empty: any, a missing topic included. */
  readonly topics: readonly (readonly Bytes[] | null)[];
}

/** Where a log stands in the canonical chain. */
export interface LogPosition {
  readonly blockNumber: bigint;
  /** Of the block that was canonical when the query began. */
  readonly blockHash: Bytes;
  /** In the block, over all its transactions. */
  readonly logIndex: number;
  readonly txIndex: number;
}

/** A log has no more topics than this. */
const MAXIMUM_TOPICS = 4;
const MAX_UINT32 = 0xffff_ffff;
const MAX_UINT64 = (1n << 64n) - 1n;
/** How long a query may keep the event loop from others, less what the present one has taken. */
const TURN_MS = 15;

/**
 * Positions of all logs that meet every criterion, ascending.
 *
 * @throws what `signal` was aborted with
 * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
 */
export async function* findLogs(
  snapshot: BackendSnapshot,
  query: LogQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<LogPosition, void, undefined> {
  const fromBlock = query.fromBlock < 0n ? 0n : query.fromBlock;
  const toBlock = query.toBlock > MAX_UINT64 ? MAX_UINT64 : query.toBlock;
  if (fromBlock > toBlock || !isStorableNumber(fromBlock)) return;
  const source: PostingSource = {
    snapshot,
    cursor: snapshot.cursor(Uint8Array.of(tables.logs.prefix), Uint8Array.of(tables.logsByTopic.prefix + 1)),
    last: positionBytes(toBlock, MAX_UINT32, MAX_UINT32),
  };
  const criteria = criteriaOf(query, source);
  if (criteria === undefined) return;
  const turns = new Turns(signal);
  let block: { number: bigint; hash: Bytes } | undefined;
  for await (const position of intersect(criteria, positionBytes(fromBlock, 0, 0), turns)) {
    const { blockNumber, logIndex, txIndex } = readPosition(position);
    if (block?.number !== blockNumber) block = { number: blockNumber, hash: canonicalHash(snapshot, blockNumber) };
    yield { blockNumber, blockHash: block.hash, logIndex, txIndex };
  }
}

/** The criteria as unions of lists, or undefined if nothing can meet them. */
function criteriaOf(query: LogQuery, source: PostingSource): PostingUnion[] | undefined {
  const criteria: PostingUnion[] = [];
  if (query.addresses.length > 0) {
    const prefixes = distinct(query.addresses).map(addressLogsPrefix);
    criteria.push(new PostingUnion(prefixes.map((prefix) => new PostingList("logsByAddress", prefix, source))));
  }
  for (const [topicPosition, topics] of query.topics.entries()) {
    if (topics === null || topics.length === 0) continue;
    if (topicPosition >= MAXIMUM_TOPICS) return undefined;
    const prefixes = distinct(topics).map((topic) => topicLogsPrefix(topicPosition, topic));
    criteria.push(new PostingUnion(prefixes.map((prefix) => new PostingList("logsByTopic", prefix, source))));
  }
  if (criteria.length > 0) return criteria;
  return [new PostingUnion([new PostingList("logs", logsPrefix(), source)])];
}

/** Positions that all criteria have, from `start` on, ascending. */
async function* intersect(
  criteria: readonly PostingUnion[],
  start: Bytes,
  turns: Turns,
): AsyncGenerator<Bytes, void, undefined> {
  let from = start;
  while (true) {
    for (const criterion of criteria) {
      await criterion.advance(from);
      await turns.take();
    }
    const rarest = criteria.reduce((best, other) => (reachesFurther(other, best) ? other : best));
    const others = criteria.filter((criterion) => criterion !== rarest);
    for (const position of rarest.entries) {
      if (turns.isOver) await turns.take();
      if (others.every((criterion) => criterion.has(position))) yield position;
    }
    if (rarest.coveredTo === undefined) return;
    from = nextPosition(rarest.coveredTo);
  }
}

function reachesFurther(one: PostingUnion, other: PostingUnion): boolean {
  if (other.coveredTo === undefined) return one.coveredTo === undefined && one.entries.length < other.entries.length;
  return one.coveredTo === undefined || compareBytes(one.coveredTo, other.coveredTo) > 0;
}

function canonicalHash(snapshot: BackendSnapshot, blockNumber: bigint): Bytes {
  const key = canonicalKey(blockNumber);
  const hash = snapshot.get("canonicalHashes", key);
  if (hash === undefined) throw missingValue("canonicalHashes", key);
  return hash;
}

function distinct(terms: readonly Bytes[]): Bytes[] {
  return [...terms]
    .sort(compareBytes)
    .filter((term, index, all) => index === 0 || !equalBytes(term, all[index - 1] as Bytes));
}

/** Shares the event loop, which reads from memory would keep for themselves, and notices an abort. */
class Turns {
  readonly #signal: AbortSignal | undefined;
  #startedAt = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > TURN_MS;
  }

  async take(): Promise<void> {
    if (this.isOver) {
      await new Promise(setImmediate);
      this.#startedAt = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}
