/** Flat traces as JSON: QUANTITY and DATA, but plain integers for positions (trace_* of Parity). */
import type { FlatTrace, LocalizedTrace, TraceLocation } from "../../../tracer/formats/flat.ts";
import type { FlatTrace as FlatTraceJson, LocalizedTrace as LocalizedTraceJson } from "../../wire-types.generated.ts";
import { type JsonSink, MemberNames } from "../stream/json-sink.ts";
import type { Text } from "../stream/text.ts";
import { listPieces } from "../stream/text-sink.ts";
import { listValue, objectValue } from "../stream/value-sink.ts";

const NAMES = new MemberNames(
  "action",
  "address",
  "author",
  "balance",
  "blockHash",
  "blockNumber",
  "callType",
  "code",
  "creationMethod",
  "error",
  "from",
  "gas",
  "gasUsed",
  "init",
  "input",
  "output",
  "refundAddress",
  "result",
  "rewardType",
  "subtraces",
  "to",
  "traceAddress",
  "transactionHash",
  "transactionPosition",
  "type",
  "value",
);
const NAME = NAMES.index;

/** Traces without their places in the chain. */
export function encodeFlatTraces(traces: Iterable<FlatTrace>): FlatTraceJson[] {
  return listValue(NAMES, traces, visitTrace);
}

/** One trace with its place in the chain. */
export function encodeLocalizedTrace(trace: LocalizedTrace): LocalizedTraceJson {
  return objectValue(NAMES, trace, visitLocalizedTrace);
}

/** Traces with their places. */
export function encodeLocalizedTraces(traces: Iterable<LocalizedTrace>): LocalizedTraceJson[] {
  return listValue(NAMES, traces, visitLocalizedTrace);
}

/** A list of traces without their places. */
export function flatTracesText(traces: Iterable<FlatTrace>): Generator<string> {
  return listPieces(NAMES, traces, visitTrace);
}

/** A list of traces with their places; undefined becomes null. */
export function localizedTracesText(traces: Iterable<LocalizedTrace> | undefined): Text {
  return traces === undefined ? ["null"] : listPieces(NAMES, traces, visitLocalizedTrace);
}

function visitLocalizedTrace(sink: JsonSink, trace: LocalizedTrace): void {
  visitTrace(sink, trace);
  visitLocation(sink, trace);
}

function visitTrace(sink: JsonSink, trace: FlatTrace): void {
  visitAction(sink.open(NAME.action), trace);
  if (trace.error !== undefined) sink.string(NAME.error, trace.error);
  visitResult(sink, trace.result);
  sink.number(NAME.subtraces, trace.subtraces);
  sink.numbers(NAME.traceAddress, trace.traceAddress);
  sink.string(NAME.type, trace.type);
}

function visitAction(sink: JsonSink, trace: FlatTrace): void {
  switch (trace.type) {
    case "call": {
      const { callType, from, to, value, gas, input } = trace.action;
      sink.string(NAME.callType, callType);
      sink.repeatedData(NAME.from, from);
      sink.quantity(NAME.gas, gas);
      sink.data(NAME.input, input);
      sink.repeatedData(NAME.to, to);
      sink.quantity(NAME.value, value);
      break;
    }
    case "create": {
      const { creationMethod, from, value, gas, init } = trace.action;
      if (creationMethod !== undefined) sink.string(NAME.creationMethod, creationMethod);
      sink.repeatedData(NAME.from, from);
      sink.quantity(NAME.gas, gas);
      sink.data(NAME.init, init);
      sink.quantity(NAME.value, value);
      break;
    }
    case "suicide": {
      const { address, refundAddress, balance } = trace.action;
      sink.data(NAME.address, address);
      sink.quantity(NAME.balance, balance);
      sink.data(NAME.refundAddress, refundAddress);
      break;
    }
    default: {
      const { author, rewardType, value } = trace.action;
      sink.data(NAME.author, author);
      sink.string(NAME.rewardType, rewardType);
      sink.quantity(NAME.value, value);
    }
  }
  sink.close();
}

function visitResult(sink: JsonSink, result: FlatTrace["result"]): void {
  if (result === undefined) return;
  if (result === null) {
    sink.literal(NAME.result, null);
    return;
  }
  const inner = sink.open(NAME.result);
  if ("code" in result) {
    inner.data(NAME.address, result.address);
    inner.data(NAME.code, result.code);
    inner.quantity(NAME.gasUsed, result.gasUsed);
  } else {
    inner.quantity(NAME.gasUsed, result.gasUsed);
    inner.data(NAME.output, result.output);
  }
  inner.close();
}

function visitLocation(sink: JsonSink, location: TraceLocation): void {
  const { blockHash, blockNumber, transactionHash: txHash, transactionPosition: position } = location;
  sink.repeatedData(NAME.blockHash, blockHash);
  sink.number(NAME.blockNumber, Number(blockNumber));
  if (txHash === null) sink.literal(NAME.transactionHash, null);
  else if (txHash !== undefined) sink.repeatedData(NAME.transactionHash, txHash);
  if (position === null) sink.literal(NAME.transactionPosition, null);
  else if (position !== undefined) sink.number(NAME.transactionPosition, position);
}
