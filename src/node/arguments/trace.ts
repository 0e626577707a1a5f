/** What the methods of `node.trace` take. */
import {
  anything,
  bytes,
  count,
  flag,
  listOf,
  membersOf,
  oneOf,
  optional,
  type Shape,
  shape,
  someOf,
} from "../../primitives/shape.ts";
import {
  address,
  blockId,
  bounds,
  call,
  hash,
  overrides,
  traceTypes,
} from "../../services/simulate/argument-shapes.ts";
import type { TraceCallOptions, TracedCall, TraceRunOptions, TraceService } from "../../services/simulate/trace.ts";
import type { TraceFilter } from "../../services/simulate/trace-filter.ts";
import { type ArgumentTable, promise, value } from "./checked.ts";

const options: Shape = optional(someOf<TraceRunOptions>(bounds));
const callOptions: Shape = optional(
  someOf<TraceCallOptions>({ ...bounds, block: blockId, overrides, includePrecompiles: flag }),
);
/** Of this library's own making. */
const reader = anything;

const filter: Shape = optional(
  someOf<TraceFilter>({
    fromBlock: blockId,
    toBlock: blockId,
    fromAddress: listOf(address),
    toAddress: listOf(address),
    mode: oneOf("union", "intersection"),
    after: count,
    count,
  }),
);

export const TRACE_ARGUMENTS: ArgumentTable<TraceService> = {
  typesOf: value({
    names: shape("a list of names", (names) => typeof names === "object" && names !== null && Symbol.iterator in names),
  }),
  block: promise({ id: blockId, options }),
  transaction: promise({ hash, options }),
  get: promise({ hash, path: listOf(count), options }),
  filter: promise({ request: filter, options }),
  eachMatch: value({ request: filter, options }),
  call: promise({ call, types: traceTypes, options: callOptions, reader }),
  callMany: promise({
    calls: listOf(membersOf<TracedCall>({ call, types: traceTypes })),
    options: callOptions,
    reader,
  }),
  rawTransaction: promise({ bytes: bytes(), types: traceTypes, options: callOptions, reader }),
  replayTransaction: promise({ hash, types: traceTypes, options, reader }),
  replayBlock: promise({ id: blockId, types: traceTypes, options, reader }),
};
