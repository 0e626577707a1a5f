import { describe, expect, it } from "vitest";
import type { Transaction } from "../../src/chainspec/transaction/transaction.ts";
import { equalBytes } from "../../src/primitives/bytes/bytes.ts";
import { TxPool, type TxPoolOptions } from "../../src/txpool/tx-pool.ts";
import { aBlobTransaction, aTransaction, priced, rich, sender } from "./a-transaction.ts";

/** A pool with some transactions of rich senders, and what it announced. */
function aPool(transactions: readonly Transaction[] = [], options: TxPoolOptions = {}) {
  const pool = new TxPool(options);
  const announced: Transaction[] = [];
  pool.onPending((tx) => announced.push(tx));
  for (const tx of transactions) pool.add(tx, rich());
  return { pool, announced };
}

const nonces = (transactions: readonly Transaction[]): number[] => transactions.map(({ nonce }) => Number(nonce));
const content = (pool: TxPool, key = 1) => {
  const { pending, queued } = pool.contentFrom(sender(key).address);
  return { pending: nonces(pending), queued: nonces(queued) };
};

describe("nonces", () => {
  it("split a sender's transactions at the first gap", () => {
    const { pool } = aPool([0, 1, 3, 4].map((nonce) => aTransaction(1, nonce)));
    expect(content(pool)).toEqual({ pending: [0, 1], queued: [3, 4] });
    expect(pool.nextNonce(sender(1).address, 0n)).toBe(2n);
  });

  it("join again when the gap is filled", () => {
    const { pool } = aPool([0, 3, 1, 2].map((nonce) => aTransaction(1, nonce)));
    expect(content(pool)).toEqual({ pending: [0, 1, 2, 3], queued: [] });
  });

  it("below the state's are refused, with both named", () => {
    const { pool } = aPool();
    expect(() => pool.add(aTransaction(1, 3), rich(5n))).toThrow("nonce too low: next nonce 5, tx nonce 3");
  });

  it("are dropped once the state has passed them, and what follows goes on being executable", () => {
    const { pool, announced } = aPool([0, 1, 2].map((nonce) => aTransaction(1, nonce)));
    pool.updateSender(sender(1).address, rich(2n));
    expect(content(pool)).toEqual({ pending: [2], queued: [] });
    expect(announced).toHaveLength(3);
  });

  it("wait behind a dropped one", () => {
    const transactions = [0, 1, 2].map((nonce) => aTransaction(1, nonce));
    const { pool } = aPool(transactions);
    pool.remove((transactions[1] as Transaction).hash);
    expect(content(pool)).toEqual({ pending: [0], queued: [2] });
  });
});

describe("what is announced", () => {
  it("is each transaction once, when it becomes executable, in nonce order", () => {
    const { pool, announced } = aPool([2, 1].map((nonce) => aTransaction(1, nonce)));
    expect(announced).toEqual([]);
    pool.add(aTransaction(1, 0), rich());
    expect(nonces(announced)).toEqual([0, 1, 2]);
    // A reorg sets the nonce back and forth.
    pool.updateSender(sender(1).address, rich(0n));
    pool.updateSender(sender(1).address, rich(1n));
    expect(nonces(announced)).toEqual([0, 1, 2]);
  });

  it("is a replacement, too", () => {
    const { pool, announced } = aPool([aTransaction(1, 0)]);
    pool.add(aTransaction(1, 0, priced(2_000n)), rich());
    expect(announced.map(({ maxFeePerGas }) => maxFeePerGas)).toEqual([1_000n, 2_000n]);
  });

  it("is what a new state makes executable", () => {
    const { pool, announced } = aPool([aTransaction(1, 4)]);
    pool.updateSender(sender(1).address, rich(4n));
    expect(nonces(announced)).toEqual([4]);
  });

  it("is nothing to a listener that has left", () => {
    const pool = new TxPool();
    const heard: Transaction[] = [];
    pool.onPending((tx) => heard.push(tx))();
    pool.add(aTransaction(1, 0), rich());
    expect(heard).toEqual([]);
  });
});

describe("a replacement", () => {
  const old = { maxFeePerGas: 1_000n, maxPriorityFeePerGas: 95n };

  it.each([
    ["a tenth more on both", { maxFeePerGas: 1_100n, maxPriorityFeePerGas: 105n }, true],
    // 95 * 110 / 100 is 104.5: geth rounds down.
    ["a tenth more, rounded down", { maxFeePerGas: 1_100n, maxPriorityFeePerGas: 104n }, true],
    ["less than a tenth more on the fee cap", { maxFeePerGas: 1_099n, maxPriorityFeePerGas: 200n }, false],
    ["less than a tenth more on the tip", { maxFeePerGas: 2_000n, maxPriorityFeePerGas: 103n }, false],
  ])("with %s", (_what, fees, isTaken) => {
    const { pool } = aPool([aTransaction(1, 0, old)]);
    const candidate = aTransaction(1, 0, fees);
    const add = (): unknown => pool.add(candidate, rich());
    if (isTaken) expect(add).not.toThrow();
    else expect(add).toThrow("replacement transaction underpriced");
    expect(pool.size).toBe(1);
    expect(pool.get(candidate.hash) !== undefined).toBe(isTaken);
  });

  it("of a transaction without tip has to offer one", () => {
    const { pool } = aPool([aTransaction(1, 0, { maxFeePerGas: 5n, maxPriorityFeePerGas: 0n })]);
    const again = aTransaction(1, 0, { maxFeePerGas: 50n, maxPriorityFeePerGas: 0n });
    expect(() => pool.add(again, rich())).toThrow("replacement transaction underpriced");
  });

  it("with blobs has to offer twice as much, for the blobs as well", () => {
    const blob = { blobVersionedHashes: [Uint8Array.of(1, ...new Uint8Array(31))], type: 3 };
    const offer = (factor: bigint, blobFactor: bigint): Transaction =>
      aTransaction(1, 0, { ...blob, ...priced(factor * 100n), maxFeePerBlobGas: blobFactor * 10n });
    const { pool } = aPool([offer(1n, 1n)]);
    for (const tooLittle of [aTransaction(1, 0, priced(150n)), offer(2n, 1n)]) {
      expect(() => pool.add(tooLittle, rich())).toThrow("replacement transaction underpriced");
    }
    pool.add(offer(2n, 2n), rich());
    expect(pool.size).toBe(1);
  });
});

describe("funds", () => {
  const cost = (price: bigint): bigint => 21_000n * price;

  it("must cover the transaction", () => {
    const { pool } = aPool();
    const account = { nonce: 0n, balance: cost(10n) - 1n };
    expect(() => pool.add(aTransaction(1, 0, priced(10n)), account)).toThrow(
      "insufficient funds for gas * price + value: balance 209999, tx cost 210000, overshot 1",
    );
  });

  it("must cover it together with what waits executable", () => {
    const { pool } = aPool();
    const account = { nonce: 0n, balance: cost(25n) };
    pool.add(aTransaction(1, 0, priced(10n)), account);
    pool.add(aTransaction(1, 1, priced(10n)), account);
    expect(() => pool.add(aTransaction(1, 2, priced(10n)), account)).toThrow(
      "balance 525000, queued cost 420000, tx cost 210000, overshot 105000",
    );
    expect(() => pool.add(aTransaction(1, 1, priced(20n)), account)).toThrow(
      "balance 525000, queued cost 420000, tx bumped 210000, overshot 105000",
    );
    pool.add(aTransaction(1, 1, priced(15n)), account);
  });

  it("that are gone take what they paid for along", () => {
    const { pool } = aPool([0, 1, 2].map((nonce) => aTransaction(1, nonce, priced(nonce === 1 ? 30n : 10n))));
    pool.updateSender(sender(1).address, { nonce: 0n, balance: cost(20n) });
    expect(content(pool)).toEqual({ pending: [0], queued: [2] });
  });
});

describe("a full pool", () => {
  const limits = { maxTransactions: 3 };
  const three = () => [5n, 3n, 4n].map((price, index) => aTransaction(index + 1, 0, priced(price)));

  it("makes room for a better-paid transaction by dropping the cheapest", () => {
    const { pool } = aPool(three(), { limits });
    pool.add(aTransaction(9, 0, priced(6n)), rich());
    expect(pool.size).toBe(3);
    expect(content(pool, 2)).toEqual({ pending: [], queued: [] });
  });

  it("refuses one that pays no more than the cheapest", () => {
    const { pool } = aPool(three(), { limits });
    expect(() => pool.add(aTransaction(9, 0, priced(3n)), rich())).toThrow("transaction underpriced");
    expect(pool.size).toBe(3);
  });

  it("never drops its own accounts' transactions, nor an executable one for one that is not", () => {
    const isLocal = (address: Uint8Array): boolean => equalBytes(address, sender(2).address);
    const { pool } = aPool(three(), { limits, isLocal });
    expect(() => pool.add(aTransaction(9, 7, priced(100n)), rich())).toThrow(
      "future transaction tries to replace pending transaction",
    );
    pool.add(aTransaction(9, 0, priced(100n)), rich());
    expect([1, 2, 3].map((key) => content(pool, key).pending.length)).toEqual([1, 1, 0]);
    // An account of the node's own pushes others out whatever it pays.
    pool.add(aTransaction(2, 1, priced(1n)), rich());
    expect(content(pool, 2).pending).toEqual([0, 1]);
  });

  it("of nothing but its own accounts' transactions is full", () => {
    const { pool } = aPool(three(), { limits, isLocal: () => true });
    expect(() => pool.add(aTransaction(9, 0, priced(100n)), rich())).toThrow("txpool is full");
  });

  it("drops nobody for a transaction whose blobs find no room", () => {
    const { pool } = aPool([aTransaction(1, 0, priced(1n)), aBlobTransaction(2, 0, 1, 5n)], {
      limits: { maxTransactions: 2, maxBlobs: 2 },
    });
    expect(() => pool.add(aBlobTransaction(3, 0, 2, 100n), rich())).toThrow("txpool is full");
    expect([1, 2].map((key) => content(pool, key).pending.length)).toEqual([1, 1]);
  });

  it("counts the blobs that a replaced transaction leaves", () => {
    const { pool } = aPool([aBlobTransaction(1, 0, 2, 5n)], { limits: { maxBlobs: 2 } });
    const better = aBlobTransaction(1, 0, 2, 10n);
    pool.add(better, rich());
    expect(pool.sidecarOf(better.hash)?.blobs).toHaveLength(2);
    expect(() => pool.add(aBlobTransaction(2, 0, 1, 100n), rich())).toThrow("txpool is full");
  });

  it("lets one sender have so many and no more", () => {
    const { pool } = aPool([aTransaction(1, 0), aTransaction(1, 1)], { limits: { maxPerSender: 2 } });
    expect(() => pool.add(aTransaction(1, 2), rich())).toThrow("account limit exceeded: pooled 2 txs");
    pool.add(aTransaction(1, 1, priced(5_000n)), rich());
  });
});

it("refuses what it holds already", () => {
  const tx = aTransaction(1, 0);
  const { pool } = aPool([tx]);
  expect(() => pool.add(tx, rich())).toThrow("already known");
});

it("leaves out what cannot pay the base fee, and all that follows it", () => {
  const { pool } = aPool([
    aTransaction(1, 0, priced(50n)),
    aTransaction(1, 1, priced(9n)),
    aTransaction(1, 2, priced(50n)),
    aTransaction(2, 0, priced(40n)),
  ]);
  expect(pool.executable(10n).map(({ maxFeePerGas }) => maxFeePerGas)).toEqual([50n, 40n]);
  expect(pool.executable(undefined)).toHaveLength(4);
});
