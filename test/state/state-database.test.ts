import { verifyMerkleProof } from "@ethereumjs/mpt";
import { describe, expect, it } from "vitest";
import { StoreError } from "../../src/errors/hindcast-error.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../src/primitives/hash/hash.ts";
import { StateDatabase } from "../../src/state/state-database.ts";
import { EMPTY_STATE, ownStateId } from "../../src/state/state-id.ts";
import { encodeAccount } from "../../src/state/trie/account-codec.ts";
import type { AccountState, StateCommit } from "../../src/state/view.ts";
import { MemorySource } from "./memory-source.ts";

function address(id: number): Bytes {
  return keccak256(Uint8Array.of(id >> 8, id & 255)).slice(12);
}

function word(value: number): Bytes {
  const bytes = new Uint8Array(32);
  bytes[30] = value >> 8;
  bytes[31] = value & 255;
  return bytes;
}

const account = (nonce: bigint): AccountState => ({
  nonce,
  balance: nonce * 10n ** 18n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
});

/** Commits accounts with as many slots as `slots` says, the first one with a code. */
function fill(database: StateDatabase, accounts: number, slots: number): StateCommit {
  const state = database.empty();
  for (let id = 0; id < accounts; id++) {
    state.putAccount(address(id), account(BigInt(id)));
    for (let slot = 0; slot < slots; slot++) state.putStorage(address(id), word(slot), Uint8Array.of(slot + 1));
  }
  state.putCode(address(0), Uint8Array.of(0x60, 0x01));
  return state.commitState();
}

describe("commits", () => {
  it("can be read before they are stored", async () => {
    const database = new StateDatabase(new MemorySource(), { trieCacheBytes: 1 });
    const { stateRoot } = fill(database, 30, 5);
    expect(database.hasState(stateRoot)).toBe(true);
    const reader = database.reader(stateRoot);
    expect(reader.getAccount(address(29))).toMatchObject({ nonce: 29n });
    expect(reader.getStorage(address(3), word(4))).toEqual(Uint8Array.of(5));
    expect(reader.getCode((await reader.getAccount(address(0)))?.codeHash as Bytes)).toEqual(Uint8Array.of(0x60, 0x01));
  });

  it.each([3, 4_999, 5_000, 6_000])(
    "of %i slots are read as written, cached values of before or not",
    async (slots) => {
      const database = new StateDatabase(new MemorySource());
      const first = fill(database, 1, slots);
      const before = database.reader(first.stateRoot);
      for (const slot of [0, slots - 1]) await before.getStorage(address(0), word(slot));
      const state = database.working(first.stateRoot);
      for (let slot = 0; slot < slots; slot++) {
        state.putStorage(address(0), word(slot), Uint8Array.of(7));
        // A step in between, which no reader follows.
        if (slot === 1) state.commitState(false);
      }
      const after = database.reader(state.commitState().stateRoot);
      const last = slots - 1;
      for (const slot of [0, 1, last]) {
        expect(await after.getStorage(address(0), word(slot))).toEqual(Uint8Array.of(7));
      }
      expect(await before.getStorage(address(0), word(last))).toEqual(Uint8Array.of((last + 1) & 255));
    },
  );

  it("can be built upon before they are stored", async () => {
    const source = new MemorySource();
    const database = new StateDatabase(source, { trieCacheBytes: 1 });
    const first = fill(database, 30, 5);
    const state = database.working(first.stateRoot);
    state.putStorage(address(3), word(4), EMPTY_BYTES);
    const second = state.commitState();
    // The second holds only what it changed: the path to one slot and the path to one account.
    expect(second.trieNodes.length).toBeLessThan(8);
    source.write(first);
    source.write(second);
    const fresh = new StateDatabase(source);
    expect(fresh.reader(second.stateRoot).getStorage(address(3), word(4))).toEqual(EMPTY_BYTES);
    expect(fresh.reader(second.stateRoot).getStorage(address(4), word(4))).toEqual(Uint8Array.of(5));
    expect(fresh.reader(first.stateRoot).getStorage(address(3), word(4))).toEqual(Uint8Array.of(5));
  });

  it("come from the store once they are settled", async () => {
    const source = new MemorySource();
    const database = new StateDatabase(source, { trieCacheBytes: 1, readers: 1 });
    const commit = fill(database, 30, 5);
    source.write(commit);
    database.settle(commit);
    // The one reader that is kept, which remembers what was written, makes room for another.
    database.reader(EMPTY_STATE);
    const before = source.reads;
    expect(database.reader(commit.stateRoot).getAccount(address(7))).toMatchObject({ nonce: 7n });
    expect(source.reads).toBeGreaterThan(before);
  });

  it("are gone once they are discarded, but for what another commit holds too", async () => {
    const database = new StateDatabase(new MemorySource(), { trieCacheBytes: 1 });
    const first = fill(database, 30, 5);
    const same = fill(database, 30, 5);
    expect(same.stateRoot).toEqual(first.stateRoot);
    database.discard(first);
    database.discard(first);
    expect(database.hasState(first.stateRoot)).toBe(true);
    expect(database.reader(first.stateRoot).getStorage(address(9), word(2))).toEqual(Uint8Array.of(3));
    database.discard(same);
    expect(database.hasState(first.stateRoot)).toBe(false);
  });

  it("hold nothing when nothing changed", async () => {
    const source = new MemorySource();
    const database = new StateDatabase(source);
    const first = fill(database, 3, 2);
    source.write(first);
    const state = database.working(first.stateRoot);
    state.putStorage(address(1), word(1), Uint8Array.of(2));
    expect(state.commitState()).toEqual({ stateRoot: first.stateRoot, trieNodes: [], codes: [] });
    expect(new StateDatabase(source).empty().commitState().stateRoot).toEqual(EMPTY_TRIE_ROOT);
  });

  it("leave out the nodes of roots in between", async () => {
    const source = new MemorySource();
    const state = new StateDatabase(source).empty();
    const betweens: Bytes[] = [];
    for (let id = 0; id < 20; id++) {
      state.putAccount(address(id), account(BigInt(id)));
      betweens.push(state.computeStateRoot());
    }
    const commit = state.commitState();
    const held = new Set(commit.trieNodes.map(({ hash }) => bytesKey(hash)));
    expect(held.has(bytesKey(commit.stateRoot))).toBe(true);
    expect(betweens.slice(0, -1).filter((root) => held.has(bytesKey(root)))).toEqual([]);
    for (const { hash, bytes } of commit.trieNodes) expect(keccak256(bytes)).toEqual(hash);
  });
});

describe("missing pieces", () => {
  it("names the node and the root when a trie node is missing", async () => {
    const source = new MemorySource();
    const commit = fill(new StateDatabase(source), 30, 0);
    source.write(commit);
    source.trieNodes.delete(bytesKey(commit.stateRoot));
    const database = new StateDatabase(source);
    expect(database.hasState(commit.stateRoot)).toBe(false);
    const read = (): unknown => database.reader(commit.stateRoot).getAccount(address(1));
    expect(read).toThrow(StoreError);
    expect(read).toThrow(`Node ${encodeData(commit.stateRoot)} of the trie with root ${encodeData(commit.stateRoot)}`);
    const state = database.working(commit.stateRoot);
    state.putAccount(address(1), account(5n));
    expect(() => state.computeStateRoot()).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
  });

  it("says so when a node or a leaf is not what it should be", async () => {
    const source = new MemorySource();
    const root = keccak256(Uint8Array.of(1));
    source.trieNodes.set(bytesKey(root), Uint8Array.of(0xc1, 0x80));
    expect(() => new StateDatabase(source).reader(ownStateId(root)).getAccount(address(1))).toThrow("unreadable");
    const state = new StateDatabase(source).empty();
    state.putAccount(address(1), account(1n));
    const commit = state.commitState();
    for (const { hash, bytes } of commit.trieNodes) {
      const broken = bytes.slice();
      broken[broken.length - 33] = 0;
      source.trieNodes.set(bytesKey(hash), broken);
    }
    expect(() => new StateDatabase(source).reader(commit.stateRoot).getAccount(address(1))).toThrow("neither");
  });

  it("names the hash of a missing code", async () => {
    const source = new MemorySource();
    const commit = fill(new StateDatabase(source), 1, 0);
    source.write({ ...commit, codes: [] });
    const reader = new StateDatabase(source).reader(commit.stateRoot);
    const codeHash = (await reader.getAccount(address(0)))?.codeHash as Bytes;
    expect(() => reader.getCode(codeHash)).toThrow(encodeData(codeHash));
  });
});

describe("readers", () => {
  it("ask the store once for what is read twice", async () => {
    const source = new MemorySource();
    const commit = fill(new StateDatabase(source), 30, 5);
    source.write(commit);
    const database = new StateDatabase(source, { trieCacheBytes: 1 });
    database.reader(commit.stateRoot).getStorage(address(3), word(1));
    const before = source.reads;
    database.reader(commit.stateRoot).getStorage(address(3), word(1));
    database.reader(commit.stateRoot).getAccount(address(3));
    expect(source.reads).toBe(before);
  });

  it("stay right when they have forgotten what they read", async () => {
    const source = new MemorySource();
    const commit = fill(new StateDatabase(source), 2, 0);
    source.write(commit);
    const reader = new StateDatabase(source).reader(commit.stateRoot);
    const nonces: (bigint | undefined)[] = [];
    for (let id = 0; id < 10_100; id++) nonces.push((await reader.getAccount(address(id)))?.nonce);
    expect(nonces).toEqual(Array.from({ length: 10_100 }, (_, id) => (id < 2 ? BigInt(id) : undefined)));
    expect((await reader.getAccount(address(1)))?.nonce).toBe(1n);
  });

  it("give the same array for the same code each time", async () => {
    const source = new MemorySource();
    const commit = fill(new StateDatabase(source), 1, 0);
    source.write(commit);
    const database = new StateDatabase(source);
    const codeHash = (await database.reader(commit.stateRoot).getAccount(address(0)))?.codeHash as Bytes;
    const code = database.reader(commit.stateRoot).getCode(codeHash);
    expect(database.working(commit.stateRoot).getCode(codeHash)).toBe(code);
  });
});

describe("proofs", () => {
  it("prove accounts and slots, there or not, to @ethereumjs/mpt's verifier", async () => {
    const source = new MemorySource();
    const database = new StateDatabase(source);
    const { stateRoot } = fill(database, 40, 20);
    for (const id of [0, 17, 39, 40, 41]) {
      const slots = [word(0), word(19), word(20), word(999)];
      const proof = await database.prove(database.working(stateRoot), { address: address(id), slots });
      const leaf = await verifyMerkleProof(keccak256(address(id)), [...proof.accountProof], { root: stateRoot });
      expect(leaf).toEqual(proof.account === undefined ? null : encodeAccount(proof.account));
      expect(proof.account === undefined).toBe(id >= 40);
      for (const [index, entry] of proof.slots.entries()) {
        expect(entry.slot).toEqual(slots[index]);
        if (proof.account === undefined) {
          expect(entry).toMatchObject({ value: EMPTY_BYTES, proof: [] });
          continue;
        }
        const { storageRoot } = proof.account;
        const value = await verifyMerkleProof(keccak256(entry.slot), [...entry.proof], { root: storageRoot });
        expect(value ?? EMPTY_BYTES).toEqual(entry.value);
        expect(entry.value.length > 0).toBe(index < 2);
      }
    }
  });

  it("have no nodes over the state without accounts", async () => {
    const database = new StateDatabase(new MemorySource());
    const proof = await database.prove(database.empty(), { address: address(1), slots: [word(1)] });
    expect(proof).toEqual({
      account: undefined,
      accountProof: [],
      slots: [{ slot: word(1), value: EMPTY_BYTES, proof: [] }],
    });
  });
});
