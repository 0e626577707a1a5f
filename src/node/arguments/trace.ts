/** Arguments of the methods of `node.trace`. */
import { z } from "zod";
import { once } from "../../primitives/once.ts";
import { bounds, bytes, count, listOf, membersOf, shape, someOf } from "../../primitives/validation/shape.ts";
import { address, blockId, call, hash, overrides, traceTypes } from "../../services/simulate/argument-shapes.ts";
import type { TraceBounds } from "../../services/simulate/debug/options.ts";
import type { TracedCall } from "../../services/simulate/trace/calls.ts";
import type { TraceFilter } from "../../services/simulate/trace/filter.ts";
import type { TraceCallOptions, TraceService } from "../../services/simulate/trace/trace.ts";
import { type ArgumentTable, promise, value } from "./for-programs.ts";

/** Bounds of streams are not checked, because only this library gives them. */
const ofRun = once(() => ({ options: someOf<TraceBounds>(bounds()).optional(), streamed: z.unknown() }));
const ofCall = once(() => ({
  options: someOf<TraceCallOptions>({
    ...bounds(),
    block: blockId(),
    overrides: overrides(),
    includePrecompiles: z.boolean(),
  }).optional(),
  streamed: z.unknown(),
}));

const ofFilter = once(() => ({
  request: someOf<TraceFilter>({
    fromBlock: blockId(),
    toBlock: blockId(),
    fromAddress: listOf(address()),
    toAddress: listOf(address()),
    mode: z.enum(["union", "intersection"]),
    after: count(),
    count: count(),
  }).optional(),
  ...ofRun(),
}));

const isList = (given: unknown): boolean => typeof given === "object" && given !== null && Symbol.iterator in given;

/** Shapes by method and argument name. `promise` methods reject for a wrong argument, `value` methods throw at once. */
export const TRACE_ARGUMENTS: ArgumentTable<TraceService> = {
  typesOf: value(() => ({ names: shape("a list of names", isList) })),
  block: promise(() => ({ id: blockId(), ...ofRun() })),
  transaction: promise(() => ({ hash: hash(), ...ofRun() })),
  get: promise(() => ({ hash: hash(), path: listOf(count()), ...ofRun() })),
  filter: promise(ofFilter),
  eachMatch: value(ofFilter),
  call: promise(() => ({ call: call(), types: traceTypes(), ...ofCall() })),
  callMany: promise(() => ({
    calls: listOf(membersOf<TracedCall>({ call: call(), types: traceTypes() })),
    ...ofCall(),
  })),
  rawTransaction: promise(() => ({ bytes: bytes(), types: traceTypes(), ...ofCall() })),
  replayTransaction: promise(() => ({ hash: hash(), types: traceTypes(), ...ofRun() })),
  replayBlock: promise(() => ({ id: blockId(), types: traceTypes(), ...ofRun() })),
};
