/** Results of geth's tracers as JSON. */

import type { GasDimensions } from "../../../chainspec/transaction/receipt.ts";
import { padBytesLeft } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { once } from "../../../primitives/once.ts";
import { requireShape, shape } from "../../../primitives/shapes/shape.ts";
import type { TransactionTrace } from "../../../services/simulate/debug/options.ts";
import type { GethTrace } from "../../../services/simulate/debug/tracers.ts";
import type { FourByteCount } from "../../../tracer/formats/four-byte.ts";
import type { PrestateAccount } from "../../../tracer/formats/prestate.ts";
import type { GasDimensionsJson, GethTraceJson, PrestateAccountJson, PrestateJson } from "../../geth-trace-json.ts";
import type { TransactionTrace as TransactionTraceJson } from "../../wire-types.generated.ts";
import { encodeGasDimensions } from "../gas-dimensions.ts";
import { objectText, type Pause, type Piece, type Text, wholeText } from "../stream/text.ts";
import { callFrameText, encodeCallFrame, encodeFlatCalls, flatCallsText } from "./call-frame.ts";
import { encodeStructLog } from "./struct-log.ts";
import { structLogsText } from "./struct-log-text.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Checks a value that a program passed in as a trace: it must have the members that the named tracer makes. A trace
 * that is JSON already lacks them.
 */
const HOLDS: Readonly<Record<GethTrace["name"], (trace: Members) => boolean>> = {
  structLogger: ({ logs, returnValue }) => isObject(logs) && returnValue instanceof Uint8Array,
  callTracer: ({ call }) => call === undefined || (isObject(call) && call.from instanceof Uint8Array),
  flatCallTracer: ({ calls }) => areObjects(calls),
  prestateTracer: ({ accounts }) =>
    areObjects(accounts) || (isObject(accounts) && areObjects(accounts.pre) && areObjects(accounts.post)),
  "4byteTracer": ({ counts }) => areObjects(counts),
  noopTracer: () => true,
  stateGasTracer: ({ dimensions }) => isObject(dimensions),
  muxTracer: ({ traces }) => areObjects(traces),
  script: () => true,
};

const gethTrace = once(() =>
  shape("what a tracer of node.debug gave", (trace) => {
    if (!isObject(trace) || typeof trace.name !== "string" || !Object.hasOwn(HOLDS, trace.name)) return false;
    return HOLDS[trace.name as GethTrace["name"]](trace);
  }),
);

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

const areObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);

/**
 * The result of `debug_traceTransaction` and similar methods.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` if the value is not the result of a tracer
 */
export function encodeGethTrace(trace: GethTrace): GethTraceJson {
  requireShape(gethTrace(), trace, "trace");
  switch (trace.name) {
    case "structLogger":
      return {
        gas: Number(trace.gasUsed),
        ...encodeDimensions(trace.dimensions),
        failed: trace.failed,
        returnValue: encodeData(trace.returnValue),
        structLogs: Array.from(trace.logs, encodeStructLog),
      };
    case "callTracer":
      return trace.call === undefined ? {} : encodeCallFrame(trace.call);
    case "flatCallTracer":
      return encodeFlatCalls(trace.calls, trace.place);
    case "prestateTracer": {
      const { accounts } = trace;
      return "pre" in accounts
        ? { post: encodePrestate(accounts.post), pre: encodePrestate(accounts.pre) }
        : encodePrestate(accounts);
    }
    case "4byteTracer":
      return Object.fromEntries(trace.counts.map(encodeFourByteCount));
    case "noopTracer":
      return {};
    case "stateGasTracer":
      return { gasUsed: encodeQuantity(trace.gasUsed), ...encodeGasDimensions(trace.dimensions) };
    case "script":
      return trace.value as Record<string, unknown>;
    default:
      return Object.fromEntries(trace.traces.map((part) => [part.name, encodeGethTrace(part)]));
  }
}

/** The struct logger's gas is in JSON numbers. */
function encodeDimensions(dimensions: GasDimensions | undefined): Partial<GasDimensionsJson<number>> {
  if (dimensions === undefined) return {};
  const { executionGasUsed, stateGasUsed, gasRefund } = dimensions;
  return {
    executionGasUsed: Number(executionGasUsed),
    stateGasUsed: Number(stateGasUsed),
    gasRefund: Number(gasRefund),
  };
}

/** One entry of the result of `debug_traceBlock*`. */
export function encodeTransactionTrace({ txHash, trace }: TransactionTrace): TransactionTraceJson {
  return { txHash: encodeData(txHash), result: encodeGethTrace(trace) };
}

function encodeFourByteCount({ selector, dataLength, count }: FourByteCount): [string, number] {
  return [`${encodeData(selector)}-${dataLength}`, count];
}

function encodePrestate(accounts: readonly PrestateAccount[]): PrestateJson {
  return Object.fromEntries(accounts.map((account) => [encodeData(account.address), encodePrestateAccount(account)]));
}

function encodePrestateAccount({ balance, code, codeHash, nonce, storage }: PrestateAccount): PrestateAccountJson {
  return {
    ...(balance === undefined ? {} : { balance: encodeQuantity(balance) }),
    ...(code === undefined ? {} : { code: encodeData(code) }),
    ...(codeHash === undefined ? {} : { codeHash: encodeData(codeHash) }),
    ...(nonce === undefined ? {} : { nonce: Number(nonce) }),
    ...(storage === undefined
      ? {}
      : {
          storage: Object.fromEntries(
            storage.map(({ slot, value }) => [encodeData(slot), encodeData(padBytesLeft(value, 32))]),
          ),
        }),
  };
}

/** The text of {@link encodeGethTrace}; struct logs are made one by one. */
export function gethTraceText(trace: GethTrace): Text {
  if (trace.name === "muxTracer") {
    return objectText(trace.traces.map((part) => [part.name, gethTraceText(part)]));
  }
  if (trace.name === "callTracer" && trace.call !== undefined) return callFrameText(trace.call);
  if (trace.name === "flatCallTracer") return flatCallsText(trace.calls, trace.place);
  if (trace.name !== "structLogger") return wholeText(encodeGethTrace(trace));
  return structLoggerText(trace);
}

function* structLoggerText(trace: GethTrace & { readonly name: "structLogger" }): Generator<Piece | Pause> {
  const { gasUsed, failed, returnValue, logs } = trace;
  const dimensions = Object.entries(encodeDimensions(trace.dimensions)).map(([name, gas]) => `"${name}":${gas},`);
  yield `{"gas":${gasUsed},${dimensions.join("")}"failed":${failed},"returnValue":"${encodeData(returnValue)}","structLogs":`;
  yield* structLogsText(logs);
  yield "}";
}

/** The text of {@link encodeTransactionTrace}. */
export function transactionTraceText({ txHash, trace }: TransactionTrace): Text {
  return objectText([
    ["txHash", wholeText(encodeData(txHash))],
    ["result", gethTraceText(trace)],
  ]);
}
