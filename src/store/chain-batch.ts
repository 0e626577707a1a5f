/** Everything one atomic write may contain. Collects; nothing is visible before {@link ChainBatch.write} has ended. */
import { ByteArena } from "../primitives/bytes/byte-arena.ts";
import { type Bytes, bigIntToBytes, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
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
import { encodeAddresses, encodeHashes, encodeInt64, encodeLocation } from "./codecs/values.ts";
import { logEntryKeys } from "./log-entries.ts";
import { type HashTable, type MetaSlot, type OrderedTable, tables } from "./schema.ts";

/** What a block leaves in the indexes of the canonical chain. */
export interface CanonicalRecord {
  /** 32 bytes; not to be written to afterwards. */
  readonly hash: Bytes;
  readonly number: bigint;
  /** In the order of the transactions, as `receipts`. */
  readonly txHashes: readonly Bytes[];
  readonly receipts: readonly ReceiptRecord[];
  /** Accounts that stand in the block's traces, each once; none unless given. */
  readonly traceAddresses?: readonly Bytes[] | undefined;
}

/** A block with everything known of it, canonical or not. */
export interface BlockRecord extends CanonicalRecord {
  /** 32 bytes; not to be written to afterwards. */
  readonly parentHash: Bytes;
  /** RLP; not to be written to afterwards. */
  readonly header: Bytes;
  /** RLP of [transactions, uncle headers, withdrawals?]; not to be written to afterwards. */
  readonly body: Bytes;
  /** Of the chain up to and including the block. */
  readonly totalDifficulty: bigint;
  /** State root the block started from, where edits made it another than its parent's. */
  readonly startStateRoot?: Bytes | undefined;
  /** RLP; since Amsterdam. Not to be written to afterwards. */
  readonly blockAccessList?: Bytes | undefined;
}

/** Bytes under a hash of 32 bytes. Neither is to be written to afterwards, except that codes are copied. */
export interface HashedRecord {
  readonly hash: Bytes;
  readonly bytes: Bytes;
}

/** Tables that are only looked up by hash. */
type LookedUpTable = Exclude<HashTable, OrderedTable>;

/** What is stored of a block, beside its header and its entry by number. */
const BLOCK_TABLES = [
  "bodies",
  "receipts",
  "txHashes",
  "totalDifficulties",
  "traceAddresses",
  "startStateRoots",
  "blockAccessLists",
] as const satisfies readonly LookedUpTable[];

export class ChainBatch {
  readonly #write: (operations: BatchOperation[]) => Promise<void>;
  #operations: BatchOperation[] | undefined = [];
  /** Of what blocks leave, which mostly stays together. */
  readonly #keys = new ByteArena();

  /** For the store; ask {@link ChainStore.batch} for one. */
  constructor(write: (operations: BatchOperation[]) => Promise<void>) {
    this.#write = write;
  }

  /** Stores a block beside the chain. It joins the chain by {@link setCanonical}. */
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

  /** Takes out a block that is not in the canonical chain, as if it had never been stored. */
  deleteBlock({ hash, number }: Pick<CanonicalRecord, "hash" | "number">): void {
    this.#delete(hashKey("headers", hash));
    for (const table of BLOCK_TABLES) this.#open().push({ type: "del", table: tables[table].prefix, key: hash });
    this.#delete(blockAtNumberKey(number, hash));
  }

  /** Takes out what stands under its hash. Who calls this knows that no state needs it. */
  deleteHashed(table: "trieNodes" | "codes" | "preimages" | "derivedStates", hashes: Iterable<Bytes>): void {
    for (const hash of hashes) this.#open().push({ type: "del", table: tables[table].prefix, key: hash });
  }

  /**
   * Puts a block into the canonical chain at its number, with its transactions and logs. In a reorg all blocks that
   * leave must have been unset before: branches share transactions.
   */
  setCanonical({ hash, number, txHashes, receipts, traceAddresses = [] }: CanonicalRecord): void {
    this.#give(canonicalKey(number, this.#keys.allocate(CANONICAL_KEY_BYTES)), hash);
    for (let txIndex = 0; txIndex < txHashes.length; txIndex++) {
      const txHash = txHashes[txIndex] as Bytes;
      const key = hashKey("transactions", txHash, this.#keys.allocate(HASH_KEY_BYTES));
      this.#give(key, encodeLocation({ blockNumber: number, txIndex }));
    }
    if (receipts.length > 0) for (const key of logEntryKeys(number, receipts)) this.#give(key, EMPTY_BYTES);
    for (const address of traceAddresses) this.#give(traceAddressKey(address, number), EMPTY_BYTES);
  }

  /** Takes a block out of the canonical chain; the block itself stays stored. */
  unsetCanonical({ number, txHashes, receipts, traceAddresses = [] }: CanonicalRecord): void {
    this.#delete(canonicalKey(number));
    for (const txHash of txHashes) this.#delete(hashKey("transactions", txHash));
    for (const key of logEntryKeys(number, receipts)) this.#delete(key);
    for (const address of traceAddresses) this.#delete(traceAddressKey(address, number));
  }

  /** Names the newest canonical block, and forgets edits that were made on the one before. */
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

  /** State root at the head with the edits made since, or undefined where there are none. After {@link setHead}. */
  setEditedStateRoot(stateRoot: Bytes | undefined): void {
    this.#putMeta("editedStateRoot", stateRoot);
  }

  /** @param seconds - chain time minus clock; may be negative */
  setTimeOffset(seconds: bigint): void {
    this.#putMeta("timeOffset", encodeInt64(seconds));
  }

  /** A small value of a room above, under a name of its choice; undefined removes it. */
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

  /** Addresses and slots under their hash. */
  putPreimages(preimages: Iterable<HashedRecord>): void {
    for (const { hash, bytes } of preimages) this.#putHashed("preimages", hash, bytes);
  }

  /** What states are derived from, under their root. */
  putDerivedStates(derivedStates: Iterable<HashedRecord>): void {
    for (const { hash, bytes } of derivedStates) this.#giveHashed("derivedStates", hash, bytes);
  }

  /** Writes bytes under a whole key, or takes out what stands there: to repair one entry. */
  restore(key: Bytes, value: Bytes | undefined): void {
    if (value === undefined) this.#delete(key);
    else this.#put(key, value);
  }

  /** Sender of a transaction that carries no signature of his. */
  putSender(txHash: Bytes, sender: Bytes): void {
    this.#putHashed("senders", txHash, sender);
  }

  /**
   * Writes all of it or nothing. When the promise is fulfilled it survives the end of the process.
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

  /** {@link #put} of a value that nobody writes to afterwards. */
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
