/**
 * Where clients differ in more than a trace's shape: defaults, refusals and checks of the trace methods, by client
 * (`docs/trace-formats.md`, section 8). The formats themselves know what differs inside a trace.
 */
import { type BlockId, LATEST, PENDING } from "../../../chain/archive/block-id.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { TraceClient } from "../../../tracer/formats/flat-errors.ts";
import { TRACE_TYPES, type TraceType } from "./results.ts";

export type { TraceClient };

export const TRACE_CLIENTS: readonly TraceClient[] = ["hindcast", "openethereum", "reth", "erigon"];

/** The behaviour of one client. */
export interface ClientBehaviour {
  /** With both address lists, a trace matches by both sides, and there is no `mode`. */
  readonly filterIsIntersection: boolean;
  /** Where a filter begins that does not say. */
  readonly filterFromBlock: BlockId;
  /** Answer to a filter that goes beyond the head. */
  readonly beyondHead: "clamp" | "null" | "error";
  /** `trace_get` counts in the flat list instead of following the trace address. */
  readonly getsByPosition: boolean;
  /** Of `trace_block`. */
  readonly unknownBlockIsError: boolean;
  /** The block of `trace_callMany` where none is given. */
  readonly callManyBlock: BlockId;
  /** `trace_replayTransaction` names the transaction, as the collected schemas ask. */
  readonly replayNamesTransaction: boolean;
  /** Of `trace_rawTransaction`. */
  readonly rawChecksNonce: boolean;
  /** Unknown names of trace types are passed over. */
  readonly ignoresUnknownTypes: boolean;
}

const EARLIEST: BlockId = { tag: "earliest" };

const HINDCAST: ClientBehaviour = {
  filterIsIntersection: false,
  filterFromBlock: EARLIEST,
  beyondHead: "clamp",
  getsByPosition: false,
  unknownBlockIsError: false,
  callManyBlock: LATEST,
  replayNamesTransaction: true,
  rawChecksNonce: false,
  ignoresUnknownTypes: false,
};

const BEHAVIOURS: Readonly<Record<TraceClient, ClientBehaviour>> = {
  hindcast: HINDCAST,
  openethereum: {
    ...HINDCAST,
    filterIsIntersection: true,
    filterFromBlock: LATEST,
    beyondHead: "null",
    replayNamesTransaction: false,
    ignoresUnknownTypes: true,
  },
  reth: {
    ...HINDCAST,
    beyondHead: "error",
    getsByPosition: true,
    unknownBlockIsError: true,
    callManyBlock: PENDING,
    replayNamesTransaction: false,
    rawChecksNonce: true,
  },
  erigon: HINDCAST,
};

/** What a client does. */
export function behaviourOf(client: TraceClient): ClientBehaviour {
  return BEHAVIOURS[client];
}

/**
 * The trace types that a request names.
 *
 * @throws {InvalidParamsError} `UNKNOWN_TRACE_TYPE` in the client's words and with its number
 */
export function traceTypesOf(names: Iterable<string>, client: TraceClient): ReadonlySet<TraceType> {
  const types = new Set<TraceType>();
  for (const name of names) {
    const type = TRACE_TYPES.find((known) => known === name);
    if (type !== undefined) types.add(type);
    else if (!BEHAVIOURS[client].ignoresUnknownTypes) throw unknownType(name, client);
  }
  return types;
}

function unknownType(name: string, client: TraceClient): InvalidParamsError {
  if (client === "erigon") {
    return new InvalidParamsError({
      code: "UNKNOWN_TRACE_TYPE",
      what: `unrecognized trace type: ${name}`,
      rpcCode: -32000,
    });
  }
  return new InvalidParamsError({ code: "UNKNOWN_TRACE_TYPE", what: `unknown trace type: ${name}` });
}
