/** JSON of shared chains. */
import { encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { ForwardedAnswer } from "../../sharing/shared-chain.ts";
import { encodePositionJson, type PositionJson } from "../../sharing/wire.ts";
import { ANYTHING, BOOLEAN, INTEGER, named, object, orNull, TEXT } from "../openrpc/json-schema.ts";
import { DATA, HASH, QUANTITY } from "../openrpc/primitives.ts";
import type { ForwardedOutcome, SharingStatus } from "./port.ts";

const position = object({ incarnation: DATA, sequence: QUANTITY, hash: HASH });

/** Of `hindcast_status`. */
export const sharingStatusSchema = named("SharingStatus", () =>
  object({
    role: TEXT,
    sequence: orNull(QUANTITY),
    incarnation: orNull(DATA),
    behind: orNull(QUANTITY),
    epoch: orNull(QUANTITY),
    writer: orNull(TEXT),
    follows: BOOLEAN,
    problem: orNull(TEXT),
  }),
);
/** Of `hindcast_stream`. */
export const streamSchema = object({
  head: position,
  position: orNull(position),
  entries: INTEGER,
  description: orNull(TEXT),
});
/** Of `hindcast_streamBase`. */
export const streamBaseSchema = object({ base: QUANTITY, position, bytes: INTEGER });
/** Of `hindcast_forward`. */
export const forwardedSchema = object(
  { position },
  { result: ANYTHING, error: object({ name: TEXT, code: INTEGER, message: TEXT }, { data: ANYTHING }) },
);

/** The answer of `hindcast_status`. */
export interface SharingStatusJson {
  readonly role: "alone" | "writer" | "reader" | "standby";
  readonly sequence: Hex | null;
  readonly incarnation: Hex | null;
  /** Number of the writer's entries that a reader does not have yet. */
  readonly behind: Hex | null;
  /** Number of the writer's term, of a chain in PostgreSQL. */
  readonly epoch: Hex | null;
  readonly writer: string | null;
  readonly follows: boolean;
  readonly problem: string | null;
}

/** The answer of `hindcast_forward`. */
export interface ForwardedJson {
  readonly position: PositionJson;
  readonly result?: unknown;
  readonly error?: {
    readonly name: string;
    readonly code: number;
    readonly message: string;
    readonly data?: unknown;
  };
}

/** Of a node that neither shares nor follows, all is null. */
export function encodeSharingStatus(status: SharingStatus | undefined): SharingStatusJson {
  if (status === undefined) {
    const nothing = { sequence: null, incarnation: null, behind: null, epoch: null, writer: null, problem: null };
    return { role: "alone", ...nothing, follows: false };
  }
  const { role, writerSequence, writer, problem } = status;
  const { sequence, incarnation } = encodePositionJson(status.position);
  const ahead = writerSequence - status.position.sequence;
  const behind = role === "writer" ? null : encodeQuantity(ahead > 0n ? ahead : 0n);
  const follows = role !== "writer" && problem === undefined;
  const epoch = status.epoch === undefined ? null : encodeQuantity(status.epoch);
  return { role, sequence, incarnation, behind, epoch, writer: writer ?? null, follows, problem: problem ?? null };
}

/** An error as the client of the reader gets it, and the name of its code. */
export function encodeForwarded({ position: after, answer }: ForwardedAnswer<ForwardedOutcome>): ForwardedJson {
  const place = encodePositionJson(after);
  if (!("error" in answer)) return { position: place, result: answer.result };
  const { code, rpcCode, rpcMessage, rpcData } = answer.error;
  const data = rpcData === undefined ? {} : { data: rpcData };
  return { position: place, error: { name: code, code: rpcCode, message: rpcMessage, ...data } };
}
