/** A transaction that runs under a tracer, and its result, from which the tracer makes the trace. */
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import type { TransactionFields } from "../../../chainspec/transaction/transaction-fields.ts";
import type { BlockContext } from "../../../evm/engine.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import type { Recording } from "../../../tracer/recording.ts";

/** Block and index of a traced transaction. */
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
  /** The state that it runs on and changes. */
  readonly state: WorkingState;
  /** Logs before it in the block; default 0. */
  readonly firstLogIndex?: number;
  /** Undefined for simulated calls. */
  readonly place?: TracePlace | undefined;
}

/** A completed transaction; the state still has its changes. */
export interface TracedRun extends TracerSetup {
  readonly outcome: TransactionOutcome;
  readonly recording: Recording;
}
