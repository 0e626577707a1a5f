/** Struct logs made while code runs are those made of its recording: random programs, every hardfork, every switch. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Evm } from "../../../src/executor/evm.ts";
import type { EventSink } from "../../../src/tracer/events.ts";
import { LiveStructLogs } from "../../../src/tracer/formats/live-struct-logs.ts";
import { type StructLog, structLogs } from "../../../src/tracer/formats/struct-log.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import { assemble } from "../../support/assembler.ts";
import { aBlock, aState, OPCODE_HARDFORKS, SENDER, spec, TARGET } from "../../support/evm.ts";
import { OTHERS, programs } from "../../support/programs.ts";

const cases = fc.record({
  hardfork: fc.constantFrom(...OPCODE_HARDFORKS),
  codes: fc.array(programs, { minLength: 3, maxLength: 3 }),
  gasLimit: fc.integer({ min: 100, max: 500_000 }).map(BigInt),
  options: fc.record({
    enableMemory: fc.boolean(),
    disableStack: fc.boolean(),
    disableStorage: fc.boolean(),
    enableReturnData: fc.boolean(),
  }),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const OPTIONS = { enableMemory: false, disableStack: false, disableStorage: false, enableReturnData: false };

async function run({ hardfork, codes, gasLimit }: Case, recorder: EventSink): Promise<void> {
  const accounts = [TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] as Uint8Array,
    balance: 1000n,
    nonce: 1n,
  }));
  const state = aState([{ address: SENDER, balance: 10n ** 18n }, ...accounts]);
  const evm = Evm.open({ common: spec.common(hardfork), state, block: aBlock(hardfork), recorder });
  try {
    await evm.run({
      from: SENDER,
      to: TARGET,
      value: 3n,
      data: new Uint8Array(),
      gasLimit,
      gasPrice: 0n,
      blobVersionedHashes: [],
    });
  } finally {
    evm.close();
  }
}

it("one after the other, they are the same", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (example) => {
      const live: StructLog[] = [];
      await run(example, new LiveStructLogs(example.options, (log) => live.push(structuredClone(log))));
      const recorder = new Recorder({ steps: true, memory: true });
      await run(example, recorder);
      expect(live).toEqual([...structLogs(recorder, example.options)]);
    }),
    { numRuns: 30 },
  );
});

it("are the same where there is too much init code", async () => {
  const codes = Array.from({ length: 3 }, () => assemble("49153 0 0 CREATE"));
  const example: Case = { hardfork: "osaka", codes, gasLimit: 500_000n, options: OPTIONS };
  const live: StructLog[] = [];
  await run(example, new LiveStructLogs(OPTIONS, (log) => live.push(structuredClone(log))));
  const recorder = new Recorder({ steps: true, memory: true });
  await run(example, recorder);
  expect(live.at(-1)?.error).toBe("out of gas: max initcode size exceeded: size 49153");
  expect(live).toEqual([...structLogs(recorder, OPTIONS)]);
});
