/**
 * Ports through which services read the chain, by subject: members of {@link Chain}, which describes them. A service names the ports
 * that it needs.
 */
import type { BlockArchive } from "./blocks/block-archive.ts";
import type { Chain } from "./chain.ts";
import type { ChainReader } from "./read/chain-reader.ts";
import type { RemoteHistory } from "./read/remote-history.ts";

type StoredBlocks = "head" | "genesis" | "getStoredBlock" | "getStoredReceipts" | "findStoredTransaction";
type BlockFacts = "getBlockAccessList" | "totalDifficultyOf" | "isCanonical" | "isImported";
type Below = "pinnedNumber" | "isBelowFork" | "remoteLogs";

/** Blocks, receipts and transactions, and the ends of the chain. */
export interface ChainBlocks extends ChainReader, Pick<Chain, StoredBlocks | BlockFacts | Below> {
  /** Reading members of the archive, which has side blocks, too. */
  readonly archive: Pick<
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
  /** The chain below the fork; undefined without one. */
  readonly history: Pick<RemoteHistory, "pin" | "remote" | "fetchAhead" | "totalDifficultyOf"> | undefined;
}

/** The rules of blocks, and the executor that follows them. */
export type ChainRules = Pick<Chain, "spec" | "executor" | "rulesOf" | "rulesAfter" | "contextOf" | "contextWith">;

type StateIds = "headStateId" | "firstStateId" | "oldestState" | "stateIdBefore" | "stateIdAfter" | "stateIdOf";
type States = "states" | "stateAfter" | "workingStateAfter" | "workingStateBefore";

/** The states between blocks. */
export type ChainStates = Pick<Chain, StateIds | States | "requireState" | "requireStateAfter">;

/** Changes of the chain, and the tasks that keep what they read from being deleted. */
export type ChainChanges = Pick<Chain, "headListeners" | "readers">;
