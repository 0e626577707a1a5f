import { describe, expect, it } from "vitest";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../src/primitives/hash.ts";
import { StateDatabase } from "../../src/state/state-database.ts";
import type { AccountState } from "../../src/state/view.ts";
import { WorkingState } from "../../src/state/working-state.ts";
import { AsyncReader } from "./async-reader.ts";
import { MemorySource } from "./memory-source.ts";

const alice = new Uint8Array(20).fill(0xa1);
const bob = new Uint8Array(20).fill(0xb0);
const slot = word(1);
const other = word(2);

function word(value: number): Bytes {
  const bytes = new Uint8Array(32);
  bytes[31] = value;
  return bytes;
}

function account(nonce: bigint, balance = 0n): AccountState {
  return { nonce, balance, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH };
}

/** Over a stored state in which alice has two slots. */
function overAlice(): { database: StateDatabase; source: MemorySource; state: WorkingState } {
  const source = new MemorySource();
  const first = new StateDatabase(source).empty();
  first.putAccount(alice, account(1n, 100n));
  first.putStorage(alice, slot, Uint8Array.of(1));
  first.putStorage(alice, other, Uint8Array.of(2));
  const commit = first.commitState();
  source.write(commit);
  const database = new StateDatabase(source);
  return { database, source, state: database.working(commit.stateRoot) };
}

describe("accounts and storage", () => {
  it("has no storage left after an account is deleted and made again", () => {
    const { state } = overAlice();
    state.deleteAccount(alice);
    state.putAccount(alice, account(0n));
    expect(state.getStorage(alice, slot)).toEqual(EMPTY_BYTES);
    state.putStorage(alice, other, Uint8Array.of(9));
    const fresh = new StateDatabase(new MemorySource()).empty();
    fresh.putAccount(alice, account(0n));
    fresh.putStorage(alice, other, Uint8Array.of(9));
    expect(state.computeStateRoot()).toEqual(fresh.computeStateRoot());
  });

  it("brings storage back when the deletion is reverted, also after a root in between", () => {
    const { state } = overAlice();
    const root = state.computeStateRoot();
    state.checkpoint();
    state.deleteAccount(alice);
    expect(state.computeStateRoot()).toEqual(EMPTY_TRIE_ROOT);
    state.revertCheckpoint();
    expect(state.getStorage(alice, slot)).toEqual(Uint8Array.of(1));
    expect(state.computeStateRoot()).toEqual(root);
  });

  it("restores in the trie a slot that nobody had read before it was written and reverted", () => {
    const { state } = overAlice();
    const root = state.computeStateRoot();
    state.checkpoint();
    state.putStorage(alice, slot, Uint8Array.of(7));
    expect(state.computeStateRoot()).not.toEqual(root);
    state.revertCheckpoint();
    expect(state.computeStateRoot()).toEqual(root);
  });

  it("keeps empty accounts: dropping them is not its business", () => {
    const { state } = overAlice();
    state.putAccount(bob, account(0n));
    expect(state.getAccount(bob)).toEqual(account(0n));
    const without = overAlice().state.computeStateRoot();
    expect(state.computeStateRoot()).not.toEqual(without);
    state.deleteAccount(bob);
    expect(state.computeStateRoot()).toEqual(without);
  });

  it("refuses storage for an account that does not exist", () => {
    const { state } = overAlice();
    expect(() => state.putStorage(bob, slot, Uint8Array.of(1))).toThrow(TypeError);
  });

  it("never believes a storage root it is handed", () => {
    const { state } = overAlice();
    const root = state.computeStateRoot();
    state.putAccount(alice, account(1n, 100n));
    expect(state.computeStateRoot()).toEqual(root);
  });

  it("shows the storage root as of the last computed root", () => {
    const { state } = overAlice();
    const before = state.getAccount(alice) as AccountState;
    state.putStorage(alice, slot, Uint8Array.of(7));
    expect((state.getAccount(alice) as AccountState).storageRoot).toEqual(before.storageRoot);
    state.computeStateRoot();
    expect((state.getAccount(alice) as AccountState).storageRoot).not.toEqual(before.storageRoot);
  });

  it("refuses addresses and slots of the wrong length", () => {
    const { state } = overAlice();
    expect(() => state.getAccount(new Uint8Array(19))).toThrow("20 bytes");
    expect(() => state.getStorage(alice, new Uint8Array(33))).toThrow("32 bytes");
  });
});

describe("checkpoints", () => {
  it("cannot end one that was not opened", () => {
    const { state } = overAlice();
    expect(() => state.commitCheckpoint()).toThrow("no checkpoint");
    expect(() => state.revertCheckpoint()).toThrow("no checkpoint");
  });

  it("reverts what a committed inner checkpoint wrote when the outer one is reverted", () => {
    const { state } = overAlice();
    state.checkpoint();
    state.putStorage(alice, slot, Uint8Array.of(5));
    state.checkpoint();
    state.putStorage(alice, slot, Uint8Array.of(6));
    state.commitCheckpoint();
    state.putStorage(alice, slot, Uint8Array.of(7));
    state.revertCheckpoint();
    expect(state.getStorage(alice, slot)).toEqual(Uint8Array.of(1));
  });
});

describe("codes", () => {
  it("commits the code an account ends up with, and not that of a reverted creation", () => {
    const { state, database } = overAlice();
    const [kept, dropped] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)];
    state.putCode(alice, kept);
    state.checkpoint();
    state.putCode(bob, dropped);
    state.revertCheckpoint();
    const commit = state.commitState();
    expect(commit.codes).toEqual([{ hash: keccak256(kept), bytes: kept }]);
    expect(state.commitState().codes).toEqual([]);
    expect(database.reader(commit.stateRoot).getCode(keccak256(kept))).toBe(kept);
  });

  it("creates the account whose code it puts, and takes empty code for none", () => {
    const { state } = overAlice();
    state.putCode(bob, EMPTY_BYTES);
    expect(state.getAccount(bob)).toEqual(account(0n));
    expect(state.getCode(EMPTY_CODE_HASH)).toEqual(EMPTY_BYTES);
    expect(state.commitState().codes).toEqual([]);
  });
});

describe("transactions", () => {
  it("lists changed accounts and slots in order, with what they were", () => {
    const { state } = overAlice();
    state.putAccount(alice, account(2n, 100n));
    state.beginTransaction();
    state.putAccount(bob, account(0n, 5n));
    state.putStorage(alice, other, EMPTY_BYTES);
    state.putStorage(alice, slot, Uint8Array.of(8));
    const changes = state.transactionChanges();
    expect(changes.map(({ address }) => address)).toEqual([alice, bob]);
    expect(changes[0]?.slots).toEqual([
      { slot, before: Uint8Array.of(1), after: Uint8Array.of(8) },
      { slot: other, before: Uint8Array.of(2), after: EMPTY_BYTES },
    ]);
    expect(changes[0]?.before).toMatchObject({ nonce: 2n });
    expect(changes[1]).toMatchObject({ before: undefined, after: { balance: 5n }, slots: [] });
  });

  it("leaves out what was written and put back, reverted, or made and deleted", () => {
    const { state } = overAlice();
    state.beginTransaction();
    state.putStorage(alice, slot, Uint8Array.of(8));
    state.putStorage(alice, slot, Uint8Array.of(1));
    state.checkpoint();
    state.putAccount(bob, account(9n));
    state.revertCheckpoint();
    state.putAccount(bob, account(0n));
    state.deleteAccount(bob);
    expect(state.transactionChanges()).toEqual([]);
  });

  it("lists the slots it knew of a deleted account", () => {
    const { state } = overAlice();
    state.getStorage(alice, other);
    state.beginTransaction();
    state.deleteAccount(alice);
    expect(state.transactionChanges()).toMatchObject([
      { address: alice, after: undefined, slots: [{ slot: other, before: Uint8Array.of(2), after: EMPTY_BYTES }] },
    ]);
  });

  it("counts originals from the last transaction's beginning", () => {
    const { state } = overAlice();
    state.putStorage(alice, slot, Uint8Array.of(5));
    expect(state.getOriginalStorage(alice, slot)).toEqual(Uint8Array.of(1));
    state.beginTransaction();
    expect(state.getOriginalStorage(alice, slot)).toEqual(Uint8Array.of(5));
    state.putStorage(alice, slot, Uint8Array.of(6));
    expect(state.getOriginalStorage(alice, slot)).toEqual(Uint8Array.of(5));
  });
});

describe("forks", () => {
  it("keep their transaction and checkpoints to themselves", () => {
    const { state } = overAlice();
    state.beginTransaction();
    state.checkpoint();
    state.putStorage(alice, slot, Uint8Array.of(5));
    const fork = state.fork();
    expect(() => fork.revertCheckpoint()).toThrow("no checkpoint");
    expect(fork.transactionChanges()).toEqual([]);
    fork.putStorage(alice, slot, Uint8Array.of(6));
    expect(fork.getOriginalStorage(alice, slot)).toEqual(Uint8Array.of(5));
    expect(state.getOriginalStorage(alice, slot)).toEqual(Uint8Array.of(1));
    state.revertCheckpoint();
    expect(state.getStorage(alice, slot)).toEqual(Uint8Array.of(1));
    expect(fork.getStorage(alice, slot)).toEqual(Uint8Array.of(6));
  });
});

describe("forks of forks", () => {
  it("have what each before them wrote, slot by slot", () => {
    const { state } = overAlice();
    state.putStorage(alice, slot, Uint8Array.of(5));
    state.putStorage(alice, other, Uint8Array.of(6));
    const first = state.fork();
    first.putStorage(alice, slot, Uint8Array.of(7));
    const second = first.fork();
    second.putStorage(alice, word(3), Uint8Array.of(8));
    expect([slot, other, word(3)].map((key) => second.getStorage(alice, key))).toEqual([
      Uint8Array.of(7),
      Uint8Array.of(6),
      Uint8Array.of(8),
    ]);
    const direct = overAlice().state;
    for (const [key, value] of [
      [slot, 7],
      [other, 6],
      [word(3), 8],
    ] as const) {
      direct.putStorage(alice, key, Uint8Array.of(value));
    }
    expect(second.computeStateRoot()).toEqual(direct.computeStateRoot());
    expect(first.getStorage(alice, word(3))).toEqual(EMPTY_BYTES);
    expect(state.getStorage(alice, slot)).toEqual(Uint8Array.of(5));
  });

  it("leave the transaction of what they came from as it was", () => {
    const { state } = overAlice();
    state.putStorage(alice, slot, Uint8Array.of(5));
    state.beginTransaction();
    state.putStorage(alice, slot, Uint8Array.of(6));
    state.fork();
    state.putStorage(alice, slot, Uint8Array.of(7));
    expect(state.getOriginalStorage(alice, slot)).toEqual(Uint8Array.of(5));
    expect(state.transactionChanges()).toMatchObject([
      { slots: [{ before: Uint8Array.of(5), after: Uint8Array.of(7) }] },
    ]);
  });
});

describe("a state over a reader that answers with promises", () => {
  it("reads and asks only once, and answers at once from then on", async () => {
    const { state: stored } = overAlice();
    const reader = new AsyncReader(stored);
    const state = new WorkingState(reader);
    expect(await state.getAccount(alice)).toMatchObject({ nonce: 1n, balance: 100n });
    expect(await state.getStorage(alice, slot)).toEqual(Uint8Array.of(1));
    expect(state.getAccount(alice)).toMatchObject({ nonce: 1n });
    expect(state.getStorage(alice, slot)).toEqual(Uint8Array.of(1));
    expect(reader.asked).toBe(2);
  });

  it("keeps a write that happens while an answer is on its way", async () => {
    const { state: stored } = overAlice();
    const state = new WorkingState(new AsyncReader(stored));
    await state.getAccount(alice);
    const reading = state.getStorage(alice, slot);
    state.putStorage(alice, slot, Uint8Array.of(9));
    expect(await reading).toEqual(Uint8Array.of(1));
    expect(state.getStorage(alice, slot)).toEqual(Uint8Array.of(9));
    const account1 = state.getAccount(bob);
    state.putAccount(bob, account(4n));
    expect(await account1).toBeUndefined();
    expect(state.getAccount(bob)).toEqual(account(4n));
  });

  it("reverts to the base's value what was written unread, and knows its original", async () => {
    const { state: stored } = overAlice();
    const state = new WorkingState(new AsyncReader(stored));
    state.beginTransaction();
    state.checkpoint();
    state.putStorage(alice, slot, Uint8Array.of(9));
    expect(await state.getOriginalStorage(alice, slot)).toEqual(Uint8Array.of(1));
    state.revertCheckpoint();
    expect(await state.getStorage(alice, slot)).toEqual(Uint8Array.of(1));
  });

  it("puts code and forks", async () => {
    const { state: stored } = overAlice();
    const state = new WorkingState(new AsyncReader(stored));
    await state.putCode(alice, Uint8Array.of(1));
    const fork = state.fork();
    await fork.putCode(alice, Uint8Array.of(2));
    expect(await state.getAccount(alice)).toMatchObject({ nonce: 1n, codeHash: keccak256(Uint8Array.of(1)) });
    expect(fork.getCode(keccak256(Uint8Array.of(2)))).toEqual(Uint8Array.of(2));
  });

  it("lists a transaction's changes as long as what was written had been read", async () => {
    const { state: stored } = overAlice();
    const state = new WorkingState(new AsyncReader(stored));
    await state.getAccount(alice);
    await state.getStorage(alice, slot);
    state.beginTransaction();
    state.putStorage(alice, slot, Uint8Array.of(3));
    expect(state.transactionChanges()).toMatchObject([
      { slots: [{ before: Uint8Array.of(1), after: Uint8Array.of(3) }] },
    ]);
    state.putStorage(alice, other, Uint8Array.of(3));
    expect(() => state.transactionChanges()).toThrow("without having been read");
  });

  it("has no root", () => {
    const { state: stored } = overAlice();
    const state = new WorkingState(new AsyncReader(stored));
    expect(() => state.computeStateRoot()).toThrow("no state root");
    expect(() => state.commitState()).toThrow("no state root");
  });
});
