/** The breakpoints of a session: lines, and kinds of halts. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Halt, HaltKind } from "../program/halts.ts";
import type { Stops } from "../program/motion.ts";
import type { Program } from "../program/program.ts";
import type { Source, SourceList } from "./sources.ts";

/** Kinds of halts as the protocol's exception filters. */
export const FILTERS: readonly (DebugProtocol.ExceptionBreakpointsFilter & { readonly filter: HaltKind })[] = [
  { filter: "failure", label: "Reverts and other failures", description: "Halts where a call fails.", default: true },
  { filter: "storageWrite", label: "Writes to storage", description: "Halts at each SSTORE and TSTORE." },
];

/** One for each session. Setting those of a file replaces its earlier ones. */
export class Breakpoints implements Stops {
  readonly #program: Program;
  readonly #halts: ReadonlyMap<number, Halt>;
  readonly #lines = new Map<Source, ReadonlySet<number>>();
  #kinds: ReadonlySet<string> = new Set();
  #writes: ReadonlySet<number> = new Set();

  constructor(program: Program, halts: ReadonlyMap<number, Halt>) {
    this.#program = program;
    this.#halts = halts;
  }

  /** Replaces the breakpoints of a source. They move to the next line that has code. */
  set(
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
    sources: SourceList,
  ): DebugProtocol.Breakpoint[] {
    const found = sources.find(source);
    const lines = breakpoints.map(({ line }) => found.map((each) => sources.breakableLine(each, line))[0]);
    const set = new Set(lines.filter((line) => line !== undefined));
    for (const each of found) this.#lines.set(each, set);
    const problem =
      found.length === 0 ? "The transaction ran no code of this file." : "No code that ran belongs to this line.";
    return lines.map((line) =>
      line === undefined ? { verified: false, message: problem } : { verified: true, line, source },
    );
  }

  setKinds(filters: readonly string[]): void {
    this.#kinds = new Set(filters);
  }

  /** Replaces the steps of data breakpoints: writes to storage. */
  setWrites(steps: ReadonlySet<number>): void {
    this.#writes = steps;
  }

  /** True for a write that a data breakpoint is at, and that would be no halt without it. */
  isDataBreakpoint(step: number): boolean {
    return this.#writes.has(step) && !this.#kinds.has("storageWrite");
  }

  isBreakpoint(step: number): boolean {
    const place = this.#program.placeOf(step);
    return place !== undefined && this.#lines.get(place.source)?.has(place.line) === true;
  }

  haltAt(step: number): Halt | undefined {
    const halt = this.#halts.get(step);
    return halt !== undefined && (this.#kinds.has(halt.kind) || this.#writes.has(step)) ? halt : undefined;
  }
}
