/** What the sources of a build define: contracts, and the functions and modifiers in and outside of them. */
import type { SourceRange } from "./source-file.ts";

export type FunctionKind = "function" | "constructor" | "fallback" | "receive" | "modifier" | "getter";

/** A function or modifier, or a public state variable, for which the compiler makes a function without a body. */
export interface SourceFunction {
  readonly kind: FunctionKind;
  /** Empty for constructor, fallback and receive. */
  readonly name: string;
  /** Undefined for a function outside of contracts. */
  readonly contract: SourceContract | undefined;
  readonly range: SourceRange;
  /** Undefined where there is none. */
  readonly body: SourceRange | undefined;
  readonly isPayable: boolean;
  /** Four bytes in hex digits, from solc 0.6 on. */
  readonly selector: string | undefined;
  readonly parameterTypes: readonly string[];
  /** Modifiers, and constructors of bases, that it names. */
  readonly modifierNames: readonly string[];
}

export interface SourceContract {
  /** In the AST of its build. */
  readonly id: number;
  readonly name: string;
  readonly kind: "contract" | "library" | "interface";
  readonly range: SourceRange;
  /** Ids of itself and its bases, the most derived first. */
  readonly bases: readonly number[];
  readonly functions: readonly SourceFunction[];
}

/** A function's name as a stack trace gives it. */
export function functionTitle({ kind, name }: SourceFunction): string {
  return name === "" ? kind : name;
}

/** True where one range holds all of the other. */
export function holds(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}

export function isSameRange(left: SourceRange, right: SourceRange): boolean {
  return left.file === right.file && left.start === right.start && left.end === right.end;
}
