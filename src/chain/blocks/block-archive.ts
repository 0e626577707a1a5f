/**
 * Reads and writes blocks, receipts and chain indexes as domain values. Recently used ones are cached decoded.
 *
 * The chain above knows the rules of blocks, the store below knows bytes only.
 */

import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import { type Block, rawBodyFromList } from "../../chainspec/header/block.ts";
import { decodeHeader, type Header } from "../../chainspec/header/header.ts";
import { transactionFromBodyItem } from "../../chainspec/transaction/decode-transaction.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import { StoreError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import { type Bytes, bytesKey, bytesToBigInt, equalBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { decodeRlp } from "../../primitives/rlp/rlp.ts";
import { type StateId, storedStateId } from "../../state/state-id.ts";
import type { StateCommit } from "../../state/view.ts";
import type { ChainStore } from "../../store/chain-store.ts";
import type { LogPosition, LogQuery } from "../../store/find-logs.ts";
import type { TraceBlockQuery } from "../../store/find-trace-blocks.ts";
import type { AncestorLookup } from "../block-context.ts";
import type { ExecutedBlock } from "../execute-block.ts";
import { ArchiveBatch } from "./archive-batch.ts";
import {
  type ArchiveCacheSizes,
  type BlockCache,
  blockCache,
  DEFAULT_CACHE_SIZES,
  MAX_ENTRIES,
  type ReceiptsCache,
  receiptsCache,
} from "./archive-caches.ts";
import type { Deletions } from "./deletion.ts";
import { LeavingBlocks } from "./leaving-blocks.ts";
import { OLDEST_STATE } from "./oldest-state.ts";
import { WriteLedger } from "./write-ledger.ts";

/** A block that is built but not written yet, with its total difficulty. */
interface StagedBlock {
  readonly executed: ExecutedBlock;
  readonly totalDifficulty: bigint;
}

/** Blocks of every branch, by hash. Which of them are canonical is decided by the indexes that the chain writes. */
export class BlockArchive implements AncestorLookup {
  readonly #store: ChainStore;
  readonly #rules: { readonly spec: ChainSpec };
  readonly #blocks: BlockCache;
  readonly #receipts: ReceiptsCache;
  readonly #staged = new HashMap<StagedBlock>();
  /** Blocks on their way out. */
  readonly leaving = new LeavingBlocks();

  /** @param rules - has the chain's present rules */
  constructor(store: ChainStore, rules: { readonly spec: ChainSpec }, sizes: ArchiveCacheSizes = DEFAULT_CACHE_SIZES) {
    this.#store = store;
    this.#rules = rules;
    this.#blocks = blockCache(sizes.blocks);
    this.#receipts = receiptsCache(sizes.receipts);
  }

  getHeader(hash: Bytes): Header | undefined {
    if (this.#isHidden(hash)) return undefined;
    const block = this.#staged.get(hash)?.executed.block ?? this.#blocks.get(bytesKey(hash));
    if (block !== undefined) return block.header;
    const bytes = this.#store.getHeader(hash);
    return bytes === undefined ? undefined : orCorrupt(hash, () => decodeHeader(bytes));
  }

  #isHidden(hash: Bytes): boolean {
    return !this.leaving.mayBeFound(hash, this.#staged.get(hash) !== undefined);
  }

  getBlock(hash: Bytes): Block | undefined {
    if (this.#isHidden(hash)) return undefined;
    const key = bytesKey(hash);
    const cached = this.#staged.get(hash)?.executed.block ?? this.#blocks.get(key);
    if (cached !== undefined) return cached;
    const headerBytes = this.#store.getHeader(hash);
    const bodyBytes = this.#store.getBody(hash);
    if (headerBytes === undefined || bodyBytes === undefined) return undefined;
    const block = this.#decode(hash, headerBytes, bodyBytes);
    this.#blocks.set(key, block);
    return block;
  }

  #decode(hash: Bytes, headerBytes: Bytes, bodyBytes: Bytes): Block {
    return orCorrupt(hash, () => {
      const header = decodeHeader(headerBytes);
      const body = rawBodyFromList(decodeRlp(bodyBytes) as unknown[]);
      const txHashes = this.#store.getTxHashes(hash) ?? [];
      const signatureRules = this.#rules.spec.signatureRules(this.#hardforkOf(header), header.number);
      const transactions = body.transactions.map((item, index) =>
        transactionFromBodyItem(item, signatureRules, this.#store.getSender(txHashes[index] as Bytes)),
      );
      // Copied, because a caller may change the array that it passed.
      return { hash: hash.slice(), header, transactions, uncles: body.uncles, withdrawals: body.withdrawals };
    });
  }

  #hardforkOf(header: Header) {
    const parentTotalDifficulty =
      header.number === this.#rules.spec.firstNumber ? 0n : (this.getTotalDifficulty(header.parentHash) ?? 0n);
    return this.#rules.spec.hardforkAt({ number: header.number, timestamp: header.timestamp, parentTotalDifficulty });
  }

  /** Receipts of a known block, in transaction order. */
  getReceipts(hash: Bytes): readonly Receipt[] {
    const key = bytesKey(hash);
    const known = this.#staged.get(hash)?.executed.receipts ?? this.#receipts.get(key);
    if (known !== undefined) return known;
    const receipts = this.#store.getReceipts(hash) ?? [];
    this.#receipts.set(key, receipts);
    return receipts;
  }

  /** RLP of the access list of a block (EIP-7928), where one is known. */
  getBlockAccessList(hash: Bytes): Bytes | undefined {
    return this.#staged.get(hash)?.executed.blockAccessList ?? this.#store.getBlockAccessList(hash);
  }

  getTotalDifficulty(hash: Bytes): bigint | undefined {
    if (this.#isHidden(hash)) return undefined;
    return this.#staged.get(hash)?.totalDifficulty ?? this.#store.getTotalDifficulty(hash);
  }

  /** State root that a block started from, if edits made it differ from its parent's. */
  getStartStateId(hash: Bytes): StateId | undefined {
    const staged = this.#staged.get(hash);
    return staged === undefined ? storedStateId(this.#store.getStartStateRoot(hash)) : staged.executed.startStateId;
  }

  /** Accounts that appear in the traces of a block. */
  getTraceAddresses(hash: Bytes): readonly Bytes[] {
    return this.#staged.get(hash)?.executed.traceAddresses ?? this.#store.getTraceAddresses(hash);
  }

  /** Number of the first block whose state is stored: zero, unless a state file without older states was loaded. */
  oldestState(): bigint {
    const bytes = this.#store.getSetting(OLDEST_STATE);
    return bytes === undefined ? 0n : bytesToBigInt(bytes);
  }

  canonicalHash(number: bigint): Bytes | undefined {
    return this.#store.getCanonicalHash(number);
  }

  isCanonical(hash: Bytes, number: bigint): boolean {
    const canonical = this.#store.getCanonicalHash(number);
    return canonical !== undefined && equalBytes(canonical, hash);
  }

  /** Position of a transaction in the canonical chain. */
  findTransaction(hash: Bytes): { readonly blockNumber: bigint; readonly index: number } | undefined {
    const location = this.#store.findTransaction(hash);
    return location === undefined ? undefined : { blockNumber: location.blockNumber, index: location.txIndex };
  }

  /** Positions of matching logs of the canonical chain, through the index, some at a time. */
  findLogs(query: LogQuery, signal?: AbortState): AsyncIterable<readonly LogPosition[]> {
    return this.#store.findLogChunks(query, { signal });
  }

  /** Numbers of the canonical blocks of a range whose traces contain at least one of the addresses, ascending. */
  async blocksTracing(addresses: readonly Bytes[], fromBlock: bigint, toBlock: bigint): Promise<bigint[]> {
    const lists = await Promise.all(addresses.map((address) => this.#store.blocksTracing(address, fromBlock, toBlock)));
    return [...new Set(lists.flat())].sort((left, right) => (left < right ? -1 : 1));
  }

  /**
   * As {@link blocksTracing}, for one address, lazily and in either direction: the cost grows with the results taken.
   */
  eachBlockTracing(query: TraceBlockQuery): AsyncGenerator<bigint, void, undefined> {
    return this.#store.eachBlockTracing(query);
  }

  /** Hashes of all blocks with a number, side blocks included, ascending. */
  async hashesAt(blockNumber: bigint): Promise<Bytes[]> {
    const stored = await this.#store.blocksAt(blockNumber);
    return stored.map(({ hash }) => hash).filter((hash) => !this.#isHidden(hash));
  }

  /** Hashes of all children of a block, side blocks included. */
  async childrenOf(block: Block): Promise<Bytes[]> {
    const stored = await this.#store.childrenOf({ hash: block.hash, number: block.header.number });
    return stored.filter((hash) => !this.#isHidden(hash));
  }

  head(): Block | undefined {
    const hash = this.#store.getHead();
    return hash === undefined ? undefined : this.getBlock(hash);
  }

  /** State root of the head with edits, if there are any. */
  editedStateId(): StateId | undefined {
    return storedStateId(this.#store.getEditedStateRoot());
  }

  /** Number of the last imported block, which counts as finalized. */
  importedNumber(): bigint {
    const hash = this.#store.getFinalized();
    const header = hash === undefined ? undefined : this.getHeader(hash);
    if (hash === undefined || header === undefined || !this.isCanonical(hash, header.number)) return 0n;
    return header.number;
  }

  /** Makes built blocks visible to lookups by hash before they are written, so that others can be built on them. */
  stage(executed: ExecutedBlock): void {
    const { block } = executed;
    const parent = this.getTotalDifficulty(block.header.parentHash) ?? 0n;
    this.#staged.set(block.hash, { executed, totalDifficulty: parent + block.header.difficulty });
  }

  /** Ends {@link stage}, whether the blocks were written or not. */
  unstage(executed: readonly ExecutedBlock[]): void {
    if (this.#staged.isEmpty) return;
    for (const { block } of executed) this.#staged.delete(block.hash);
  }

  /** Writes the first block of a new store, with the state after it. */
  async writeGenesis(block: Block, commit: StateCommit, totalDifficulty = block.header.difficulty): Promise<void> {
    const batch = this.batch();
    batch.putBlock({ block, receipts: [], commit, startStateId: undefined, traceAddresses: [] }, totalDifficulty);
    batch.joinChain(block, []);
    batch.setHead(block, true);
    if (!equalBytes(commit.stateRoot, block.header.stateRoot)) batch.setEditedState(commit.stateRoot);
    await batch.write();
  }

  /** Writes a state that belongs to no block. */
  async writeState(commit: StateCommit): Promise<void> {
    const batch = this.batch();
    batch.putState(commit);
    await batch.write();
  }

  /** The ledger of writes, which deletions need; undefined where nothing is deleted: on disk, and if the chain is shared. */
  ledger(): WriteLedger | undefined {
    const store = this.#store;
    if (store.isPermanent) return undefined;
    return new WriteLedger((table, hash) => {
      if (table === "blocks") return store.getHeader(hash) !== undefined;
      if (table === "trieNodes") return store.getTrieNode(hash) !== undefined;
      if (table === "derivedStates") return store.getDerivedState(hash) !== undefined;
      return (table === "codes" ? store.getCode(hash) : store.getPreimage(hash)) !== undefined;
    });
  }

  /** True while a branch reads from this store. */
  get isShared(): boolean {
    return this.#store.isShared;
  }

  /** Deletes side blocks and the data that only their states needed. */
  async delete(deletions: Deletions): Promise<void> {
    const batch = this.batch();
    batch.delete(deletions);
    for (const { hash } of deletions.blocks) {
      this.#blocks.delete(bytesKey(hash));
      this.#receipts.delete(bytesKey(hash));
    }
    await batch.write();
  }

  /** Begins a batch. Blocks that it writes are cached decoded. */
  batch(): ArchiveBatch {
    return new ArchiveBatch(this.#store.batch(), {
      totalDifficultyOf: (hash) => this.getTotalDifficulty(hash),
      traceAddressesOf: (hash) => this.#store.getTraceAddresses(hash),
      written: (executed) => {
        for (const { block, receipts } of executed.slice(-MAX_ENTRIES)) {
          this.#blocks.set(bytesKey(block.hash), block);
          this.#receipts.set(bytesKey(block.hash), receipts);
        }
      },
    });
  }
}

/** Reports stored bytes that cannot be decoded as a corrupt store. */
function orCorrupt<T>(hash: Bytes, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    throw new StoreError({
      code: "STORE_CORRUPT",
      what: `The stored block ${encodeData(hash)} cannot be read.`,
      fix: "Run hindcast check --data-dir <folder> --repair: it goes back to a block that can be read. Or use a copy.",
      cause,
    });
  }
}
