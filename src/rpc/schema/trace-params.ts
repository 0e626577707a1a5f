/** Params of the trace_* methods. */
import { z } from "zod";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Overrides } from "../../services/simulate/call/overridden-view.ts";
import type { TraceClient } from "../../services/simulate/trace/client.ts";
import type { TraceFilter } from "../../services/simulate/trace/filter.ts";
import type { TraceCallOptions } from "../../services/simulate/trace/trace.ts";
import { callObject } from "./call-object.ts";
import { checkParams, type Param } from "./check-params.ts";
import { namedMembers } from "./named-members.ts";
import { blockOverrides, stateOverrides } from "./overrides.ts";
import { address, blockNumberOrTag, integerOrQuantity } from "./primitives.ts";

/** Names of trace types; duplicates are allowed. Each trace client checks the names itself. */
export const traceTypes = z.array(z.string({ error: "expected a trace type" }), {
  error: "expected an array of trace types",
});

/** A pair of trace_callMany whose trace types are not checked yet. */
export interface NamedCall {
  readonly call: CallRequest;
  readonly types: readonly string[];
}

/** The list of `[call, types]` pairs of trace_callMany. */
export const tracedCalls = z.array(
  z
    .tuple([callObject, traceTypes], { error: "expected a pair of call object and trace types" })
    .transform(([call, types]): NamedCall => ({ call, types })),
  { error: "expected an array of [call, types] pairs" },
);

/** A step of a trace address: a number, a QUANTITY, or decimal digits. */
const traceIndex = z.union(
  [
    integerOrQuantity,
    z
      .string()
      .regex(/^[0-9]{1,15}$/)
      .transform(Number),
  ],
  {
    error: 'expected an index such as "0x0" or 0',
  },
);

/** Positions of calls among those of their caller, from the outermost call down. */
export const traceAddress = z.array(traceIndex, { error: 'expected an array of indexes such as ["0x0"]' });

const addresses = z.array(address, { error: "expected an array of addresses" });

/** The parameter of `trace_filter`. Unknown members are refused, as in OpenEthereum. */
export const traceFilter = z
  .strictObject(
    {
      fromBlock: blockNumberOrTag.nullish(),
      toBlock: blockNumberOrTag.nullish(),
      fromAddress: addresses.nullish(),
      toAddress: addresses.nullish(),
      mode: z.enum(["union", "intersection"], { error: 'expected "union" or "intersection"' }).nullish(),
      after: integerOrQuantity.nullish(),
      count: integerOrQuantity.nullish(),
    },
    { error: (issue) => (issue.code === "unrecognized_keys" ? undefined : "expected a filter object") },
  )
  .transform((filter): Partial<TraceFilter> => {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== null);
    return Object.fromEntries(given);
  });

const erigonConfig = namedMembers(
  z.object(
    { includePrecompiles: z.boolean({ error: "expected true or false" }).nullish() },
    { error: "expected a trace configuration" },
  ),
);

/**
 * A parameter after the block: state overrides, unless the trace client expects something else. See {@link
 * extraParams}.
 */
export const stateOverridesOrConfig = z.unknown();
/** Checked after it is clear what the parameter before it was. */
export const laterBlockOverrides = z.unknown();

const OVERRIDES: readonly Param[] = [
  { name: "stateOverrides", schema: stateOverrides, fallback: { value: undefined } },
  { name: "blockOverrides", schema: blockOverrides, fallback: { value: undefined } },
];
const ERIGON_CONFIG: readonly Param[] = [{ name: "traceConfig", schema: erigonConfig, fallback: { value: undefined } }];

/**
 * The params after the block of trace_call and similar methods, in the form of each trace client: state and block
 * overrides, Erigon's configuration, or none for OpenEthereum.
 *
 * @param first - position of the first of them in the request
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function extraParams(
  client: TraceClient,
  extras: readonly unknown[],
  first: number,
): Pick<TraceCallOptions, "overrides" | "includePrecompiles"> {
  const given = extras.slice(0, extras.findLastIndex((extra) => extra !== undefined && extra !== null) + 1);
  if (client === "openethereum" && given.length > 0) {
    const what = `params: expected at most ${first} values, got ${first + given.length}.`;
    throw new InvalidParamsError({ code: "INVALID_PARAMS", what });
  }
  if (client === "erigon") {
    const [config] = checkParams(ERIGON_CONFIG, given, { first }) as [z.output<typeof erigonConfig> | undefined];
    return { includePrecompiles: config?.includePrecompiles ?? false };
  }
  const [accounts, block] = checkParams(OVERRIDES, given, { first }) as [Overrides["accounts"], Overrides["block"]];
  return accounts === undefined && block === undefined ? {} : { overrides: { accounts, block } };
}
