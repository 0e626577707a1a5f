/**
 * Filters, which clients poll for changes since the last poll, reorgs included.
 *
 * A filter is a position in a journal of blocks or of transactions, with its criteria. Logs are read during a poll,
 * from blocks that stay stored even if they leave the chain. So the cost of a filter does not depend on its matches,
 * nor that of a head change on the number of filters.
 */

import type { LogCriteria } from "../../chain/read/log-filter.ts";
import type { ChainBlocks, ChainChanges } from "../../chain/readable-chain.ts";
import type { HeadChange } from "../../chain/write/head-change.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { LimitError, NotFoundError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { randomBytes } from "../../primitives/platform/crypto.ts";
import { nextShare } from "../../primitives/platform/turns.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { Journal } from "./journal.ts";
import { allLogs, type FoundLog, type LogQueries, type LogRange } from "./log-queries.ts";
import { type LogWatch, mayHoldLogs, watchedOf, watchLogs } from "./watched-logs.ts";

/** The result of a poll. */
export type FilterChanges =
  | { readonly kind: "hashes"; readonly hashes: readonly Bytes[] }
  | { readonly kind: "transactions"; readonly transactions: readonly Transaction[] }
  | { readonly kind: "logs"; readonly logs: readonly FoundLog[] };

/** Bounds of the memory that clients can hold by filters which they do not poll. */
export interface FilterLimits {
  /** Milliseconds without a poll after which a filter is uninstalled. */
  readonly idleMs: number;
  readonly maxFilters: number;
  /** Blocks, and transaction hashes, by which a filter may lag behind; beyond that it is uninstalled. */
  readonly maxBehind: number;
  /** The same for whole transactions, which take more memory. */
  readonly maxTransactionsBehind: number;
}

/** Five minutes, as in geth. */
export const DEFAULT_FILTER_LIMITS: FilterLimits = {
  idleMs: 300_000,
  maxFilters: 10_000,
  maxBehind: 100_000,
  maxTransactionsBehind: 10_000,
};

/** The chain and pool that filters watch, and where their logs are read. */
export interface FilterOptions {
  readonly chain: ChainBlocks & ChainChanges;
  readonly pool: TxPool;
  readonly logs: LogQueries;
  readonly limits?: Partial<FilterLimits>;
  /** A monotonic clock in milliseconds; default: `performance.now()`. */
  readonly now?: () => number;
}

type FilterKind =
  | { readonly kind: "blocks" }
  | { readonly kind: "logs"; readonly range: LogRange; readonly watch: LogWatch }
  | { readonly kind: "hashes" }
  | { readonly kind: "transactions" };

interface Filter {
  readonly what: FilterKind;
  /** Position in the journal that it reads. */
  position: number;
  polledAt: number;
}

interface BlockEntry {
  readonly hash: Bytes;
  readonly isRemoved: boolean;
}

/** Longest time in milliseconds that a poll may block the event loop. */
const TURN_MS = 25;

/** All filters of a node, by id. It listens to the chain and the pool until {@link close}. */
export class FilterService {
  readonly #options: FilterOptions;
  readonly #limits: FilterLimits;
  readonly #now: () => number;
  readonly #filters = new Map<bigint, Filter>();
  readonly #blocks: Journal<BlockEntry>;
  readonly #hashes: Journal<Bytes>;
  readonly #transactions: Journal<Transaction>;
  /** Number of filters that read each journal; a journal without readers is not written. */
  readonly #readers = new Map<Journal<unknown>, number>();
  readonly #stops: readonly (() => void)[];
  #sweptAt = 0;

  constructor(options: FilterOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_FILTER_LIMITS, ...options.limits };
    this.#now = options.now ?? (() => performance.now());
    this.#blocks = new Journal(this.#limits.maxBehind);
    this.#hashes = new Journal(this.#limits.maxBehind);
    this.#transactions = new Journal(this.#limits.maxTransactionsBehind);
    this.#stops = [
      options.chain.headListeners.add((change) => this.#record(change)),
      options.pool.onPending((tx) => this.#recordPending(tx)),
      options.chain.readers.keepBlocks(() => this.#unreadBlocks()),
    ];
  }

  /** Stops listening and removes all filters. */
  close(): void {
    for (const stop of this.#stops) stop();
    for (const id of this.#filters.keys()) this.uninstall(id);
  }

  /** Blocks with logs that a filter has not read yet. */
  #unreadBlocks(): readonly Bytes[] {
    this.#sweep();
    const positions = [...this.#filters.values()].filter(({ what }) => what.kind === "logs");
    if (positions.length === 0) return [];
    const unread = this.#blocks.since(Math.min(...positions.map(({ position }) => position)));
    return (unread ?? this.#blocks.all).map(({ hash }) => hash);
  }

  #record({ removed, added }: HeadChange): void {
    this.#sweep();
    if (this.#readersOf(this.#blocks) === 0) return;
    for (const { hash } of removed) this.#blocks.append({ hash, isRemoved: true });
    for (const { hash } of added) this.#blocks.append({ hash, isRemoved: false });
  }

  #recordPending(tx: Transaction): void {
    this.#sweep();
    if (this.#readersOf(this.#hashes) > 0) this.#hashes.append(tx.hash);
    if (this.#readersOf(this.#transactions) > 0) this.#transactions.append(tx);
  }

  /** Installs a filter for new blocks. */
  watchBlocks(): bigint {
    return this.#install({ kind: "blocks" });
  }

  /** Installs a filter for transactions that become executable. */
  watchTransactions(whole: boolean): bigint {
    return this.#install({ kind: whole ? "transactions" : "hashes" });
  }

  /**
   * Installs a filter for logs of new blocks and of removed ones.
   *
   * @throws {InvalidParamsError} `INVALID_BLOCK_RANGE`, `PENDING_LOGS_UNSUPPORTED`
   */
  watchLogs(range: LogRange, criteria: LogCriteria): bigint {
    return this.#install({ kind: "logs", range, watch: watchLogs(range, criteria) });
  }

  #install(what: FilterKind): bigint {
    this.#sweep();
    if (this.#filters.size >= this.#limits.maxFilters) {
      throw new LimitError({
        code: "TOO_MANY_FILTERS",
        what: `There are ${this.#filters.size} filters, the maximum.`,
        fix: "Uninstall those that are no longer polled; idle ones are removed after five minutes.",
        data: { limit: this.#limits.maxFilters, given: this.#filters.size + 1, flag: null },
      });
    }
    const id = bytesToBigInt(randomBytes(16));
    const journal = this.#journalOf(what);
    this.#filters.set(id, { what, position: journal.end, polledAt: this.#now() });
    this.#readers.set(journal, this.#readersOf(journal) + 1);
    return id;
  }

  #readersOf(journal: Journal<unknown>): number {
    return this.#readers.get(journal) ?? 0;
  }

  #journalOf({ kind }: FilterKind): Journal<unknown> {
    if (kind === "transactions") return this.#transactions;
    return kind === "hashes" ? this.#hashes : this.#blocks;
  }

  /** Returns false if there is no such filter. */
  uninstall(id: bigint): boolean {
    const filter = this.#filters.get(id);
    if (filter === undefined) return false;
    const journal = this.#journalOf(filter.what);
    this.#readers.set(journal, this.#readersOf(journal) - 1);
    if (this.#readersOf(journal) === 0) journal.trim(journal.end);
    return this.#filters.delete(id);
  }

  /**
   * Changes since the last poll; logs of removed blocks come before those of new ones.
   *
   * @throws {NotFoundError} `FILTER_NOT_FOUND`, also for a filter that lagged too far behind
   * @throws {LimitError} `EXECUTION_ABORTED`
   */
  async changes(id: bigint, signal: AbortState): Promise<FilterChanges> {
    const filter = this.#require(id);
    filter.polledAt = this.#now();
    const { what } = filter;
    if (what.kind === "hashes") return { kind: "hashes", hashes: this.#read(id, filter, this.#hashes) };
    if (what.kind === "transactions") {
      return { kind: "transactions", transactions: this.#read(id, filter, this.#transactions) };
    }
    const entries = this.#read(id, filter, this.#blocks);
    if (what.kind === "logs") return { kind: "logs", logs: await this.#logsOf(entries, what.watch, signal) };
    return { kind: "hashes", hashes: entries.filter(({ isRemoved }) => !isRemoved).map(({ hash }) => hash) };
  }

  #read<Entry>(id: bigint, filter: Filter, journal: Journal<Entry>): readonly Entry[] {
    const entries = journal.since(filter.position);
    if (entries === undefined) {
      this.uninstall(id);
      throw notFound();
    }
    filter.position = journal.end;
    return entries;
  }

  async #logsOf(entries: readonly BlockEntry[], watch: LogWatch, signal: AbortState): Promise<FoundLog[]> {
    const { chain } = this.#options;
    const found: FoundLog[] = [];
    let turnEnds = performance.now() + TURN_MS;
    for (const { hash, isRemoved } of entries) {
      const header = chain.archive.getHeader(hash);
      if (header !== undefined && mayHoldLogs({ hash, header }, watch)) {
        const block = chain.archive.getBlock(hash);
        if (block !== undefined) {
          const logs = allLogs(block, chain.getStoredReceipts(block), false, isRemoved);
          for (const log of watchedOf(logs, watch)) found.push(log);
        }
      }
      if (performance.now() < turnEnds) continue;
      await nextShare();
      if (signal.aborted)
        throw new LimitError({ code: "EXECUTION_ABORTED", what: "The poll was aborted by its caller." });
      turnEnds = performance.now() + TURN_MS;
    }
    return found;
  }

  /**
   * All logs of the chain that match a log filter, whether polled before or not.
   *
   * @throws {NotFoundError} `FILTER_NOT_FOUND`, also for a filter of another kind
   */
  logs(id: bigint, signal: AbortState): Promise<readonly FoundLog[]> {
    const { what } = this.#require(id);
    if (what.kind !== "logs") throw notFound();
    return this.#options.logs.find(what.range, what.watch.criteria, signal);
  }

  #require(id: bigint): Filter {
    this.#sweep();
    const filter = this.#filters.get(id);
    if (filter === undefined || this.#isIdle(filter)) throw notFound();
    return filter;
  }

  /** Uninstalls idle filters and trims the journals, at most once a second. */
  #sweep(): void {
    const now = this.#now();
    if (now - this.#sweptAt < Math.min(1_000, this.#limits.idleMs)) return;
    this.#sweptAt = now;
    const journals: readonly Journal<unknown>[] = [this.#blocks, this.#hashes, this.#transactions];
    const furthestBehind = new Map(journals.map((journal) => [journal, journal.end]));
    for (const [id, filter] of this.#filters) {
      const journal = this.#journalOf(filter.what);
      if (this.#isIdle(filter)) this.uninstall(id);
      else furthestBehind.set(journal, Math.min(furthestBehind.get(journal) ?? journal.end, filter.position));
    }
    for (const [journal, position] of furthestBehind) journal.trim(position);
  }

  #isIdle({ polledAt }: Filter): boolean {
    return this.#now() - polledAt > this.#limits.idleMs;
  }
}

function notFound(): NotFoundError {
  return new NotFoundError({ code: "FILTER_NOT_FOUND", what: "filter not found" });
}
