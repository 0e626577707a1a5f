/** Arguments of the methods of `node.debug`. */
import { z } from "zod";
import { once } from "../../primitives/once.ts";
import { bounds, bytes, count, membersOf, someOf } from "../../primitives/validation/shape.ts";
import {
  address,
  blockId,
  bundles,
  call,
  callContext,
  hash,
  structLogOptions,
  tracer,
} from "../../services/simulate/argument-shapes.ts";
import type { CallContext } from "../../services/simulate/debug/calls.ts";
import type { DebugService } from "../../services/simulate/debug/debug.ts";
import type { TraceBounds, TraceCallsOptions, TraceOptions } from "../../services/simulate/debug/options.ts";
import type {
  AccountAfterRequest,
  AccountRangeRequest,
  InspectOptions,
  StateInspector,
  StoragePart,
  StorageRangeRequest,
} from "../../services/simulate/debug/state.ts";
import type { StructLogOptions } from "../../tracer/formats/struct-log.ts";
import type { RecordingRequest } from "../../tracer/recording.ts";
import { header } from "./chain.ts";
import { type ArgumentTable, promise, value } from "./for-programs.ts";

/** Bounds of streams are not checked, because only this library gives them. */
const ofTrace = once(() => ({
  options: someOf<TraceOptions>({ ...bounds(), tracer: tracer() }).optional(),
  streamed: z.unknown(),
}));
const ofCall = once(() => ({
  options: someOf<TraceCallsOptions>({ ...callContext(), tracer: tracer() }).optional(),
  streamed: z.unknown(),
}));
const ofState = once(() => ({ options: someOf<InspectOptions>({ signal: bounds().signal }).optional() }));

const ofRecording = once(() => {
  const flag = z.boolean();
  return {
    request: someOf<RecordingRequest>({
      logs: flag,
      accesses: flag,
      steps: flag,
      memory: flag,
      maxBytes: count(),
    }).optional(),
    options: someOf<TraceBounds>(bounds()).optional(),
  };
});

const ofStorage = once(() => ({ address: address(), start: bytes(), limit: count() }));
const storagePart = (): z.ZodType => membersOf<StoragePart>(ofStorage());
const storageRange = (): z.ZodType => membersOf<StorageRangeRequest>({ txIndex: count(), ...ofStorage() });
const accountAfter = (): z.ZodType => membersOf<AccountAfterRequest>({ txIndex: count(), address: address() });

const accountRange = (): z.ZodType => {
  const flag = z.boolean();
  return someOf<AccountRangeRequest>({
    start: bytes(),
    limit: count(),
    withoutCode: flag,
    withoutStorage: flag,
    withUnnamed: flag,
  }).optional();
};

/** A block object of a node; not checked in depth, because nobody writes one by hand. */
const block = (): z.ZodType =>
  z.object(
    { hash: hash(), header: header(), transactions: z.array(z.unknown()) },
    "expected a block such as node.head",
  );

/** Shapes by method and argument name. `promise` methods reject for a wrong argument, `value` methods throw at once. */
export const DEBUG_ARGUMENTS: ArgumentTable<DebugService> = {
  traceTransaction: promise(() => ({ hash: hash(), ...ofTrace() })),
  recordTransaction: promise(() => ({ hash: hash(), ...ofRecording() })),
  eachStructLog: value(() => ({
    hash: hash(),
    options: someOf<StructLogOptions & TraceBounds>({ ...structLogOptions(), ...bounds() }).optional(),
  })),
  recordBlock: value(() => ({ block: block(), ...ofRecording() })),
  traceBlock: promise(() => ({ id: blockId(), ...ofTrace() })),
  traceRawBlock: promise(() => ({ bytes: bytes(), ...ofTrace() })),
  traceCall: promise(() => ({ call: call(), ...ofCall() })),
  traceCallMany: promise(() => ({ bundles: bundles(), ...ofCall() })),
  callMany: promise(() => ({ bundles: bundles(), context: someOf<CallContext>(callContext()).optional() })),
};

/** The same for the members of `node.debug` that read states. */
export const STATE_ARGUMENTS: ArgumentTable<StateInspector> = {
  storageRange: promise(() => ({ id: blockId(), request: storageRange(), ...ofState() })),
  storageAfter: promise(() => ({ id: blockId(), part: storagePart(), ...ofState() })),
  accountAfter: promise(() => ({ id: blockId(), request: accountAfter(), ...ofState() })),
  accountRange: promise(() => ({ id: blockId(), request: accountRange(), ...ofState() })),
  modifiedAccounts: promise(() => ({ from: blockId(), to: blockId().optional(), ...ofState() })),
  intermediateRoots: promise(() => ({ id: blockId(), ...ofState() })),
};
