/** Mined transactions as they were recorded when run again: what every trace is made of, before any format. */
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { RecordingRequest } from "../../../tracer/recording.ts";
import type { WholeRecording } from "../../../tracer/step-table.ts";
import { type ReplayTarget, replayBlock } from "../replay/replay.ts";

/** A transaction that was run again, and what it did. */
export interface RecordedTransaction {
  readonly tx: Transaction;
  /** Place in its block. */
  readonly index: number;
  readonly outcome: TransactionOutcome;
  readonly recording: WholeRecording;
}

export interface RecordTarget extends ReplayTarget {
  /** What to keep. */
  readonly request: RecordingRequest;
  /** Index of the only transaction that is wanted; default all. */
  readonly only?: number | undefined;
}

/** Runs a block's transactions in order, each once, and yields those that are wanted. */
export async function* recordTransactions(target: RecordTarget): AsyncGenerator<RecordedTransaction> {
  const { request, only, ...replay } = target;
  const transactions = replayBlock({
    ...replay,
    recorderFor: ({ index }) => (only === undefined || only === index ? new Recorder(request) : undefined),
    ...(only === undefined ? {} : { until: only }),
  });
  for await (const { tx, index, outcome, recorder } of transactions) {
    if (recorder !== undefined) yield { tx, index, outcome, recording: recorder };
  }
}
