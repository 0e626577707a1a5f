/**
 * Finds where values begin and end in a JSON text, without parsing them. A compiler's output has a hundred megabytes, of
 * which a user needs a few kilobytes.
 */
import type { Bytes } from "../bytes/bytes.ts";

/** Bytes of a text from `start` to before `end`. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** Handling of a value: its members are looked at, its place is reported, or neither. Only objects have members. */
export type SpanChoice = "enter" | "report" | "skip";

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACE = 0x20;

/** Reads one text whose value is an object, in chunks of UTF-8. */
export class JsonSpans {
  readonly #choose: (path: readonly string[]) => SpanChoice;
  readonly #report: (path: readonly string[], span: JsonSpan) => void;
  /** Names of the members that are entered, and last the one whose value is read. */
  readonly #path: string[] = [];
  /** Number of bytes in the chunks before this one. */
  #before = 0;
  #state: "start" | "name" | "colon" | "value" | "inside" | "end" = "start";
  /** Bytes of a name so far; undefined outside of names. */
  #name: number[] | undefined;
  /** The value that is passed over: where it began, brackets that are open in it, and whether it is reported. */
  #start = 0;
  #open = 0;
  #isReported = false;
  #isInText = false;
  #isEscaped = false;

  /**
   * @param choose - decides by the names of the members that lead to a value
   * @param report - is called with the same names, which it must copy to keep them
   */
  constructor(
    choose: (path: readonly string[]) => SpanChoice,
    report: (path: readonly string[], span: JsonSpan) => void,
  ) {
    this.#choose = choose;
    this.#report = report;
  }

  /** @throws {SyntaxError} if it is no JSON object. Text inside of values is not checked. */
  push(chunk: Bytes): void {
    for (let at = 0; at < chunk.length; ) {
      at = this.#state === "inside" ? this.#passOver(chunk, at) : this.#read(chunk, at);
    }
    this.#before += chunk.length;
  }

  /** @throws {SyntaxError} if the text is not finished */
  end(): void {
    if (this.#state !== "end") throw new SyntaxError("the JSON text ends too early");
  }

  /** Reads a byte between values, or in a name. Returns the index of the next one. */
  #read(chunk: Bytes, at: number): number {
    const byte = chunk[at] as number;
    if (this.#name !== undefined) this.#readName(this.#name, byte);
    else if (byte <= SPACE || (byte === COMMA && this.#state === "name")) return at + 1;
    else if (this.#state === "start" && byte === OPEN_OBJECT) this.#state = "name";
    else if (this.#state === "name" && byte === QUOTE) this.#name = [];
    else if (this.#state === "name" && byte === CLOSE_OBJECT) this.#leave();
    else if (this.#state === "colon" && byte === COLON) this.#state = "value";
    else if (this.#state === "value") return this.#begin(byte, at);
    else throw new SyntaxError(`unexpected byte 0x${byte.toString(16)} at ${this.#before + at} of the JSON text`);
    return at + 1;
  }

  #readName(name: number[], byte: number): void {
    if (byte !== QUOTE || this.#isEscaped) {
      this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
      name.push(byte);
      return;
    }
    this.#path.push(JSON.parse(`"${new TextDecoder().decode(Uint8Array.from(name))}"`) as string);
    this.#name = undefined;
    this.#state = "colon";
  }

  /** Begins a value at its first byte, which is read again unless the value is entered. */
  #begin(byte: number, at: number): number {
    const choice = this.#choose(this.#path);
    if (choice === "enter" && byte === OPEN_OBJECT) {
      this.#state = "name";
      return at + 1;
    }
    this.#state = "inside";
    this.#isReported = choice === "report";
    this.#start = this.#before + at;
    this.#open = 0;
    return at;
  }

  /** Ends the object whose members are read. */
  #leave(): void {
    this.#state = this.#path.length === 0 ? "end" : "name";
    this.#path.pop();
  }

  /** Passes over bytes of a value. Returns the index of the first one behind it, or the chunk's length. */
  #passOver(chunk: Bytes, from: number): number {
    let at = from;
    let { isInText, isEscaped, open } = { isInText: this.#isInText, isEscaped: this.#isEscaped, open: this.#open };
    for (; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open++;
      else if (open === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) {
        this.#endValue(this.#before + at);
        return at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) open--;
    }
    this.#isInText = isInText;
    this.#isEscaped = isEscaped;
    this.#open = open;
    return at;
  }

  #endValue(end: number): void {
    if (this.#isReported) this.#report(this.#path, { start: this.#start, end });
    this.#isInText = false;
    this.#isEscaped = false;
    this.#path.pop();
    this.#state = "name";
  }
}
