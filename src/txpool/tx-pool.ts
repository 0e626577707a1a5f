/**
 * Transactions that wait for a block: executable ones (pending) and those behind a nonce gap (queued).
 *
 * The pool holds what it is given and knows nothing of blocks; the chain tells it account states, the miner takes
 * {@link TxPool.executable} and reports what was mined or became invalid.
 */
import { effectiveGasPrice, type Transaction } from "../chainspec/transaction.ts";
import type { ErrorCodeOf } from "../errors/catalogue.ts";
import { TransactionRejectedError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesKey, keyBytes } from "../primitives/bytes.ts";

export interface TxPoolLimits {
  /** Most transactions held at once. */
  readonly maxTransactions: number;
  /** Most transactions held for one sender. */
  readonly maxPerSender: number;
}

export const DEFAULT_POOL_LIMITS: TxPoolLimits = { maxTransactions: 50_000, maxPerSender: 10_000 };

/** A replacement must offer at least this much more, in percent, on fee cap and tip (geth's default). */
const PRICE_BUMP_PERCENT = 10n;

/** A waiting transaction. */
export interface PooledTransaction {
  readonly tx: Transaction;
  /** Rises with arrival. */
  readonly order: number;
}

/** One sender's waiting transactions in nonce order, split at the first nonce gap. */
export interface SenderContent {
  readonly sender: Bytes;
  readonly pending: readonly Transaction[];
  readonly queued: readonly Transaction[];
}

interface SenderQueue {
  /** Next nonce the state expects of this sender. */
  stateNonce: bigint;
  readonly byNonce: Map<bigint, PooledTransaction>;
}

export class TxPool {
  readonly #limits: TxPoolLimits;
  readonly #bySender = new Map<string, SenderQueue>();
  readonly #byHash = new Map<string, PooledTransaction>();
  #nextOrder = 0;
  #version = 0;

  constructor(limits: TxPoolLimits = DEFAULT_POOL_LIMITS) {
    this.#limits = limits;
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
    return this.#bySender.get(bytesKey(sender))?.byNonce.get(nonce)?.tx;
  }

  /**
   * Takes a transaction in, replacing one of the same sender and nonce if it pays enough more.
   *
   * @param stateNonce - next nonce the head state expects of the sender
   * @throws {TransactionRejectedError} `ALREADY_KNOWN`, `NONCE_TOO_LOW`, `REPLACEMENT_UNDERPRICED`, `POOL_FULL`
   */
  add(tx: Transaction, stateNonce: bigint): void {
    const hash = bytesKey(tx.hash);
    if (this.#byHash.has(hash)) throw rejected("ALREADY_KNOWN", "already known");
    if (tx.nonce < stateNonce) {
      throw rejected("NONCE_TOO_LOW", `nonce too low: next nonce ${stateNonce}, tx nonce ${tx.nonce}`);
    }
    const sender = bytesKey(tx.sender);
    const queue = this.#bySender.get(sender) ?? { stateNonce, byNonce: new Map() };
    const replaced = queue.byNonce.get(tx.nonce);
    if (replaced !== undefined) this.#checkReplacement(replaced.tx, tx);
    else this.#checkRoom(queue);
    queue.stateNonce = stateNonce;
    if (replaced !== undefined) this.#byHash.delete(bytesKey(replaced.tx.hash));
    const entry: PooledTransaction = { tx, order: this.#nextOrder++ };
    queue.byNonce.set(tx.nonce, entry);
    this.#bySender.set(sender, queue);
    this.#byHash.set(hash, entry);
    this.#version++;
  }

  #checkReplacement(old: Transaction, candidate: Transaction): void {
    const bumped = (price: bigint): bigint => (price * (100n + PRICE_BUMP_PERCENT) + 99n) / 100n;
    const paysEnough =
      candidate.maxFeePerGas >= bumped(old.maxFeePerGas) &&
      candidate.maxPriorityFeePerGas >= bumped(old.maxPriorityFeePerGas) &&
      candidate.maxFeePerBlobGas >= bumped(old.maxFeePerBlobGas);
    if (!paysEnough) throw rejected("REPLACEMENT_UNDERPRICED", "replacement transaction underpriced");
  }

  #checkRoom(queue: SenderQueue): void {
    if (this.#byHash.size >= this.#limits.maxTransactions) throw rejected("POOL_FULL", "txpool is full");
    if (queue.byNonce.size >= this.#limits.maxPerSender) {
      throw rejected("POOL_FULL", `account limit exceeded: limit ${this.#limits.maxPerSender}`);
    }
  }

  /** Next nonce of a sender once everything executable of it has been mined; `stateNonce` if nothing waits. */
  nextNonce(sender: Bytes, stateNonce: bigint): bigint {
    const queue = this.#bySender.get(bytesKey(sender));
    let nonce = stateNonce;
    while (queue?.byNonce.has(nonce)) nonce++;
    return nonce;
  }

  /**
   * Executable transactions, best price first, each sender's in nonce order.
   *
   * @param baseFeePerGas - of the block to fill; those that cannot pay it wait, with all that follow of their sender
   */
  executable(baseFeePerGas: bigint | undefined): Transaction[] {
    const heads: PooledTransaction[][] = [];
    for (const queue of this.#bySender.values()) {
      const run = executableRun(queue).filter(canPayUpTo(baseFeePerGas));
      if (run.length > 0) heads.push(run.reverse());
    }
    const tip = ({ tx }: PooledTransaction): bigint => effectiveGasPrice(tx, baseFeePerGas) - (baseFeePerGas ?? 0n);
    const ordered: Transaction[] = [];
    // A binary heap would pay off only for thousands of senders in one block; senders on a dev chain are few.
    const best = (left: PooledTransaction, right: PooledTransaction): boolean => {
      const difference = tip(left) - tip(right);
      return difference > 0n || (difference === 0n && left.order < right.order);
    };
    while (heads.length > 0) {
      let chosen = 0;
      for (let index = 1; index < heads.length; index++) {
        if (best(last(heads[index]), last(heads[chosen]))) chosen = index;
      }
      const run = heads[chosen] as PooledTransaction[];
      ordered.push((run.pop() as PooledTransaction).tx);
      if (run.length === 0) heads.splice(chosen, 1);
    }
    return ordered;
  }

  /** All waiting transactions by sender, split at the first nonce gap. */
  content(): readonly SenderContent[] {
    return [...this.#bySender.keys()].map((sender) => this.contentFrom(keyBytes(sender)));
  }

  /** A sender's waiting transactions; empty lists for one that has none. */
  contentFrom(sender: Bytes): SenderContent {
    const queue = this.#bySender.get(bytesKey(sender));
    if (queue === undefined) return { sender, pending: [], queued: [] };
    const pending = executableRun(queue).map(({ tx }) => tx);
    const executable = new Set(pending);
    const queued = [...queue.byNonce.values()]
      .map(({ tx }) => tx)
      .filter((tx) => !executable.has(tx))
      .sort((left, right) => (left.nonce < right.nonce ? -1 : 1));
    return { sender, pending, queued };
  }

  /** Drops a transaction. Returns false if it was not here. */
  remove(hash: Bytes): boolean {
    const entry = this.#byHash.get(bytesKey(hash));
    if (entry === undefined) return false;
    this.#drop(entry);
    return true;
  }

  clear(): void {
    this.#bySender.clear();
    this.#byHash.clear();
    this.#version++;
  }

  /** Tells the pool a sender's next nonce in the new head state; transactions below it are dropped. */
  setStateNonce(sender: Bytes, stateNonce: bigint): void {
    const queue = this.#bySender.get(bytesKey(sender));
    if (queue === undefined) return;
    queue.stateNonce = stateNonce;
    for (const entry of [...queue.byNonce.values()]) if (entry.tx.nonce < stateNonce) this.#drop(entry);
    this.#version++;
  }

  /** Senders with at least one waiting transaction. */
  senders(): Bytes[] {
    return [...this.#bySender.values()].map((queue) => last([...queue.byNonce.values()]).tx.sender);
  }

  #drop(entry: PooledTransaction): void {
    const sender = bytesKey(entry.tx.sender);
    const queue = this.#bySender.get(sender);
    this.#byHash.delete(bytesKey(entry.tx.hash));
    queue?.byNonce.delete(entry.tx.nonce);
    if (queue?.byNonce.size === 0) this.#bySender.delete(sender);
    this.#version++;
  }
}

/** The transactions from the state's nonce up to the first gap. */
function executableRun(queue: SenderQueue): PooledTransaction[] {
  const run: PooledTransaction[] = [];
  for (let nonce = queue.stateNonce; ; nonce++) {
    const entry = queue.byNonce.get(nonce);
    if (entry === undefined) return run;
    run.push(entry);
  }
}

/** Keeps transactions up to the first that cannot pay the base fee. */
function canPayUpTo(baseFeePerGas: bigint | undefined): (entry: PooledTransaction) => boolean {
  let paying = true;
  return ({ tx }) => {
    paying &&= baseFeePerGas === undefined || tx.maxFeePerGas >= baseFeePerGas;
    return paying;
  };
}

function last<T>(list: readonly T[] | undefined): T {
  return list?.at(-1) as T;
}

function rejected(code: ErrorCodeOf<"TransactionRejected">, what: string): TransactionRejectedError {
  return new TransactionRejectedError({ code, what });
}
