/** Puts the executable transactions of many senders in the order in which a block takes them. */
import { effectiveGasPrice, type Transaction } from "../chainspec/transaction/transaction.ts";
import type { PooledTransaction } from "./sender-queue.ts";

interface Candidate {
  /** The sender's executable transactions in nonce order. */
  readonly run: readonly PooledTransaction[];
  position: number;
  /** wei per gas that the transaction at `position` gives the miner; zero where only arrival counts */
  tip: bigint;
}

/** Order of the senders' next transactions in a block: by price, or by arrival. */
export type TransactionOrder = "fees" | "fifo";

/**
 * Best tip first, earlier arrival first among equals, each sender's in nonce order.
 *
 * A binary heap of the senders' next transactions: n transactions of s senders take n log s steps.
 *
 * @param runs - of each sender, in nonce order; none empty
 * @param baseFeePerGas - of the block to fill
 */
export function inPriceOrder(
  runs: readonly (readonly PooledTransaction[])[],
  baseFeePerGas: bigint | undefined,
): Transaction[] {
  return inOrder(runs, ({ tx }) => effectiveGasPrice(tx, baseFeePerGas) - (baseFeePerGas ?? 0n));
}

/** Earliest arrival first, each sender's in nonce order. */
export function inArrivalOrder(runs: readonly (readonly PooledTransaction[])[]): Transaction[] {
  return inOrder(runs, () => 0n);
}

function inOrder(
  runs: readonly (readonly PooledTransaction[])[],
  tipOf: (entry: PooledTransaction) => bigint,
): Transaction[] {
  const heap = runs.map((run): Candidate => ({ run, position: 0, tip: tipOf(run[0] as PooledTransaction) }));
  for (let index = (heap.length >> 1) - 1; index >= 0; index--) sink(heap, index);
  const ordered: Transaction[] = [];
  for (let best = heap[0]; best !== undefined; best = heap[0]) {
    ordered.push((best.run[best.position] as PooledTransaction).tx);
    best.position++;
    const next = best.run[best.position];
    if (next !== undefined) best.tip = tipOf(next);
    else {
      const last = heap.pop() as Candidate;
      if (heap.length > 0) heap[0] = last;
    }
    sink(heap, 0);
  }
  return ordered;
}

/** Moves a candidate down the heap to its place. */
function sink(heap: Candidate[], index: number): void {
  for (let parent = index; ; ) {
    let first = parent;
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      if (child < heap.length && comesFirst(heap[child] as Candidate, heap[first] as Candidate)) first = child;
    }
    if (first === parent) return;
    [heap[parent], heap[first]] = [heap[first] as Candidate, heap[parent] as Candidate];
    parent = first;
  }
}

function comesFirst(left: Candidate, right: Candidate): boolean {
  if (left.tip !== right.tip) return left.tip > right.tip;
  const order = ({ run, position }: Candidate): number => (run[position] as PooledTransaction).order;
  return order(left) < order(right);
}
