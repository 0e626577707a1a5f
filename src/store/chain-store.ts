/**
 * The chain store: blocks, receipts, indexes and state, in LevelDB or a journal in a folder, or in a database in memory.
 *
 * It takes bytes and RLP in atomic batches, and answers point reads synchronously and log queries with positions. It
 * knows nothing of transactions, accounts and the EVM. `schema.ts` defines all tables.
 *
 * It has over 300 lines, because it has a reader for each table.
 */
import type { AbortState } from "../primitives/abort-state.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import type { Backend, OpenBackend } from "./backends/backend.ts";
import type { ChainIdentity } from "./backends/chain-identity.ts";
import { openBackend, type Through } from "./backends/open-backend.ts";
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
  decodeInteger,
  decodeLocation,
  decodeRlpItem,
  decodeRlpList,
  decodeTimeOffset,
  type TransactionLocation,
} from "./codecs/values.ts";
import { findLogChunks, findLogs, type LogPosition, type LogQuery } from "./find-logs.ts";
import { findTraceBlocks, type TraceBlockQuery } from "./find-trace-blocks.ts";
import { type StoredEntry, scanTable } from "./scan-table.ts";
import type { HashTable, MetaSlot, TableName } from "./schema.ts";
import { corruptValue } from "./store-errors.ts";

/** Folder of the store, and the identity of its chain. */
export interface ChainStoreOptions {
  /** Folder of the store. Without it the store is in memory and is lost with {@link ChainStore.close}. */
  readonly dataDir?: string | undefined;
  /** The chain's identity; a folder with another chain is refused. */
  readonly identity: ChainIdentity;
  /** For a chain that is shared, or that follows another one: puts a backend before the database. */
  readonly through?: Through | undefined;
}

/** A block found by its number. */
export interface BlockAtNumber {
  readonly hash: Bytes;
  readonly parentHash: Bytes;
}

const HASH_KEY_BYTES = 33;
const SMALLEST_HASH = new Uint8Array(32);
const LARGEST_HASH = new Uint8Array(32).fill(0xff);

/**
 * An open chain store. Arrays that it returns must not be changed.
 *
 * Every read throws {@link StoreError} `STORE_CLOSED` after {@link close}, and `STORE_CORRUPT` for a malformed value.
 */
export class ChainStore {
  readonly #open: OpenBackend;
  readonly #backend: Backend;
  /**
   * Reused for point reads by hash, because on disk native code reads a small new array more slowly. This is safe,
   * because reads are synchronous.
   */
  readonly #hashKey = new Uint8Array(new ArrayBuffer(HASH_KEY_BYTES));
  #closing: Promise<void> | undefined;

  /**
   * Opens a new or an existing store.
   *
   * @throws {StoreError} `DATA_DIR_LOCKED`, `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`: the folder is unchanged;
   * `DATA_DIR_UNUSABLE`, `STORE_CORRUPT`
   */
  static async open({ dataDir, identity, through }: ChainStoreOptions): Promise<ChainStore> {
    const open = await openBackend(dataDir, identity, through);
    return new ChainStore(open, dataDir !== undefined || through !== undefined);
  }

  /** True if nothing is ever deleted under a hash: on disk, and where other nodes have a copy. */
  readonly isPermanent: boolean;
  #branchCount = 0;

  private constructor(open: OpenBackend, isPermanent: boolean) {
    this.#open = open;
    this.#backend = open.backend;
    this.isPermanent = isPermanent;
  }

  /** What the user should know of the folder that was opened, such as that its last record was incomplete. */
  get notices(): readonly string[] {
    return this.#open.notices ?? [];
  }

  /** True while a branch reads from this store, whose present data must then not be deleted. */
  get isShared(): boolean {
    return this.#branchCount > 0;
  }

  /**
   * A store in memory that begins with the present content of this one. Writes to either do not affect the other. It is
   * readable as long as this store is open.
   */
  async branch(): Promise<ChainStore> {
    const { BranchBackend } = await import("./backends/branch-backend.ts");
    const backend = await BranchBackend.over(this.#backend);
    this.#branchCount++;
    const close = async (): Promise<void> => {
      this.#branchCount--;
      await backend.close();
    };
    return new ChainStore({ backend, close }, false);
  }

  /** A new, empty batch. Several may be open at a time. */
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

  /** Addresses in a block's traces; none for an unknown block. */
  getTraceAddresses(blockHash: Bytes): readonly Bytes[] {
    return this.#readByHash("traceAddresses", blockHash, decodeAddresses) ?? [];
  }

  /** State root before a block, if edits made it differ from that after its parent. */
  getStartStateRoot(blockHash: Bytes): Bytes | undefined {
    return this.#readByHash("startStateRoots", blockHash, decodeHash);
  }

  /** RLP of a block's access list (EIP-7928); undefined if none was stored with it. */
  getBlockAccessList(blockHash: Bytes): Bytes | undefined {
    return this.#readByHash("blockAccessLists", blockHash, decodeRlpList);
  }

  /** Hash of the canonical block with a number. */
  getCanonicalHash(blockNumber: bigint): Bytes | undefined {
    if (!isStorableNumber(blockNumber)) return undefined;
    return this.#read("canonicalHashes", canonicalKey(blockNumber), decodeHash);
  }

  /** Block and index of a transaction of the canonical chain. */
  findTransaction(txHash: Bytes): TransactionLocation | undefined {
    return this.#readByHash("transactions", txHash, decodeLocation);
  }

  /** Sender of an impersonated transaction; undefined if the signature gives it. */
  getSender(txHash: Bytes): Bytes | undefined {
    return this.#readByHash("senders", txHash, decodeAddress);
  }

  /** RLP of a trie node. */
  getTrieNode(hash: Bytes): Bytes | undefined {
    return this.#readByHash("trieNodes", hash, decodeRlpItem);
  }

  /** Encoding of a derived state, whose trie nodes are not stored; undefined for any other state. */
  getDerivedState(stateRoot: Bytes): Bytes | undefined {
    return this.#readByHash("derivedStates", stateRoot, decodeRlpList);
  }

  getCode(hash: Bytes): Bytes | undefined {
    return this.#readByHash("codes", hash, decodeAnything);
  }

  /** The address or slot with this hash; undefined if it was not stored. */
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

  /** State root of the head with edits; undefined if there are none. */
  getEditedStateRoot(): Bytes | undefined {
    return this.#readMeta("editedStateRoot", decodeHash);
  }

  /** Chain time minus clock, in seconds; zero until it is set. */
  getTimeOffset(): bigint {
    return this.#readMeta("timeOffset", decodeTimeOffset) ?? 0n;
  }

  /** The value that {@link ChainBatch.putSetting} stored under a name. */
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
   * Positions of the logs that match a query, ascending, in a snapshot of the chain. The cost depends on the rarest
   * criterion, not on the length of the range. Yields to the event loop.
   *
   * @throws the signal's reason when it aborts
   */
  findLogs(
    query: LogQuery,
    { signal }: { readonly signal?: AbortState | undefined } = {},
  ): AsyncGenerator<LogPosition, void, undefined> {
    return findLogs(() => this.#backend.snapshot(), query, signal);
  }

  /** As {@link findLogs}, in chunks as they are read. */
  findLogChunks(
    query: LogQuery,
    { signal }: { readonly signal?: AbortState | undefined } = {},
  ): AsyncGenerator<readonly LogPosition[], void, undefined> {
    return findLogChunks(() => this.#backend.snapshot(), query, signal);
  }

  /**
   * Canonical blocks of a range, ascending, whose traces contain an address. The cost depends on the number of results.
   */
  async blocksTracing(address: Bytes, fromBlock: bigint, toBlock: bigint): Promise<bigint[]> {
    if (!isStorableNumber(fromBlock) || !isStorableNumber(toBlock)) return [];
    const first = traceAddressKey(address, fromBlock);
    const entries = await this.#backend.entries("tracesByAddress", first, traceAddressKey(address, toBlock));
    return entries.map(([key]) => blockNumberOfTraceKey(key));
  }

  /** As {@link blocksTracing}, but lazily and from either end: the cost depends on the results taken. */
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

  /** Waits for pending writes and closes. On disk all data is then safe from a power failure too. */
  close(): Promise<void> {
    this.#closing ??= this.#open.close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Blocks without transactions have no entry: returns an empty list if the block is known. */
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
