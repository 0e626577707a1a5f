/** Counts what a differential run covered. */
import { hardforkName } from "../../../src/chainspec/hardforks/hardforks.ts";
import { instructionOf, isKnownOpcode } from "../../../src/evm/instructions.ts";
import type { StepBuffer } from "../../../src/evm/step-buffer.ts";
import type { Recording } from "../../../src/tracer/recording.ts";
import { COMPARED_HARDFORKS } from "./random/scenario.ts";

/** Counts as JSON has them: maps as lists of their entries. */
export type PlainCounts = Readonly<Record<string, number | readonly (readonly [string | number, number])[]>>;

export class Counts {
  scenarios = 0;
  transactions = 0;
  succeeded = 0;
  /** Refused before they ran. */
  rejected = 0;
  steps = 0;
  frames = 0;
  /** Scenarios whose recordings differed in a member that no text shows, or in a listed one; only if the run looks. */
  withTexts = 0;
  readonly byHardfork = new Map<string, number>();
  readonly byOpcode = new Map<number, number>();
  readonly byError = new Map<string, number>();
  readonly byPrecompile = new Map<string, number>();
  /** Times that a listed difference was met, by its name. */
  readonly listed = new Map<string, number>();

  /** Share of the transactions that ran which succeeded, from 0 to 1. */
  get successShare(): number {
    return this.succeeded / this.transactions;
  }

  /** Adds a transaction that ran. */
  add(hardfork: string, isSuccess: boolean, recording: Recording): void {
    this.transactions++;
    if (isSuccess) this.succeeded++;
    count(this.byHardfork, hardfork);
    for (const { error, isPrecompile, to } of recording.frames) {
      this.frames++;
      if (error !== undefined) count(this.byError, error);
      if (isPrecompile && to !== undefined) count(this.byPrecompile, `0x${Buffer.from(to.slice(18)).toString("hex")}`);
    }
    for (const buffer of recording.steps ?? []) if (!(buffer instanceof Promise)) this.#addSteps(buffer);
  }

  #addSteps(steps: StepBuffer): void {
    this.steps += steps.length;
    for (let row = 0; row < steps.length; row++) count(this.byOpcode, steps.opcode(row));
  }

  /** What {@link addPlain} reads. */
  toJSON(): PlainCounts {
    return Object.fromEntries(
      Object.entries(this).map(([name, value]: [string, unknown]) => [name, value instanceof Map ? [...value] : value]),
    ) as PlainCounts;
  }

  /** Adds the counts of another part of a run. */
  addPlain(plain: PlainCounts): void {
    for (const [name, value] of Object.entries(plain)) {
      const own = this[name as "steps"] as unknown;
      if (own instanceof Map) for (const [key, times] of value as [string, number][]) count(own, key, times);
      else this[name as "steps"] += value as number;
    }
  }

  /** The counts as text, a line each. */
  lines(): string[] {
    const opcodes = Array.from({ length: 256 }, (_, opcode) => opcode).filter(isKnownOpcode);
    return [
      `${this.scenarios} scenarios, ${this.transactions} transactions that ran, ${this.rejected} rejected`,
      `${(this.successShare * 100).toFixed(1)} % succeeded; ${this.frames} frames, ${this.steps} steps`,
      listOf(
        "hardforks",
        COMPARED_HARDFORKS.map((name) => [hardforkName(name), this.byHardfork.get(name) ?? 0]),
      ),
      listOf(
        "opcodes",
        opcodes.map((opcode) => [instructionOf(opcode).name, this.byOpcode.get(opcode) ?? 0]),
      ),
      listOf("precompiles", sorted(this.byPrecompile)),
      listOf("frames that failed", sorted(this.byError)),
      listOf("listed differences", sorted(this.listed)),
    ];
  }
}

/** Adds to a count. */
export function count<Key>(counts: Map<Key, number>, key: Key, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}

function listOf(name: string, items: readonly (readonly [string, number])[]): string {
  return `${name}: ${items.map(([item, times]) => `${item} ${times}`).join(", ")}`;
}
