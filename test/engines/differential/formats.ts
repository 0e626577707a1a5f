/** A run in every trace format of every client, as text. */
import { createHash, type Hash } from "node:crypto";
import type { TransactionFields } from "../../../src/chainspec/transaction/transaction-fields.ts";
import { concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { fromUtf8 } from "../../../src/primitives/platform/encodings.ts";
import type { Text } from "../../../src/rpc/encode/stream/text.ts";
import { gethTraceText } from "../../../src/rpc/encode/traces/geth-trace.ts";
import { traceResultsText } from "../../../src/rpc/encode/traces/trace-results.ts";
import type { TracedRun } from "../../../src/services/simulate/debug/run.ts";
import { type NativeTracer, nativeTrace } from "../../../src/services/simulate/debug/tracers.ts";
import { TRACE_CLIENTS } from "../../../src/services/simulate/trace/client.ts";
import { TRACE_TYPES, traceResults } from "../../../src/services/simulate/trace/results.ts";
import type { Recorder } from "../../../src/tracer/recorder.ts";
import type { Recording } from "../../../src/tracer/recording.ts";
import { spec } from "../../support/evm.ts";
import type { Scenario } from "./random/scenario.ts";
import type { Ran } from "./run-scenario.ts";
import { blockOf } from "./run-scenario.ts";

const TRACERS: readonly NativeTracer[] = [
  { name: "structLogger", options: { enableMemory: true, enableReturnData: true } },
  { name: "callTracer", options: { withLog: true } },
  { name: "callTracer", options: { onlyTopCall: true } },
  { name: "flatCallTracer", options: { includePrecompiles: true } },
  { name: "flatCallTracer", options: { convertParityErrors: true } },
  { name: "prestateTracer" },
  { name: "prestateTracer", options: { diffMode: true } },
  { name: "prestateTracer", options: { diffMode: true, includeEmpty: true } },
  { name: "4byteTracer" },
];

/** A trace in one format. */
export interface NamedText {
  readonly format: string;
  /** The text itself, or its digest where it is long; UTF-8. */
  readonly text: Uint8Array;
}

/** Longer texts are compared by their digest: those of one scenario may have gigabytes together. */
const LONGEST_TEXT = 4 * 1024 * 1024;

/** Reads a text in pieces, since no string can hold the longest. */
async function shortened(text: Text): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let hash: Hash | undefined;
  let length = 0;
  for (const piece of text) {
    if (piece instanceof Promise) {
      await piece;
      continue;
    }
    const bytes = typeof piece === "string" ? fromUtf8(piece) : piece;
    length += bytes.length;
    pieces.push(bytes);
    if (length <= LONGEST_TEXT) continue;
    hash ??= createHash("sha256");
    for (const waiting of pieces.splice(0)) hash.update(waiting);
  }
  return hash === undefined ? concatBytes(...pieces) : fromUtf8(`${length} bytes, SHA-256 ${hash.digest("hex")}`);
}

/** All formats of a transaction that has just run. */
export async function formatsOf(
  scenario: Scenario,
  tx: TransactionFields,
  { outcome, state }: Ran,
  recording: Recording,
): Promise<NamedText[]> {
  const run: TracedRun = {
    ...{ tx, state, outcome, recording },
    rules: spec.rules(scenario.hardfork),
    block: blockOf(scenario),
  };
  const texts: NamedText[] = [];
  for (const tracer of TRACERS) {
    const options = JSON.stringify("options" in tracer ? tracer.options : {});
    texts.push({
      format: `${tracer.name} ${options}`,
      text: await shortened(gethTraceText(await nativeTrace(tracer, run, false))),
    });
  }
  const types = new Set(TRACE_TYPES);
  for (const client of TRACE_CLIENTS) {
    for (const includePrecompiles of client === "erigon" ? [false, true] : [false]) {
      // The formats read a recording; that a recorder made it is of no matter to them.
      const recorder = recording as Recorder;
      const results = await traceResults({ types, outcome, recorder, state, client, includePrecompiles });
      texts.push({
        format: `${client}${includePrecompiles ? " with precompiles" : ""}`,
        text: await shortened(traceResultsText(results)),
      });
    }
  }
  return texts;
}
