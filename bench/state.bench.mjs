// State: the working state beside EthereumJS' MerkleStateManager with its caches, through the same interface, in turns.
import { createMPT } from "@ethereumjs/mpt";
import { Caches, MerkleStateManager } from "@ethereumjs/statemanager";
import { Account, Address, MapDB } from "@ethereumjs/util";
import { EthereumJsStateManager } from "../dist/state/ethereumjs-state-manager.js";
import { StateDatabase } from "../dist/state/state-database.js";
import { summary } from "./measure.mjs";

export const name = "state (ours beside MerkleStateManager)";

const ACCOUNTS = 5_000;
const SLOTS = 10_000;
const RUNS = 15;
const contract = address(0);

function address(id) {
  const bytes = new Uint8Array(20).fill(0x5a);
  new DataView(bytes.buffer).setUint32(16, id);
  return new Address(bytes);
}

function slot(id) {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, id);
  return bytes;
}

const key = (hash) => Buffer.from(hash).toString("latin1");

/** The same state in both: accounts with a balance, one of them with slots. Opened cold: no cache knows anything. */
async function fixture() {
  const trieNodes = new Map();
  const source = { getTrieNode: (hash) => trieNodes.get(key(hash)), getCode: () => undefined };
  const store = (commit) => {
    for (const { hash, bytes } of commit.trieNodes) trieNodes.set(key(hash), bytes);
  };
  const db = new MapDB();
  const trie = await createMPT({ useKeyHashing: true, useRootPersistence: false, db });
  const theirs = new MerkleStateManager({ trie, caches: new Caches() });
  const state = new StateDatabase(source).empty();
  for (const states of [theirs, new EthereumJsStateManager(state)]) {
    for (let id = 0; id < ACCOUNTS; id++) await states.putAccount(address(id), new Account(1n, 10n ** 18n));
    for (let id = 0; id < SLOTS; id++) await states.putStorage(contract, slot(id), slot(id + 1));
  }
  const root = await theirs.getStateRoot();
  const commit = state.commitState();
  store(commit);
  if (key(root) !== key(commit.stateRoot)) throw new Error("the two disagree about the root");
  return {
    ours: () => {
      const view = new StateDatabase(source).working(root);
      const states = new EthereumJsStateManager(view);
      return { states, root: async () => view.computeStateRoot(), finish: async () => store(view.commitState()) };
    },
    theirs: async () => {
      const opened = await createMPT({ useKeyHashing: true, useRootPersistence: false, db, root });
      const states = new MerkleStateManager({ trie: opened, caches: new Caches() });
      return { states, root: () => states.getStateRoot(), finish: () => states.getStateRoot() };
    },
  };
}

async function touchAccounts(states, from, count) {
  for (let id = from; id < from + count; id++) {
    const account = await states.getAccount(address(id));
    account.balance += 1n;
    await states.putAccount(address(id), account);
  }
}

const TASKS = {
  "1,000 cold slot writes and the root": async ({ states, finish }) => {
    for (let id = 0; id < 1_000; id++) await states.putStorage(contract, slot(SLOTS - 500 + id), slot(id + 7));
    await finish();
  },
  "1,000 cold slot reads": async ({ states }) => {
    for (let id = 0; id < 1_000; id++) await states.getStorage(contract, slot(id * 9));
  },
  "100,000 reads of 100 warm slots": async ({ states }) => {
    for (let id = 0; id < 100_000; id++) await states.getStorage(contract, slot(id % 100));
  },
  "500 account updates and the root": async ({ states, finish }) => {
    await touchAccounts(states, 0, 500);
    await finish();
  },
  "100 roots, 3 accounts and 2 slots between": async ({ states, root, finish }) => {
    for (let turn = 0; turn < 100; turn++) {
      await touchAccounts(states, turn * 3, 3);
      await states.putStorage(contract, slot(turn), slot(turn + 9));
      await states.putStorage(contract, slot(SLOTS + turn), slot(turn + 9));
      await root();
    }
    await finish();
  },
};

export async function rows() {
  const { ours, theirs } = await fixture();
  const result = {};
  for (const [label, task] of Object.entries(TASKS)) {
    const times = { ours: [], theirs: [] };
    for (let run = 0; run < RUNS + 3; run++) {
      for (const [who, open] of [
        ["ours", ours],
        ["theirs", theirs],
      ]) {
        const opened = await open();
        const start = performance.now();
        await task(opened);
        if (run >= 3) times[who].push(performance.now() - start);
      }
    }
    const [mine, other] = [summary(times.ours), summary(times.theirs)];
    const ratio = (other.medianMs / mine.medianMs).toFixed(1);
    result[label] = { ...mine, note: `MerkleStateManager ${other.medianMs} ms, ${ratio} times as long` };
  }
  return result;
}
