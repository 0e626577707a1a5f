/**
 * The configuration object of debug_trace*: geth's TraceConfig. Unknown members are ignored, as in geth, but for those
 * that are nearly known.
 */
import { z } from "zod";
import { nameHint } from "../../primitives/validation/nearest-name.ts";
import { wordingOf } from "../../primitives/validation/schema-issue.ts";
import type { CallBundle, CallContext } from "../../services/simulate/debug/calls.ts";
import type { TraceCallsOptions, TraceOptions } from "../../services/simulate/debug/options.ts";
import { type NativeTracer, TRACER_FLAGS, TRACER_NAMES } from "../../services/simulate/debug/tracers.ts";
import { callObject } from "./call-object.ts";
import { namedMembers } from "./named-members.ts";
import { blockOverrides, stateOverrides } from "./overrides.ts";
import { blockId, integerOrQuantity } from "./primitives.ts";

const flag = z.boolean({ error: "expected true or false" }).nullish();

type TracerReader = (config: unknown, context: TracerContext) => NativeTracer;

/** By geth's name of a tracer: reads its `tracerConfig`. */
const TRACER_READERS: ReadonlyMap<string, TracerReader> = new Map([
  ...TRACER_FLAGS.map(([name, flags]) => [name, readerOfFlags(name, flags)] as const),
  ["muxTracer", (config, context) => ({ name: "muxTracer", tracers: muxTracers(config, context) })],
]);

function readerOfFlags(name: NativeTracer["name"], flags: readonly string[]): TracerReader {
  if (flags.length === 0) return () => ({ name }) as NativeTracer;
  const schema = namedMembers(z.object(Object.fromEntries(flags.map((member) => [member, flag]))));
  return (config, context) => {
    const members = parsed(schema, config, context);
    return {
      name,
      options: Object.fromEntries(flags.map((member) => [member, members[member] ?? false])),
    } as NativeTracer;
  };
}

/** Position of a tracer's configuration in the request, for errors. */
interface TracerContext {
  readonly path: readonly PropertyKey[];
  fail(issue: z.core.$ZodIssue): void;
}

/** Members of a `tracerConfig`; none if it is missing or malformed. */
function parsed<Members extends object>(
  schema: z.ZodType<Members>,
  config: unknown,
  context: TracerContext,
): Partial<Members> {
  const result = schema.safeParse(config ?? {}, { error: wordingOf });
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.fail({ ...issue, path: [...context.path, ...issue.path] });
  return {};
}

/** The reader of a native tracer's configuration; undefined if a request may not name it. */
const readerOf = (name: string): TracerReader | undefined =>
  TRACER_NAMES.includes(name) ? TRACER_READERS.get(name) : undefined;

/** `{ name: config, … }`, where each name is that of a native tracer. */
function muxTracers(config: unknown, context: TracerContext): NativeTracer[] {
  const members = parsed(z.record(z.string(), z.unknown()), config, context);
  return Object.entries(members).flatMap(([name, part]) => {
    const read = readerOf(name);
    if (read !== undefined) return [read(part, { ...context, path: [...context.path, name] })];
    const message = nameHint(name, TRACER_NAMES);
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
    const message = `expected one of ${TRACER_NAMES.join(", ")}, or the code of a tracer in JavaScript`;
    fail({ code: "invalid_value", values: [...TRACER_NAMES], message, path: ["tracer"], input: undefined });
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
    txIndex: txIndex ?? undefined,
    ...traceOptionsOf(config, context),
    ...(accounts == null && block == null
      ? {}
      : { overrides: { accounts: accounts ?? undefined, block: block ?? undefined } }),
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
