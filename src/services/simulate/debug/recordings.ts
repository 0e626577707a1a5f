/** Records mined transactions by running them again. Every trace is made from such a recording. */
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { RecordingRequest } from "../../../tracer/recording.ts";
import type { WholeRecording } from "../../../tracer/step-table.ts";
import { type ReplayTarget, replayBlock } from "../replay/replay.ts";

/** A transaction that was run again, with its recording. */
export interface RecordedTransaction {
  readonly tx: Transaction;
  /** Index in its block. */
  readonly index: number;
  readonly outcome: TransactionOutcome;
  readonly recording: WholeRecording;
}

/** The transactions of a block to record, and the parts to record. */
export interface RecordTarget extends ReplayTarget {
  /** The data to record. */
  readonly request: RecordingRequest;
  /** Index of the only transaction to record; default all. */
  readonly only?: number | undefined;
}

/** Runs a block's transactions in order, each once, and yields the wanted ones. */
export async function* recordTransactions(target: RecordTarget): AsyncGenerator<RecordedTransaction> {
  const { request, ...replay } = target;
  for await (const ran of replayBlock({ ...replay, recorderFor: () => new Recorder(request) })) {
    const { tx, index, outcome, recorder } = ran;
    if (recorder !== undefined) yield { tx, index, outcome, recording: recorder };
  }
}
