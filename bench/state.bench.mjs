// State: the working state beside EthereumJS' MerkleStateManager with its caches, in turns: through the same interface,
// and one call of 1,000 SSTOREs or SLOADs through EthereumJS' EVM on either and through the node's own.
import { Common, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { createMPT } from "@ethereumjs/mpt";
import { Caches, MerkleStateManager } from "@ethereumjs/statemanager";
import { Account, Address, MapDB } from "@ethereumjs/util";
import { ChainSpec } from "../dist/chainspec/chain-spec.js";
import { parseGenesis } from "../dist/chainspec/genesis.js";
import { Evm } from "../dist/executor/evm.js";
import { EthereumJsStateManager } from "../dist/state/ethereumjs-state-manager.js";
import { StateDatabase } from "../dist/state/state-database.js";
import { summary } from "./measure.mjs";

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
      return { states, view, root: async () => view.computeStateRoot(), finish: async () => store(view.commitState()) };
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

const GAS = 60_000_000n;
const sender = address(0x5e4de4);
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
  return () => evm.runCall({ caller: sender, to: contract, code, gasLimit: GAS });
}

const SPEC = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} }));
const BLOCK = { hardfork: "prague", number: 1n, timestamp: 1n, coinbase: sender.bytes, gasLimit: GAS, difficulty: 0n };

/** The same by the node's. */
async function ourCall({ view }, code) {
  view.putCode(contract.bytes, code);
  const evm = Evm.open({
    common: SPEC.common("prague"),
    state: view,
    block: { ...BLOCK, prevRandao: new Uint8Array(32), baseFeePerGas: 7n, blobBaseFee: 1n, blockHash: () => undefined },
  });
  view.beginTransaction();
  const message = { from: sender.bytes, to: contract.bytes, value: 0n, data: new Uint8Array(), gasLimit: GAS };
  return () => evm.run({ ...message, gasPrice: 0n, blobVersionedHashes: [] });
}

/** Both EVMs are opened before the clock starts; states are cold each time. */
async function calls(fixtures) {
  const common = new Common({ chain: Mainnet, hardfork: "prague" });
  const ways = {
    theirs: async (code) => theirCall(common, await fixtures.theirs(), code),
    interface: async (code) => theirCall(common, fixtures.ours(), code),
    ours: async (code) => ourCall(fixtures.ours(), code),
  };
  const result = {};
  for (const [label, code] of Object.entries(PROGRAMS)) {
    const times = await inTurns(ways, async (way) => {
      const run = await way(code);
      const start = performance.now();
      const answer = await run();
      const ms = performance.now() - start;
      const error = answer.error ?? answer.execResult?.exceptionError;
      if (error !== undefined) throw new Error(`${label}: ${JSON.stringify(error)}`);
      return { ms, gas: answer.gasUsed ?? answer.execResult.executionGasUsed };
    });
    result[`${label}, this node's EVM`] = beside(times.ours, times.theirs, "EthereumJS' EVM on MerkleStateManager");
    result[`${label}, EthereumJS' EVM`] = beside(times.interface, times.theirs, "on MerkleStateManager");
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
