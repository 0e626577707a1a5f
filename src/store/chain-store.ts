/**
 * The chain store: blocks, receipts, indexes and state, in LevelDB on disk or its likeness in memory.
 *
 * Comes in: bytes and RLP, in batches that are written whole or not at all. Goes out: the same, by point reads that
 * answer at once, and positions of logs. It knows no transaction, no account and no EVM. `schema.ts` shows every table.
 */
import type { AbortState } from "../primitives/abort-state.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import type { Backend } from "./backends/backend.ts";
import { BranchBackend } from "./backends/branch-backend.ts";
import { type OpenBackend, openBackend } from "./backends/open-backend.ts";
import { ChainBatch } from "./chain-batch.ts";
import {
  blockAtNumberKey,
  blockHashOfKey,
  blockNumberOfTraceKey,
  canonicalKey,
  hashKey,
  isStorableNumber,
  metaKey,
  settingKey,
  traceAddressKey,
} from "./codecs/keys.ts";
import { decodeReceipts, type StoredReceipt } from "./codecs/receipt-codec.ts";
import {
  decodeAddress,
  decodeAddresses,
  decodeAnything,
  decodeHash,
  decodeHashes,
  decodeInt64,
  decodeInteger,
  decodeLocation,
  decodeRlpItem,
  decodeRlpList,
  type TransactionLocation,
} from "./codecs/values.ts";
import { findLogChunks, findLogs, type LogPosition, type LogQuery } from "./find-logs.ts";
import { findTraceBlocks, type TraceBlockQuery } from "./find-trace-blocks.ts";
import type { ChainIdentity } from "./folder/data-folder.ts";
import { type StoredEntry, scanTable } from "./scan-table.ts";
import type { HashTable, MetaSlot, TableName } from "./schema.ts";
import { corruptValue } from "./store-errors.ts";

export interface ChainStoreOptions {
  /** Folder to live in; without it the store lives in memory and ends with {@link ChainStore.close}. */
  readonly dataDir?: string | undefined;
  /** The chain it holds; a folder of another chain is refused. */
  readonly identity: ChainIdentity;
}

/** A block as it is found by number. */
export interface BlockAtNumber {
  readonly hash: Bytes;
  readonly parentHash: Bytes;
}

const HASH_KEY_BYTES = 33;
const SMALLEST_HASH = new Uint8Array(32);
const LARGEST_HASH = new Uint8Array(32).fill(0xff);

/**
 * An open chain store. Arrays it returns are not to be written to.
 *
 * Every read throws {@link StoreError} `STORE_CLOSED` after {@link close} and `STORE_CORRUPT` for a value that its
 * table does not allow.
 */
export class ChainStore {
  readonly #open: OpenBackend;
  readonly #backend: Backend;
  /**
   * Reused for point reads by hash. Saves 1 µs of 3.5 on disk, where native code has to move a small fresh
   * array before it can read it; safe because it is read before the call returns.
   */
  readonly #hashKey = new Uint8Array(new ArrayBuffer(HASH_KEY_BYTES));
  #closing: Promise<void> | undefined;

  /**
   * Opens a store, new or as it was last written.
   *
   * @throws {StoreError} `DATA_DIR_LOCKED`, `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`: the folder is left as it was;
   *   `DATA_DIR_UNUSABLE`, `STORE_CORRUPT`
   */
  static async open({ dataDir, identity }: ChainStoreOptions): Promise<ChainStore> {
    return new ChainStore(await openBackend(dataDir, identity), dataDir === undefined);
  }

  /** What is written is gone with the process. */
  readonly isInMemory: boolean;
  #branchCount = 0;

  private constructor(open: OpenBackend, isInMemory: boolean) {
    this.#open = open;
    this.#backend = open.backend;
    this.isInMemory = isInMemory;
  }

  /** True while a branch reads from this store: what it held when the branch began must stay. */
  get isShared(): boolean {
    return this.#branchCount > 0;
  }

  /**
   * A store in memory that begins with what this one holds now. What is written to either does not show in the other;
   * it can be read for as long as this one is open.
   */
  async branch(): Promise<ChainStore> {
    const backend = await BranchBackend.over(this.#backend);
    this.#branchCount++;
    const close = async (): Promise<void> => {
      this.#branchCount--;
      await backend.close();
    };
    return new ChainStore({ backend, close }, true);
  }

  /** A new, empty batch. Any number may be open; each is one write. */
  batch(): ChainBatch {
    return new ChainBatch((operations) => this.#backend.write(operations));
  }

  /** RLP of a header. */
  getHeader(blockHash: Bytes): Bytes | undefined {
    return this.#readByHash("headers", blockHash, decodeRlpList);
  }

  /** RLP of [transactions, uncle headers, withdrawals?]. */
  getBody(blockHash: Bytes): Bytes | undefined {
    return this.#readByHash("bodies", blockHash, decodeRlpList);
  }

  /** Receipts of a block in transaction order; undefined for an unknown block. */
  getReceipts(blockHash: Bytes): readonly StoredReceipt[] | undefined {
    return this.#readByHash("receipts", blockHash, decodeReceipts) ?? this.#emptyIfKnown(blockHash);
  }

  /** Hashes of the transactions of a block in order; undefined for an unknown block. */
  getTxHashes(blockHash: Bytes): readonly Bytes[] | undefined {
    return this.#readByHash("txHashes", blockHash, decodeHashes) ?? this.#emptyIfKnown(blockHash);
  }

  /** Total difficulty up to and including a block. */
  getTotalDifficulty(blockHash: Bytes): bigint | undefined {
    return this.#readByHash("totalDifficulties", blockHash, decodeInteger);
  }

  /** Accounts that stand in a block's traces; none for an unknown block. */
  getTraceAddresses(blockHash: Bytes): readonly Bytes[] {
    return this.#readByHash("traceAddresses", blockHash, decodeAddresses) ?? [];
  }

  /** State root a block started from, where edits made it another than its parent's. */
  getStartStateRoot(blockHash: Bytes): Bytes | undefined {
    return this.#readByHash("startStateRoots", blockHash, decodeHash);
  }

  /** RLP of the access list of a block (EIP-7928); undefined where none was stored with it. */
  getBlockAccessList(blockHash: Bytes): Bytes | undefined {
    return this.#readByHash("blockAccessLists", blockHash, decodeRlpList);
  }

  /** Hash of the canonical block with a number. */
  getCanonicalHash(blockNumber: bigint): Bytes | undefined {
    if (!isStorableNumber(blockNumber)) return undefined;
    return this.#read("canonicalHashes", canonicalKey(blockNumber), decodeHash);
  }

  /** Where a transaction stands in the canonical chain. */
  findTransaction(txHash: Bytes): TransactionLocation | undefined {
    return this.#readByHash("transactions", txHash, decodeLocation);
  }

  /** Sender of an impersonated transaction; undefined where the signature tells it. */
  getSender(txHash: Bytes): Bytes | undefined {
    return this.#readByHash("senders", txHash, decodeAddress);
  }

  /** RLP of a trie node. */
  getTrieNode(hash: Bytes): Bytes | undefined {
    return this.#readByHash("trieNodes", hash, decodeRlpItem);
  }

  /** What a state is derived from whose trie nodes are not stored; undefined for any other. */
  getDerivedState(stateRoot: Bytes): Bytes | undefined {
    return this.#readByHash("derivedStates", stateRoot, decodeRlpList);
  }

  getCode(hash: Bytes): Bytes | undefined {
    return this.#readByHash("codes", hash, decodeAnything);
  }

  /** The address or slot with this hash; undefined where it was not kept. */
  getPreimage(hash: Bytes): Bytes | undefined {
    return this.#readByHash("preimages", hash, decodeAnything);
  }

  /** Hash of the newest canonical block; undefined in a new store. */
  getHead(): Bytes | undefined {
    return this.#readMeta("head", decodeHash);
  }

  getSafe(): Bytes | undefined {
    return this.#readMeta("safe", decodeHash);
  }

  getFinalized(): Bytes | undefined {
    return this.#readMeta("finalized", decodeHash);
  }

  /** State root at the head with the edits made since; undefined where there are none. */
  getEditedStateRoot(): Bytes | undefined {
    return this.#readMeta("editedStateRoot", decodeHash);
  }

  /** Chain time minus clock, in seconds; zero until it is set. */
  getTimeOffset(): bigint {
    return this.#readMeta("timeOffset", decodeInt64) ?? 0n;
  }

  /** What was put under a name by {@link ChainBatch.putSetting}. */
  getSetting(name: string): Bytes | undefined {
    return this.#read("settings", settingKey(name), decodeAnything);
  }

  /** All blocks with a number, canonical or not, ascending by hash. */
  async blocksAt(blockNumber: bigint): Promise<BlockAtNumber[]> {
    if (!isStorableNumber(blockNumber)) return [];
    const first = blockAtNumberKey(blockNumber, SMALLEST_HASH);
    const last = blockAtNumberKey(blockNumber, LARGEST_HASH);
    const entries = await this.#backend.entries("blocksByNumber", first, last);
    return entries.map(([key, value]) => ({
      hash: blockHashOfKey(key),
      parentHash: decodeOrReport("blocksByNumber", key, value, decodeHash),
    }));
  }

  /** Hashes of all children of a block, canonical or not, ascending. */
  async childrenOf(parent: { readonly hash: Bytes; readonly number: bigint }): Promise<Bytes[]> {
    const candidates = await this.blocksAt(parent.number + 1n);
    return candidates.filter(({ parentHash }) => equalBytes(parentHash, parent.hash)).map(({ hash }) => hash);
  }

  /**
   * Positions of the logs that meet a query, ascending, in the chain as it is when reading begins: later writes do not
   * show. Cost follows the rarest criterion, not the length of the range. Gives the event loop its turn.
   *
   * @throws what the signal was aborted with
   */
  findLogs(
    query: LogQuery,
    { signal }: { readonly signal?: AbortState | undefined } = {},
  ): AsyncGenerator<LogPosition, void, undefined> {
    return findLogs(() => this.#backend.snapshot(), query, signal);
  }

  /** As {@link findLogs}, in the chunks in which they are read. */
  findLogChunks(
    query: LogQuery,
    { signal }: { readonly signal?: AbortState | undefined } = {},
  ): AsyncGenerator<readonly LogPosition[], void, undefined> {
    return findLogChunks(() => this.#backend.snapshot(), query, signal);
  }

  /** Canonical blocks from one number to another, ascending, in whose traces an account stands. Cost follows the answer. */
  async blocksTracing(address: Bytes, fromBlock: bigint, toBlock: bigint): Promise<bigint[]> {
    if (!isStorableNumber(fromBlock) || !isStorableNumber(toBlock)) return [];
    const first = traceAddressKey(address, fromBlock);
    const entries = await this.#backend.entries("tracesByAddress", first, traceAddressKey(address, toBlock));
    return entries.map(([key]) => blockNumberOfTraceKey(key));
  }

  /** As {@link blocksTracing}, but one after the other and from either end: cost follows what is taken. */
  eachBlockTracing(query: TraceBlockQuery): AsyncGenerator<bigint, void, undefined> {
    return findTraceBlocks(() => this.#backend.snapshot(), query);
  }

  /** The bytes under a whole key, whatever they are: for checks of what is stored. */
  getRaw(table: TableName, key: Bytes): Bytes | undefined {
    return this.#backend.get(table, key);
  }

  /** All entries of a table, whatever they are: for checks of what is stored. */
  eachEntry(table: TableName): AsyncGenerator<StoredEntry, void, undefined> {
    return scanTable(this.#backend, table);
  }

  /** Ends what is being written, and closes; on disk everything is then safe from a power failure too. */
  close(): Promise<void> {
    this.#closing ??= this.#open.close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Blocks without transactions have no entry. */
  #emptyIfKnown(blockHash: Bytes): readonly never[] | undefined {
    return this.#backend.get("headers", hashKey("headers", blockHash, this.#hashKey)) === undefined ? undefined : [];
  }

  #readByHash<T>(table: HashTable, hash: Bytes, decode: (value: Bytes) => T): T | undefined {
    return this.#read(table, hashKey(table, hash, this.#hashKey), decode);
  }

  #readMeta<T>(slot: MetaSlot, decode: (value: Bytes) => T): T | undefined {
    return this.#read("meta", metaKey(slot), decode);
  }

  #read<T>(table: TableName, key: Bytes, decode: (value: Bytes) => T): T | undefined {
    const value = this.#backend.get(table, key);
    return value === undefined ? undefined : decodeOrReport(table, key, value, decode);
  }
}

function decodeOrReport<T>(table: TableName, key: Bytes, value: Bytes, decode: (value: Bytes) => T): T {
  try {
    return decode(value);
  } catch (cause) {
    throw corruptValue(table, key, cause);
  }
}
