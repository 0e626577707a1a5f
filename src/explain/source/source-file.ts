/** A Solidity file of a build: its text by line, and the functions that stand in it. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { SourceFunction } from "./definitions.ts";

const NEWLINE = 0x0a;

/** Bytes of a file from `start` up to `end`. The compiler counts bytes of UTF-8, not characters. */
export interface SourceRange {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

/** A place as editors count it: line and column from 1, the column in characters. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export class SourceFile {
  readonly path: string;
  /** Functions and modifiers, outer ones before those within them. */
  readonly functions: SourceFunction[] = [];
  readonly #bytes: Bytes;
  #lineStarts: readonly number[] | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.#bytes = Buffer.from(text, "utf8");
  }

  get length(): number {
    return this.#bytes.length;
  }

  positionOf(offset: number): SourcePosition {
    const starts = this.#lines();
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: this.textOf(starts[low] as number, offset).length + 1 };
  }

  /** A line without the newline at its end; empty for one that is not there. */
  lineText(line: number): string {
    const starts = this.#lines();
    const start = starts[line - 1];
    return start === undefined ? "" : this.textOf(start, starts[line] ?? this.length).replace(/\r?\n$/, "");
  }

  textOf(start: number, end: number): string {
    return Buffer.from(this.#bytes.subarray(start, end)).toString("utf8");
  }

  /** The innermost function or modifier that holds a range; undefined outside of all. */
  functionAt(start: number, end: number): SourceFunction | undefined {
    return this.functions.findLast(({ range }) => range.start <= start && end <= range.end);
  }

  #lines(): readonly number[] {
    if (this.#lineStarts !== undefined) return this.#lineStarts;
    const starts = [0];
    for (let at = this.#bytes.indexOf(NEWLINE); at >= 0; at = this.#bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }
}
