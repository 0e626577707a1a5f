/** What the methods of `node.debug` take. */
import {
  anything,
  bytes,
  count,
  flag,
  listOf,
  membersOf,
  optional,
  type Shape,
  shape,
  signal,
  someOf,
} from "../../primitives/shape.ts";
import {
  address,
  blockId,
  bounds,
  bundles,
  call,
  callContext,
  hash,
  structLogOptions,
  tracer,
} from "../../services/simulate/argument-shapes.ts";
import type { DebugService } from "../../services/simulate/debug.ts";
import type { CallContext } from "../../services/simulate/debug-calls.ts";
import type { TraceBounds, TraceCallsOptions, TraceOptions } from "../../services/simulate/debug-options.ts";
import type { AccountRangeRequest, InspectOptions, StorageRangeRequest } from "../../services/simulate/debug-state.ts";
import type { StructLogOptions } from "../../tracer/formats/struct-log.ts";
import type { RecordingRequest } from "../../tracer/recording.ts";
import { header } from "./chain.ts";
import { type ArgumentTable, promise, value } from "./checked.ts";

const options: Shape = optional(someOf<TraceOptions>({ ...bounds, tracer }));
const callOptions: Shape = optional(someOf<TraceCallsOptions>({ ...callContext, tracer }));
const boundsAlone: Shape = optional(someOf<TraceBounds>(bounds));
const signalAlone: Shape = optional(someOf<InspectOptions>({ signal }));
const recording: Shape = optional(
  someOf<RecordingRequest>({ logs: flag, accesses: flag, steps: flag, memory: flag, maxBytes: count }),
);
/** Of this library's own making. */
const reader = anything;

const accountRange: Shape = optional(
  someOf<AccountRangeRequest>({
    start: bytes(),
    limit: count,
    withoutCode: flag,
    withoutStorage: flag,
    withUnnamed: flag,
  }),
);

/** A block of a node's own: too much to be written by hand. */
const block: Shape = (given, path) => {
  shape("a block such as node.head", (it) => typeof it === "object" && it !== null)(given, path);
  const members = given as Readonly<Record<string, unknown>>;
  hash(members.hash, `${path}.hash`);
  header(members.header, `${path}.header`);
  listOf(anything)(members.transactions, `${path}.transactions`);
};

export const DEBUG_ARGUMENTS: ArgumentTable<DebugService> = {
  traceTransaction: promise({ hash, options, reader }),
  recordTransaction: promise({ hash, request: recording, options: boundsAlone }),
  eachStructLog: value({
    hash,
    options: optional(someOf<StructLogOptions & TraceBounds>({ ...structLogOptions, ...bounds })),
  }),
  recordBlock: value({ block, request: recording, options: boundsAlone }),
  traceBlock: promise({ id: blockId, options, reader }),
  traceRawBlock: promise({ bytes: bytes(), options, reader }),
  traceCall: promise({ call, options: callOptions, reader }),
  traceCallMany: promise({ bundles, options: callOptions, reader }),
  callMany: promise({ bundles, context: optional(someOf<CallContext>(callContext)) }),
  storageRange: promise({
    id: blockId,
    request: membersOf<StorageRangeRequest>({ txIndex: count, address, start: bytes(), limit: count }),
    options: signalAlone,
  }),
  accountRange: promise({ id: blockId, request: accountRange, options: signalAlone }),
  modifiedAccounts: value({ from: blockId, to: optional(blockId) }),
  intermediateRoots: promise({ id: blockId, options: signalAlone }),
};
