/** One sender's waiting transactions by nonce, and how far they can be executed without a gap. */
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { maximumCost } from "../executor/transaction-checks.ts";

/** A waiting transaction. */
export interface PooledTransaction {
  readonly tx: Transaction;
  /** Increases with arrival. */
  readonly order: number;
  /** True for a transaction of the node's own accounts, which is never evicted. */
  readonly isLocal: boolean;
  /** True once it has been executable: listeners are called only when it becomes so. */
  wasExecutable: boolean;
  /** True while its sender waits to learn what became of it. */
  isAwaited?: boolean;
  /** Why it was dropped, if no block can include it. */
  refusal?: { readonly error: unknown };
  /** Called with that reason. */
  onRefused?: (error: unknown) => void;
}

/** The waiting transactions of one sender, by nonce. */
export class SenderQueue {
  readonly #byNonce = new Map<bigint, PooledTransaction>();
  /** Next nonce the state expects. */
  #stateNonce: bigint;
  /** First missing nonce: transactions below it are executable. */
  #end: bigint;
  /** Most wei that the executable transactions can cost together. */
  #executableCost = 0n;

  constructor(stateNonce: bigint) {
    this.#stateNonce = stateNonce;
    this.#end = stateNonce;
  }

  get size(): number {
    return this.#byNonce.size;
  }

  /** Next nonce of the sender after its executable transactions. */
  get nextNonce(): bigint {
    return this.#end;
  }

  /** wei */
  get executableCost(): bigint {
    return this.#executableCost;
  }

  get(nonce: bigint): PooledTransaction | undefined {
    return this.#byNonce.get(nonce);
  }

  isExecutable(nonce: bigint): boolean {
    return nonce >= this.#stateNonce && nonce < this.#end;
  }

  values(): IterableIterator<PooledTransaction> {
    return this.#byNonce.values();
  }

  /** Adds a transaction, replacing the one with the same nonce. */
  put(entry: PooledTransaction): void {
    const { nonce } = entry.tx;
    const replaced = this.#byNonce.get(nonce);
    this.#byNonce.set(nonce, entry);
    if (this.isExecutable(nonce)) {
      this.#executableCost += maximumCost(entry.tx) - (replaced === undefined ? 0n : maximumCost(replaced.tx));
    }
    this.#extend();
  }

  /** Removes a transaction; those after it are no longer executable. */
  delete(nonce: bigint): void {
    this.#truncate(nonce);
    this.#byNonce.delete(nonce);
  }

  /** Sets the nonce of a new state. The caller must delete transactions below it. */
  setStateNonce(stateNonce: bigint): void {
    if (stateNonce === this.#stateNonce) return;
    this.#truncate(this.#stateNonce);
    this.#stateNonce = stateNonce;
    this.#end = stateNonce;
    this.#extend();
  }

  /** The executable ones in nonce order. */
  executable(): PooledTransaction[] {
    const run: PooledTransaction[] = [];
    for (let nonce = this.#stateNonce; nonce < this.#end; nonce++) {
      run.push(this.#byNonce.get(nonce) as PooledTransaction);
    }
    return run;
  }

  /** Those behind a gap, in nonce order. */
  queued(): PooledTransaction[] {
    return [...this.#byNonce.values()]
      .filter(({ tx }) => !this.isExecutable(tx.nonce))
      .sort((left, right) => (left.tx.nonce < right.tx.nonce ? -1 : 1));
  }

  #extend(): void {
    for (let entry = this.#byNonce.get(this.#end); entry !== undefined; entry = this.#byNonce.get(this.#end)) {
      this.#executableCost += maximumCost(entry.tx);
      this.#end++;
    }
  }

  /** Ends the executable run before a nonce. */
  #truncate(nonce: bigint): void {
    if (!this.isExecutable(nonce)) return;
    for (let cut = nonce; cut < this.#end; cut++) {
      this.#executableCost -= maximumCost((this.#byNonce.get(cut) as PooledTransaction).tx);
    }
    this.#end = nonce;
  }
}
