/** geth's `flatCallTracer`: the call tree in Parity's shape (eth/tracers/native/call_flat.go). Plain values. */

import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { Recording } from "../recording.ts";
import { TracePath } from "../trace-address.ts";
import { eachCall, type GethCallFrame, type TransactionTotals } from "./call-tracer.ts";

/** The member `tracerConfig` of the request. */
export interface FlatCallOptions {
  /** Uses Parity's wording for errors that Parity has. */
  readonly convertParityErrors?: boolean;
  /** Shows calls of precompiles. */
  readonly includePrecompiles?: boolean;
}

/** Members that do not apply to a type are absent. Values in wei. */
export interface FlatCallAction {
  readonly callType?: string;
  readonly creationMethod?: string;
  readonly from?: Bytes;
  readonly to?: Bytes;
  readonly gas?: bigint;
  readonly value?: bigint;
  readonly input?: Bytes;
  readonly init?: Bytes;
  readonly address?: Bytes;
  readonly refundAddress?: Bytes;
  readonly balance?: bigint;
}

/** A call has `output`, a creation `address` and `code`. */
export interface FlatCallResult {
  readonly gasUsed: bigint;
  readonly output?: Bytes;
  readonly address?: Bytes;
  readonly code?: Bytes;
}

/** A call, depth first. */
export interface FlatCall {
  readonly type: "call" | "create" | "suicide";
  readonly action: FlatCallAction;
  /** Absent after failures other than reverts, and for self-destructs. */
  readonly result?: FlatCallResult;
  readonly error?: string;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
}

const REVERT_TEXT = "execution reverted";

/** The flat calls of a recording, depth first, each made when it is read; none if nothing ran. */
export function* flatCallTrace(
  recording: Pick<Recording, "frames">,
  totals: TransactionTotals,
  options: FlatCallOptions = {},
): Generator<FlatCall, void, undefined> {
  const path = new TracePath();
  const hidesPrecompiles = options.includePrecompiles !== true;
  for (const { frame, depth, callCount } of eachCall(recording, totals, { hidesPrecompiles })) {
    yield { subtraces: callCount, traceAddress: path.enter(depth), ...flatten(frame, options) };
  }
}

function flatten(frame: GethCallFrame, options: FlatCallOptions): Omit<FlatCall, "subtraces" | "traceAddress"> {
  if (frame.type === "SELFDESTRUCT") {
    const action = {
      address: frame.from,
      ...(frame.to === undefined ? {} : { refundAddress: frame.to }),
      balance: frame.value ?? 0n,
    };
    return { type: "suicide", action };
  }
  const isCreation = frame.type === "CREATE" || frame.type === "CREATE2";
  const hasResult = frame.error === undefined || frame.error === REVERT_TEXT;
  const error = frame.error !== undefined && options.convertParityErrors ? parityErrorText(frame.error) : frame.error;
  return {
    type: isCreation ? "create" : "call",
    action: isCreation ? creationAction(frame) : callAction(frame),
    ...(hasResult ? { result: isCreation ? creationResult(frame) : callResult(frame) } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

function callAction({ type, from, to, gas, value, input }: GethCallFrame): FlatCallAction {
  const target = to === undefined ? {} : { to };
  return { callType: type.toLowerCase(), from, ...target, gas, value: value ?? 0n, input };
}

function creationAction({ type, from, gas, value, input }: GethCallFrame): FlatCallAction {
  return { creationMethod: type.toLowerCase(), from, gas, value: value ?? 0n, init: input };
}

function callResult({ gasUsed, output }: GethCallFrame): FlatCallResult {
  return { gasUsed, output: output ?? EMPTY_BYTES };
}

function creationResult({ gasUsed, output, to }: GethCallFrame): FlatCallResult {
  return { gasUsed, ...(to === undefined ? {} : { address: to }), code: output ?? EMPTY_BYTES };
}

/** geth's `parityErrorMapping` and `parityErrorMappingStartingWith`, by the beginning of geth's text. */
const PARITY_TEXTS: readonly (readonly [start: string, text: string])[] = [
  ["contract creation code storage out of gas", "Out of gas"],
  ["out of gas", "Out of gas"],
  ["gas uint64 overflow", "Out of gas"],
  ["max code size exceeded", "Out of gas"],
  ["invalid jump destination", "Bad jump destination"],
  [REVERT_TEXT, "Reverted"],
  ["return data out of bounds", "Out of bounds"],
  ["stack limit reached 1024 (1023)", "Out of stack"],
  ["precompiled failed", "Built-in failed"],
  ["invalid input length", "Built-in failed"],
  ["invalid opcode:", "Bad instruction"],
  ["stack underflow", "Stack underflow"],
];

function parityErrorText(text: string): string {
  return PARITY_TEXTS.find(([start]) => text.startsWith(start))?.[1] ?? text;
}
