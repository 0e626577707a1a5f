// State: the working state beside EthereumJS' MerkleStateManager with its caches, in turns: by themselves, and under one call
// of 1,000 SSTOREs or SLOADs, by our engine on the one and by EthereumJS' EVM on the other.
import { Common, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { createMPT } from "@ethereumjs/mpt";
import { Caches, MerkleStateManager } from "@ethereumjs/statemanager";
import { Account, Address, MapDB } from "@ethereumjs/util";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../dist/primitives/hash/hash.js";
import { StateDatabase } from "../dist/state/state-database.js";
import { summary } from "./measure.mjs";
import { anEngine, openSession, runCall } from "./sessions.mjs";

export const name = "state (ours beside MerkleStateManager)";

const ACCOUNTS = 5_000;
const SLOTS = 10_000;
const RUNS = 11;
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

/** The tasks' changes of a state, on EthereumJS' state manager. */
function onManager(states) {
  return {
    addBalance: async (id, amount) => {
      const account = (await states.getAccount(address(id))) ?? new Account(1n, 0n);
      account.balance += amount;
      await states.putAccount(address(id), account);
    },
    readSlot: (id) => states.getStorage(contract, slot(id)),
    writeSlot: (id, value) => states.putStorage(contract, slot(id), slot(value)),
    root: () => states.getStateRoot(),
    finish: () => states.getStateRoot(),
  };
}

/** The same on our working state. */
function onView(view, store) {
  const none = { nonce: 1n, balance: 0n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH };
  return {
    addBalance: async (id, amount) => {
      const account = view.getAccount(address(id).bytes) ?? none;
      view.putAccount(address(id).bytes, { ...account, balance: account.balance + amount });
    },
    readSlot: async (id) => view.getStorage(contract.bytes, slot(id)),
    writeSlot: async (id, value) => view.putStorage(contract.bytes, slot(id), strip(slot(value))),
    root: async () => view.computeStateRoot(),
    finish: async () => store(view.commitState()),
  };
}

function strip(bytes) {
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0));
}

/** The same state in both: accounts with a balance, one of them with slots. Opened cold: no cache knows anything. */
async function fixture() {
  const trieNodes = new Map();
  const source = { getTrieNode: (hash) => trieNodes.get(key(hash)), getCode: () => undefined };
  const store = (commit) => {
    for (const { hash, bytes } of commit.trieNodes) trieNodes.set(key(hash), bytes);
    return commit.stateRoot;
  };
  const db = new MapDB();
  const trie = await createMPT({ useKeyHashing: true, useRootPersistence: false, db });
  const roots = [];
  const manager = new MerkleStateManager({ trie, caches: new Caches() });
  for (const states of [onManager(manager), onView(new StateDatabase(source).empty(), store)]) {
    for (let id = 0; id < ACCOUNTS; id++) await states.addBalance(id, 10n ** 18n);
    for (let id = 0; id < SLOTS; id++) await states.writeSlot(id, id + 1);
    roots.push(await states.finish());
  }
  if (key(roots[0]) !== key(roots[1])) throw new Error("the two disagree about the root");
  return {
    ours: () => {
      const view = new StateDatabase(source).working(roots[0]);
      return { view, ...onView(view, store) };
    },
    theirs: async () => {
      const opened = await createMPT({ useKeyHashing: true, useRootPersistence: false, db, root: roots[0] });
      const states = new MerkleStateManager({ trie: opened, caches: new Caches() });
      return { states, ...onManager(states) };
    },
  };
}

async function touchAccounts({ addBalance }, from, count) {
  for (let id = from; id < from + count; id++) await addBalance(id, 1n);
}

const TASKS = {
  "1,000 cold slot writes and the root": async ({ writeSlot, finish }) => {
    for (let id = 0; id < 1_000; id++) await writeSlot(SLOTS - 500 + id, id + 7);
    await finish();
  },
  "1,000 cold slot reads": async ({ readSlot }) => {
    for (let id = 0; id < 1_000; id++) await readSlot(id * 9);
  },
  "100,000 reads of 100 warm slots": async ({ readSlot }) => {
    for (let id = 0; id < 100_000; id++) await readSlot(id % 100);
  },
  "500 account updates and the root": async (states) => {
    await touchAccounts(states, 0, 500);
    await states.finish();
  },
  "100 roots, 3 accounts and 2 slots between": async (states) => {
    for (let turn = 0; turn < 100; turn++) {
      await touchAccounts(states, turn * 3, 3);
      await states.writeSlot(turn, turn + 9);
      await states.writeSlot(SLOTS + turn, turn + 9);
      await states.root();
    }
    await states.finish();
  },
};

const GAS = 60_000_000n;
const sender = address(0x5e4de4);
const HARDFORK = "prague";
/** Code that does something with 1,000 slots: half of those it writes are there already. */
const PROGRAMS = {
  "1,000 cold SSTORE": program((id) => [0x61, ...uint16(id + 7), 0x61, ...uint16(SLOTS - 500 + id), 0x55]),
  "1,000 cold SLOAD": program((id) => [0x61, ...uint16(id * 9), 0x54, 0x50]),
};

function program(operationsOf) {
  return Uint8Array.from(Array.from({ length: 1_000 }, (_, id) => operationsOf(id)).flat());
}

function uint16(value) {
  return [value >> 8, value & 0xff];
}

/** One call of a program in the place of the contract's code, by EthereumJS' EVM. */
async function theirCall(common, { states }, code) {
  const evm = await createEVM({ common, stateManager: states });
  return async () => {
    const { execResult } = await evm.runCall({ caller: sender, to: contract, code, gasLimit: GAS });
    if (execResult.exceptionError !== undefined)
      throw new Error(`EthereumJS ended with ${execResult.exceptionError.error}`);
    return execResult.executionGasUsed;
  };
}

/** The same by our engine; what it wrote stands in the state afterwards. */
async function ourCall(engine, { view }, code) {
  view.putCode(contract.bytes, code);
  const session = await openSession(engine, { state: view, hardfork: HARDFORK });
  return async () => {
    const { gasUsed } = await runCall(session, { from: sender.bytes, to: contract.bytes, gasLimit: GAS });
    view.apply(await session.end());
    session.close();
    return gasUsed;
  };
}

/** Everything is opened before the clock starts; states are cold each time. */
async function calls(fixtures) {
  const common = new Common({ chain: Mainnet, hardfork: HARDFORK });
  const engine = anEngine();
  const ways = {
    theirs: async (code) => theirCall(common, await fixtures.theirs(), code),
    ours: async (code) => ourCall(engine, fixtures.ours(), code),
  };
  const result = {};
  for (const [label, code] of Object.entries(PROGRAMS)) {
    const times = await inTurns(ways, async (way) => {
      const run = await way(code);
      const start = performance.now();
      const gas = await run();
      return { ms: performance.now() - start, gas };
    });
    result[`${label}, engines`] = beside(times.ours, times.theirs, "EthereumJS' EVM on MerkleStateManager");
  }
  return result;
}

/** Runs each way once a round. All must say that the same gas was used. */
async function inTurns(ways, runOnce) {
  const times = Object.fromEntries(Object.keys(ways).map((who) => [who, []]));
  for (let run = -3; run < RUNS; run++) {
    const gas = new Set();
    for (const [who, way] of Object.entries(ways)) {
      const { ms, gas: used } = await runOnce(way);
      gas.add(used);
      if (run >= 0) times[who].push(ms);
    }
    if (gas.size > 1) throw new Error(`the gas differs: ${[...gas].join(", ")}`);
  }
  return times;
}

function beside(ours, theirs, name) {
  const [mine, other] = [summary(ours), summary(theirs)];
  const ratio = (other.medianMs / mine.medianMs).toFixed(1);
  return { ...mine, note: `${name} ${other.medianMs} ms, ${ratio} times as long` };
}

export async function rows() {
  const fixtures = await fixture();
  const result = await calls(fixtures);
  for (const [label, task] of Object.entries(TASKS)) {
    const ways = { ours: fixtures.ours, theirs: fixtures.theirs };
    const times = await inTurns(ways, async (open) => {
      const opened = await open();
      const start = performance.now();
      await task(opened);
      return { ms: performance.now() - start };
    });
    result[label] = beside(times.ours, times.theirs, "MerkleStateManager");
  }
  return result;
}
