/**
 * Differences between clients beyond the shape of a trace: defaults, refusals and checks of the trace methods
 * (`docs/trace-formats.md`, section 8). Differences within a trace are in the formats.
 */
import { type BlockId, LATEST, PENDING } from "../../../chain/blocks/block-id.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { FeePolicy } from "../../../executor/transaction-checks.ts";
import { nameHint } from "../../../primitives/validation/nearest-name.ts";
import type { TraceClient } from "../../../tracer/formats/flat-errors.ts";
import { TRACE_TYPES, type TraceType } from "./results.ts";

export type { TraceClient };

/** Names that the option `traceClient` takes; the first is the default. */
export const TRACE_CLIENTS: readonly TraceClient[] = ["hindcast", "openethereum", "reth", "erigon"];

/** The behaviour of one client. */
export interface ClientBehaviour {
  /** If a filter has `fromAddress` and `toAddress`, a trace must match both, and `mode` is refused. */
  readonly filterIsIntersection: boolean;
  /** Default first block of a filter. */
  readonly filterFromBlock: BlockId;
  /** A filter whose range runs backwards matches nothing; elsewhere it is refused. */
  readonly takesBackwardRange: boolean;
  /** Answer to a filter whose range goes beyond the head. */
  readonly beyondHead: "clamp" | "null" | "error";
  /** `trace_get` takes a position in the flat list instead of a trace address. */
  readonly getsByPosition: boolean;
  /** `trace_block` answers an unknown block with an error instead of null. */
  readonly unknownBlockIsError: boolean;
  /** Default block of `trace_callMany`. */
  readonly callManyBlock: BlockId;
  /** The answer of `trace_replayTransaction` has the transaction hash, too. */
  readonly replayNamesTransaction: boolean;
  /** `trace_rawTransaction` refuses a transaction whose nonce is not the sender's next. */
  readonly rawChecksNonce: boolean;
  /** Fees of simulated calls; undefined for the protocol's rules. */
  readonly callFees: FeePolicy | undefined;
  /** Unknown names of trace types are ignored. */
  readonly ignoresUnknownTypes: boolean;
}

const EARLIEST: BlockId = { tag: "earliest" };

const HINDCAST: ClientBehaviour = {
  filterIsIntersection: false,
  filterFromBlock: EARLIEST,
  takesBackwardRange: false,
  beyondHead: "clamp",
  getsByPosition: false,
  unknownBlockIsError: false,
  callManyBlock: LATEST,
  replayNamesTransaction: true,
  rawChecksNonce: false,
  callFees: undefined,
  ignoresUnknownTypes: false,
};

const BEHAVIOURS: Readonly<Record<TraceClient, ClientBehaviour>> = {
  hindcast: HINDCAST,
  openethereum: {
    ...HINDCAST,
    filterIsIntersection: true,
    filterFromBlock: LATEST,
    takesBackwardRange: true,
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
    callFees: "waived",
  },
  erigon: { ...HINDCAST, callFees: "bailOut" },
};

/** The behaviour of a client. */
export function behaviourOf(client: TraceClient): ClientBehaviour {
  return BEHAVIOURS[client];
}

/**
 * The trace types in a request.
 *
 * @param place - of the list in the request, such as `params[1]`
 * @throws {InvalidParamsError} `UNKNOWN_TRACE_TYPE` in the client's words and with its number
 */
export function traceTypesOf(names: Iterable<string>, client: TraceClient, place: string): ReadonlySet<TraceType> {
  const types = new Set<TraceType>();
  for (const [index, name] of [...names].entries()) {
    const type = TRACE_TYPES.find((known) => known === name);
    if (type !== undefined) types.add(type);
    else if (!BEHAVIOURS[client].ignoresUnknownTypes) throw unknownType(name, client, `${place}[${index}]`);
  }
  return types;
}

function unknownType(name: string, client: TraceClient, place: string): InvalidParamsError {
  const help = { where: `It is ${place}.`, fix: nameHint(String(name), TRACE_TYPES) };
  if (client === "erigon") {
    return new InvalidParamsError({
      code: "UNKNOWN_TRACE_TYPE",
      what: `unrecognized trace type: ${name}`,
      rpcCode: -32000,
      ...help,
    });
  }
  return new InvalidParamsError({ code: "UNKNOWN_TRACE_TYPE", what: `unknown trace type: ${name}`, ...help });
}
