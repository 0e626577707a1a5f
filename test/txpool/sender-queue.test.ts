/** What one sender's queue counts and orders. */
import { describe, expect, it } from "vitest";
import { maximumCost } from "../../src/executor/transaction-checks.ts";
import { inArrivalOrder, inPriceOrder } from "../../src/txpool/price-order.ts";
import { type PooledTransaction, SenderQueue } from "../../src/txpool/sender-queue.ts";
import { aTransaction } from "./a-transaction.ts";

let arrivals = 0;

function anEntry(nonce: number, tip = 1, key = 1): PooledTransaction {
  const fees = { maxFeePerGas: BigInt(tip + 10), maxPriorityFeePerGas: BigInt(tip) };
  return { tx: aTransaction(key, nonce, fees), order: arrivals++, isLocal: false, wasExecutable: false };
}

function aQueue(stateNonce: number, ...entries: readonly PooledTransaction[]): SenderQueue {
  const queue = new SenderQueue(BigInt(stateNonce));
  for (const entry of entries) queue.put(entry);
  return queue;
}

const cost = (...entries: readonly PooledTransaction[]): bigint =>
  entries.reduce((sum, { tx }) => sum + maximumCost(tx), 0n);

describe("a sender's queue", () => {
  it("begins at the nonce that the state expects", () => {
    const entry = anEntry(5);
    expect(aQueue(5, entry).executable()).toEqual([entry]);
    expect(aQueue(4, entry).executable()).toEqual([]);
    expect(aQueue(4).nextNonce).toBe(4n);
  });

  it("counts what its executable transactions can cost, with a replacement instead of what it replaces", () => {
    const [first, second, third, dearer] = [anEntry(0), anEntry(1), anEntry(3), anEntry(1, 7)];
    const queue = aQueue(0, first, second, third);
    expect(queue.executableCost).toBe(cost(first, second));
    queue.put(dearer);
    expect(queue.executableCost).toBe(cost(first, dearer));
    queue.put(anEntry(2));
    expect(queue.executable()).toHaveLength(4);
    queue.delete(1n);
    expect(queue.executableCost).toBe(cost(first));
    queue.setStateNonce(9n);
    expect(queue.executableCost).toBe(0n);
  });

  it("has those behind a gap in the order of their nonces", () => {
    const entries = [9, 3, 7, 5].map((nonce) => anEntry(nonce));
    expect(
      aQueue(0, ...entries)
        .queued()
        .map(({ tx }) => tx.nonce),
    ).toEqual([3n, 5n, 7n, 9n]);
  });
});

describe("transactions of several senders", () => {
  it("of the same tip come in the order of their arrival, each sender's in that of their nonces", () => {
    const runs = [1, 2, 3, 4, 5].map((key) => [anEntry(0, 3, key), anEntry(1, 3, key)]);
    const expected = runs.flat().map(({ tx }) => tx);
    expect(inPriceOrder(runs.toReversed(), 1n)).toEqual(expected);
    expect(inArrivalOrder(runs.toReversed())).toEqual(expected);
  });

  it("come by arrival whatever they pay, where that is asked for", () => {
    const runs = [[anEntry(0, 1, 1)], [anEntry(0, 9, 2)], [anEntry(0, 5, 3)]];
    const transactions = runs.flat().map(({ tx }) => tx);
    expect(inArrivalOrder(runs.toReversed())).toEqual(transactions);
    expect(inPriceOrder(runs, 1n)).toEqual([1, 2, 0].map((index) => transactions[index]));
  });
});
