/** A Solidity file of a build: its lines, contracts and functions. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { fromUtf8, indexOfBytes, toUtf8 } from "../../primitives/platform/encodings.ts";
import type { JsonObject } from "./read/json-values.ts";
import { isPackagePath } from "./user-paths.ts";

const NEWLINE = 0x0a;

/** Bytes of a file from `start` to before `end`. The compiler counts bytes of UTF-8, not characters. */
export interface SourceRange {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

/** Selects sources. */
export type SourceChoice = (source: Pick<SourceFile, "path" | "isPackage">) => boolean;

/** Line and column, both counted from 1; the column in characters. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** A place where execution continues in one of two ways: an `if`, a `? :`, a `require` or an `assert`. */
export interface SourceBranch {
  readonly range: SourceRange;
  /** True for `require` and `assert`, whose two ways are to pass and to fail. */
  readonly isCheck: boolean;
  /** The part that runs for each outcome; undefined for a missing `else`. */
  readonly arms: readonly [SourceRange | undefined, SourceRange | undefined];
}

/**
 * How a call finds its function: `virtual` takes the most derived override, `super` the next one after the caller's
 * contract, `direct` the function that is named, `variable` the one that a variable holds.
 */
export type CallKind = "virtual" | "super" | "direct" | "variable";

/** A call of a function of the sources, within a contract. */
export interface SourceCall {
  readonly range: SourceRange;
  /** Id of the declaration in the AST of its build: a function, or a variable that holds one; -1 for any other expression. */
  readonly callee: number;
  readonly kind: CallKind;
}

/** Statements, branches and calls, for coverage. */
export interface SourceStatements {
  /** Statements that contain others come before them. */
  readonly statements: readonly SourceRange[];
  readonly branches: readonly SourceBranch[];
  /** Blocks that are statements themselves: `unchecked` ones, and those that only limit a scope. */
  readonly blocks: readonly SourceRange[];
  /** The `revert` that always runs if the body does, and in a modifier before the function's body; undefined for none. */
  readonly unconditionalRevert: SourceRange | undefined;
  readonly calls: readonly SourceCall[];
  /** Ids of functions that are used as values. */
  readonly mentions: readonly number[];
}

/** Kind of a function; `getter` is the function of a public state variable. */
export type FunctionKind = "function" | "constructor" | "fallback" | "receive" | "modifier" | "getter";

/** A function or modifier, or a public state variable, for which the compiler makes a function without a body. */
export interface SourceFunction {
  /** Id in the AST of its build. */
  readonly id: number;
  readonly kind: FunctionKind;
  /** Empty for constructors, fallback and receive. */
  readonly name: string;
  /** Undefined for a function outside of contracts. */
  readonly contract: SourceContract | undefined;
  readonly range: SourceRange;
  /** Undefined if it has none. */
  readonly body: SourceRange | undefined;
  /** The statements of the body. */
  readonly code: SourceStatements;
  readonly isPayable: boolean;
  /** Four bytes in hex digits; solc gives it from 0.6 on. */
  readonly selector: string | undefined;
  readonly parameterTypes: readonly string[];
  /** True for a function that cannot be overridden because only its own contract sees it. */
  readonly isPrivate: boolean;
  /** Its modifiers, and base constructors that it calls. */
  readonly modifiers: readonly SourceCall[];
}

/** A struct whose slot is computed from a namespace (ERC-7201). */
export interface SourceNamespace {
  readonly name: string;
  /** Its node of the AST. */
  readonly struct: JsonObject;
}

/** A contract as the AST has it. */
export interface SourceContract {
  /** Id in the AST of its build. */
  readonly id: number;
  readonly name: string;
  readonly kind: "contract" | "library" | "interface";
  readonly range: SourceRange;
  /** Ids of the contract and its bases, the most derived first. */
  readonly bases: readonly number[];
  readonly functions: readonly SourceFunction[];
  /** Nodes of the AST: state variables that have a slot. */
  readonly variables: readonly JsonObject[];
  /** The values with which state variables are declared. A creation computes them, unless the variable is a constant. */
  readonly initialValues: readonly SourceRange[];
  readonly namespaces: readonly SourceNamespace[];
}

/** Positions are offsets in bytes of UTF-8, as solc counts them; lines are numbered from 1. */
export class SourceFile {
  readonly path: string;
  /** True for a file of a package, false for one of the project's own. */
  readonly isPackage: boolean;
  /** Functions and modifiers; outer ones come before those inside them. */
  readonly functions: SourceFunction[] = [];
  readonly #bytes: Bytes;
  #lineStarts: readonly number[] | undefined;

  /** @internal */
  constructor(path: string, text: string, isPackage = isPackagePath(path)) {
    this.path = path;
    this.isPackage = isPackage;
    this.#bytes = fromUtf8(text);
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

  /** A line without its newline; empty if there is no such line. */
  lineText(line: number): string {
    const starts = this.#lines();
    const start = starts[line - 1];
    return start === undefined ? "" : this.textOf(start, starts[line] ?? this.length).replace(/\r?\n$/, "");
  }

  textOf(start: number, end: number): string {
    return toUtf8(this.#bytes.subarray(start, end));
  }

  /** Ranges of a text within functions and modifiers. */
  placesInFunctions(text: string): readonly SourceRange[] {
    const places: SourceRange[] = [];
    const sought = fromUtf8(text);
    for (
      let start = indexOfBytes(this.#bytes, sought);
      start >= 0;
      start = indexOfBytes(this.#bytes, sought, start + 1)
    ) {
      const end = start + sought.length;
      if (this.functionAt(start, end) !== undefined) places.push({ file: this, start, end });
    }
    return places;
  }

  /** The innermost function or modifier around a range; undefined if there is none. */
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

/** A function's name in a stack trace. */
export function functionTitle({ kind, name }: SourceFunction): string {
  return name === "" ? kind : name;
}

/** The innermost function or modifier around a range; undefined if there is none. */
export function functionAround(range: SourceRange | undefined): SourceFunction | undefined {
  return range?.file.functionAt(range.start, range.end);
}

/** The source in a range. */
export function sourceText({ file, start, end }: SourceRange): string {
  return file.textOf(start, end);
}

/** True if one range contains the other. */
export function holds(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}

/** True for the same bytes of the same file. */
export function isSameRange(left: SourceRange, right: SourceRange): boolean {
  return left.file === right.file && left.start === right.start && left.end === right.end;
}
