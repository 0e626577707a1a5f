import fc from "fast-check";
import { expect, it } from "vitest";
import type { CodeRun, CoverageSink } from "../../../src/evm/coverage-sink.ts";
import type { EngineName } from "../../../src/evm/engine.ts";
import { type Bytes, bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import { runs } from "../../support/seed.ts";
import { PrecompilePool } from "./random/precompile-pool.ts";
import { makeScenario, type Scenario } from "./random/scenario.ts";
import { runScenario } from "./run-scenario.ts";

/** How often instructions ran, by code and place; those that never did are left out. */
class Counts implements CoverageSink {
  readonly #times = new Map<string, number>();

  count(code: Bytes, runs: readonly CodeRun[]): void {
    for (const { start, end, times } of runs) {
      for (let pc = start; pc < end; pc++) this.add(code, pc, times);
    }
  }

  add(code: Bytes, pc: number, times: number): void {
    const key = `${bytesKey(keccak256(code)).slice(0, 12)} ${pc}`;
    this.#times.set(key, (this.#times.get(key) ?? 0) + times);
  }

  /** At the places where the other one has instructions. */
  at(places: Iterable<string>): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(places, (place) => [place, this.#times.get(place) ?? 0]));
  }

  get places(): readonly string[] {
    return [...this.#times.keys()];
  }

  get least(): number {
    return Math.min(0, ...this.#times.values());
  }
}

/** What steps say: each of them once, in the code of its frame. */
async function countsOfSteps(scenario: Scenario): Promise<Counts> {
  const counts = new Counts();
  const recorders: Recorder[] = [];
  const next = (): Recorder => {
    const recorder = new Recorder({ steps: true });
    recorders.push(recorder);
    return recorder;
  };
  await runScenario("wasm", scenario, next, () => undefined);
  for (const { frames, steps } of recorders) {
    for (const buffer of steps ?? []) {
      for (let row = 0; row < buffer.length; row++) {
        const code = frames[buffer.frame(row)]?.code;
        if (code !== undefined) counts.add(code, buffer.pc(row), 1);
      }
    }
  }
  return counts;
}

async function countsOf(engine: EngineName, scenario: Scenario, withSteps: boolean): Promise<Counts> {
  const counts = new Counts();
  const sinkOf = (): Recorder | undefined => (withSteps ? new Recorder({ steps: true }) : undefined);
  await runScenario(engine, scenario, sinkOf, () => undefined, counts);
  return counts;
}

it("instructions are counted as often as they run, in either manner of the core, whatever fails", async () => {
  const pool = new PrecompilePool(15);
  const property = fc.asyncProperty(fc.nat(2 ** 30), fc.nat(2 ** 20), async (seed, number) => {
    const scenario = makeScenario(seed, number, pool);
    const steps = await countsOfSteps(scenario);
    for (const withSteps of [false, true]) {
      const counts = await countsOf("wasm", scenario, withSteps);
      expect(counts.at(steps.places)).toEqual(steps.at(steps.places));
      expect(counts.least).toBe(0);
    }
  });
  await fc.assert(property, { numRuns: runs(150) });
});

it("EthereumJS counts the same", async () => {
  const pool = new PrecompilePool(16);
  let places = 0;
  const property = fc.asyncProperty(fc.nat(2 ** 30), fc.nat(2 ** 20), async (seed, number) => {
    const scenario = makeScenario(seed, number, pool);
    const [wasm, other] = [await countsOf("wasm", scenario, false), await countsOf("ethereumjs", scenario, false)];
    expect(wasm.at(other.places)).toEqual(other.at(other.places));
    places += other.places.length;
  });
  await fc.assert(property, { numRuns: runs(40) });
  expect(places).toBeGreaterThan(25 * runs(40));
});
