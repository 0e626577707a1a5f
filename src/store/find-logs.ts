/**
 * Log queries through the index. The cost depends on the rarest criterion, not on the range of blocks.
 *
 * Each criterion (the addresses, each topic position) is a union of posting lists. In each round, every criterion reads
 * one chunk from the current position on. The criterion whose chunk reaches furthest is the rarest, and all matches up
 * to its end are among its entries. These are looked up in the other criteria, by point reads beyond their chunks. The
 * next round starts after them. So each round advances at least as far as the rarest criterion's chunk.
 */

import type { AbortState } from "../primitives/abort-state.ts";
import { type Bytes, compareBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../primitives/bytes/limits.ts";
import { nextShare } from "../primitives/platform/turns.ts";
import type { BackendSnapshot } from "./backends/backend.ts";
import {
  addressLogsPrefix,
  canonicalKey,
  logsPrefix,
  positionBytes,
  readPosition,
  topicLogsPrefix,
} from "./codecs/keys.ts";
import { nextPosition, PostingList, type PostingSource, PostingUnion } from "./posting-list.ts";
import { tables } from "./schema.ts";
import { missingValue } from "./store-errors.ts";

/** Criteria of the wanted logs. */
export interface LogQuery {
  /** Both bounds are inclusive. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Any of these; empty: any address. */
  readonly addresses: readonly Bytes[];
  /** At each position any of these; null or empty: any topic or none. */
  readonly topics: readonly (readonly Bytes[] | null)[];
}

/** Position of a log in the canonical chain. */
export interface LogPosition {
  readonly blockNumber: bigint;
  /** Hash of the block that was canonical when the query began. */
  readonly blockHash: Bytes;
  /** Index in the block, over all its transactions. */
  readonly logIndex: number;
  readonly txIndex: number;
}

/** Most topics of a log. */
const MAXIMUM_TOPICS = 4;
const MAX_UINT32 = 0xffff_ffff;
/** Longest time in milliseconds that a query may block the event loop. */
const TURN_MS = 15;

/**
 * Positions of all logs that meet every criterion, ascending.
 *
 * @param openSnapshot - called when reading begins; the snapshot is closed when it ends for any reason
 * @throws the reason of `signal` when it aborts
 * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
 */
export async function* findLogs(
  openSnapshot: () => BackendSnapshot,
  query: LogQuery,
  signal: AbortState | undefined,
): AsyncGenerator<LogPosition, void, undefined> {
  for await (const chunk of findLogChunks(openSnapshot, query, signal)) yield* chunk;
}

/** As {@link findLogs}, but in chunks, because awaiting each position would take longer than finding it. */
export async function* findLogChunks(
  openSnapshot: () => BackendSnapshot,
  query: LogQuery,
  signal: AbortState | undefined,
): AsyncGenerator<readonly LogPosition[], void, undefined> {
  signal?.throwIfAborted();
  const snapshot = openSnapshot();
  try {
    const turns = new Turns(signal);
    const hashes = new CanonicalHashes(snapshot);
    let search = startSearch(snapshot, query);
    // The store in memory writes the log entries of a block before the block itself.
    let isOver = false;
    while (search !== undefined) {
      for (const criterion of search.criteria) {
        await criterion.advance(search.from);
        await turns.take();
      }
      const { rarest, others } = splitByReach(search.criteria);
      const found: LogPosition[] = [];
      for (const position of rarest.entries) {
        if (others.length > 0) {
          if (turns.isOver) await turns.take();
          if (!others.every((criterion) => criterion.has(position))) continue;
        }
        const { blockNumber, logIndex, txIndex } = readPosition(position);
        const blockHash = hashes.of(blockNumber);
        isOver = blockHash === undefined && !(await hashes.isBefore(blockNumber));
        if (isOver) break;
        found.push({ blockNumber, blockHash: blockHash ?? raiseMissing(blockNumber), logIndex, txIndex });
      }
      if (found.length > 0) yield found;
      const { coveredTo } = rarest;
      search =
        isOver || coveredTo === undefined ? undefined : { criteria: search.criteria, from: nextPosition(coveredTo) };
    }
  } finally {
    await snapshot.close();
  }
}

/** The criteria, and the position at which reading continues. */
interface Search {
  readonly criteria: readonly PostingUnion[];
  readonly from: Bytes;
}

/** The start of the search; undefined if nothing can match. */
function startSearch(snapshot: BackendSnapshot, query: LogQuery): Search | undefined {
  const fromBlock = query.fromBlock < 0n ? 0n : query.fromBlock;
  const toBlock = query.toBlock > MAX_UINT64 ? MAX_UINT64 : query.toBlock;
  if (fromBlock > toBlock) return undefined;
  const criteria = criteriaOf(query, {
    snapshot,
    cursor: snapshot.cursor(Uint8Array.of(tables.logs.prefix), Uint8Array.of(tables.logsByTopic.prefix + 1)),
    last: positionBytes(toBlock, MAX_UINT32, MAX_UINT32),
  });
  return criteria === undefined ? undefined : { criteria, from: positionBytes(fromBlock, 0, 0) };
}

/** The criteria as unions of posting lists; undefined if nothing can match. */
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

/** The criterion whose chunk reaches furthest, and the others. */
function splitByReach(criteria: readonly PostingUnion[]): { rarest: PostingUnion; others: readonly PostingUnion[] } {
  const rarest = criteria.reduce((best, other) => (reachesFurther(other, best) ? other : best));
  return { rarest, others: criteria.filter((criterion) => criterion !== rarest) };
}

function reachesFurther(one: PostingUnion, other: PostingUnion): boolean {
  if (other.coveredTo === undefined) return one.coveredTo === undefined && one.entries.length < other.entries.length;
  return one.coveredTo === undefined || compareBytes(one.coveredTo, other.coveredTo) > 0;
}

/** Block hashes by number. Positions ascend, so only the last hash is cached. */
class CanonicalHashes {
  readonly #snapshot: BackendSnapshot;
  #number = -1n;
  #hash: Bytes = EMPTY_BYTES;

  constructor(snapshot: BackendSnapshot) {
    this.#snapshot = snapshot;
  }

  /** Undefined for a block that is not canonical. */
  of(blockNumber: bigint): Bytes | undefined {
    if (blockNumber === this.#number) return this.#hash;
    const hash = this.#snapshot.get("canonicalHashes", canonicalKey(blockNumber));
    if (hash === undefined) return undefined;
    this.#number = blockNumber;
    this.#hash = hash;
    return hash;
  }

  /** True if a block after this one is canonical. */
  async isBefore(blockNumber: bigint): Promise<boolean> {
    const { prefix } = tables.canonicalHashes;
    const cursor = this.#snapshot.cursor(Uint8Array.of(prefix), Uint8Array.of(prefix + 1));
    return (await cursor.keysFrom(canonicalKey(blockNumber), 1)).length > 0;
  }
}

function raiseMissing(blockNumber: bigint): never {
  throw missingValue("canonicalHashes", canonicalKey(blockNumber));
}

function distinct(terms: readonly Bytes[]): Bytes[] {
  return [...terms]
    .sort(compareBytes)
    .filter((term, index, all) => index === 0 || !equalBytes(term, all[index - 1] as Bytes));
}

/** Yields to the event loop, which reads from memory would block, and checks the signal. */
class Turns {
  readonly #signal: AbortState | undefined;
  #startedAt = performance.now();

  constructor(signal: AbortState | undefined) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > TURN_MS;
  }

  async take(): Promise<void> {
    if (this.isOver) {
      await nextShare();
      this.#startedAt = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}
