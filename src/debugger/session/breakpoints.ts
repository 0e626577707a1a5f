/** The breakpoints of a session: lines, and kinds of halts. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Halt, HaltKind } from "../program/halts.ts";
import type { Stops } from "../program/motion.ts";
import type { Program } from "../program/program.ts";
import type { FindValue } from "./condition.ts";
import { LineBreakpoint } from "./line-breakpoint.ts";
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
  readonly #lines = new Map<Source, ReadonlyMap<number, LineBreakpoint>>();
  readonly #valuesAt: (step: number) => FindValue;
  readonly #printed: string[] = [];
  #kinds: ReadonlySet<string> = new Set();
  #writes: ReadonlySet<number> = new Set();

  /** @param valuesAt - finds values at a step, for conditions and the texts of logpoints */
  constructor(program: Program, halts: ReadonlyMap<number, Halt>, valuesAt: (step: number) => FindValue) {
    this.#program = program;
    this.#halts = halts;
    this.#valuesAt = valuesAt;
  }

  /** Replaces the breakpoints of a source. They move to the next line that has code. */
  set(
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
    sources: SourceList,
  ): DebugProtocol.Breakpoint[] {
    const found = sources.find(source);
    const set = new Map<number, LineBreakpoint>();
    const answers = breakpoints.map((wanted): DebugProtocol.Breakpoint => {
      const line = found.map((each) => sources.breakableLine(each, wanted.line))[0];
      if (line === undefined) return { verified: false, message: problemWith(found) };
      try {
        set.set(line, new LineBreakpoint(line, wanted));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return { verified: false, message: error.message };
      }
      return { verified: true, line, source };
    });
    for (const each of found) this.#lines.set(each, set);
    return answers;
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
    return this.#breakpointAt(step) !== undefined;
  }

  async isHit(step: number): Promise<boolean> {
    const breakpoint = this.#breakpointAt(step);
    if (breakpoint === undefined) return false;
    const find = this.#valuesAt(step);
    try {
      if (!(await breakpoint.holds(find, () => this.#program.timesBegun(step)))) return false;
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      this.#printed.push(`The breakpoint at line ${breakpoint.line} was passed: ${error.message}`);
      return false;
    }
    if (breakpoint.isLogpoint) this.#printed.push(await breakpoint.text(find));
    return !breakpoint.isLogpoint;
  }

  /** The texts that were printed since the last time. */
  takePrinted(): readonly string[] {
    return this.#printed.splice(0);
  }

  #breakpointAt(step: number): LineBreakpoint | undefined {
    const place = this.#program.placeOf(step);
    return place && this.#lines.get(place.source)?.get(place.line);
  }

  haltAt(step: number): Halt | undefined {
    const halt = this.#halts.get(step);
    return halt !== undefined && (this.#kinds.has(halt.kind) || this.#writes.has(step)) ? halt : undefined;
  }
}

function problemWith(found: readonly Source[]): string {
  return found.length === 0 ? "The transaction ran no code of this file." : "No code that ran belongs to this line.";
}
