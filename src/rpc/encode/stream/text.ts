/**
 * JSON text in pieces, for results that are too long to be held in memory as a whole.
 *
 * A text encoder gives exactly the text that `JSON.stringify` makes of the plain encoder's value; tests compare the
 * two.
 */

import { LimitError } from "../../../errors/hindcast-error.ts";
import { type AbortState, AbortSwitch } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { toHexDigits } from "../../../primitives/platform/encodings.ts";
import { giveBackOfThread } from "../../../primitives/platform/give-back.ts";
import { nextShare } from "../../../primitives/platform/turns.ts";

/** A promise that must resolve before the next piece is made. It adds nothing to the text. */
export type Pause = Promise<void>;

/**
 * Pieces of one JSON text, in order. They are made during iteration, which is possible once; the consumer awaits each
 * pause.
 */
export type Text = Iterable<string | Pause>;

/** A value as one piece. */
export function* wholeText(value: unknown): Generator<string> {
  yield JSON.stringify(value);
}

/** A text between two others. */
export function* enclosed(head: string, text: Text, tail: string): Generator<string | Pause> {
  yield head;
  yield* text;
  yield tail;
}

/** A JSON array; each item is made when it is written. */
export function* listText<Value>(values: Iterable<Value>, encode: (value: Value) => Text): Generator<string | Pause> {
  let separator = "[";
  for (const value of values) {
    yield separator;
    yield* encode(value);
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

/** A JSON object whose members are texts, in this order; undefined ones are left out. */
export function* objectText(
  members: readonly (readonly [name: string, text: Text] | undefined)[],
): Generator<string | Pause> {
  yield* mapText(
    members.filter((member) => member !== undefined),
    (member) => member,
  );
}

/** A JSON object with a member for each value, which is made when it is written. No two have the same name. */
export function* mapText<Value>(
  values: Iterable<Value>,
  encode: (value: Value) => readonly [name: string, text: Text],
): Generator<string | Pause> {
  let separator = "{";
  for (const value of values) {
    const [name, text] = encode(value);
    yield `${separator}${JSON.stringify(name)}:`;
    yield* text;
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

/** The members of a value as {@link objectText} takes them, with the texts of some in place of their values. */
export function membersText(json: object, texts: Readonly<Record<string, Text>>): [name: string, text: Text][] {
  return Object.entries(json).map(([name, value]) => [name, texts[name] ?? valueText(value)]);
}

/** A value as JSON text. A long string is written in parts, and neither copied nor encoded at once. */
export function valueText(json: unknown): Text {
  if (typeof json === "string" && json.length > WHOLE_LENGTH.alone) return longText(json);
  return [JSON.stringify(json ?? null)];
}

/** Bytes as quoted DATA. A long text is written in parts. */
export function* dataText(bytes: Bytes): Generator<string> {
  yield '"0x';
  for (let start = 0; start < bytes.length; start += CHUNK_LENGTH / 2) {
    yield toHexDigits(bytes.subarray(start, start + CHUNK_LENGTH / 2));
  }
  yield '"';
}

/** A pair of surrogates that is parted is escaped, which means the same. */
function* longText(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; start += CHUNK_LENGTH) {
    yield JSON.stringify(text.slice(start, start + CHUNK_LENGTH)).slice(1, -1);
  }
  yield '"';
}

/** Length from which on strings are passed on together, in UTF-16 units: the size of one write to the socket. */
const CHUNK_LENGTH = 64 * 1024;
/** Longest time in milliseconds for which making pieces may block the event loop. */
const SLICE_MS = 5;

/**
 * Longest text that is sent whole, in UTF-16 units: of a single answer, of one in a batch, of a batch, and of one
 * whose notifications have to precede it. The limits are lower for batches because their answers wait for each other. A
 * client takes longer to read a text that arrives in pieces.
 */
export const WHOLE_LENGTH = {
  alone: 1024 * 1024,
  inBatch: CHUNK_LENGTH,
  batch: 2 * CHUNK_LENGTH,
  held: 256 * CHUNK_LENGTH,
} as const;

/** The same text as an array of pieces if it is at most this long. */
export function settled(text: Text, wholeLength: number): Text {
  if (Array.isArray(text)) return text;
  const pieces = text[Symbol.iterator]();
  const made: string[] = [];
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

/** Not a generator: `return()` of a generator that was not started does not run its `finally`. */
function resumed(made: readonly (string | Pause)[], rest: Iterator<string | Pause>): Text {
  let taken = 0;
  const iterator: Iterator<string | Pause> = {
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

/** Discards a text that will not be read. */
export function dropText(text: Text): void {
  if (!Array.isArray(text)) text[Symbol.iterator]().return?.();
}

/** Reads the text of an answer. As a signal it aborts with the request, and when the text ends or is discarded. */
export class TextReader extends AbortSwitch {
  /** The same text, whose end or discarding aborts this signal if anybody listens to it. */
  read(text: Text): Text {
    return this.isHeard ? this.#readToEnd(text) : text;
  }

  *#readToEnd(text: Text): Generator<string | Pause> {
    try {
      yield* text;
    } finally {
      this.abort(new Error("The answer is no longer read."));
    }
  }
}

/** The reader of a text that is made while it is read, and the time that making it may take. */
export interface Pace {
  /** Aborts when nobody reads it any more. */
  readonly signal: AbortState;
  /** Milliseconds of making the text; the reader's own time does not count. */
  readonly timeoutMs: number;
}

/**
 * The same text in few large pieces. Yields to the event loop between them.
 *
 * @throws the signal's reason when it aborts; {LimitError} `EXECUTION_TIMEOUT`
 */
export async function* pacedText(pieces: Text, pace: Pace): AsyncGenerator<string, void, undefined> {
  const release = giveBackOfThread().hold();
  try {
    yield* piecesAtPace(pieces, pace);
  } finally {
    release();
  }
}

async function* piecesAtPace(pieces: Text, { signal, timeoutMs }: Pace): AsyncGenerator<string, void, undefined> {
  let waiting = "";
  let count = 0;
  let sliceStart = performance.now();
  let makingSince = sliceStart;
  let leftMs = timeoutMs;
  const stopMaking = (): void => {
    leftMs -= performance.now() - makingSince;
    if (leftMs < 0) throw answerTookTooLong(timeoutMs);
    signal.throwIfAborted();
  };
  for (const piece of pieces) {
    if (piece instanceof Promise) {
      stopMaking();
      await piece;
      signal.throwIfAborted();
      makingSince = performance.now();
      continue;
    }
    waiting += piece;
    const isChunk = waiting.length >= CHUNK_LENGTH;
    if (isChunk) {
      stopMaking();
      yield waiting;
      waiting = "";
      makingSince = performance.now();
    }
    // Reading the clock for every short piece would cost more than making most of them.
    if ((isChunk || (++count & 63) === 0) && performance.now() - sliceStart > SLICE_MS) {
      stopMaking();
      await nextShare();
      signal.throwIfAborted();
      sliceStart = performance.now();
      makingSince = sliceStart;
    }
  }
  if (waiting !== "") yield waiting;
}

function answerTookTooLong(timeoutMs: number): LimitError {
  return new LimitError({
    code: "EXECUTION_TIMEOUT",
    what: `Writing the answer took longer than the limit of ${timeoutMs} ms.`,
    fix: "Ask for less, such as a trace with disableStorage, without memory or with limit, or raise the limit with --trace-timeout.",
    data: { limit: timeoutMs, flag: "--trace-timeout" },
  });
}
