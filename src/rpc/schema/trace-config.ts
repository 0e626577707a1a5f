/** The configuration object of debug_trace*: geth's TraceConfig. Unknown members are ignored, as in geth. */
import {
  anything,
  boolean,
  either,
  listOf,
  type OutputOf,
  oneOf,
  Problem,
  type Schema,
  string,
  text,
} from "../../primitives/schema.ts";
import { entriesOf, object } from "../../primitives/schema-objects.ts";
import type { CallBundle, CallContext } from "../../services/simulate/debug-calls.ts";
import type { TraceCallsOptions, TraceOptions } from "../../services/simulate/debug-options.ts";
import type { NativeTracer } from "../../services/simulate/debug-tracers.ts";
import { callObject } from "./call-object.ts";
import { blockOverrides, stateOverrides } from "./overrides.ts";
import { blockId, INTEGER_SHAPE, integerOrQuantity } from "./primitives.ts";

/** True or false; without it false. */
const flag = boolean()
  .nullish()
  .to((value) => value ?? false);

/** By geth's name, the tracer that a `tracerConfig` makes. */
const NATIVE_TRACERS: Readonly<Record<string, Schema<NativeTracer>>> = {
  callTracer: object({ onlyTopCall: flag, withLog: flag }).to((options) => ({ name: "callTracer", options })),
  flatCallTracer: object({ convertParityErrors: flag, includePrecompiles: flag }).to((options) => ({
    name: "flatCallTracer",
    options,
  })),
  prestateTracer: object({ diffMode: flag, disableCode: flag, disableStorage: flag, includeEmpty: flag }).to(
    (options) => ({ name: "prestateTracer", options }),
  ),
  "4byteTracer": anything.to(() => ({ name: "4byteTracer" })),
  noopTracer: anything.to(() => ({ name: "noopTracer" })),
  muxTracer: entriesOf(anything).to(muxTracer),
};

/** What makes a tracer of geth's by its name; names such as `__proto__` are nobody's. */
function nativeTracer(name: string): Schema<NativeTracer> | undefined {
  return Object.hasOwn(NATIVE_TRACERS, name) ? NATIVE_TRACERS[name] : undefined;
}

/** `{ name: config, … }`, each name a tracer of geth's. */
function muxTracer(members: readonly [name: string, config: unknown][]): NativeTracer | Problem {
  const tracers: NativeTracer[] = [];
  for (const [name, config] of members) {
    const schema = nativeTracer(name);
    if (schema === undefined) return new Problem(`expected one of ${Object.keys(NATIVE_TRACERS).join(", ")}`, [name]);
    const tracer = schema.read(config ?? {});
    if (tracer instanceof Problem) return tracer.under(name);
    tracers.push(tracer);
  }
  return { name: "muxTracer", tracers };
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const DURATION = /^(?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** Go's duration: numbers with units, such as "5s", "1m30s" or "300ms". Gives milliseconds. */
const duration = text(
  'expected a duration such as "5s"',
  (words) => {
    if (!DURATION.test(words)) return new Problem('expected a duration such as "5s", "1m30s" or "300ms"');
    let total = 0;
    for (const [, amount, unit] of words.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|μs|ms|s|m|h)/g)) {
      total += Number(amount) * (UNIT_MS[unit as string] as number);
    }
    return total;
  },
  { pattern: DURATION.source },
);

const members = {
  enableMemory: flag,
  disableStack: flag,
  disableStorage: flag,
  enableReturnData: flag,
  limit: integerOrQuantity.nullish(),
  tracer: string("expected the name of a tracer, or its code").nullish(),
  tracerConfig: anything,
  timeout: duration.nullish(),
};
const configMembers = object(members, "expected a configuration object");

/** What tracer and time limit the members ask for. */
function traceOptionsOf(config: OutputOf<typeof configMembers>): Omit<TraceOptions, "signal"> | Problem {
  const { tracer: name, tracerConfig, timeout: timeoutMs } = config;
  if (name === undefined || name === "") {
    const { enableMemory, disableStack, disableStorage, enableReturnData, limit } = config;
    const options = { enableMemory, disableStack, disableStorage, enableReturnData, limit: limit ?? 0 };
    return { tracer: { name: "structLogger", options }, timeoutMs };
  }
  const native = nativeTracer(name);
  // Any other name is the code of a tracer, as in geth.
  if (native === undefined) {
    return { tracer: { name: "script", code: name, config: JSON.stringify(tracerConfig ?? {}) }, timeoutMs };
  }
  const tracer = native.read(tracerConfig ?? {});
  return tracer instanceof Problem ? tracer.under("tracerConfig") : { tracer, timeoutMs };
}

/** The configuration of debug_traceTransaction and debug_traceBlock*. */
export const traceConfig = configMembers.to(traceOptionsOf);

/** The configuration of debug_traceCall and debug_traceCallMany: also what the calls run on. */
export const traceCallConfig = object(
  {
    ...members,
    stateOverrides: stateOverrides.nullish(),
    blockOverrides: blockOverrides.nullish(),
    txIndex: integerOrQuantity.nullish(),
  },
  "expected a configuration object",
).to((config): Omit<TraceCallsOptions, "signal" | "block"> | Problem => {
  const { stateOverrides: accounts, blockOverrides: block, txIndex } = config;
  const options = traceOptionsOf(config);
  if (options instanceof Problem) return options;
  return {
    ...options,
    ...(accounts === undefined && block === undefined ? {} : { overrides: { accounts, block } }),
    txIndex,
  };
});

/** Bundles of calls: `[{ transactions, blockOverride? }, …]`. */
export const callBundles = listOf(
  object(
    {
      transactions: listOf(callObject, "expected an array of call objects"),
      blockOverride: blockOverrides.nullish(),
    },
    "expected a bundle of transactions",
  ).to(({ transactions, blockOverride }): CallBundle => ({ calls: transactions, block: blockOverride })),
  "expected an array of bundles",
);

/** A position, or -1 in either spelling for all transactions: none. */
const bundleIndex = either([oneOf([-1, "-1"]), integerOrQuantity], (value) =>
  Number.isInteger(value) ? INTEGER_SHAPE : "expected another value",
).to((index) => (typeof index === "number" && index >= 0 ? index : undefined));

/** `{ blockNumber?, transactionIndex? }`; an index of -1 means all transactions. */
export const stateContext = object(
  { blockNumber: blockId.nullish(), transactionIndex: bundleIndex.nullish() },
  "expected a state context",
).to(
  ({ blockNumber, transactionIndex }): Pick<CallContext, "block" | "txIndex"> => ({
    block: blockNumber,
    txIndex: transactionIndex,
  }),
);
