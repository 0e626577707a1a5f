/** A batch of writes that becomes visible atomically with {@link ChainBatch.write}. */
import { ByteArena } from "../primitives/bytes/byte-arena.ts";
import { type Bytes, bigIntToBytes, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { atOnce, type Steps } from "../primitives/platform/turns.ts";
import type { BatchOperation } from "./backends/level-database.ts";
import {
  BLOCK_AT_NUMBER_KEY_BYTES,
  blockAtNumberKey,
  CANONICAL_KEY_BYTES,
  canonicalKey,
  HASH_KEY_BYTES,
  hashKey,
  metaKey,
  settingKey,
  traceAddressKey,
} from "./codecs/keys.ts";
import { encodeReceipts, type ReceiptRecord } from "./codecs/receipt-codec.ts";
import { encodeAddresses, encodeHashes, encodeLocation, encodeTimeOffset } from "./codecs/values.ts";
import { logEntryKeys } from "./log-entries.ts";
import { type HashTable, type MetaSlot, type OrderedTable, tables } from "./schema.ts";

/** Index entries of a canonical block. */
export interface CanonicalRecord {
  /** 32 bytes; must not be changed afterwards. */
  readonly hash: Bytes;
  readonly number: bigint;
  /** In the order of the transactions, like `receipts`. */
  readonly txHashes: readonly Bytes[];
  readonly receipts: readonly ReceiptRecord[];
  /** Addresses in the block's traces, each once; default: none. */
  readonly traceAddresses?: readonly Bytes[] | undefined;
}

/** A block with all its data, canonical or not. */
export interface BlockRecord extends CanonicalRecord {
  /** 32 bytes; must not be changed afterwards. */
  readonly parentHash: Bytes;
  /** RLP; must not be changed afterwards. */
  readonly header: Bytes;
  /** RLP of [transactions, uncle headers, withdrawals?]; must not be changed afterwards. */
  readonly body: Bytes;
  /** Of the chain that ends with the block. */
  readonly totalDifficulty: bigint;
  /** State root before the block, if edits made it differ from that after its parent. */
  readonly startStateRoot?: Bytes | undefined;
  /** RLP; since EIP-7928. Must not be changed afterwards. */
  readonly blockAccessList?: Bytes | undefined;
}

/** Bytes and their hash of 32 bytes. Neither may be changed afterwards, except codes, which are copied. */
export interface HashedRecord {
  readonly hash: Bytes;
  readonly bytes: Bytes;
}

/** Tables that are only looked up by hash. */
type LookedUpTable = Exclude<HashTable, OrderedTable>;

/** Tables with data of a block, other than its header and its entry by number. */
const BLOCK_TABLES = [
  "bodies",
  "receipts",
  "txHashes",
  "totalDifficulties",
  "traceAddresses",
  "startStateRoots",
  "blockAccessLists",
] as const satisfies readonly LookedUpTable[];

/** Log entries between two breaks: some tenths of a millisecond. */
const ENTRIES_OF_STEP = 500;

/** Lives for one write. After a failed one the store refuses further writes. */
export class ChainBatch {
  readonly #write: (operations: BatchOperation[]) => Promise<void>;
  #operations: BatchOperation[] | undefined = [];
  /** Allocates keys of blocks, which are mostly freed together. */
  readonly #keys = new ByteArena();

  /** Made by {@link ChainStore.batch}. */
  constructor(write: (operations: BatchOperation[]) => Promise<void>) {
    this.#write = write;
  }

  /** Stores a block as a side block. {@link setCanonical} makes it canonical. */
  putBlock(block: BlockRecord): void {
    const { hash } = block;
    this.#give(hashKey("headers", hash, this.#keys.allocate(HASH_KEY_BYTES)), block.header);
    this.#giveHashed("bodies", hash, block.body);
    this.#giveHashed("totalDifficulties", hash, bigIntToBytes(block.totalDifficulty));
    const placeKey = blockAtNumberKey(block.number, hash, this.#keys.allocate(BLOCK_AT_NUMBER_KEY_BYTES));
    this.#give(placeKey, block.parentHash);
    if (block.txHashes.length > 0) {
      this.#giveHashed("receipts", hash, encodeReceipts(block.receipts));
      this.#giveHashed("txHashes", hash, encodeHashes(block.txHashes));
    }
    const { traceAddresses = [] } = block;
    if (traceAddresses.length > 0) this.#giveHashed("traceAddresses", hash, encodeAddresses(traceAddresses));
    if (block.blockAccessList !== undefined) this.#giveHashed("blockAccessLists", hash, block.blockAccessList);
    if (block.startStateRoot !== undefined) this.#putHashed("startStateRoots", hash, block.startStateRoot);
  }

  /** Deletes a side block with all its data. */
  deleteBlock({ hash, number }: Pick<CanonicalRecord, "hash" | "number">): void {
    this.#delete(hashKey("headers", hash));
    for (const table of BLOCK_TABLES) this.#open().push({ type: "del", table: tables[table].prefix, key: hash });
    this.#delete(blockAtNumberKey(number, hash));
  }

  /** Deletes entries by hash. The caller must know that no state needs them. */
  deleteHashed(table: "trieNodes" | "codes" | "preimages" | "derivedStates", hashes: Iterable<Bytes>): void {
    for (const hash of hashes) this.#open().push({ type: "del", table: tables[table].prefix, key: hash });
  }

  /**
   * Makes a block canonical at its number, and indexes its transactions and logs. In a reorg all leaving blocks must be
   * unset before, because branches may share transactions.
   */
  setCanonical(record: CanonicalRecord): void {
    atOnce(this.setCanonicalInSteps(record));
  }

  /** The same in steps, since a block may have a hundred thousand logs. */
  *setCanonicalInSteps({ hash, number, txHashes, receipts, traceAddresses = [] }: CanonicalRecord): Steps<void> {
    this.#give(canonicalKey(number, this.#keys.allocate(CANONICAL_KEY_BYTES)), hash);
    for (let txIndex = 0; txIndex < txHashes.length; txIndex++) {
      const txHash = txHashes[txIndex] as Bytes;
      const key = hashKey("transactions", txHash, this.#keys.allocate(HASH_KEY_BYTES));
      this.#give(key, encodeLocation({ blockNumber: number, txIndex }));
    }
    let entries = 0;
    for (const key of receipts.length === 0 ? [] : logEntryKeys(number, receipts, this.#keys)) {
      this.#give(key, EMPTY_BYTES);
      if (++entries % ENTRIES_OF_STEP === 0) yield;
    }
    for (const address of traceAddresses) this.#give(traceAddressKey(address, number), EMPTY_BYTES);
  }

  /** Removes a block from the canonical chain; its data stays stored. */
  unsetCanonical({ number, txHashes, receipts, traceAddresses = [] }: CanonicalRecord): void {
    this.#delete(canonicalKey(number));
    for (const txHash of txHashes) this.#delete(hashKey("transactions", txHash));
    for (const key of logEntryKeys(number, receipts)) this.#delete(key);
    for (const address of traceAddresses) this.#delete(traceAddressKey(address, number));
  }

  /** Sets the head, and removes the edited state root of the previous head. */
  setHead(blockHash: Bytes): void {
    this.#putMeta("head", blockHash);
    this.#putMeta("editedStateRoot", undefined);
  }

  setSafe(blockHash: Bytes | undefined): void {
    this.#putMeta("safe", blockHash);
  }

  setFinalized(blockHash: Bytes | undefined): void {
    this.#putMeta("finalized", blockHash);
  }

  /** State root of the head with edits; undefined if there are none. Must be called after {@link setHead}. */
  setEditedStateRoot(stateRoot: Bytes | undefined): void {
    this.#putMeta("editedStateRoot", stateRoot);
  }

  /** @param seconds - chain time minus clock; may be negative */
  setTimeOffset(seconds: bigint): void {
    this.#putMeta("timeOffset", encodeTimeOffset(seconds));
  }

  /** Stores a small value under a name, for higher layers; undefined deletes it. */
  putSetting(name: string, value: Bytes | undefined): void {
    if (value === undefined) this.#delete(settingKey(name));
    else this.#put(settingKey(name), value);
  }

  putTrieNodes(trieNodes: Iterable<HashedRecord>): void {
    for (const { hash, bytes } of trieNodes) this.#giveHashed("trieNodes", hash, bytes);
  }

  putCodes(codes: Iterable<HashedRecord>): void {
    for (const { hash, bytes } of codes) this.#putHashed("codes", hash, bytes);
  }

  /** Addresses and slots by their hash. */
  putPreimages(preimages: Iterable<HashedRecord>): void {
    for (const { hash, bytes } of preimages) this.#putHashed("preimages", hash, bytes);
  }

  /** Encoded derived states by their root. */
  putDerivedStates(derivedStates: Iterable<HashedRecord>): void {
    for (const { hash, bytes } of derivedStates) this.#giveHashed("derivedStates", hash, bytes);
  }

  /** Writes bytes under a whole key, or takes out what stands there: to repair one entry. */
  restore(key: Bytes, value: Bytes | undefined): void {
    if (value === undefined) this.#delete(key);
    else this.#put(key, value);
  }

  /** Sender of a transaction without a signature. */
  putSender(txHash: Bytes, sender: Bytes): void {
    this.#putHashed("senders", txHash, sender);
  }

  /**
   * Writes the batch atomically. When the promise resolves, the data survives the end of the process.
   *
   * @throws {StoreError} `STORE_CLOSED`, `STORE_IO_FAILED`
   */
  async write(): Promise<void> {
    const operations = this.#open();
    this.#operations = undefined;
    if (operations.length > 0) await this.#write(operations);
  }

  #putMeta(slot: MetaSlot, value: Bytes | undefined): void {
    if (value === undefined) this.#delete(metaKey(slot));
    else this.#put(metaKey(slot), value);
  }

  #put(key: Bytes, value: Bytes): void {
    this.#open().push({ type: "put", key, value });
  }

  /** As {@link #put}, for a value that is not changed afterwards and so need not be copied. */
  #give(key: Bytes, value: Bytes): void {
    this.#open().push({ type: "put", key, value, isGiven: true });
  }

  #putHashed(table: LookedUpTable, hash: Bytes, value: Bytes): void {
    this.#open().push({ type: "put", table: tables[table].prefix, key: hash, value });
  }

  #giveHashed(table: LookedUpTable, hash: Bytes, value: Bytes): void {
    this.#open().push({ type: "put", table: tables[table].prefix, key: hash, value, isGiven: true });
  }

  #delete(key: Bytes): void {
    this.#open().push({ type: "del", key });
  }

  #open(): BatchOperation[] {
    if (this.#operations === undefined) throw new TypeError("ChainBatch: used after it was written");
    return this.#operations;
  }
}
