/**
 * Ports through which services read the chain, by subject. {@link Chain} implements all of them; a service names those that
 * it needs.
 */

import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { Block } from "../chainspec/header/block.ts";
import type { Header } from "../chainspec/header/header.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import type { BlockContext } from "../evm/engine.ts";
import type { Executor } from "../executor/executor.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { StateDatabase } from "../state/state-database.ts";
import type { StateId } from "../state/state-id.ts";
import type { StateBase } from "../state/view.ts";
import type { WorkingState } from "../state/working/working-state.ts";
import type { ContextHeader } from "./block-context.ts";
import type { BlockArchive } from "./blocks/block-archive.ts";
import type { ChainReader, TransactionLocation } from "./read/chain-reader.ts";
import type { RemoteHistory } from "./read/remote-history.ts";
import type { RemoteLog, RemoteLogQuery } from "./read/remote-logs.ts";
import type { HeadListeners } from "./write/head-change.ts";
import type { Readers } from "./write/readers.ts";

/** Reading members of the archive, which has side blocks, too. */
type ReadableArchive = Pick<
  BlockArchive,
  | "getBlock"
  | "getHeader"
  | "getReceipts"
  | "getBlockAccessList"
  | "getTraceAddresses"
  | "getStartStateId"
  | "hashesAt"
  | "importedNumber"
  | "blocksTracing"
  | "eachBlockTracing"
  | "findLogs"
>;

/** Blocks, receipts and transactions, and the ends of the chain. */
export interface ChainBlocks extends ChainReader {
  readonly head: Block;
  /** The first block: the genesis, or the first of a state file. */
  readonly genesis: Block;
  readonly archive: ReadableArchive;
  /** The canonical block with a number, if it is stored here. */
  getStoredBlock(number: bigint): Block | undefined;
  /** As {@link getReceipts}, for a block that is stored here. */
  getStoredReceipts(block: Block): readonly Receipt[];
  /** As {@link findTransaction}, for blocks that are stored here. */
  findStoredTransaction(hash: Bytes): TransactionLocation | undefined;
  /** RLP of the access list of a block; undefined without EIP-7928. */
  getBlockAccessList(block: Block): Bytes | undefined;
  /** Total difficulty of the chain that ends with a stored block. */
  totalDifficultyOf(hash: Bytes): bigint | undefined;
  isCanonical(block: Block): boolean;
  /** True for a canonical block that this node did not build, and for those below the last imported one. */
  isImported(block: Block): boolean;
  /** Number of the fork block; it and all earlier blocks are read from the forked chain. Undefined without a fork. */
  readonly pinnedNumber: bigint | undefined;
  /** True for a block of the forked chain, up to the fork block. */
  isBelowFork(block: Block): boolean;
  /** Logs at or below {@link pinnedNumber}, from the upstream node. */
  remoteLogs(query: RemoteLogQuery): Promise<readonly RemoteLog[]>;
  /** The chain below the fork; undefined without one. */
  readonly history: Pick<RemoteHistory, "pin" | "remote" | "fetchAhead" | "totalDifficultyOf"> | undefined;
}

/** The rules of blocks, and the executor that follows them. */
export interface ChainRules {
  readonly spec: ChainSpec;
  readonly executor: Executor;
  /** Rules of a block on the chain. */
  rulesOf(header: Header): Rules;
  /** Rules of a block that follows `parent` at a time in seconds. */
  rulesAfter(parent: Block, timestamp: bigint): Rules;
  contextOf(header: Header): BlockContext;
  /** The context of a block whose rules are known. */
  contextWith(header: ContextHeader, rules: Rules): BlockContext;
}

/** The states between blocks. */
export interface ChainStates {
  readonly states: StateDatabase;
  /** The state that "latest" reads and the next block starts from. */
  readonly headStateId: StateId;
  /** The initial state of the chain. */
  readonly firstStateId: StateId;
  /** Number of the first block whose state is stored. */
  readonly oldestState: bigint;
  /** The state that a block started from, including edits after its parent. */
  stateIdBefore(block: Block): StateId;
  /** The state after a block, including edits before the next block. */
  stateIdAfter(block: Block): StateId;
  /** The state at the end of a block's execution. */
  stateIdOf(block: Block): StateId;
  /** @throws {NotFoundError} `STATE_NOT_AVAILABLE` */
  stateAfter(block: Block): StateBase;
  /** A writable copy, whose writes are not stored. @throws {NotFoundError} `STATE_NOT_AVAILABLE` */
  workingStateAfter(block: Block, id?: StateId): WorkingState;
  /** A writable copy, whose writes are not stored. @throws {NotFoundError} `STATE_NOT_AVAILABLE` */
  workingStateBefore(block: Block): Promise<WorkingState>;
  /** @throws {NotFoundError} `STATE_NOT_AVAILABLE` */
  requireState(block: Block, id: StateId): void;
  /** @throws {NotFoundError} `STATE_NOT_AVAILABLE` */
  requireStateAfter(number: bigint): void;
}

/** Changes of the chain, and the tasks that keep what they read from being deleted. */
export interface ChainChanges {
  /** Called after each change of the canonical chain. */
  readonly headListeners: HeadListeners;
  readonly readers: Readers;
}
