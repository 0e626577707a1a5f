// Runs the cases of an entry one after the other and says what is wrong with each.
import { caseConfig } from "../fork-config.mjs";
import { reasonProblem } from "../reasons.mjs";
import { openExecutor } from "./executor.mjs";
import { blockReader, bytesOf, transactionOf, wordOf } from "./fields.mjs";

/** A state source that stores nothing: only pending commits can be read. */
const NOTHING_STORED = { getTrieNode: () => undefined, getCode: () => undefined };

/**
 * Opens a runner on an engine.
 *
 * @param load gives a module of the library by its path
 * @returns {Promise<{runEntry: (entry: object, cases: readonly object[]) => Promise<[string, string | undefined][]>,
 *   close: () => Promise<void>}>} `runEntry` gives each case's name and what is wrong with how it ran
 */
export async function openCaseRunner(load, engine) {
  const { StateDatabase } = await load("state/state-database");
  const { EMPTY_ACCOUNT } = await load("state/view");
  const database = new StateDatabase(NOTHING_STORED);
  const executor = await openExecutor(load, engine);
  const blockOf = await blockReader(load);
  const hashLogs = await logsHasher(load);
  const protocolOf = await protocols(load);

  /** Runs one case: the state root and the hash of the logs it ends with. */
  const runCase = async ({ protocol, block, state, transaction }) => {
    const outcome = await execute(executor, { ...protocol, state, block }, transaction);
    touchCoinbase(state, block, protocol.rules, EMPTY_ACCOUNT, outcome.rejected !== undefined);
    return { stateRoot: state.computeStateRoot(), logsHash: hashLogs(outcome.logs ?? []), rejected: outcome.rejected };
  };

  const runEntry = async (entry, cases) => {
    const commit = commitPreState(entry.pre, database.empty(), EMPTY_ACCOUNT);
    const contextOf = once((network) => {
      const protocol = protocolOf(network, entry.config);
      return { protocol, block: blockOf(entry.env, protocol) };
    });
    const results = [];
    for (const { name, network, post } of cases) {
      const run = async () => {
        const transaction = transactionOf(entry.transaction, post.indexes);
        const state = database.working(commit.stateRoot);
        return await runCase({ ...contextOf(network), state, transaction });
      };
      results.push([name, await problemOf(post, run)]);
    }
    database.discard(commit);
    return results;
  };

  return { runEntry, close: () => executor.close() };
}

/** A chain and its rules by the network's name in the tests, each made once. */
async function protocols(load) {
  const { ChainSpec } = await load("chainspec/chain-spec");
  const { parseGenesis } = await load("chainspec/genesis/genesis");
  const start = { number: 0n, timestamp: 0n, parentTotalDifficulty: 0n };
  const known = once((config) => {
    const spec = new ChainSpec(parseGenesis({ config: JSON.parse(config), alloc: {} }));
    return { spec, rules: spec.rulesAt(start) };
  });
  return (network, config) => known(JSON.stringify(caseConfig(network, config)));
}

/** Hashes the RLP of the list of a transaction's logs. */
async function logsHasher(load) {
  const { keccak256 } = await load("primitives/hash/hash");
  const { writeLogs } = await load("primitives/rlp/log-list");
  const { RlpWriter } = await load("primitives/rlp/rlp-writer");
  const writer = new RlpWriter();
  const hash = (logs) => {
    writeLogs(writer, logs);
    return keccak256(writer.take());
  };
  const none = hash([]);
  return (logs) => (logs.length === 0 ? none : hash(logs));
}

/** Writes the accounts of a case into an empty state. */
function commitPreState(pre, state, emptyAccount) {
  for (const [key, { nonce, balance, code, storage }] of Object.entries(pre)) {
    const address = bytesOf(key);
    state.putAccount(address, { ...emptyAccount, nonce: BigInt(nonce), balance: BigInt(balance) });
    if (code !== "0x" && code !== "") state.putCode(address, bytesOf(code));
    for (const [slot, value] of Object.entries(storage)) {
      if (BigInt(value) !== 0n) state.putStorage(address, wordOf(slot), bytesOf(value));
    }
  }
  return state.commitState();
}

/** Runs the transaction, unless it cannot be decoded or the block has no room for it. */
async function execute(executor, surroundings, { tx, rejected }) {
  if (tx === undefined) return { rejected };
  const { spec, rules, block } = surroundings;
  if (tx.gasLimit > block.gasLimit) return { rejected: "its gas limit is above the block's" };
  if (rules.has(4844) && BigInt(tx.blobVersionedHashes.length) > spec.blobSchedule(rules.hardfork).max) {
    return { rejected: "it has more blobs than a block may have" };
  }
  return await executor.run({ ...surroundings, tx });
}

/**
 * A reward of 0 touches the coinbase: before EIP-158 that creates it, from then on it deletes it if it is empty. There is none
 * after a transaction that was refused, from EIP-158 on.
 */
function touchCoinbase(state, { coinbase }, rules, emptyAccount, isRefused) {
  if (rules.has(161) && isRefused) return;
  const account = state.getAccount(coinbase);
  if (account === undefined) {
    if (!rules.has(161)) state.putAccount(coinbase, emptyAccount);
    return;
  }
  const { nonce, balance, codeHash } = account;
  const isEmpty = nonce === 0n && balance === 0n && hexOf(codeHash) === hexOf(emptyAccount.codeHash);
  if (rules.has(161) && isEmpty) state.apply({ writes: [{ address: coinbase, isDeleted: true, slots: [] }] });
}

/** The difference between the expected and the actual end of a case; undefined if there is none. */
async function problemOf({ hash, logs, expectException }, run) {
  let outcome;
  try {
    outcome = await run();
  } catch (error) {
    return `threw ${error?.stack ?? error}`;
  }
  const { stateRoot, logsHash, rejected } = outcome;
  if (rejected === undefined && expectException !== undefined) return `accepted, expected ${expectException}`;
  if (rejected !== undefined && expectException === undefined) return `refused: ${rejected}`;
  const misfit = rejected === undefined ? undefined : reasonProblem(expectException, rejected);
  if (misfit !== undefined) return misfit;
  if (!isHash(stateRoot, hash)) return `state root: got ${hexOf(stateRoot)}, expected ${hash}`;
  if (!isHash(logsHash, logs)) return `logs hash: got ${hexOf(logsHash)}, expected ${logs}`;
  return undefined;
}

const hexOf = (bytes) => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
const isHash = (bytes, hex) => hexOf(bytes) === hex.toLowerCase();

/** The same function, whose answers are kept by their argument. */
function once(make) {
  const known = new Map();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}
