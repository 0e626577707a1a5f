/**
 * Where clients differ in more than a trace's shape: defaults, refusals and checks of the trace methods, by client
 * (trace formats §8). What differs inside a trace is the formats' business.
 */
import { type BlockId, LATEST, PENDING } from "../../../chain/archive/block-id.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { TraceClient } from "../../../tracer/formats/flat-errors.ts";
import { TRACE_TYPES, type TraceType } from "./results.ts";

export type { TraceClient };

export const TRACE_CLIENTS: readonly TraceClient[] = ["hindcast", "openethereum", "reth", "erigon"];

/** The behaviour of one client. The numbers are rows of the table. */
export interface ClientBehaviour {
  /** 12: with both address lists, a trace matches by both sides, and there is no `mode`. */
  readonly filterIsIntersection: boolean;
  /** 13 */
  readonly filterFromBlock: BlockId;
  /** 14: what a filter beyond the head is answered with. */
  readonly beyondHead: "clamp" | "null" | "error";
  /** 15: `trace_get` counts in the flat list instead of following the trace address. */
  readonly getsByPosition: boolean;
  /** 16 */
  readonly unknownBlockIsError: boolean;
  /** 17 */
  readonly callManyBlock: BlockId;
  /** 18: `trace_replayTransaction` names the transaction, as the collected schemas ask. */
  readonly replayNamesTransaction: boolean;
  /** 23 */
  readonly rawChecksNonce: boolean;
  /** 28: unknown names of trace types are passed over. */
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
