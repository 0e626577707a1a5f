/** Flat traces as JSON text in one pass: character for character what the encoders of single traces give. */
import type { Bytes } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import type { FlatTrace, LocalizedTrace, TraceLocation } from "../../tracer/formats/flat.ts";
import { Fragments } from "./fragments.ts";
import type { Text } from "./text.ts";
import { TextWriter } from "./text-writer.ts";

const PARTS = Fragments.of(',"transactionHash":', ',"transactionPosition":');
const TRANSACTION_HASH = 0;
const TRANSACTION_POSITION = 1;

/** A list of traces in their places, or null. */
export function localizedTracesText(traces: readonly LocalizedTrace[] | undefined): Text {
  return traces === undefined ? ["null"] : localizedPieces(traces);
}

function* localizedPieces(traces: readonly LocalizedTrace[]): Generator<Bytes> {
  const writer = new TextWriter();
  /** What traces of one block share. */
  let block = new Fragments(1);
  let blockHash: Bytes | undefined;
  writer.text("[");
  for (const [index, trace] of traces.entries()) {
    if (index > 0) writer.text(",");
    if (trace.blockHash !== blockHash) {
      blockHash = trace.blockHash;
      block = Fragments.of(`,"blockHash":"${encodeData(blockHash)}","blockNumber":${Number(trace.blockNumber)}`);
    }
    writeTrace(writer, trace);
    writer.fragment(block, 0);
    writeTransaction(writer, trace);
    if (writer.isFull) yield writer.takePiece();
  }
  writer.text("]");
  yield writer.takePiece();
}

/** A list of traces without their places. */
export function* flatTracesText(traces: readonly FlatTrace[]): Generator<Bytes> {
  const writer = new TextWriter();
  writer.text("[");
  for (const [index, trace] of traces.entries()) {
    if (index > 0) writer.text(",");
    writeTrace(writer, trace);
    writer.text("}");
    if (writer.isFull) yield writer.takePiece();
  }
  writer.text("]");
  yield writer.takePiece();
}

/** The members that name a trace's transaction, and the end of its object. */
function writeTransaction(writer: TextWriter, { transactionHash, transactionPosition }: TraceLocation): void {
  if (transactionHash !== undefined) {
    writer.fragment(PARTS, TRANSACTION_HASH);
    if (transactionHash === null) writer.text("null");
    else writer.data(transactionHash);
  }
  if (transactionPosition !== undefined) {
    writer.fragment(PARTS, TRANSACTION_POSITION);
    if (transactionPosition === null) writer.text("null");
    else writer.number(transactionPosition);
  }
  writer.text("}");
}

/** A trace up to the end of its own members, its object open. */
function writeTrace(writer: TextWriter, trace: FlatTrace): void {
  writer.reserve(0);
  writeAction(writer, trace);
  if (trace.error !== undefined) writer.text(`,"error":${JSON.stringify(trace.error)}`);
  writeResult(writer, trace.result);
  writer.text(`,"subtraces":${trace.subtraces},"traceAddress":[${trace.traceAddress.join()}],"type":"${trace.type}"`);
}

function writeAction(writer: TextWriter, trace: FlatTrace): void {
  switch (trace.type) {
    case "call": {
      const { callType, from, to, value, gas, input } = trace.action;
      writer.text(`{"action":{"callType":"${callType}"`);
      writeMembers(writer, [',"from":', from, ',"gas":', gas, ',"input":', input, ',"to":', to, ',"value":', value]);
      break;
    }
    case "create": {
      const { creationMethod, from, value, gas, init } = trace.action;
      writer.text(`{"action":{${creationMethod === undefined ? "" : `"creationMethod":"${creationMethod}",`}`);
      writeMembers(writer, ['"from":', from, ',"gas":', gas, ',"init":', init, ',"value":', value]);
      break;
    }
    case "suicide": {
      const { address, refundAddress, balance } = trace.action;
      writer.text('{"action":{');
      writeMembers(writer, ['"address":', address, ',"balance":', balance, ',"refundAddress":', refundAddress]);
      break;
    }
    default: {
      const { author, rewardType, value } = trace.action;
      writer.text('{"action":{');
      writeMembers(writer, ['"author":', author, `,"rewardType":"${rewardType}","value":`, value]);
    }
  }
  writer.text("}");
}

function writeResult(writer: TextWriter, result: FlatTrace["result"]): void {
  if (result === undefined) return;
  if (result === null) {
    writer.text(',"result":null');
    return;
  }
  writer.text(',"result":{');
  if ("code" in result) {
    const { address, code, gasUsed } = result;
    writeMembers(writer, ['"address":', address, ',"code":', code, ',"gasUsed":', gasUsed]);
  } else {
    writeMembers(writer, ['"gasUsed":', result.gasUsed, ',"output":', result.output]);
  }
  writer.text("}");
}

/** Names and punctuation as they are, bytes as DATA, integers as QUANTITY. */
function writeMembers(writer: TextWriter, parts: readonly (string | Bytes | bigint)[]): void {
  for (const part of parts) {
    if (typeof part === "string") writer.text(part);
    else if (typeof part === "bigint") writer.quantity(part);
    else writer.data(part);
  }
}
