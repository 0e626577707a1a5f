/** A reader with values taken over from the state before is compared with one that reads everything from the tries. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../../src/primitives/hash/hash.ts";
import { StateDatabase } from "../../../src/state/state-database.ts";
import { EMPTY_STATE, type OwnStateId } from "../../../src/state/state-id.ts";
import { runs } from "../../support/seed.ts";
import { MemorySource } from "../memory-source.ts";

const ADDRESSES = Array.from({ length: 5 }, (_, id) => new Uint8Array(20).fill(id + 1));
const SLOTS = Array.from({ length: 4 }, (_, id) => new Uint8Array(32).fill(id + 1));

const write = fc.record({
  account: fc.nat(ADDRESSES.length - 1),
  kind: fc.constantFrom("balance", "slot", "delete", "wipe", "read"),
  slot: fc.nat(SLOTS.length - 1),
  value: fc.nat(3),
});
/** Each block is built on one of the states before it, so that there are side blocks too. */
const block = fc.record({ parent: fc.nat(100), writes: fc.array(write, { minLength: 1, maxLength: 8, size: "max" }) });

type Database = Pick<StateDatabase, "reader">;

async function contents(database: Database, stateRoot: OwnStateId) {
  const reader = database.reader(stateRoot);
  const accounts = ADDRESSES.map(async (address) => ({
    account: await reader.getAccount(address),
    hasStorage: await reader.hasStorage(address),
    slots: await Promise.all(SLOTS.map((slot) => reader.getStorage(address, slot))),
  }));
  return Promise.all(accounts);
}

it("a reader of a new state tells what a reader without any memory tells", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 6, size: "max" }), async (blocks) => {
      const source = new MemorySource();
      const database = new StateDatabase(source, { readers: 3 });
      const roots: OwnStateId[] = [EMPTY_STATE];
      for (const { parent, writes } of blocks) {
        const parentRoot = roots[parent % roots.length] as OwnStateId;
        const state = database.working(parentRoot);
        for (const { account, kind, slot, value } of writes) {
          const address = ADDRESSES[account] as OwnStateId;
          const key = SLOTS[slot] as OwnStateId;
          const before = await state.getAccount(address);
          const record = before ?? { nonce: 0n, balance: 1n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH };
          const made = {
            ...record,
            address,
            isDeleted: kind === "delete",
            wipesStorage: kind === "wipe",
            code: undefined,
          };
          const balance = kind === "balance" ? BigInt(value) : record.balance;
          const bytes = value === 0 ? EMPTY_BYTES : Uint8Array.of(value);
          const slots = kind === "slot" || kind === "wipe" ? [{ slot: key, value: bytes }] : [];
          if (kind === "read") await state.getStorage(address, key);
          else state.apply({ writes: [{ ...made, balance, slots }] });
        }
        const commit = state.commitState();
        source.write(commit);
        database.settle(commit);
        roots.push(commit.stateRoot);
        for (const root of roots.slice(-3)) {
          expect(await contents(database, root)).toEqual(await contents(new StateDatabase(source), root));
        }
        count++;
      }
    }),
    { numRuns: runs(150) },
  );
  expect(count).toBeGreaterThan(2 * runs(150));
});
