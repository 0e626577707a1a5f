import { describe, expect, it } from "vitest";
import type { AccountWrite } from "../../../src/evm/engine.ts";
import { type Bytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../../src/primitives/hash/hash.ts";
import type { RemoteState } from "../../../src/state/fork/remote-state.ts";
import { StateDatabase } from "../../../src/state/state-database.ts";
import { ownStateId } from "../../../src/state/state-id.ts";
import type { AccountState } from "../../../src/state/view.ts";
import { WorkingState } from "../../../src/state/working/working-state.ts";
import { AsyncReader } from "../async-reader.ts";
import { MemorySource } from "../memory-source.ts";

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

function write(address: Bytes, members: Partial<AccountWrite> = {}): AccountWrite {
  return {
    address,
    isDeleted: false,
    wipesStorage: false,
    nonce: 1n,
    balance: 100n,
    codeHash: EMPTY_CODE_HASH,
    code: undefined,
    slots: [],
    ...members,
  };
}

function apply(state: WorkingState, ...writes: readonly AccountWrite[]): void {
  state.apply({ writes });
}

describe("accounts and storage", () => {
  it("has no storage left after an account is deleted and made again", () => {
    const { state } = overAlice();
    apply(state, write(alice, { isDeleted: true }));
    state.putAccount(alice, account(0n));
    expect(state.getStorage(alice, slot)).toEqual(EMPTY_BYTES);
    state.putStorage(alice, other, Uint8Array.of(9));
    const fresh = new StateDatabase(new MemorySource()).empty();
    fresh.putAccount(alice, account(0n));
    fresh.putStorage(alice, other, Uint8Array.of(9));
    expect(state.computeStateRoot()).toEqual(fresh.computeStateRoot());
  });

  it("keeps empty accounts: dropping them is not its business", () => {
    const { state } = overAlice();
    state.putAccount(bob, account(0n));
    expect(state.getAccount(bob)).toEqual(account(0n));
    const without = overAlice().state.computeStateRoot();
    expect(state.computeStateRoot()).not.toEqual(without);
    apply(state, write(bob, { isDeleted: true }));
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

describe("codes", () => {
  it("commits the code an account ends up with, and not that of one that is gone again", () => {
    const { state, database } = overAlice();
    const [kept, dropped] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)];
    apply(state, write(alice, { code: kept, codeHash: keccak256(kept) }));
    state.putCode(bob, dropped);
    apply(state, write(bob, { isDeleted: true }));
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
    apply(
      state,
      write(bob, { nonce: 0n, balance: 5n }),
      write(alice, {
        nonce: 2n,
        slots: [
          { slot: other, value: EMPTY_BYTES },
          { slot, value: Uint8Array.of(8) },
        ],
      }),
    );
    const changes = state.transactionChanges();
    expect(changes.map(({ address }) => address)).toEqual([alice, bob]);
    expect(changes[0]?.slots).toEqual([
      { slot, before: Uint8Array.of(1), after: Uint8Array.of(8) },
      { slot: other, before: Uint8Array.of(2), after: EMPTY_BYTES },
    ]);
    expect(changes[0]?.before).toMatchObject({ nonce: 2n });
    expect(changes[1]).toMatchObject({ before: undefined, after: { balance: 5n }, slots: [] });
  });

  it("leaves out what is as before, and what was made and deleted", () => {
    const { state } = overAlice();
    const root = state.computeStateRoot();
    const same = { slot, value: Uint8Array.of(1) };
    apply(state, write(alice, { slots: [same] }), write(bob, { isDeleted: true }));
    expect(state.transactionChanges()).toEqual([]);
    expect(state.computeStateRoot()).toEqual(root);
  });

  it("lists in order what was written to an account that is deleted", () => {
    const { state } = overAlice();
    const value = Uint8Array.of(9);
    const slots = [
      { slot: other, value },
      { slot, value },
    ];
    apply(state, write(alice, { isDeleted: true, slots }));
    expect(state.transactionChanges()[0]?.lost).toEqual([
      { slot, before: Uint8Array.of(1), after: value },
      { slot: other, before: Uint8Array.of(2), after: value },
    ]);
  });

  it("lists the slots it knew of a deleted account", () => {
    const { state } = overAlice();
    state.getStorage(alice, other);
    apply(state, write(alice, { isDeleted: true }));
    expect(state.transactionChanges()).toMatchObject([
      { address: alice, after: undefined, slots: [{ slot: other, before: Uint8Array.of(2), after: EMPTY_BYTES }] },
    ]);
  });

  it("wipes storage but for the slots written since", () => {
    const { state } = overAlice();
    state.getStorage(alice, other);
    apply(state, write(alice, { wipesStorage: true, slots: [{ slot, value: Uint8Array.of(9) }] }));
    expect(state.getStorage(alice, other)).toEqual(EMPTY_BYTES);
    expect(state.getStorage(alice, slot)).toEqual(Uint8Array.of(9));
    expect(state.transactionChanges()).toMatchObject([
      {
        slots: [
          { slot, before: Uint8Array.of(1), after: Uint8Array.of(9) },
          { slot: other, before: Uint8Array.of(2), after: EMPTY_BYTES },
        ],
      },
    ]);
  });

  it("tells of the last transaction only, and of nothing that was written beside it", () => {
    const { state } = overAlice();
    apply(state, write(alice, { slots: [{ slot, value: Uint8Array.of(5) }] }));
    apply(state, write(alice, { slots: [{ slot, value: Uint8Array.of(6) }] }));
    state.putStorage(alice, other, Uint8Array.of(7));
    expect(state.transactionChanges().map(({ slots }) => slots)).toEqual([
      [{ slot, before: Uint8Array.of(5), after: Uint8Array.of(6) }],
    ]);
  });

  it("has in its root what was written before a fork and after it, and the fork what was written before", () => {
    const rootOf = (...writes: readonly (readonly [Bytes, number])[]): Bytes => {
      const { state } = overAlice();
      for (const [key, value] of writes) state.putStorage(alice, key, Uint8Array.of(value));
      return state.computeStateRoot();
    };
    const { state } = overAlice();
    state.putStorage(alice, slot, Uint8Array.of(8));
    const fork = state.fork();
    state.putStorage(alice, other, Uint8Array.of(9));
    expect(state.computeStateRoot()).toEqual(rootOf([slot, 8], [other, 9]));
    expect(fork.computeStateRoot()).toEqual(rootOf([slot, 8]));
  });

  it("has in its root what was written before a fork, also where an earlier root has opened the storage", () => {
    const { state } = overAlice();
    state.putStorage(alice, word(3), Uint8Array.of(7));
    state.computeStateRoot();
    state.putStorage(alice, slot, Uint8Array.of(8));
    state.fork();
    state.putStorage(alice, other, Uint8Array.of(9));
    const direct = overAlice().state;
    for (const [key, value] of [
      [word(3), 7],
      [slot, 8],
      [other, 9],
    ] as const) {
      direct.putStorage(alice, key, Uint8Array.of(value));
    }
    expect(state.computeStateRoot()).toEqual(direct.computeStateRoot());
  });

  it("takes the slots of a new contract on a fork for zero before, which nobody has read", async () => {
    const remote: RemoteState = {
      getAccount: () => Promise.resolve(account(0n, 5n)),
      getStorage: () => Promise.reject(new Error("this slot was requested")),
      getCode: () => Promise.resolve(EMPTY_BYTES),
      provenRoot: undefined,
      getTrieNode: () => undefined,
    };
    const root = word(0xaa);
    const find = (hash: Bytes) => (hash === root ? remote : undefined);
    const state = new StateDatabase(new MemorySource(), { remote: { pinned: remote, find } }).working(ownStateId(root));
    await state.getAccount(alice);
    apply(state, write(alice, { wipesStorage: true, slots: [{ slot, value: Uint8Array.of(9) }] }));
    expect(state.transactionChanges()).toMatchObject([
      { before: { balance: 5n }, slots: [{ slot, before: EMPTY_BYTES, after: Uint8Array.of(9) }] },
    ]);
  });

  it("tells nothing of a transaction to a fork", () => {
    const { state } = overAlice();
    apply(state, write(alice, { nonce: 7n }));
    expect(state.fork().transactionChanges()).toEqual([]);
  });
});

describe("hasStorage", () => {
  it("tells storage of the base, written or not, from none", () => {
    const { state } = overAlice();
    expect(state.hasStorage(bob)).toBe(false);
    state.putAccount(bob, account(0n));
    expect(state.hasStorage(bob)).toBe(false);
    state.putStorage(bob, slot, Uint8Array.of(1));
    expect(state.hasStorage(bob)).toBe(true);
    expect(state.hasStorage(alice)).toBe(true);
    state.putStorage(alice, slot, EMPTY_BYTES);
    expect(state.hasStorage(alice)).toBe(true);
    state.putStorage(alice, other, EMPTY_BYTES);
    expect(state.hasStorage(alice)).toBe(false);
  });

  it("goes by storage root and written slots over a reader that has no tries", async () => {
    const state = new WorkingState(new AsyncReader(overAlice().state));
    expect(await state.hasStorage(alice)).toBe(true);
    expect(await state.hasStorage(bob)).toBe(false);
    state.putAccount(bob, account(0n));
    state.putStorage(bob, slot, Uint8Array.of(1));
    expect(await state.hasStorage(bob)).toBe(true);
    apply(state, write(alice, { wipesStorage: true }));
    expect(await state.hasStorage(alice)).toBe(false);
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
    apply(state, write(alice, { slots: [{ slot, value: Uint8Array.of(3) }] }));
    expect(state.transactionChanges()).toMatchObject([
      { slots: [{ before: Uint8Array.of(1), after: Uint8Array.of(3) }] },
    ]);
    apply(state, write(alice, { slots: [{ slot: other, value: Uint8Array.of(3) }] }));
    expect(() => state.transactionChanges()).toThrow("without having been read");
  });

  it("has no root", () => {
    const { state: stored } = overAlice();
    const state = new WorkingState(new AsyncReader(stored));
    expect(() => state.computeStateRoot()).toThrow("no state root");
    expect(() => state.commitState()).toThrow("no state root");
  });
});
