/** JSON of the stream: of positions, entries and chunks, for both ends. */
import { decodeData, decodeQuantity, encodeData, encodeQuantity, type Hex } from "../primitives/bytes/hex.ts";
import type { BaseAnswer, StreamAnswer } from "./shared-chain.ts";
import type { StreamPosition } from "./stream-position.ts";

/** A place in the stream. */
export interface PositionJson {
  readonly incarnation: Hex;
  readonly sequence: Hex;
  readonly hash: Hex;
}

/** The answer of `hindcast_stream`. */
export interface StreamJson {
  readonly head: PositionJson;
  /** The place after the last entry; null if the reader has to begin from a base. */
  readonly position: PositionJson | null;
  readonly entries: readonly Hex[];
  readonly description: string | null;
}

/** The answer of `hindcast_streamBase`. */
export interface BaseJson {
  readonly base: Hex;
  readonly position: PositionJson;
  readonly entries: Hex;
}

/** A position as JSON. */
export function encodePositionJson({ incarnation, sequence, hash }: StreamPosition): PositionJson {
  return { incarnation: encodeData(incarnation), sequence: encodeQuantity(sequence), hash: encodeData(hash) };
}

/** The position of its JSON. @throws {TypeError} for anything else */
export function decodePositionJson({ incarnation, sequence, hash }: PositionJson): StreamPosition {
  return { incarnation: decodeData(incarnation), sequence: decodeQuantity(sequence), hash: decodeData(hash) };
}

/** Of `hindcast_stream`. */
export function encodeStreamJson({ part, head, description }: StreamAnswer): StreamJson {
  return {
    head: encodePositionJson(head),
    position: part === undefined ? null : encodePositionJson(part.position),
    entries: part === undefined ? [] : part.payloads.map(encodeData),
    description: description ?? null,
  };
}

/** Of `hindcast_streamBase`. */
export function encodeBaseJson({ id, position, payload }: BaseAnswer): BaseJson {
  return { base: encodeQuantity(id), position: encodePositionJson(position), entries: encodeData(payload) };
}
