/**
 * Reads one JSON text that comes in parts, within limits.
 *
 * It scans each character once, for brackets, commas and quotation marks only. Arrays and objects that fit in a piece
 * go to `JSON.parse` as they are; of longer ones, runs of whole items do, so that no call takes long. `JSON.parse`
 * decides whether the text is valid, with the same result as for the whole text.
 *
 * It has over 300 lines, because all that scans shares the places in the text where containers and runs begin.
 */
import { type JsonLimits, tooDeep, tooLongValue, tooManyValues } from "./json-limits.ts";
import { isPlainText, type MemberMap, OpenContainer } from "./open-container.ts";

/** Limits of the reader, and its parser. */
export interface JsonReaderOptions {
  readonly limits: JsonLimits;
  /** The whole text, if the caller has it: long values are then cut out of it, and not put together from its parts. */
  readonly text?: string | undefined;
  /** Parses a short JSON text; default `JSON.parse`, which reads strings as it must. */
  readonly parse?: ((text: string) => unknown) | undefined;
  /** Whether a member of the outermost object is parsed; others are skipped. Default: all are parsed. */
  readonly wants?: ((name: string) => boolean) | undefined;
  /** Makes the value of an object of this name that is parsed in runs, which takes its members; default: an object. */
  readonly mapOf?: ((name: string) => MemberMap | undefined) | undefined;
  /** Length in characters from which on an array or an object is parsed in runs; default 32,768. */
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

/** Lives for one text: {@link push} for each part, then {@link end}. */
export class JsonReader {
  readonly #limits: JsonLimits;
  readonly #text: string | undefined;
  readonly #parse: (text: string) => unknown;
  readonly #wants: ((name: string) => boolean) | undefined;
  readonly #mapOf: ((name: string) => MemberMap | undefined) | undefined;
  readonly #pieceLength: number;
  /** Open brackets. */
  readonly #brackets: number[] = [];
  /** Position of each open bracket in the whole text. */
  readonly #starts: number[] = [];
  /**
   * The outermost containers, which are parsed in runs. The first is a virtual one that holds the value of the text.
   */
  readonly #opened: OpenContainer[] = [new OpenContainer(false)];
  /** The current run: characters of earlier parts, and its position in the whole text. */
  readonly #parts: string[] = [];
  #runStart = 0;
  /** Position of the last comma between two items of the run; before {@link #runStart} if there is none. */
  #lastComma = -1;
  /** Position of the current part in the whole text. */
  #offset = 0;
  /** Position of the current string or number. */
  #tokenStart = 0;
  #values = 1;
  #isInText = false;
  #isEscaped = false;
  /** False if the current string, which continues from part to part, has more than the characters that it means. */
  #isPlain = true;
  /** Number of open brackets when the skipped member began. */
  #skippedFrom: number | undefined;

  constructor({ limits, text, parse = JSON.parse, wants, mapOf, pieceLength = PIECE_LENGTH }: JsonReaderOptions) {
    this.#limits = limits;
    this.#text = text;
    this.#parse = parse;
    this.#wants = wants;
    this.#mapOf = mapOf;
    this.#pieceLength = pieceLength;
  }

  /**
   * Reads the next part.
   *
   * @throws {SyntaxError} if the text cannot be JSON
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
   * The value, after the last part.
   *
   * @throws {SyntaxError} if the text ends too early
   */
  end(): unknown {
    const [root] = this.#opened;
    if (this.#brackets.length > 0 || this.#isInText || root === undefined) throw new SyntaxError("it ends too early");
    root.finish(this.#takeRun(this.#offset, ""), this.#parse);
    return root.only;
  }

  /** Index after the current string, or the part's end. */
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
        this.#isPlain &&= isPlainText(part.slice(start));
        return part.length;
      }
      index = quote + 1;
      if (isEscaped) continue;
      this.#isInText = false;
      if (start === 0 && this.#isPlain && isPlainText(part.slice(0, quote))) this.#cutOut(this.#offset + index);
      this.#noteToken(this.#offset + index);
      return index;
    }
  }

  /** Takes the string that ends at `end` out of the text as it is, if it is long: `JSON.parse` would copy it. */
  #cutOut(end: number): void {
    const text = this.#text;
    const start = this.#tokenStart;
    const isAmongItems = this.#brackets.length + 1 === this.#opened.length && this.#lastComma < this.#runStart;
    if (text === undefined || !isAmongItems) return;
    if (this.#container.addText(text.slice(this.#runStart, start), text.slice(start + 1, end - 1))) this.#startRun(end);
  }

  /** Index after the next structural character, or the part's end. */
  #nextOutside(part: string, start: number): number {
    for (let index = start; index < part.length; index++) {
      switch (part.charCodeAt(index)) {
        case QUOTE:
          this.#noteToken(this.#offset + index);
          this.#isInText = true;
          this.#isPlain = true;
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

  /** Checks the length of a token that ends here at the latest. */
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

  /** Ends an array or an object that was parsed in runs. */
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

  /** Takes the run up to a position in the part. The rest stays. */
  #takeRun(end: number, part: string): string {
    if (this.#text !== undefined) return this.#text.slice(this.#runStart, end);
    const run = this.#parts.join("") + part.slice(Math.max(0, this.#runStart - this.#offset));
    const length = end - this.#runStart;
    this.#parts.length = 0;
    return run.slice(0, length);
  }

  /** Keeps the unparsed rest of the part; parses whole items if the run is long enough. */
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
      if (this.#lastComma >= this.#runStart) this.#readItems(end);
      else if (next !== undefined && end - next > this.#pieceLength) this.#open(next, end);
      else return;
    }
  }

  /** The run up to the end of the parts that have come. @param end - position of that end */
  #runUpTo(end: number): string {
    return this.#text === undefined ? this.#parts.join("") : this.#text.slice(this.#runStart, end);
  }

  /** Parses the whole items of the run. */
  #readItems(end: number): void {
    const run = this.#runUpTo(end);
    const length = this.#lastComma - this.#runStart;
    this.#container.addItems(run.slice(0, length), this.#parse);
    this.#startRun(this.#lastComma + 1);
    this.#parts.push(run.slice(length + 1));
  }

  /** Parses the array or object at `start` in runs from now on. */
  #open(start: number, end: number): void {
    const run = this.#runUpTo(end);
    const length = start - this.#runStart;
    const container = this.#container;
    const name = container.beginItem(run.slice(0, length), this.#parse);
    if (this.#opened.length === 2 && name !== undefined && this.#wants?.(name) === false) {
      this.#skippedFrom = this.#opened.length - 1;
      this.#startRun(end);
      return;
    }
    const isObject = this.#brackets[this.#opened.length - 1] === OBJECT_END;
    const map = isObject && name !== undefined ? this.#mapOf?.(name) : undefined;
    this.#opened.push(new OpenContainer(isObject, map));
    this.#startRun(start + 1);
    this.#parts.push(run.slice(length + 1));
    this.#findLastComma(run.slice(length + 1));
  }

  /** Finds the last comma between two items, in a run that was scanned as part of another container. */
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
