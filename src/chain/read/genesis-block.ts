/** Builds the first block of a chain and its state. */
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import type { GenesisAccount, ListedEntries, StorageEntry } from "../../chainspec/genesis/genesis.ts";
import { type Block, makeBlock } from "../../chainspec/header/block.ts";
import { INITIAL_BASE_FEE, isReachable } from "../../chainspec/header/fees.ts";
import type { Header } from "../../chainspec/header/header.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { hashRequests } from "../../executor/requests.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { BLOOM_BYTES } from "../../primitives/hash/bloom.ts";
import { EMPTY_TRIE_ROOT, EMPTY_UNCLES_HASH, keccak256 } from "../../primitives/hash/hash.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { EMPTY_ACCOUNT, type StateCommit, type WorkingStateView } from "../../state/view.ts";

/** The first block and its state. */
export interface BuiltGenesis {
  readonly block: Block;
  readonly commit: StateCommit;
  /** Total difficulty, if it is not the block's own: on a fork. */
  readonly totalDifficulty?: bigint;
}

/**
 * Writes the genesis accounts into an empty state and builds the block.
 *
 * Header members follow geth's `Genesis.ToBlock`: members of later hardforks have their defaults if the hardfork is
 * active.
 *
 * @throws {InvalidParamsError} `INVALID_GENESIS` for an excess of blob gas that no chain can have
 */
export async function buildGenesis(spec: ChainSpec, state: WorkingStateView): Promise<BuiltGenesis> {
  await writeAlloc(spec.genesis.alloc, state);
  const commit = state.commitState();
  const header = genesisHeader(spec, commit.stateRoot);
  checkBlobPrice(header, spec);
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : [];
  return { block: makeBlock(header, { transactions: [], uncles: [], withdrawals }), commit };
}

/** Accounts and slots between two commits of a large state; hashing them takes some milliseconds. */
const WRITES_A_STEP = 250;

/** Commits the writes to a large state in steps. */
export interface StateSteps {
  /** Commits what was written since the last step. Returns the state to go on with, which does not hold it in memory. */
  step(): Promise<WorkingStateView>;
}

/**
 * Writes the accounts of a genesis with their code and storage. Yields to the event loop.
 *
 * @param steps - called after every few hundred writes, to commit them
 */
export async function writeAlloc(
  alloc: readonly GenesisAccount[],
  begun: WorkingStateView,
  steps?: StateSteps,
): Promise<void> {
  const breaks = new Breaks();
  let state = begun;
  let written = 0;
  const accounts = steps === undefined ? alloc : await inTrieOrder(alloc, addressOf, breaks);
  for (const account of accounts) {
    state.putAccount(account.address, { ...EMPTY_ACCOUNT, nonce: account.nonce, balance: account.balance });
    if (account.code.length > 0) await state.putCode(account.address, account.code);
    written++;
    const storage = steps === undefined ? account.storage : await inTrieOrder(account.storage, slotOf, breaks);
    for (const { slot, value } of storage) {
      if (value.length > 0) state.putStorage(account.address, slot, value);
      if (++written >= WRITES_A_STEP && steps !== undefined) {
        state = await steps.step();
        written = 0;
      }
      const turn = breaks.check();
      if (turn !== undefined) await turn;
    }
    if (written >= WRITES_A_STEP && steps !== undefined) {
      state = await steps.step();
      written = 0;
    }
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
}

const addressOf = ({ address }: GenesisAccount): Bytes => address;
const slotOf = ({ slot }: StorageEntry): Bytes => slot;

/**
 * Accounts or slots in the order of their paths in the trie. The branches above them then change in few steps each, and
 * not in all: every step stores those that it changed.
 */
async function inTrieOrder<Entry>(
  entries: ListedEntries<Entry>,
  keyOf: (entry: Entry) => Bytes,
  breaks: Breaks,
): Promise<Iterable<Entry>> {
  if (entries.length <= WRITES_A_STEP) return entries;
  // The beginning of a path is enough to bring those together that share branches.
  const paths = new Uint32Array(entries.length);
  const buckets = Array.from({ length: 256 }, (): number[] => []);
  let index = 0;
  for (const entry of entries) {
    const [a = 0, b = 0, c = 0, d = 0] = keccak256(keyOf(entry));
    paths[index] = (a << 24) | (b << 16) | (c << 8) | d;
    buckets[a]?.push(index++);
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  return orderedEntries(entries, buckets, paths);
}

function* orderedEntries<Entry>(
  entries: ListedEntries<Entry>,
  buckets: readonly number[][],
  paths: Uint32Array,
): Generator<Entry> {
  for (const bucket of buckets) {
    bucket.sort((left, right) => (paths[left] as number) - (paths[right] as number));
    for (const index of bucket) yield entries.at(index) as Entry;
  }
}

function genesisHeader(spec: ChainSpec, stateRoot: Uint8Array): Header {
  const fields = spec.genesisFields;
  const rules = spec.rulesAt({ number: fields.number, timestamp: fields.timestamp, parentTotalDifficulty: 0n });
  return {
    parentHash: fields.parentHash,
    unclesHash: EMPTY_UNCLES_HASH,
    coinbase: fields.coinbase,
    stateRoot,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    difficulty: fields.difficulty,
    number: fields.number,
    gasLimit: fields.gasLimit,
    gasUsed: fields.gasUsed,
    timestamp: fields.timestamp,
    extraData: fields.extraData,
    mixHash: fields.mixHash,
    nonce: fields.nonce,
    baseFeePerGas: rules.has(1559) ? (fields.baseFeePerGas ?? INITIAL_BASE_FEE) : undefined,
    withdrawalsRoot: rules.has(4895) ? EMPTY_TRIE_ROOT : undefined,
    blobGasUsed: rules.has(4844) ? (fields.blobGasUsed ?? 0n) : undefined,
    excessBlobGas: rules.has(4844) ? (fields.excessBlobGas ?? 0n) : undefined,
    parentBeaconBlockRoot: rules.has(4788) ? (fields.parentBeaconBlockRoot ?? new Uint8Array(32)) : undefined,
    requestsHash: rules.has(7685) ? hashRequests([]) : undefined,
    blockAccessListHash: rules.has(7928) ? EMPTY_UNCLES_HASH : undefined,
    slotNumber: rules.has(7843) ? (fields.slotNumber ?? 0n) : undefined,
  };
}

function checkBlobPrice(header: Header, spec: ChainSpec): void {
  const { number, timestamp, excessBlobGas } = header;
  if (excessBlobGas === undefined) return;
  const hardfork = spec.hardforkAt({ number, timestamp, parentTotalDifficulty: 0n });
  if (isReachable(header, spec.blobSchedule(hardfork))) return;
  throw new InvalidParamsError({
    code: "INVALID_GENESIS",
    what: `genesis.json: excessBlobGas: ${excessBlobGas} makes blob gas cost 2^256 wei or more, which no chain can reach.`,
    fix: "Give a smaller one, or leave it out.",
  });
}
