/**
 * JSON text in pieces, for results that are too long to be held whole.
 *
 * A text encoder gives character for character what `JSON.stringify` makes of the plain encoder's value; tests compare
 * the two.
 */

import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { concatBytes } from "../../../primitives/bytes/bytes.ts";
import { fromUtf8, toUtf8 } from "../../../primitives/platform/encodings.ts";
import { nextTurn } from "../../../primitives/platform/turns.ts";
import type { PieceReader } from "../../../services/simulate/replay/second-run.ts";

/** Part of a JSON text; as bytes where it was written as such: turning a long text into bytes takes as long as making it. */
export type Piece = string | Bytes;

/** What the next piece has to wait for. No part of the text. */
export type Pause = Promise<void>;

/** Pieces of one JSON text, in order. Made while they are iterated, once; whoever iterates waits at every pause. */
export type Text = Iterable<Piece | Pause>;

/** A piece as a string. */
export function pieceText(piece: Piece): string {
  if (typeof piece === "string") return piece;
  return toUtf8(piece);
}

/** A whole value as one piece. */
export function* wholeText(value: unknown): Generator<string> {
  yield JSON.stringify(value);
}

/** An array of which each item is made when its turn comes. */
export function* listText<Value>(values: Iterable<Value>, encode: (value: Value) => Text): Generator<Piece | Pause> {
  let separator = "[";
  for (const value of values) {
    yield separator;
    yield* encode(value);
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

/** An object whose members are texts, in this order; undefined ones are left out. */
export function* objectText(
  members: readonly (readonly [name: string, text: Text] | undefined)[],
): Generator<Piece | Pause> {
  let separator = "{";
  for (const member of members) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(member[0])}:`;
    yield* member[1];
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

/** Length from which strings are passed on together, in UTF-16 units: as much as goes into one write. */
const CHUNK_LENGTH = 64 * 1024;
/** How long making pieces may keep the event loop to itself, in milliseconds. */
const SLICE_MS = 10;

/** Length up to which a text is better off as a string: it leaves in one write with what stands before it. */
const STRING_LENGTH = 4 * 1024;

/** Pieces as one text; bytes stay bytes where there are many. */
export function joined(pieces: readonly Piece[]): Piece {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= STRING_LENGTH || pieces.every((piece) => typeof piece === "string"))
    return pieces.map(pieceText).join("");
  return concatBytes(...pieces.map((piece) => (typeof piece === "string" ? fromUtf8(piece) : piece)));
}

/**
 * How long a text may be to be sent in one go, in UTF-16 units or bytes: the only answer to a request, and one of a batch,
 * whose answers wait for each other. Sent piece by piece, a text of 200 KB takes its reader twice as long.
 */
export const WHOLE_LENGTH = { alone: 1024 * 1024, inBatch: CHUNK_LENGTH } as const;

/** The same text as an array of pieces where it is not longer than that. */
export function settled(text: Text, wholeLength: number): Text {
  if (Array.isArray(text)) return text;
  const pieces = text[Symbol.iterator]();
  const made: Piece[] = [];
  let length = 0;
  while (length < wholeLength) {
    const next = pieces.next();
    if (next.done === true) return made;
    if (next.value instanceof Promise) return resumed([...made, next.value], pieces);
    made.push(next.value);
    length += next.value.length;
  }
  return resumed(made, pieces);
}

/** No generator, since one that was never started does not hear when nobody wants the rest. */
function resumed(made: readonly (Piece | Pause)[], rest: Iterator<Piece | Pause>): Text {
  let taken = 0;
  const iterator: Iterator<Piece | Pause> = {
    next: () => {
      const value = made[taken++];
      return value === undefined ? rest.next() : { value };
    },
    return: () => {
      taken = made.length;
      return rest.return?.() ?? { value: undefined, done: true };
    },
  };
  return { [Symbol.iterator]: () => iterator };
}

/** Lets go of a text that nobody is going to read. */
export function dropText(text: Text): void {
  if (!Array.isArray(text)) text[Symbol.iterator]().return?.();
}

/** Whoever reads a text, for those who make it meanwhile. */
export class TextReader implements PieceReader {
  readonly #listeners: (() => void)[] = [];

  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The same text; when it has ended, or is not read any more, listeners are told. */
  read(text: Text): Text {
    return this.#listeners.length === 0 ? text : this.#reading(text);
  }

  *#reading(text: Text): Generator<Piece | Pause> {
    try {
      yield* text;
    } finally {
      for (const listener of this.#listeners) listener();
    }
  }
}

/**
 * The same text in few large pieces, the event loop having its turn in between.
 *
 * @throws the signal's reason when it aborts
 */
export async function* pacedText(pieces: Text, signal: AbortState): AsyncGenerator<Piece, void, undefined> {
  let waiting = "";
  let count = 0;
  let sliceStart = performance.now();
  for (const piece of pieces) {
    if (piece instanceof Promise) {
      await piece;
      signal.throwIfAborted();
      continue;
    }
    const isLong = typeof piece !== "string" && piece.length >= CHUNK_LENGTH;
    if (isLong) {
      signal.throwIfAborted();
      if (waiting !== "") yield waiting;
      waiting = "";
      yield piece;
    } else waiting += pieceText(piece);
    // A clock reading for every short piece would cost more than most of them.
    if ((isLong || (++count & 63) === 0) && performance.now() - sliceStart > SLICE_MS) {
      await nextTurn();
      signal.throwIfAborted();
      sliceStart = performance.now();
    }
    if (waiting.length < CHUNK_LENGTH) continue;
    signal.throwIfAborted();
    yield waiting;
    waiting = "";
  }
  if (waiting !== "") yield waiting;
}
