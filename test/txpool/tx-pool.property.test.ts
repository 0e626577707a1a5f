/** The pool against the plainest model of it: a list of transactions, looked through anew for each question. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { effectiveGasPrice, type Transaction } from "../../src/chainspec/transaction/transaction.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { TxPool } from "../../src/txpool/tx-pool.ts";
import { runs } from "../support/seed.ts";
import { aTransaction, rich, sender } from "./a-transaction.ts";

const KEYS = [1, 2, 3];
// Signing is what costs time here: every transaction that can occur is made once.
const made = new Map<string, Transaction>();
function transaction(key: number, nonce: number, price: number): Transaction {
  const name = `${key}/${nonce}/${price}`;
  const fees = { maxFeePerGas: BigInt(price + 5), maxPriorityFeePerGas: BigInt(price) };
  const tx = made.get(name) ?? aTransaction(key, nonce, fees);
  made.set(name, tx);
  return tx;
}

const key = fc.constantFrom(...KEYS);
const nonce = fc.integer({ min: 0, max: 7 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add"), key, nonce, price: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove"), key, nonce, price: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("state"), key, nonce, price: fc.constant(0) }) },
);

/** The model's data of one sender. */
interface Model {
  stateNonce: number;
  readonly waiting: Map<number, Transaction>;
}

const runOf = ({ stateNonce, waiting }: Model): Transaction[] => {
  const run: Transaction[] = [];
  for (let next = stateNonce; waiting.has(next); next++) run.push(waiting.get(next) as Transaction);
  return run;
};

const names = (transactions: readonly Transaction[]): string[] => transactions.map(({ hash }) => encodeData(hash));

it("holds, splits, orders and announces what a plain list of transactions says", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pool = new TxPool();
      const announced: string[] = [];
      pool.onPending((tx) => announced.push(encodeData(tx.hash)));
      const models = new Map(KEYS.map((each) => [each, { stateNonce: 0, waiting: new Map() } as Model]));
      const expected: string[] = [];
      // A transaction that was taken out and comes again is a new one to the pool.
      const told = new Set<string>();
      for (const { kind, key: who, nonce: at, price } of steps) {
        const model = models.get(who) as Model;
        const { address } = sender(who);
        if (kind === "add") {
          const tx = transaction(who, at, price);
          const old = model.waiting.get(at);
          const isFair =
            old === undefined ||
            ((["maxFeePerGas", "maxPriorityFeePerGas"] as const).every(
              (member) => tx[member] > old[member] && tx[member] >= (old[member] * 110n) / 100n,
            ) as boolean);
          const isTaken = at >= model.stateNonce && isFair;
          const add = (): unknown => pool.add(tx, rich(BigInt(model.stateNonce)));
          if (isTaken) add();
          else expect(add).toThrow();
          if (isTaken && old !== undefined) told.delete(encodeData(old.hash));
          if (isTaken) model.waiting.set(at, tx);
        } else if (kind === "remove") {
          const tx = model.waiting.get(at);
          if (tx !== undefined) expect(pool.remove(tx.hash)).toBe(true);
          if (tx !== undefined) told.delete(encodeData(tx.hash));
          model.waiting.delete(at);
        } else {
          model.stateNonce = at;
          for (const [each, tx] of [...model.waiting]) {
            if (each >= at) continue;
            told.delete(encodeData(tx.hash));
            model.waiting.delete(each);
          }
          if (pool.contentFrom(address).pending.length + pool.contentFrom(address).queued.length === 0) continue;
          pool.updateSender(address, rich(BigInt(at)));
        }
        // A sender without transactions is unknown to the pool, its state nonce, too.
        for (const hash of model.waiting.size === 0 ? [] : names(runOf(model))) {
          if (!told.has(hash)) expected.push(hash);
          told.add(hash);
        }
      }
      for (const [who, model] of models) {
        const { pending, queued } = pool.contentFrom(sender(who).address);
        expect(names(pending)).toEqual(names(runOf(model)));
        expect(names([...pending, ...queued]).sort()).toEqual(names([...model.waiting.values()]).sort());
      }
      expect(announced).toEqual(expected);
    }),
    { numRuns: runs(40) },
  );
});

it("orders transactions best tip first among those whose turn it is", () => {
  const entry = fc.tuple(key, fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 24 }), fc.integer({ min: 0, max: 14 }), (entries, base) => {
      const pool = new TxPool();
      const counts = new Map<number, number>();
      const waiting = new Map<number, Transaction[]>(KEYS.map((each) => [each, []]));
      for (const [who, price] of entries) {
        const at = counts.get(who) ?? 0;
        if (at > 7) continue;
        counts.set(who, at + 1);
        const tx = transaction(who, at, price);
        pool.add(tx, rich());
        waiting.get(who)?.push(tx);
      }
      const baseFee = BigInt(base);
      const tip = (tx: Transaction): bigint => effectiveGasPrice(tx, baseFee) - baseFee;
      for (const tx of pool.executable(baseFee)) {
        const heads = [...waiting.values()]
          .map((run) => run[0])
          .filter((head) => head !== undefined && head.maxFeePerGas >= baseFee) as Transaction[];
        expect(heads).toContain(tx);
        expect(heads.every((head) => tip(head) <= tip(tx))).toBe(true);
        [...waiting.values()].find((run) => run[0] === tx)?.shift();
      }
      // The remaining transactions cannot be paid, or follow one that cannot.
      for (const run of waiting.values()) if (run[0] !== undefined) expect(run[0].maxFeePerGas < baseFee).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});
