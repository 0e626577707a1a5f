/** Results of geth's tracers as JSON. */
import type { GasDimensions } from "../../../chainspec/transaction/receipt.ts";
import { padBytesLeft } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { once } from "../../../primitives/once.ts";
import { requireShape, shape } from "../../../primitives/validation/shape.ts";
import type { TracedChainBlock } from "../../../services/simulate/debug/chain-traces.ts";
import type { TransactionTrace } from "../../../services/simulate/debug/options.ts";
import type { GethTrace, StreamedTrace } from "../../../services/simulate/debug/tracers.ts";
import { callsOf, type PlacedCall } from "../../../tracer/formats/call-tracer.ts";
import type { FourByteCount } from "../../../tracer/formats/four-byte.ts";
import type { PrestateAccount } from "../../../tracer/formats/prestate.ts";
import type { GasDimensionsJson, GethTraceJson, PrestateAccountJson, PrestateJson } from "../../geth-trace-json.ts";
import type { TransactionTrace as TransactionTraceJson } from "../../wire-types.generated.ts";
import { encodeGasDimensions } from "../gas-dimensions.ts";
import { objectText, type Pause, type Text, wholeText } from "../stream/text.ts";
import { callFrameText, encodeCallFrame, encodeFlatCalls, flatCallsText } from "./call-frame.ts";
import { encodeStructLogs } from "./struct-log.ts";
import { structLogsText } from "./struct-log-text.ts";

type Members = Readonly<Record<string, unknown>>;

/** Also one that is read once. */
type AnyTrace = GethTrace | StreamedTrace;
type AnyTransactionTrace = Pick<TransactionTrace, "txHash"> & { readonly trace: AnyTrace };

/** The JSON of a tracer's results. */
interface TraceWriter<Trace> {
  /**
   * Whether a value that a program passed in as a trace has the members that the named tracer makes. A trace that is JSON
   * already lacks them.
   */
  holds(trace: Members): boolean;
  encode(trace: Trace): GethTraceJson;
  /** The text of the same, where that need not be made as a whole. */
  text?(trace: Trace): Text;
}

const WRITERS: { readonly [Name in AnyTrace["name"]]: TraceWriter<Extract<AnyTrace, { readonly name: Name }>> } = {
  structLogger: {
    holds: ({ logs, returnValue }) => isObject(logs) && returnValue instanceof Uint8Array,
    encode: ({ gasUsed, dimensions, failed, returnValue, logs }) => ({
      gas: Number(gasUsed),
      ...encodeDimensions(dimensions),
      failed,
      returnValue: encodeData(returnValue),
      structLogs: encodeStructLogs(logs),
    }),
    text: structLoggerText,
  },
  callTracer: {
    holds: ({ call }) => call === undefined || (isObject(call) && call.from instanceof Uint8Array),
    encode: (trace) => encodeCallFrame(placedCalls(trace)),
    text: (trace) => callFrameText(placedCalls(trace)),
  },
  flatCallTracer: {
    holds: ({ calls }) => areObjects(calls),
    encode: ({ calls, place }) => encodeFlatCalls(calls, place),
    text: ({ calls, place }) => flatCallsText(calls, place),
  },
  prestateTracer: {
    holds: ({ accounts }) =>
      areObjects(accounts) || (isObject(accounts) && areObjects(accounts.pre) && areObjects(accounts.post)),
    encode: ({ accounts }) =>
      "pre" in accounts
        ? { post: encodePrestate(accounts.post), pre: encodePrestate(accounts.pre) }
        : encodePrestate(accounts),
  },
  "4byteTracer": {
    holds: ({ counts }) => areObjects(counts),
    encode: ({ counts }) => Object.fromEntries(counts.map(encodeFourByteCount)),
  },
  keccak256PreimageTracer: {
    holds: ({ preimages }) => areObjects(preimages),
    encode: ({ preimages }) =>
      Object.fromEntries(preimages.map(({ hash, preimage }) => [encodeData(hash), encodeData(preimage)])),
  },
  noopTracer: { holds: () => true, encode: () => ({}) },
  stateGasTracer: {
    holds: ({ dimensions }) => isObject(dimensions),
    encode: ({ gasUsed, dimensions }) => ({ gasUsed: encodeQuantity(gasUsed), ...encodeGasDimensions(dimensions) }),
  },
  muxTracer: {
    holds: ({ traces }) => areObjects(traces),
    encode: ({ traces }) => Object.fromEntries(traces.map((part) => [part.name, encodeGethTrace(part)])),
    text: ({ traces }) => objectText(traces.map((part) => [part.name, gethTraceText(part)])),
  },
  script: { holds: () => true, encode: ({ value }) => value as Record<string, unknown> },
};

const writerOf = (name: AnyTrace["name"]): TraceWriter<AnyTrace> => WRITERS[name];

function placedCalls(trace: AnyTrace & { readonly name: "callTracer" }): Iterable<PlacedCall> {
  if ("calls" in trace) return trace.calls;
  return trace.call === undefined ? [] : callsOf(trace.call);
}

const gethTrace = once(() =>
  shape("what a tracer of node.debug gave", (trace) => {
    if (!isObject(trace) || typeof trace.name !== "string" || !Object.hasOwn(WRITERS, trace.name)) return false;
    return writerOf(trace.name as AnyTrace["name"]).holds(trace);
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
export function encodeGethTrace(trace: AnyTrace): GethTraceJson {
  requireShape(gethTrace(), trace, "trace");
  return writerOf(trace.name).encode(trace);
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
export function encodeTransactionTrace({ txHash, trace }: AnyTransactionTrace): TransactionTraceJson {
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
export function gethTraceText(trace: AnyTrace): Text {
  const { text } = writerOf(trace.name);
  return text === undefined ? wholeText(encodeGethTrace(trace)) : text(trace);
}

function* structLoggerText(trace: AnyTrace & { readonly name: "structLogger" }): Generator<string | Pause> {
  const { gasUsed, failed, returnValue, logs } = trace;
  const dimensions = Object.entries(encodeDimensions(trace.dimensions)).map(([name, gas]) => `"${name}":${gas},`);
  yield `{"gas":${gasUsed},${dimensions.join("")}"failed":${failed},"returnValue":"${encodeData(returnValue)}","structLogs":`;
  yield* structLogsText(logs);
  yield "}";
}

/** The text of {@link encodeTransactionTrace}. */
export function transactionTraceText({ txHash, trace }: AnyTransactionTrace): Text {
  return objectText([
    ["txHash", wholeText(encodeData(txHash))],
    ["result", gethTraceText(trace)],
  ]);
}

/** The result of one notification. */
export interface ChainTraceJson {
  block: Hex;
  hash: Hex;
  traces: (TransactionTraceJson | { error: string })[];
}

/** A block that cannot be traced has its error in place of its traces. */
export function encodeChainTrace({ block, traces, failure }: TracedChainBlock): ChainTraceJson {
  return {
    block: encodeQuantity(block.header.number),
    hash: encodeData(block.hash),
    traces: failure === undefined ? traces.map(encodeTransactionTrace) : [{ error: failure }],
  };
}

/** Each block's traces as JSON text. */
export async function* chainTraceTexts(blocks: AsyncIterable<TracedChainBlock>): AsyncGenerator<string> {
  for await (const block of blocks) yield JSON.stringify(encodeChainTrace(block));
}
