/**
 * JSON of the stream, for both ends. The entries themselves are binary messages before the answer: as text they are twice
 * as long, and of a block of hundreds of transactions V8 collects garbage for little else.
 */
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
  /** Number of the entries, each a binary message before this one. */
  readonly entries: number;
  readonly description: string | null;
}

/** The answer of `hindcast_streamBase`. */
export interface BaseJson {
  readonly base: Hex;
  readonly position: PositionJson;
  /** Bytes of its entries, a binary message before this one; 0 after the last chunk. */
  readonly bytes: number;
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
    entries: part === undefined ? 0 : part.payloads.length,
    description: description ?? null,
  };
}

/** Of `hindcast_streamBase`. */
export function encodeBaseJson({ id, position, payload }: BaseAnswer): BaseJson {
  return { base: encodeQuantity(id), position: encodePositionJson(position), bytes: payload.length };
}

/** A place as the methods between nodes take it. */
export function positionParam(position: StreamPosition): Readonly<Record<string, string>> {
  return { ...encodePositionJson(position) };
}
