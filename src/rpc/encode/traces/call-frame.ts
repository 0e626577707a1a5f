/** The tree of callTracer and the list of flatCallTracer as JSON, with geth's members. */

import type { TracePlace } from "../../../services/simulate/debug/run.ts";
import type { GethCallFrame, GethLog, PlacedCall } from "../../../tracer/formats/call-tracer.ts";
import type { FlatCall, FlatCallAction, FlatCallResult } from "../../../tracer/formats/flat-call.ts";
import type { CallFrameJson, FlatCallJson } from "../../geth-trace-json.ts";
import { type JsonSink, MemberNames, type Visit } from "../stream/json-sink.ts";
import { listPieces, objectPieces } from "../stream/text-sink.ts";
import { listValue, ValueSink } from "../stream/value-sink.ts";

const NAMES = new MemberNames(
  "action",
  "address",
  "balance",
  "blockHash",
  "blockNumber",
  "callType",
  "calls",
  "code",
  "creationMethod",
  "data",
  "error",
  "executionGasUsed",
  "from",
  "gas",
  "gasRefund",
  "gasUsed",
  "index",
  "init",
  "input",
  "logs",
  "output",
  "position",
  "refundAddress",
  "result",
  "revertReason",
  "stateGasUsed",
  "subtraces",
  "to",
  "topics",
  "traceAddress",
  "transactionHash",
  "transactionPosition",
  "type",
  "value",
);
const NAME = NAMES.index;

/** The tree of calls that are in order, depth first; empty if nothing ran. Members that a frame lacks stay absent. */
export function encodeCallFrame(calls: Iterable<PlacedCall>): CallFrameJson {
  const sink = new ValueSink(NAMES);
  for (const _ of visitCalls(sink, calls));
  return sink.value as unknown as CallFrameJson;
}

/** The same as text. */
export function callFrameText(calls: Iterable<PlacedCall>): Generator<string> {
  return objectPieces(NAMES, (sink) => visitCalls(sink, calls));
}

/** Flat calls with their place. Calls that are in no block have zeros there, as in geth. */
export function encodeFlatCalls(calls: Iterable<FlatCall>, place: TracePlace | undefined): FlatCallJson[] {
  return listValue(NAMES, calls, flatCallVisitor(place));
}

/** A list of flat calls with their place as text. */
export function flatCallsText(calls: Iterable<FlatCall>, place: TracePlace | undefined): Generator<string> {
  return listPieces(NAMES, calls, flatCallVisitor(place));
}

/** Visits frame by frame, and a frame's logs one by one. */
function* visitCalls(sink: JsonSink, calls: Iterable<PlacedCall>): Generator<void> {
  const around: PlacedCall[] = [];
  for (const call of calls) {
    yield;
    while (around.length > call.depth) yield* visitEnd(sink, around.pop() as PlacedCall);
    visitHead(around.length === 0 ? sink : sink.item(), call.frame);
    if (call.callCount > 0) sink.openList(NAME.calls);
    around.push(call);
  }
  for (let last = around.pop(); last !== undefined; last = around.pop()) yield* visitEnd(sink, last);
}

/** Visits the end of a frame, after its calls. */
function* visitEnd(sink: JsonSink, { frame, depth, callCount }: PlacedCall): Generator<void> {
  if (callCount > 0) sink.closeList();
  yield* visitTail(sink, frame);
  if (depth > 0) sink.close();
}

/** Visits the members before the calls. */
function visitHead(sink: JsonSink, frame: GethCallFrame): void {
  const { to, output, error, revertReason, executionGasUsed, stateGasUsed, gasRefund } = frame;
  sink.repeatedData(NAME.from, frame.from);
  sink.quantity(NAME.gas, frame.gas);
  sink.quantity(NAME.gasUsed, frame.gasUsed);
  if (executionGasUsed !== undefined) sink.quantity(NAME.executionGasUsed, executionGasUsed);
  if (stateGasUsed !== undefined) sink.quantity(NAME.stateGasUsed, stateGasUsed);
  if (gasRefund !== undefined) sink.quantity(NAME.gasRefund, gasRefund);
  if (to !== undefined) sink.repeatedData(NAME.to, to);
  sink.data(NAME.input, frame.input);
  if (output !== undefined) sink.data(NAME.output, output);
  if (error !== undefined) sink.string(NAME.error, error);
  if (revertReason !== undefined) sink.string(NAME.revertReason, revertReason);
}

/** Visits the members after the calls. */
function* visitTail(sink: JsonSink, { logs, value, type }: GethCallFrame): Generator<void> {
  if (logs !== undefined) yield* visitLogs(sink, logs);
  if (value !== undefined) sink.quantity(NAME.value, value);
  sink.string(NAME.type, type);
}

function* visitLogs(sink: JsonSink, logs: readonly GethLog[]): Generator<void> {
  const list = sink.openList(NAME.logs);
  for (const { address, topics, data, index, position } of logs) {
    yield;
    const item = list.item();
    item.repeatedData(NAME.address, address);
    item.dataList(NAME.topics, topics);
    item.data(NAME.data, data);
    item.quantity(NAME.index, index);
    item.quantity(NAME.position, position);
    item.close();
  }
  list.closeList();
}

function flatCallVisitor(place: TracePlace | undefined): Visit<FlatCall> {
  return (sink, call) => {
    visitMembers(sink.open(NAME.action), call.action);
    if (place === undefined) sink.literal(NAME.blockHash, null);
    else sink.repeatedData(NAME.blockHash, place.blockHash);
    sink.number(NAME.blockNumber, Number(place?.blockNumber ?? 0n));
    if (call.error !== undefined) sink.string(NAME.error, call.error);
    if (call.result !== undefined) visitMembers(sink.open(NAME.result), call.result);
    sink.number(NAME.subtraces, call.subtraces);
    sink.numbers(NAME.traceAddress, call.traceAddress);
    if (place === undefined) sink.literal(NAME.transactionHash, null);
    else sink.repeatedData(NAME.transactionHash, place.txHash);
    sink.number(NAME.transactionPosition, place?.txIndex ?? 0);
    sink.string(NAME.type, call.type);
  };
}

/** Bytes become DATA, amounts QUANTITY; names stay as they are. */
function visitMembers(sink: JsonSink, members: FlatCallAction | FlatCallResult): void {
  for (const [member, value] of Object.entries(members) as [keyof typeof NAME, Uint8Array | bigint | string][]) {
    const name = NAME[member];
    if (typeof value === "string") sink.string(name, value);
    else if (typeof value === "bigint") sink.quantity(name, value);
    else sink.data(name, value);
  }
  sink.close();
}
