/** Flat traces as JSON text in one pass. The text equals that of the encoder of single traces. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { FlatTrace, LocalizedTrace, TraceLocation } from "../../../tracer/formats/flat.ts";
import { Fragments } from "../stream/fragments.ts";
import { RepeatedData } from "../stream/repeated-data.ts";
import type { Text } from "../stream/text.ts";
import { TextWriter } from "../stream/text-writer.ts";

const PARTS = Fragments.of(
  ',"transactionHash":',
  ',"transactionPosition":',
  ',"from":',
  ',"gas":',
  ',"input":',
  ',"to":',
  ',"value":',
  '},"result":{"gasUsed":',
  ',"output":',
  ',"subtraces":',
  ',"traceAddress":[',
  '],"type":"call"',
  ',"blockHash":',
  ',"blockNumber":',
);
const TRANSACTION_HASH = 0;
const TRANSACTION_POSITION = 1;
const FROM = 2;
const GAS = 3;
const INPUT = 4;
const TO = 5;
const VALUE = 6;
const RESULT_GAS_USED = 7;
const OUTPUT = 8;
const SUBTRACES = 9;
const TRACE_ADDRESS = 10;
const TYPE_CALL = 11;
const BLOCK_HASH = 12;
const BLOCK_NUMBER = 13;

const CALL_TYPES = ["call", "callcode", "delegatecall", "staticcall"] as const;
const CALLS = Fragments.of(...CALL_TYPES.map((callType) => `{"action":{"callType":"${callType}"`));

type Call = Extract<FlatTrace, { readonly type: "call" }>;

/** A list of traces with their places; undefined becomes null. */
export function localizedTracesText(traces: readonly LocalizedTrace[] | undefined): Text {
  return traces === undefined ? ["null"] : localizedPieces(traces);
}

function* localizedPieces(traces: readonly LocalizedTrace[]): Generator<Bytes> {
  const list = new TraceList();
  const { writer } = list;
  for (const trace of traces) {
    list.add(trace);
    list.addPlace(trace);
    if (writer.isFull) yield writer.takePiece();
  }
  list.end();
  yield writer.written;
}

/** A list of traces without their places. */
export function* flatTracesText(traces: readonly FlatTrace[]): Generator<Bytes> {
  const list = new TraceList();
  const { writer } = list;
  for (const trace of traces) {
    list.add(trace);
    writer.text("}");
    if (writer.isFull) yield writer.takePiece();
  }
  list.end();
  yield writer.written;
}

class TraceList {
  readonly writer = new TextWriter();
  /** Consecutive traces often have the same addresses. */
  readonly #from = new RepeatedData();
  readonly #to = new RepeatedData();
  readonly #blockHash = new RepeatedData();
  readonly #transactionHash = new RepeatedData();
  #isEmpty = true;

  /** Writes a trace's own members and leaves its object open. */
  add(trace: FlatTrace): void {
    const { writer } = this;
    writer.text(this.#isEmpty ? "[" : ",");
    this.#isEmpty = false;
    if (trace.type === "call") this.#addCall(trace);
    else addOther(writer, trace);
  }

  /** Writes the members that name block and transaction, and closes the object. */
  addPlace({ blockHash, blockNumber, transactionHash, transactionPosition }: TraceLocation): void {
    const { writer } = this;
    writer.fragment(PARTS, BLOCK_HASH);
    this.#blockHash.write(writer, blockHash);
    writer.fragment(PARTS, BLOCK_NUMBER);
    writer.number(Number(blockNumber));
    if (transactionHash !== undefined) {
      writer.fragment(PARTS, TRANSACTION_HASH);
      if (transactionHash === null) writer.text("null");
      else this.#transactionHash.write(writer, transactionHash);
    }
    if (transactionPosition !== undefined) {
      writer.fragment(PARTS, TRANSACTION_POSITION);
      if (transactionPosition === null) writer.text("null");
      else writer.number(transactionPosition);
    }
    writer.text("}");
  }

  end(): void {
    this.writer.text(this.#isEmpty ? "[]" : "]");
  }

  /** Apart from other kinds, because nearly all traces are calls. */
  #addCall({ action, error, result, subtraces, traceAddress }: Call): void {
    const { writer } = this;
    writer.fragment(CALLS, CALL_TYPES.indexOf(action.callType));
    writer.fragment(PARTS, FROM);
    this.#from.write(writer, action.from);
    writer.fragment(PARTS, GAS);
    writer.quantity(action.gas);
    writer.fragment(PARTS, INPUT);
    writer.data(action.input);
    writer.fragment(PARTS, TO);
    this.#to.write(writer, action.to);
    writer.fragment(PARTS, VALUE);
    writer.quantity(action.value);
    if (error === undefined && result !== undefined && result !== null) {
      writer.fragment(PARTS, RESULT_GAS_USED);
      writer.quantity(result.gasUsed);
      writer.fragment(PARTS, OUTPUT);
      writer.data(result.output);
      writer.text("}");
    } else {
      writer.text("}");
      if (error !== undefined) writer.text(`,"error":${JSON.stringify(error)}`);
      writeResult(writer, result);
    }
    writer.fragment(PARTS, SUBTRACES);
    writer.number(subtraces);
    writer.fragment(PARTS, TRACE_ADDRESS);
    if (traceAddress.length > 0) writer.text(traceAddress.join());
    writer.fragment(PARTS, TYPE_CALL);
  }
}

function addOther(writer: TextWriter, trace: Exclude<FlatTrace, Call>): void {
  writeAction(writer, trace);
  if (trace.error !== undefined) writer.text(`,"error":${JSON.stringify(trace.error)}`);
  writeResult(writer, trace.result);
  writer.text(`,"subtraces":${trace.subtraces},"traceAddress":[${trace.traceAddress.join()}],"type":"${trace.type}"`);
}

function writeAction(writer: TextWriter, trace: Exclude<FlatTrace, Call>): void {
  switch (trace.type) {
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

/** Writes names and punctuation as they are, bytes as DATA and integers as QUANTITY. */
function writeMembers(writer: TextWriter, parts: readonly (string | Bytes | bigint)[]): void {
  for (const part of parts) {
    if (typeof part === "string") writer.text(part);
    else if (typeof part === "bigint") writer.quantity(part);
    else writer.data(part);
  }
}
