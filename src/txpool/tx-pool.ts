/**
 * Transactions that wait for a block: executable ones (pending) and those behind a nonce gap (queued).
 *
 * The pool knows nothing of blocks: callers pass it account states; the miner takes {@link TxPool.executable} and
 * reports transactions that became invalid. Blobs are stored apart from their transactions, so that none gets into a
 * block.
 *
 * It has over 300 lines, because all of its methods keep the same maps in step.
 */
import type { BlobSidecar } from "../chainspec/blob-sidecar.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { maximumCost } from "../executor/transaction-checks.ts";
import { type Bytes, bytesKey, keyBytes } from "../primitives/bytes/bytes.ts";
import { checkFunds, checkReplacement, poolRejection } from "./pool-rules.ts";
import { inArrivalOrder, inPriceOrder, type TransactionOrder } from "./price-order.ts";
import { type PooledTransaction, SenderQueue } from "./sender-queue.ts";

/** Bounds of the pool's memory. A better-paying transaction evicts the worst, else it is refused. */
export interface TxPoolLimits {
  /** Most transactions held at once. */
  readonly maxTransactions: number;
  /** Most transactions held for one sender. */
  readonly maxPerSender: number;
  /** Most blobs held at once, 128 KiB each. */
  readonly maxBlobs: number;
}

/** Bounds unless the node's options say otherwise. */
export const DEFAULT_POOL_LIMITS: TxPoolLimits = { maxTransactions: 50_000, maxPerSender: 10_000, maxBlobs: 512 };

/** A sender's account in the head state. */
export interface SenderAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
}

/** One sender's waiting transactions in nonce order, split at the first nonce gap. */
export interface SenderContent {
  readonly sender: Bytes;
  readonly pending: readonly Transaction[];
  readonly queued: readonly Transaction[];
}

/** Called when a transaction becomes executable for the first time. */
export type PendingListener = (tx: Transaction) => void;

/** The transactions that wait at one time, for {@link TxPool.restore}. */
export interface SavedPool {
  /** In the order of their arrival. */
  readonly entries: readonly PooledTransaction[];
  /** By hash as map key. */
  readonly sidecars: ReadonlyMap<string, BlobSidecar>;
}

/** Settings that stay the same while the node runs. */
export interface TxPoolOptions {
  readonly limits?: Partial<TxPoolLimits> | undefined;
  /** True for senders whose transactions are never evicted to make room; default: none. */
  readonly isLocal?: (sender: Bytes) => boolean;
  /** Order in which blocks take transactions; default `fees`. */
  readonly order?: TransactionOrder | undefined;
  /** Take only what its sender can pay for; default true. */
  readonly checksFunds?: boolean;
}

/** The transactions that wait for a block. One for each node. */
export class TxPool {
  readonly #limits: TxPoolLimits;
  readonly #isLocal: (sender: Bytes) => boolean;
  readonly #order: TransactionOrder;
  readonly #checksFunds: boolean;
  readonly #bySender = new Map<string, SenderQueue>();
  readonly #byHash = new Map<string, PooledTransaction>();
  readonly #sidecars = new Map<string, BlobSidecar>();
  readonly #listeners = new Set<PendingListener>();
  #blobs = 0;
  #nextOrder = 0;
  #version = 0;

  constructor(options: TxPoolOptions = {}) {
    this.#limits = { ...DEFAULT_POOL_LIMITS, ...options.limits };
    this.#isLocal = options.isLocal ?? (() => false);
    this.#order = options.order ?? "fees";
    this.#checksFunds = options.checksFunds !== false;
  }

  /** Changes whenever the content does: the pending block is rebuilt when it differs. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#byHash.size;
  }

  get(hash: Bytes): Transaction | undefined {
    return this.#byHash.get(bytesKey(hash))?.tx;
  }

  /** The waiting transaction of a sender with a nonce. */
  bySenderAndNonce(sender: Bytes, nonce: bigint): Transaction | undefined {
    return this.#bySender.get(bytesKey(sender))?.get(nonce)?.tx;
  }

  /** Blobs, commitments and proofs of a waiting transaction that came with them. */
  sidecarOf(hash: Bytes): BlobSidecar | undefined {
    return this.#sidecars.get(bytesKey(hash));
  }

  /** Puts the same blobs with other proofs in the place of a sidecar, if its transaction still waits. */
  replaceSidecar(hash: Bytes, sidecar: BlobSidecar): void {
    const key = bytesKey(hash);
    if (this.#sidecars.has(key)) this.#sidecars.set(key, sidecar);
  }

  /** Calls a listener once for each transaction, when it becomes executable. Returns the function that stops it. */
  onPending(listener: PendingListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Adds a transaction. It replaces one of the same sender and nonce if it pays enough more, and evicts the cheapest
   * one of another sender if the pool is full.
   *
   * @param account - the sender's in the head state
   * @returns the entry, from which its sender learns what became of it
   * @throws {TransactionRejectedError} `ALREADY_KNOWN`, `NONCE_TOO_LOW`, `INSUFFICIENT_FUNDS`,
   * `REPLACEMENT_UNDERPRICED`, `TRANSACTION_UNDERPRICED`, `POOL_FULL`
   */
  add(tx: Transaction, account: SenderAccount): PooledTransaction {
    const hash = bytesKey(tx.hash);
    if (this.#byHash.has(hash)) throw poolRejection("ALREADY_KNOWN", "already known");
    if (tx.nonce < account.nonce) {
      const what = `nonce too low: next nonce ${account.nonce}, tx nonce ${tx.nonce}`;
      throw poolRejection("NONCE_TOO_LOW", what, { expected: account.nonce, actual: tx.nonce });
    }
    const sender = bytesKey(tx.sender);
    const isLocal = this.#isLocal(tx.sender);
    const queue = this.#bySender.get(sender) ?? new SenderQueue(account.nonce);
    queue.setStateNonce(account.nonce);
    const replaced = queue.get(tx.nonce);
    const paidFor = queue.isExecutable(tx.nonce) ? replaced?.tx : undefined;
    if (this.#checksFunds) checkFunds(tx, account.balance, queue.executableCost, paidFor);
    if (replaced !== undefined) checkReplacement(replaced.tx, tx);
    this.#checkBlobRoom(tx, replaced?.tx);
    // Others are evicted only now, since nothing below refuses the new one.
    if (replaced === undefined) this.#makeRoom(tx, queue, isLocal);
    else this.#forget(replaced);
    this.#bySender.set(sender, queue);
    const entry = { tx: tx.withoutSidecar(), order: this.#nextOrder++, isLocal, wasExecutable: false };
    this.#enter(hash, entry, queue);
    if (tx.sidecar !== undefined) {
      this.#sidecars.set(hash, tx.sidecar);
      this.#blobs += tx.sidecar.blobs.length;
    }
    this.#announce(queue, tx.nonce);
    return entry;
  }

  #enter(hash: string, entry: PooledTransaction, queue: SenderQueue): void {
    queue.put(entry);
    this.#byHash.set(hash, entry);
    this.#version++;
  }

  /** Calls listeners for transactions from a nonce on that have become executable. */
  #announce(queue: SenderQueue, from: bigint): void {
    for (let nonce = from; queue.isExecutable(nonce); nonce++) {
      const entry = queue.get(nonce) as PooledTransaction;
      if (entry.wasExecutable) continue;
      entry.wasExecutable = true;
      for (const listener of this.#listeners) listener(entry.tx);
    }
  }

  #makeRoom(tx: Transaction, queue: SenderQueue, isLocal: boolean): void {
    if (queue.size >= this.#limits.maxPerSender) {
      throw poolRejection("POOL_FULL", `account limit exceeded: pooled ${queue.size} txs`);
    }
    if (this.#byHash.size < this.#limits.maxTransactions) return;
    const isGapped = tx.nonce > queue.nextNonce;
    const cheapest = this.#cheapest(isGapped);
    if (cheapest === undefined) {
      throw isGapped && this.#cheapest(false) !== undefined
        ? poolRejection("POOL_FULL", "future transaction tries to replace pending transaction")
        : poolRejection("POOL_FULL", "txpool is full");
    }
    if (!isLocal && tx.maxFeePerGas <= cheapest.tx.maxFeePerGas) {
      throw poolRejection("TRANSACTION_UNDERPRICED", "transaction underpriced");
    }
    this.#drop(cheapest);
  }

  /** The transaction of others with the lowest fee cap, then tip; the latest of equals. */
  #cheapest(onlyQueued: boolean): PooledTransaction | undefined {
    let found: PooledTransaction | undefined;
    for (const entry of this.#byHash.values()) {
      if (entry.isLocal || (onlyQueued && this.#queueOf(entry).isExecutable(entry.tx.nonce))) continue;
      if (found === undefined || isCheaper(entry.tx, found.tx)) found = entry;
    }
    return found;
  }

  #checkBlobRoom({ sidecar }: Transaction, replaced: Transaction | undefined): void {
    if (sidecar === undefined) return;
    const others = this.#blobs - (replaced === undefined ? 0 : this.#blobsOf(replaced));
    if (others + sidecar.blobs.length > this.#limits.maxBlobs) throw poolRejection("POOL_FULL", "txpool is full");
  }

  /** Number of blobs that wait with a transaction. */
  #blobsOf({ hash }: Transaction): number {
    return this.sidecarOf(hash)?.blobs.length ?? 0;
  }

  /** Next nonce of a sender once everything executable of it has been mined; `stateNonce` if nothing waits. */
  nextNonce(sender: Bytes, stateNonce: bigint): bigint {
    return this.#bySender.get(bytesKey(sender))?.nextNonce ?? stateNonce;
  }

  /**
   * Executable transactions, best price or earliest arrival first, each sender's in nonce order.
   *
   * @param baseFeePerGas - of the block to fill, or the least price before London; those that cannot pay it wait, with all
   * that follow of their sender
   */
  executable(baseFeePerGas: bigint | undefined): Transaction[] {
    const runs: PooledTransaction[][] = [];
    for (const queue of this.#bySender.values()) {
      const run = queue.executable();
      const end = run.findIndex(({ tx }) => baseFeePerGas !== undefined && tx.maxFeePerGas < baseFeePerGas);
      const paying = end < 0 ? run : run.slice(0, end);
      if (paying.length > 0) runs.push(paying);
    }
    return this.#order === "fifo" ? inArrivalOrder(runs) : inPriceOrder(runs, baseFeePerGas);
  }

  /** All waiting transactions by sender. */
  content(): readonly SenderContent[] {
    return [...this.#bySender.keys()].map((sender) => this.contentFrom(keyBytes(sender)));
  }

  /** A sender's waiting transactions; empty lists for one that has none. */
  contentFrom(sender: Bytes): SenderContent {
    const queue = this.#bySender.get(bytesKey(sender));
    const transactions = (entries: readonly PooledTransaction[] = []): Transaction[] => entries.map(({ tx }) => tx);
    return { sender, pending: transactions(queue?.executable()), queued: transactions(queue?.queued()) };
  }

  /** True if its sender waits to learn what became of a transaction. */
  isAwaited(hash: Bytes): boolean {
    return this.#byHash.get(bytesKey(hash))?.isAwaited === true;
  }

  /** Drops a transaction that no block can include. Returns true if its sender learns the reason. */
  reject(hash: Bytes, error: unknown): boolean {
    const entry = this.#byHash.get(bytesKey(hash));
    if (entry === undefined) return false;
    this.#drop(entry);
    entry.refusal = { error };
    entry.onRefused?.(error);
    return entry.isAwaited === true;
  }

  /** Drops a transaction. Returns false if it was not here. */
  remove(hash: Bytes): boolean {
    const entry = this.#byHash.get(bytesKey(hash));
    if (entry === undefined) return false;
    this.#drop(entry);
    return true;
  }

  /** The transactions that wait now. */
  save(): SavedPool {
    const entries = [...this.#byHash.values()].sort((left, right) => left.order - right.order);
    return { entries, sidecars: new Map(this.#sidecars) };
  }

  /**
   * Waits for the saved transactions again, and for no others. Those that can no longer be mined are left out; listeners
   * are called for those that were not executable just before.
   *
   * @param accountOf - the account of a sender in the head state
   */
  restore({ entries, sidecars }: SavedPool, accountOf: (sender: Bytes) => SenderAccount): void {
    const known = new Set([...this.#byHash].filter(([, entry]) => entry.wasExecutable).map(([hash]) => hash));
    this.clear();
    for (const entry of entries) {
      const { tx } = entry;
      const account = accountOf(tx.sender);
      if (!this.#isMinable(tx, account)) continue;
      const hash = bytesKey(tx.hash);
      const queue = this.#bySender.get(bytesKey(tx.sender)) ?? new SenderQueue(account.nonce);
      this.#bySender.set(bytesKey(tx.sender), queue);
      entry.wasExecutable = known.has(hash);
      this.#enter(hash, entry, queue);
      const sidecar = sidecars.get(hash);
      if (sidecar === undefined) continue;
      this.#sidecars.set(hash, sidecar);
      this.#blobs += sidecar.blobs.length;
    }
    for (const [sender, queue] of this.#bySender) this.#announce(queue, accountOf(keyBytes(sender)).nonce);
  }

  /** False for a transaction whose nonce is used, or that its sender can no longer pay. */
  #isMinable(tx: Transaction, account: SenderAccount): boolean {
    return tx.nonce >= account.nonce && !(this.#checksFunds && maximumCost(tx) > account.balance);
  }

  clear(): void {
    this.#bySender.clear();
    this.#byHash.clear();
    this.#sidecars.clear();
    this.#blobs = 0;
    this.#version++;
  }

  /**
   * Updates a sender's account after a head change. Drops transactions whose nonce is used, or that can no longer be
   * paid.
   */
  updateSender(sender: Bytes, account: SenderAccount): void {
    const queue = this.#bySender.get(bytesKey(sender));
    if (queue === undefined) return;
    queue.setStateNonce(account.nonce);
    for (const entry of [...queue.values()]) if (!this.#isMinable(entry.tx, account)) this.#drop(entry);
    this.#announce(queue, account.nonce);
    this.#version++;
  }

  /** Senders with at least one waiting transaction. */
  senders(): Bytes[] {
    return [...this.#bySender.keys()].map(keyBytes);
  }

  #queueOf({ tx }: PooledTransaction): SenderQueue {
    return this.#bySender.get(bytesKey(tx.sender)) as SenderQueue;
  }

  #drop(entry: PooledTransaction): void {
    const queue = this.#queueOf(entry);
    this.#forget(entry);
    queue.delete(entry.tx.nonce);
    if (queue.size === 0) this.#bySender.delete(bytesKey(entry.tx.sender));
    this.#version++;
  }

  /** Takes an entry out of the indexes by hash. */
  #forget({ tx }: PooledTransaction): void {
    const hash = bytesKey(tx.hash);
    this.#byHash.delete(hash);
    this.#blobs -= this.#blobsOf(tx);
    this.#sidecars.delete(hash);
  }
}

function isCheaper(left: Transaction, right: Transaction): boolean {
  if (left.maxFeePerGas !== right.maxFeePerGas) return left.maxFeePerGas < right.maxFeePerGas;
  return left.maxPriorityFeePerGas <= right.maxPriorityFeePerGas;
}
