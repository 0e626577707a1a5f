import fc from "fast-check";
import { expect, it } from "vitest";
import { AbiRegistry } from "../../../src/explain/abi/registry.ts";
import { GasProfile } from "../../../src/explain/profile/gas-profile.ts";
import { ProfileBuilder } from "../../../src/explain/profile/profile-builder.ts";
import { ContractFinder } from "../../../src/explain/source/contract-finder.ts";
import { atOnce } from "../../../src/primitives/platform/turns.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import { PrecompilePool } from "../../engines/differential/random/precompile-pool.ts";
import { makeScenario } from "../../engines/differential/random/scenario.ts";
import { runScenario } from "../../engines/differential/run-scenario.ts";
import { runs } from "../../support/seed.ts";

const SOURCES = { abi: new AbiRegistry(), contracts: new ContractFinder() };

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, gas) => total + gas, 0n);

it("the parts of a gas profile add up to the gas that is paid for, whatever runs, in every hardfork", async () => {
  const pool = new PrecompilePool(14);
  let profiled = 0;
  let refunds = 0;
  const property = fc.asyncProperty(fc.nat(2 ** 30), fc.nat(2 ** 20), fc.boolean(), async (seed, number, isNewest) => {
    const recorders: Recorder[] = [];
    const next = (): Recorder => {
      const recorder = new Recorder({ steps: true });
      recorders.push(recorder);
      return recorder;
    };
    const scenario = makeScenario(seed, number, pool);
    const run = isNewest ? { ...scenario, hardfork: "amsterdam" as const } : scenario;
    await runScenario("wasm", run, next, (index, ran) => {
      if (ran === undefined) return;
      const recorder = recorders[index] as Recorder;
      const builder = new ProfileBuilder(recorder, SOURCES, ran.outcome.stateGasUsed > 0n);
      atOnce(builder.build());
      const profile = new GasProfile(builder, ran.outcome);
      const chains = [...profile.stacks()];
      const stacks = chains.map(({ gas }) => gas);
      for (const { name, total } of profile.functions()) {
        // However often it is on the way.
        expect(total).toBe(sum(chains.filter(({ names }) => names.includes(name)).map(({ gas }) => gas)));
      }
      expect(sum(stacks) - profile.gasRefund).toBe(ran.outcome.gasUsed);
      // From Amsterdam on a call that failed may give back gas that growing the state took before.
      expect(isNewest || stacks.every((gas) => gas > 0n)).toBe(true);
      expect(sum(profile.functions().map(({ self }) => self))).toBe(sum(stacks));
      const operations = sum(profile.opcodes().map(({ gas }) => gas));
      expect(sum(profile.lines().map(({ gas }) => gas))).toBe(operations);
      expect(isNewest || operations <= ran.outcome.executionGasUsed).toBe(true);
      expect(profile.opcodes().reduce((total, { count }) => total + count, 0)).toBe(recorder.steps?.length);
      profiled++;
      if (profile.gasRefund > 0n) refunds++;
    });
  });
  await fc.assert(property, { numRuns: runs(300) });
  expect(profiled).toBeGreaterThan(runs(300) / 3);
  expect(refunds).toBeGreaterThan(0);
});
