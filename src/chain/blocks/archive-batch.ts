/** One atomic write to the store: blocks, the canonical indexes, state and head. */

import type { SpecChanges } from "../../chainspec/chain-spec.ts";
import { type Block, encodeBody } from "../../chainspec/header/block.ts";
import { encodeHeader } from "../../chainspec/header/header.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { Executor } from "../../executor/executor.ts";
import { type Bytes, bigIntToBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import type { StateId } from "../../state/state-id.ts";
import type { StateCommit } from "../../state/view.ts";
import type { CanonicalRecord, ChainBatch } from "../../store/chain-batch.ts";
import type { ExecutedBlock } from "../execute-block.ts";
import type { Deletions } from "./deletion.ts";
import { OLDEST_STATE } from "./oldest-state.ts";
import type { HeadPath } from "./reorg.ts";
import { encodeSpecChanges, SPEC_CHANGES } from "./spec-changes.ts";

/** Records between two looks whether others should have their turn: about a millisecond. */
const SOME_RECORDS = 1_000;

/** The archive of a batch: the batch reads from it and reports its writes. */
export interface ArchiveBatchOwner {
  totalDifficultyOf(hash: Bytes): bigint | undefined;
  traceAddressesOf(hash: Bytes): readonly Bytes[];
  written(executed: readonly ExecutedBlock[]): void;
}

/** Receipts by block, for the log index entries of a moved block. */
export interface ReceiptSource {
  readonly executor: Executor;
  getStoredReceipts(block: Block): readonly Receipt[];
}

/** Lives for one write, which takes effect as a whole or not at all. */
export class ArchiveBatch {
  readonly #batch: ChainBatch;
  readonly #owner: ArchiveBatchOwner;
  readonly #executed = new Map<Block, ExecutedBlock>();
  readonly #totalDifficulties = new HashMap<bigint>();

  constructor(batch: ChainBatch, owner: ArchiveBatchOwner) {
    this.#batch = batch;
    this.#owner = owner;
  }

  /** Stores a block, its receipts and the state it led to, beside the chain. */
  putBlock(executed: ExecutedBlock, totalDifficulty = this.#totalDifficultyOf(executed.block)): void {
    const { block, receipts, startStateId } = executed;
    const { header } = block;
    this.#totalDifficulties.set(block.hash, totalDifficulty);
    this.#batch.putBlock({
      hash: block.hash,
      number: header.number,
      txHashes: block.transactions.map((tx) => tx.hash),
      receipts,
      traceAddresses: executed.traceAddresses,
      parentHash: header.parentHash,
      header: executed.headerBytes ?? encodeHeader(header),
      body: bodyBytes(block),
      totalDifficulty,
      startStateRoot: startStateId,
      blockAccessList: executed.blockAccessList,
    });
    for (const tx of block.transactions) if (tx.isImpersonated) this.#batch.putSender(tx.hash, tx.sender);
    this.putState(executed.commit);
    this.#executed.set(block, executed);
  }

  #totalDifficultyOf({ header }: Block): bigint {
    const { parentHash, difficulty } = header;
    const parent = this.#totalDifficulties.get(parentHash) ?? this.#owner.totalDifficultyOf(parentHash) ?? 0n;
    return parent + difficulty;
  }

  /** Stores the data of a new state root. */
  putState(commit: Omit<StateCommit, "stateRoot">): void {
    this.#batch.putTrieNodes(commit.trieNodes);
    this.#batch.putCodes(commit.codes);
    this.#batch.putPreimages(commit.preimages ?? []);
    this.#batch.putDerivedStates(commit.derivedStates ?? []);
  }

  /** As {@link putState}, yielding to the event loop: what was edited may be a whole state file. */
  async putLongState(commit: StateCommit): Promise<void> {
    const breaks = new Breaks();
    const { trieNodes, preimages = [] } = commit;
    for (let start = 0; start < Math.max(trieNodes.length, preimages.length); start += SOME_RECORDS) {
      const some = <Item>(items: readonly Item[]): readonly Item[] => items.slice(start, start + SOME_RECORDS);
      this.#batch.putTrieNodes(some(trieNodes));
      this.#batch.putPreimages(some(preimages));
      const turn = breaks.check();
      if (turn !== undefined) await turn;
    }
    this.#batch.putCodes(commit.codes);
    this.#batch.putDerivedStates(commit.derivedStates ?? []);
  }

  /** Enters a block into the canonical indexes. Blocks that leave the chain have to be taken out first. */
  joinChain(block: Block, receipts: readonly Receipt[]): void {
    this.#batch.setCanonical(this.#record(block, receipts));
  }

  /** Takes a block out of the canonical indexes; it stays stored. */
  leaveChain(block: Block, receipts: readonly Receipt[]): void {
    this.#batch.unsetCanonical(this.#record(block, receipts));
  }

  /** {@link leaveChain} and {@link joinChain} for all blocks of a reorg. Lets the event loop run in between. */
  async move({ removed, added }: HeadPath, chain: ReceiptSource): Promise<void> {
    const clock = chain.executor.clock();
    for (const block of removed) {
      const turn = clock.check();
      if (turn !== undefined) await turn;
      this.leaveChain(block, chain.getStoredReceipts(block));
    }
    for (const block of added) {
      const turn = clock.check();
      if (turn !== undefined) await turn;
      // Blocks of this batch are not in the store yet.
      const receipts = this.#executed.get(block)?.receipts ?? chain.getStoredReceipts(block);
      for (const _ of this.#batch.setCanonicalInSteps(this.#record(block, receipts))) {
        const later = clock.check();
        if (later !== undefined) await later;
      }
    }
  }

  /** Deletes side blocks, and the trie nodes and codes that only their states used. */
  delete({ blocks, hashed }: Deletions): void {
    for (const block of blocks) this.#batch.deleteBlock(block);
    this.#batch.deleteHashed("trieNodes", hashed.trieNodes);
    this.#batch.deleteHashed("codes", hashed.codes);
    this.#batch.deleteHashed("preimages", hashed.preimages);
    this.#batch.deleteHashed("derivedStates", hashed.derivedStates);
  }

  /** @param imported - true for a block of an import, which counts as safe and finalized at once */
  setHead(block: Block, imported: boolean): void {
    this.#batch.setHead(block.hash);
    if (imported) this.setImported(block.hash);
  }

  /** Sets the state of the head with edits. Must be called after {@link setHead}, which clears it. */
  setEditedState(id: StateId): void {
    this.#batch.setEditedStateRoot(id);
  }

  /** Sets the last imported block, which counts as safe and finalized. */
  setImported(blockHash: Bytes): void {
    this.#batch.setSafe(blockHash);
    this.#batch.setFinalized(blockHash);
  }

  /** Number of the first block whose state is stored. */
  setOldestState(number: bigint): void {
    this.#batch.putSetting(OLDEST_STATE, number === 0n ? undefined : bigIntToBytes(number));
  }

  /** The changes of the chain's specification from now on. */
  setSpecChanges(changes: SpecChanges): void {
    this.#batch.putSetting(SPEC_CHANGES, encodeSpecChanges(changes));
  }

  setTimeOffset(seconds: bigint): void {
    this.#batch.setTimeOffset(seconds);
  }

  #record(block: Block, receipts: readonly Receipt[]): CanonicalRecord {
    return {
      hash: block.hash,
      number: block.header.number,
      txHashes: block.transactions.map((tx) => tx.hash),
      receipts,
      traceAddresses: this.#executed.get(block)?.traceAddresses ?? this.#owner.traceAddressesOf(block.hash),
    };
  }

  /** Writes the batch atomically. */
  async write(): Promise<void> {
    await this.#batch.write();
    this.#owner.written([...this.#executed.values()]);
  }
}

/** RLP of a body. All empty bodies share one array. */
function bodyBytes(block: Block): Bytes {
  const { transactions, uncles, withdrawals } = block;
  if (transactions.length > 0 || uncles.length > 0) return encodeBody(block);
  if (withdrawals === undefined) return EMPTY_BODY;
  return withdrawals.length === 0 ? EMPTY_BODY_WITH_WITHDRAWALS : encodeBody(block);
}

const EMPTY_BODY: Bytes = Uint8Array.of(0xc2, 0xc0, 0xc0);
const EMPTY_BODY_WITH_WITHDRAWALS: Bytes = Uint8Array.of(0xc3, 0xc0, 0xc0, 0xc0);
