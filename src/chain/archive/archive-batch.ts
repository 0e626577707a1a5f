/** One atomic write of the chain: blocks, their place in the canonical chain, state, head. */
import { type Block, encodeBody } from "../../chainspec/header/block.ts";
import { encodeHeader } from "../../chainspec/header/header.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { Executor } from "../../executor/executor.ts";
import { type Bytes, bigIntToBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import type { StateCommit } from "../../state/view.ts";
import type { CanonicalRecord, ChainBatch } from "../../store/chain-batch.ts";
import type { ExecutedBlock } from "../execute/execute-block.ts";
import { OLDEST_STATE } from "./oldest-state.ts";
import type { HeadPath } from "./reorg.ts";
import type { Deletions } from "./write-ledger.ts";

/** What a batch asks of, and tells, its archive. */
export interface ArchiveBatchOwner {
  totalDifficultyOf(hash: Bytes): bigint | undefined;
  traceAddressesOf(hash: Bytes): readonly Bytes[];
  written(executed: readonly ExecutedBlock[]): void;
}

/** The chain, as far as moving blocks asks it. */
export interface ReceiptSource {
  readonly executor: Executor;
  getReceipts(block: Block): readonly Receipt[];
}

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
  putBlock(executed: ExecutedBlock): void {
    const { block, receipts, startRoot } = executed;
    const { header } = block;
    const parent =
      this.#totalDifficulties.get(header.parentHash) ?? this.#owner.totalDifficultyOf(header.parentHash) ?? 0n;
    const totalDifficulty = parent + header.difficulty;
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
      startStateRoot: startRoot,
      blockAccessList: executed.blockAccessList,
    });
    for (const tx of block.transactions) if (tx.isImpersonated) this.#batch.putSender(tx.hash, tx.sender);
    this.putState(executed.commit);
    this.#executed.set(block, executed);
  }

  /** Stores what a new state root needs. */
  putState(commit: StateCommit): void {
    this.#batch.putTrieNodes(commit.trieNodes);
    this.#batch.putCodes(commit.codes);
    this.#batch.putPreimages(commit.preimages ?? []);
    this.#batch.putDerivedStates(commit.derivedStates ?? []);
  }

  /** Enters a block into the canonical indexes. All that leave must have left before. */
  joinChain(block: Block, receipts: readonly Receipt[]): void {
    this.#batch.setCanonical(this.#record(block, receipts));
  }

  /** Takes a block out of the canonical indexes; it stays stored. */
  leaveChain(block: Block, receipts: readonly Receipt[]): void {
    this.#batch.unsetCanonical(this.#record(block, receipts));
  }

  /** {@link leaveChain} and {@link joinChain} for all blocks of a change; the event loop has its turn. */
  async move({ removed, added }: HeadPath, chain: ReceiptSource): Promise<void> {
    const clock = chain.executor.clock();
    for (const block of removed) {
      const turn = clock.check();
      if (turn !== undefined) await turn;
      this.leaveChain(block, chain.getReceipts(block));
    }
    for (const block of added) {
      const turn = clock.check();
      if (turn !== undefined) await turn;
      // What this batch writes is nowhere else yet.
      this.joinChain(block, this.#executed.get(block)?.receipts ?? chain.getReceipts(block));
    }
  }

  /** Takes out side blocks and what only their states needed. */
  delete({ blocks, hashed }: Deletions): void {
    for (const { hash, header } of blocks) this.#batch.deleteBlock({ hash, number: header.number });
    this.#batch.deleteHashed("trieNodes", hashed.trieNodes);
    this.#batch.deleteHashed("codes", hashed.codes);
    this.#batch.deleteHashed("preimages", hashed.preimages);
    this.#batch.deleteHashed("derivedStates", hashed.derivedStates);
  }

  /** @param imported - it came from elsewhere, so that it is safe and final at once */
  setHead(block: Block, imported: boolean): void {
    this.#batch.setHead(block.hash);
    if (imported) this.setImported(block.hash);
  }

  /** State root that edits since the head have led to. After {@link setHead}. */
  setEditedRoot(stateRoot: Bytes): void {
    this.#batch.setEditedStateRoot(stateRoot);
  }

  /** Names the last block that came from elsewhere: it counts as safe and final. */
  setImported(blockHash: Bytes): void {
    this.#batch.setSafe(blockHash);
    this.#batch.setFinalized(blockHash);
  }

  /** Number of the first block whose state is stored. */
  setOldestState(number: bigint): void {
    this.#batch.putSetting(OLDEST_STATE, number === 0n ? undefined : bigIntToBytes(number));
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

  /** Writes all or nothing. */
  async write(): Promise<void> {
    await this.#batch.write();
    this.#owner.written([...this.#executed.values()]);
  }
}

/** RLP of a body; those without anything are all the same. */
function bodyBytes(block: Block): Bytes {
  const { transactions, uncles, withdrawals } = block;
  if (transactions.length > 0 || uncles.length > 0) return encodeBody(block);
  if (withdrawals === undefined) return EMPTY_BODY;
  return withdrawals.length === 0 ? EMPTY_BODY_WITH_WITHDRAWALS : encodeBody(block);
}

const EMPTY_BODY: Bytes = Uint8Array.of(0xc2, 0xc0, 0xc0);
const EMPTY_BODY_WITH_WITHDRAWALS: Bytes = Uint8Array.of(0xc3, 0xc0, 0xc0, 0xc0);
