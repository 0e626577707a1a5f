/**
 * The configuration object of debug_trace*: geth's TraceConfig. Unknown members are ignored, as in geth, but for those
 * that are nearly known.
 */
import { z } from "zod";
import { nameHint } from "../../primitives/shapes/nearest-name.ts";
import { wordingOf } from "../../primitives/shapes/schema-issue.ts";
import type { CallBundle, CallContext } from "../../services/simulate/debug/calls.ts";
import type { TraceCallsOptions, TraceOptions } from "../../services/simulate/debug/options.ts";
import type { NativeTracer } from "../../services/simulate/debug/tracers.ts";
import { NATIVE_TRACERS } from "../../tracer/native-tracers.ts";
import { callObject } from "./call-object.ts";
import { namedMembers } from "./named-members.ts";
import { blockOverrides, stateOverrides } from "./overrides.ts";
import { blockId, integerOrQuantity } from "./primitives.ts";

const flag = z.boolean({ error: "expected true or false" }).nullish();

const callTracerConfig = namedMembers(z.object({ onlyTopCall: flag, withLog: flag }));
const flatCallTracerConfig = namedMembers(z.object({ convertParityErrors: flag, includePrecompiles: flag }));
const prestateTracerConfig = namedMembers(
  z.object({ diffMode: flag, disableCode: flag, disableStorage: flag, includeEmpty: flag }),
);

type TracerName = (typeof NATIVE_TRACERS)[number];
type TracerReader<Tracer> = (config: unknown, context: TracerContext) => Tracer;

/** By geth's name of a tracer: reads its `tracerConfig`. */
const TRACER_READERS: { readonly [Name in TracerName]: TracerReader<Extract<NativeTracer, { name: Name }>> } = {
  callTracer: (config, context) => ({
    name: "callTracer",
    options: parsed(callTracerConfig, config, context, ({ onlyTopCall, withLog }) => ({
      onlyTopCall: onlyTopCall ?? false,
      withLog: withLog ?? false,
    })),
  }),
  flatCallTracer: (config, context) => ({
    name: "flatCallTracer",
    options: parsed(flatCallTracerConfig, config, context, ({ convertParityErrors, includePrecompiles }) => ({
      convertParityErrors: convertParityErrors ?? false,
      includePrecompiles: includePrecompiles ?? false,
    })),
  }),
  prestateTracer: (config, context) => ({
    name: "prestateTracer",
    options: parsed(prestateTracerConfig, config, context, (options) => ({
      diffMode: options.diffMode ?? false,
      disableCode: options.disableCode ?? false,
      disableStorage: options.disableStorage ?? false,
      includeEmpty: options.includeEmpty ?? false,
    })),
  }),
  "4byteTracer": () => ({ name: "4byteTracer" }),
  noopTracer: () => ({ name: "noopTracer" }),
  stateGasTracer: () => ({ name: "stateGasTracer" }),
  muxTracer: (config, context) => ({ name: "muxTracer", tracers: muxTracers(config, context) }),
};

/** Position of a tracer's configuration in the request, for errors. */
interface TracerContext {
  readonly path: readonly PropertyKey[];
  fail(issue: z.core.$ZodIssue): void;
}

/** Options parsed from a `tracerConfig`; defaults if it is missing or malformed. */
function parsed<Schema extends z.ZodType, Options>(
  schema: Schema,
  config: unknown,
  context: TracerContext,
  toOptions: (members: z.output<Schema>) => Options,
): Options {
  const result = schema.safeParse(config ?? {}, { error: wordingOf });
  if (result.success) return toOptions(result.data);
  for (const issue of result.error.issues) context.fail({ ...issue, path: [...context.path, ...issue.path] });
  return toOptions({} as z.output<Schema>);
}

/** The reader of a native tracer's configuration; undefined if the name is that of none. */
function readerOf(name: string): TracerReader<NativeTracer> | undefined {
  const known = NATIVE_TRACERS.find((tracer) => tracer === name);
  return known === undefined ? undefined : TRACER_READERS[known];
}

/** `{ name: config, … }`, where each name is that of a native tracer. */
function muxTracers(config: unknown, context: TracerContext): NativeTracer[] {
  const members = parsed(z.record(z.string(), z.unknown()), config, context, (record) => record);
  return Object.entries(members).flatMap(([name, part]) => {
    const read = readerOf(name);
    if (read !== undefined) return [read(part, { ...context, path: [...context.path, name] })];
    const message = nameHint(name, NATIVE_TRACERS);
    context.fail({ code: "unrecognized_keys", keys: [name], message, path: [...context.path] });
    return [];
  });
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

/** A duration in Go's form: numbers with units, such as "5s", "1m30s" or "300ms". Gives milliseconds. */
const duration = z
  .string({ error: 'expected a duration such as "5s"' })
  .regex(/^(?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+$/, {
    error: 'expected a duration such as "5s", "1m30s" or "300ms"',
  })
  .transform((text) => {
    let total = 0;
    for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|μs|ms|s|m|h)/g)) {
      total += Number(amount) * (UNIT_MS[unit as string] as number);
    }
    return total;
  });

/** Names of some of these in other clients, and in earlier versions of geth. */
const IGNORED = ["disableMemory", "disableReturnData"];

/** All members of geth's configuration, each optional. */
const traceConfigMembers = z.object(
  {
    enableMemory: flag,
    disableStack: flag,
    disableStorage: flag,
    enableReturnData: flag,
    limit: integerOrQuantity.nullish(),
    tracer: z.string({ error: "expected the name of a tracer, or its code" }).nullish(),
    tracerConfig: z.unknown().optional(),
    timeout: duration.nullish(),
  },
  { error: "expected a configuration object" },
);

/** The tracer and time limit of a parsed configuration. */
function traceOptionsOf(
  config: z.output<typeof traceConfigMembers>,
  context: z.core.$RefinementCtx,
): Omit<TraceOptions, "signal"> {
  const fail = (issue: z.core.$ZodIssue): void => {
    context.issues.push({ ...issue, input: config } as z.core.$ZodRawIssue);
  };
  const timeoutMs = config.timeout ?? undefined;
  if (config.tracer == null || config.tracer === "") {
    const { enableMemory, disableStack, disableStorage, enableReturnData, limit } = config;
    const options = {
      enableMemory: enableMemory ?? false,
      disableStack: disableStack ?? false,
      disableStorage: disableStorage ?? false,
      enableReturnData: enableReturnData ?? false,
      limit: limit ?? 0,
    };
    return { tracer: { name: "structLogger", options }, timeoutMs };
  }
  const read = readerOf(config.tracer);
  if (read !== undefined) return { tracer: read(config.tracerConfig, { path: ["tracerConfig"], fail }), timeoutMs };
  if (/^[\w-]+$/.test(config.tracer)) {
    const message = `expected one of ${NATIVE_TRACERS.join(", ")}, or the code of a tracer in JavaScript`;
    fail({ code: "invalid_value", values: [...NATIVE_TRACERS], message, path: ["tracer"], input: undefined });
  }
  // Any other name is the code of a JavaScript tracer, as in geth.
  return {
    tracer: { name: "script", code: config.tracer, config: JSON.stringify(config.tracerConfig ?? {}) },
    timeoutMs,
  };
}

/** The configuration of debug_traceCall and debug_traceCallMany: also the state and overrides for the calls. */
export const traceCallConfig = namedMembers(
  traceConfigMembers.extend({
    stateOverrides: stateOverrides.nullish(),
    blockOverrides: blockOverrides.nullish(),
    txIndex: integerOrQuantity.nullish(),
  }),
  { ignored: IGNORED },
).transform((config, context): Omit<TraceCallsOptions, "signal" | "block"> => {
  const { stateOverrides: accounts, blockOverrides: block, txIndex } = config;
  return {
    ...traceOptionsOf(config, context),
    ...(accounts == null && block == null
      ? {}
      : { overrides: { accounts: accounts ?? undefined, block: block ?? undefined } }),
    txIndex: txIndex ?? undefined,
  };
});

/** Bundles of calls: `[{ transactions, blockOverride? }, …]`. */
export const callBundles = z.array(
  namedMembers(
    z.object(
      {
        transactions: z.array(callObject, { error: "expected an array of call objects" }),
        blockOverride: blockOverrides.nullish(),
      },
      { error: "expected a bundle of transactions" },
    ),
  ).transform(
    ({ transactions, blockOverride }): CallBundle => ({ calls: transactions, block: blockOverride ?? undefined }),
  ),
  { error: "expected an array of bundles" },
);

/** `{ blockNumber?, transactionIndex? }`; an index of -1 means all transactions. */
export const stateContext = namedMembers(
  z.object(
    {
      blockNumber: blockId.nullish(),
      transactionIndex: z.union([z.literal(-1), z.literal("-1"), integerOrQuantity]).nullish(),
    },
    { error: "expected a state context" },
  ),
).transform(
  ({ blockNumber, transactionIndex: index }): Pick<CallContext, "block" | "txIndex"> => ({
    block: blockNumber ?? undefined,
    txIndex: typeof index === "number" && index >= 0 ? index : undefined,
  }),
);

/** The configuration of debug_traceTransaction and debug_traceBlock*. */
export const traceConfig = namedMembers(traceConfigMembers, { ignored: IGNORED }).transform(traceOptionsOf);
