/**
 * Reads one JSON text that comes in parts, within limits.
 *
 * Each character is looked at once, for brackets, commas and quotation marks alone. What fits in a piece goes to a parser as
 * it is; of a list or object that is longer, runs of whole items go there, so that no call takes long. Whether a text is
 * JSON is for the parser to say: `JSON.parse` gives the same value for the whole, or an error too.
 */
import { type JsonLimits, tooDeep, tooLongValue, tooManyValues } from "./json-limits.ts";
import { OpenContainer } from "./open-container.ts";

export interface JsonReaderOptions {
  readonly limits: JsonLimits;
  /** Reads a short JSON text; default `JSON.parse`. */
  readonly parse?: ((text: string) => unknown) | undefined;
  /** Whether a member of the outermost object is read; others are passed over. Default: all are. */
  readonly wants?: ((name: string) => boolean) | undefined;
  /** Characters from which on a list or an object is read in runs; default 32,768. */
  readonly pieceLength?: number | undefined;
}

const PIECE_LENGTH = 32 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST_START = 0x5b;
const LIST_END = 0x5d;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;

export class JsonReader {
  readonly #limits: JsonLimits;
  readonly #parse: (text: string) => unknown;
  readonly #wants: ((name: string) => boolean) | undefined;
  readonly #pieceLength: number;
  /** Brackets that are open. */
  readonly #brackets: number[] = [];
  /** Where in the whole text each of them stands. */
  readonly #starts: number[] = [];
  /** The outermost of them, which are read in runs; before them, what holds the one value of the text. */
  readonly #opened: OpenContainer[] = [new OpenContainer(false)];
  /** The run that is read: characters of earlier parts, and where it begins in the whole text. */
  readonly #parts: string[] = [];
  #runStart = 0;
  /** Last comma between two items of the run; before {@link #runStart} where there is none. */
  #lastComma = -1;
  /** Where the present part begins in the whole text. */
  #offset = 0;
  /** Where the present text, or number, began. */
  #tokenStart = 0;
  #values = 1;
  #isInText = false;
  #isEscaped = false;
  /** Brackets that were open when the member that is passed over began. */
  #skippedFrom: number | undefined;

  constructor({ limits, parse = JSON.parse, wants, pieceLength = PIECE_LENGTH }: JsonReaderOptions) {
    this.#limits = limits;
    this.#parse = parse;
    this.#wants = wants;
    this.#pieceLength = pieceLength;
  }

  /**
   * Takes the next part.
   *
   * @throws {SyntaxError} where it cannot be JSON
   * @throws {LimitError} `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`, `JSON_VALUE_TOO_LONG`
   */
  push(part: string): void {
    let index = 0;
    while (index < part.length) {
      index = this.#isInText ? this.#endOfText(part, index) : this.#nextOutside(part, index);
    }
    this.#endPart(part);
  }

  /**
   * The value, once all parts are there.
   *
   * @throws {SyntaxError} where it ends too early
   */
  end(): unknown {
    const [root] = this.#opened;
    if (this.#brackets.length > 0 || this.#isInText || root === undefined) throw new SyntaxError("it ends too early");
    root.finish(this.#takeRun(this.#offset, ""), this.#parse);
    return root.only;
  }

  /** The index behind the text, or the part's end. */
  #endOfText(part: string, start: number): number {
    let index = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      index++;
    }
    for (;;) {
      const quote = part.indexOf('"', index);
      const end = quote < 0 ? part.length : quote;
      let backslashes = 0;
      while (end - backslashes > index && part.charCodeAt(end - backslashes - 1) === BACKSLASH) backslashes++;
      const isEscaped = backslashes % 2 === 1;
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return part.length;
      }
      index = quote + 1;
      if (isEscaped) continue;
      this.#isInText = false;
      this.#noteToken(this.#offset + index);
      return index;
    }
  }

  /** The index behind the next character that matters, or the part's end. */
  #nextOutside(part: string, start: number): number {
    for (let index = start; index < part.length; index++) {
      switch (part.charCodeAt(index)) {
        case QUOTE:
          this.#noteToken(this.#offset + index);
          this.#isInText = true;
          return index + 1;
        case COMMA:
          this.#separate(part, this.#offset + index);
          break;
        case LIST_START:
          this.#begin(LIST_END, this.#offset + index);
          break;
        case OBJECT_START:
          this.#begin(OBJECT_END, this.#offset + index);
          break;
        case LIST_END:
          this.#close(part, LIST_END, this.#offset + index);
          break;
        case OBJECT_END:
          this.#close(part, OBJECT_END, this.#offset + index);
          break;
      }
    }
    return part.length;
  }

  /** Something begins or ends here: what came before it was of that length at most. */
  #noteToken(at: number): void {
    if (at - this.#tokenStart > this.#limits.length) throw tooLongValue(this.#limits);
    this.#tokenStart = at;
  }

  #countValue(): void {
    if (this.#skippedFrom === undefined && ++this.#values > this.#limits.values) throw tooManyValues(this.#limits);
  }

  #begin(end: number, at: number): void {
    this.#noteToken(at);
    if (this.#brackets.length >= this.#limits.depth) throw tooDeep(this.#limits);
    this.#brackets.push(end);
    this.#starts.push(at);
    this.#countValue();
  }

  #separate(part: string, at: number): void {
    this.#noteToken(at);
    this.#countValue();
    if (this.#brackets.length + 1 !== this.#opened.length || this.#skippedFrom !== undefined) return;
    const container = this.#container;
    if (container.awaitsComma) {
      container.continue(this.#takeRun(at, part));
      this.#startRun(at + 1);
    } else this.#lastComma = at;
  }

  #close(part: string, end: number, at: number): void {
    this.#noteToken(at);
    if (this.#brackets.pop() !== end) throw new SyntaxError(`a bracket is closed that was not open`);
    this.#starts.pop();
    if (this.#skippedFrom !== undefined) this.#endSkipping(at);
    else if (this.#brackets.length + 2 === this.#opened.length) this.#finish(part, at);
  }

  #endSkipping(at: number): void {
    if (this.#brackets.length !== this.#skippedFrom) return;
    this.#skippedFrom = undefined;
    this.#container.skipped();
    this.#startRun(at + 1);
  }

  /** The end of a list or an object that was read in runs. */
  #finish(part: string, at: number): void {
    const container = this.#container;
    container.finish(this.#takeRun(at, part), this.#parse);
    this.#opened.pop();
    this.#container.add(container.value);
    this.#startRun(at + 1);
  }

  get #container(): OpenContainer {
    return this.#opened.at(-1) as OpenContainer;
  }

  #startRun(at: number): void {
    this.#parts.length = 0;
    this.#runStart = at;
    this.#lastComma = -1;
  }

  /** The run up to a place in the part. What is behind stays. */
  #takeRun(end: number, part: string): string {
    const run = this.#parts.join("") + part.slice(Math.max(0, this.#runStart - this.#offset));
    const length = end - this.#runStart;
    this.#parts.length = 0;
    return run.slice(0, length);
  }

  /** Keeps what is not read yet, and reads what is long enough. */
  #endPart(part: string): void {
    const end = this.#offset + part.length;
    if (end - this.#tokenStart > this.#limits.length) throw tooLongValue(this.#limits);
    if (this.#skippedFrom === undefined) {
      if (this.#runStart < end) this.#parts.push(part.slice(Math.max(0, this.#runStart - this.#offset)));
      this.#readRuns(end);
    }
    this.#offset = end;
  }

  #readRuns(end: number): void {
    while (this.#skippedFrom === undefined && end - this.#runStart > this.#pieceLength) {
      const depth = this.#opened.length - 1;
      const next = this.#starts[depth];
      if (this.#lastComma >= this.#runStart) this.#readItems();
      else if (next !== undefined && end - next > this.#pieceLength) this.#open(next, end);
      else return;
    }
  }

  /** Reads the whole items of the run. */
  #readItems(): void {
    const run = this.#parts.join("");
    const length = this.#lastComma - this.#runStart;
    this.#container.addItems(run.slice(0, length), this.#parse);
    this.#startRun(this.#lastComma + 1);
    this.#parts.push(run.slice(length + 1));
  }

  /** From here on the list or object that begins at `start` is read in runs. */
  #open(start: number, end: number): void {
    const run = this.#parts.join("");
    const length = start - this.#runStart;
    const container = this.#container;
    const name = container.beginItem(run.slice(0, length), this.#parse);
    if (this.#opened.length === 2 && name !== undefined && this.#wants?.(name) === false) {
      this.#skippedFrom = this.#opened.length - 1;
      this.#startRun(end);
      return;
    }
    this.#opened.push(new OpenContainer(this.#brackets[this.#opened.length - 1] === OBJECT_END));
    this.#startRun(start + 1);
    this.#parts.push(run.slice(length + 1));
    this.#findLastComma(run.slice(length + 1));
  }

  /** The last comma between two items of a run that was looked through for another container's. */
  #findLastComma(run: string): void {
    let depth = 0;
    let isInText = false;
    for (let index = 0; index < run.length; index++) {
      const code = run.charCodeAt(index);
      if (isInText) {
        if (code === BACKSLASH) index++;
        else if (code === QUOTE) isInText = false;
      } else if (code === QUOTE) isInText = true;
      else if (code === LIST_START || code === OBJECT_START) depth++;
      else if (code === LIST_END || code === OBJECT_END) depth--;
      else if (code === COMMA && depth === 0) this.#lastComma = this.#runStart + index;
    }
  }
}
