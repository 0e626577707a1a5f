/** A transaction that ran under a recorder: what geth's tracers make their traces of. */
import type { Rules } from "../../chainspec/hardforks.ts";
import type { TransactionFields } from "../../chainspec/transaction.ts";
import type { TransactionOutcome } from "../../executor/run-transaction.ts";
import type { BlockContext } from "../../executor/types.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { WorkingState } from "../../state/working-state.ts";
import type { Recording } from "../../tracer/recording.ts";

/** Where a traced transaction stands in the chain. */
export interface TracePlace {
  readonly blockHash: Bytes;
  readonly blockNumber: bigint;
  readonly txHash: Bytes;
  readonly txIndex: number;
}

/** A transaction that ran, and what is left of the run. */
export interface TracedRun {
  readonly tx: TransactionFields;
  readonly rules: Rules;
  readonly block: BlockContext;
  readonly outcome: TransactionOutcome;
  /** Right after it, its transaction's changes still at hand. */
  readonly state: WorkingState;
  readonly recording: Recording;
  /** Logs in the block before it; default 0. */
  readonly firstLogIndex?: number;
  /** Undefined for calls that are in no block. */
  readonly place?: TracePlace | undefined;
}
