/** The tree of callTracer and the list of flatCallTracer as JSON, with geth's members. */

import type { TracePlace } from "../../../services/simulate/debug/run.ts";
import type { GethCallFrame, GethLog } from "../../../tracer/formats/call-tracer.ts";
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

/** A frame and all calls below it. Members that a frame lacks stay absent. */
export function encodeCallFrame(frame: GethCallFrame): CallFrameJson {
  const sink = new ValueSink(NAMES);
  for (const _ of visitTree(sink, frame));
  return sink.value as unknown as CallFrameJson;
}

/** The same as text. */
export function callFrameText(root: GethCallFrame): Generator<string> {
  return objectPieces(NAMES, (sink) => visitTree(sink, root));
}

/** Flat calls with their place. Calls that are in no block have zeros there, as in geth. */
export function encodeFlatCalls(calls: readonly FlatCall[], place: TracePlace | undefined): FlatCallJson[] {
  return listValue(NAMES, calls, flatCallVisitor(place));
}

/** A list of flat calls with their place as text. */
export function flatCallsText(calls: readonly FlatCall[], place: TracePlace | undefined): Generator<string> {
  return listPieces(NAMES, calls, flatCallVisitor(place));
}

/**
 * A frame whose calls are being written. A stack of them replaces nested generators, because a tree may be a thousand
 * calls deep.
 */
interface Open {
  readonly frame: GethCallFrame;
  /** Number of its calls that are written. */
  written: number;
}

/** Visits frame by frame, and a frame's logs one by one. */
function* visitTree(sink: JsonSink, root: GethCallFrame): Generator<void> {
  const open: Open[] = [{ frame: root, written: 0 }];
  visitHead(sink, root);
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    yield;
    const { frame, written } = current;
    const call = frame.calls?.[current.written++];
    if (written === 0 && frame.calls !== undefined) sink.openList(NAME.calls);
    if (call !== undefined) {
      visitHead(sink.item(), call);
      open.push({ frame: call, written: 0 });
      continue;
    }
    if (frame.calls !== undefined) sink.closeList();
    yield* visitTail(sink, frame);
    if (open.pop() !== undefined && open.length > 0) sink.close();
  }
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
