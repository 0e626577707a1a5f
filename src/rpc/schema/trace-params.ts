/** Params of the trace_* methods. */
import { z } from "zod";
import type { BlockId } from "../../chain/block-id.ts";
import { LATEST } from "../../chain/block-id.ts";
import type { TracedCall } from "../../services/simulate/trace.ts";
import type { TraceFilter } from "../../services/simulate/trace-filter.ts";
import { TRACE_TYPES, type TraceType } from "../../services/simulate/trace-results.ts";
import { callObject } from "./call-object.ts";
import { address, blockNumberOrTag, integerOrQuantity } from "./primitives.ts";

const EARLIEST: BlockId = { tag: "earliest" };

const traceType = z.string({ error: "expected a trace type" }).superRefine((name, context) => {
  if (!(TRACE_TYPES as readonly string[]).includes(name)) {
    context.addIssue({ code: "custom", message: `unknown trace type: ${name}; expected trace, vmTrace or stateDiff` });
  }
});

/** One or more of trace, vmTrace, stateDiff; duplicates are harmless. */
export const traceTypes = z
  .array(traceType, { error: "expected an array of trace types" })
  .transform((names): ReadonlySet<TraceType> => new Set(names as TraceType[]));

/** The list of `[call, types]` pairs of trace_callMany. */
export const tracedCalls = z.array(
  z
    .tuple([callObject, traceTypes], { error: "expected a pair of call object and trace types" })
    .transform(([call, types]): TracedCall => ({ call, types })),
  { error: "expected an array of [call, types] pairs" },
);

const addresses = z.array(address, { error: "expected an array of addresses" });

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
  .transform(
    (filter): TraceFilter => ({
      fromBlock: filter.fromBlock ?? EARLIEST,
      toBlock: filter.toBlock ?? LATEST,
      fromAddress: filter.fromAddress ?? [],
      toAddress: filter.toAddress ?? [],
      mode: filter.mode ?? "union",
      after: filter.after ?? 0,
      count: filter.count ?? undefined,
    }),
  );
