/** A transaction that runs under a tracer, and what is left of it for the tracer to make its trace of. */
import type { Rules } from "../../../chainspec/hardforks/hardforks.ts";
import type { TransactionFields } from "../../../chainspec/transaction/transaction-fields.ts";
import type { BlockContext } from "../../../evm/engine.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import type { Recording } from "../../../tracer/recording.ts";

/** Where a traced transaction stands in the chain. */
export interface TracePlace {
  readonly blockHash: Bytes;
  readonly blockNumber: bigint;
  readonly txHash: Bytes;
  readonly txIndex: number;
}

/** A transaction about to run. */
export interface TracerSetup {
  readonly tx: TransactionFields;
  readonly rules: Rules;
  readonly block: BlockContext;
  /** The state it runs on, and changes. */
  readonly state: WorkingState;
  /** Logs in the block before it; default 0. */
  readonly firstLogIndex?: number;
  /** Undefined for calls that are in no block. */
  readonly place?: TracePlace | undefined;
}

/** A transaction that ran; the state still has its changes at hand. */
export interface TracedRun extends TracerSetup {
  readonly outcome: TransactionOutcome;
  readonly recording: Recording;
}
