import { Account, Address } from "@ethereumjs/util";
import { describe, expect, it } from "vitest";
import { EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../src/primitives/hash.ts";
import { EthereumJsStateManager } from "../../src/state/ethereumjs-state-manager.ts";
import { StateDatabase } from "../../src/state/state-database.ts";
import { WorkingState } from "../../src/state/working-state.ts";
import { AsyncReader } from "./async-reader.ts";
import { MemorySource } from "./memory-source.ts";

const address = new Address(new Uint8Array(20).fill(7));
const slot = new Uint8Array(32).fill(1);

function overEmpty(): EthereumJsStateManager {
  return new EthereumJsStateManager(new StateDatabase(new MemorySource()).empty());
}

describe("EthereumJsStateManager", () => {
  it("gives a fresh account each time, so that changing it changes nothing", async () => {
    const states = overEmpty();
    await states.putAccount(address, new Account(1n, 2n));
    const taken = await states.getAccount(address);
    if (taken !== undefined) taken.balance += 5n;
    expect((await states.getAccount(address))?.balance).toBe(2n);
  });

  it("deletes an account that is put as undefined", async () => {
    const states = overEmpty();
    await states.putAccount(address, new Account(1n, 2n));
    await states.putAccount(address, undefined);
    expect(await states.getAccount(address)).toBeUndefined();
    expect(await states.getStateRoot()).toEqual(EMPTY_TRIE_ROOT);
  });

  it("strips leading zeros of what it stores, and takes all zeros for a deletion", async () => {
    const states = overEmpty();
    await states.putAccount(address, new Account());
    await states.putStorage(address, slot, Uint8Array.of(0, 0, 9, 0));
    expect(await states.getStorage(address, slot)).toEqual(Uint8Array.of(9, 0));
    await states.putStorage(address, slot, new Uint8Array(32));
    expect(await states.getStorage(address, slot)).toEqual(EMPTY_BYTES);
  });

  it("refuses storage of a missing account, odd slots and long values, as MerkleStateManager does", async () => {
    const states = overEmpty();
    await expect(states.putStorage(address, slot, Uint8Array.of(1))).rejects.toThrow("non-existing account");
    await states.putAccount(address, new Account());
    await expect(states.putStorage(address, slot, new Uint8Array(33))).rejects.toThrow("32 bytes");
    await expect(states.putStorage(address, new Uint8Array(31), Uint8Array.of(1))).rejects.toThrow("32 bytes");
    await expect(states.getStorage(address, new Uint8Array(31))).rejects.toThrow("32 bytes");
  });

  it("creates the account whose storage it clears", async () => {
    const states = overEmpty();
    await states.clearStorage(address);
    expect((await states.getAccount(address))?.isEmpty()).toBe(true);
  });

  it("changes only the fields it is given", async () => {
    const states = overEmpty();
    await states.putAccount(address, new Account(3n, 4n));
    await states.modifyAccountFields(address, { balance: 0n });
    expect(await states.getAccount(address)).toMatchObject({ nonce: 3n, balance: 0n });
  });

  it("works on another state once its view is exchanged, and on none without", async () => {
    const database = new StateDatabase(new MemorySource());
    const states = new EthereumJsStateManager(database.empty());
    await states.putAccount(address, new Account(1n));
    const first = states.view;
    states.view = database.empty();
    expect(await states.getAccount(address)).toBeUndefined();
    states.view = first;
    expect((await states.getAccount(address))?.nonce).toBe(1n);
    states.view = undefined;
    expect(() => states.view).toThrow("without a view");
  });

  it("keeps the original of a slot through writes until the cache is cleared", async () => {
    const states = overEmpty();
    await states.putAccount(address, new Account());
    await states.putStorage(address, slot, Uint8Array.of(1));
    states.originalStorageCache.clear();
    await states.putStorage(address, slot, Uint8Array.of(2));
    expect(await states.originalStorageCache.get(address, slot)).toEqual(Uint8Array.of(1));
    states.originalStorageCache.clear();
    expect(await states.originalStorageCache.get(address, slot)).toEqual(Uint8Array.of(2));
  });

  it("serves a state that answers with promises", async () => {
    const stored = new StateDatabase(new MemorySource()).empty();
    const filled = new EthereumJsStateManager(stored);
    await filled.putAccount(address, new Account(1n, 2n));
    await filled.putCode(address, Uint8Array.of(0x60));
    await filled.putStorage(address, slot, Uint8Array.of(5));
    const states = new EthereumJsStateManager(new WorkingState(new AsyncReader(stored)));
    expect(await states.getCode(address)).toEqual(Uint8Array.of(0x60));
    expect(await states.getStorage(address, slot)).toEqual(Uint8Array.of(5));
    await states.putStorage(address, slot, Uint8Array.of(6));
    expect(await states.originalStorageCache.get(address, slot)).toEqual(Uint8Array.of(5));
    expect((await states.getAccount(address))?.balance).toBe(2n);
  });
});
