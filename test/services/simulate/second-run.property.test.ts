/** Traces whose steps run a second time while they are written: their text is that of whole recordings, whatever ran. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LimitError } from "../../../src/errors/hindcast-error.ts";
import { Evm } from "../../../src/executor/evm.ts";
import { EMPTY_BYTES } from "../../../src/primitives/bytes.ts";
import { structLogsText } from "../../../src/rpc/encode/struct-log-text.ts";
import { recordedVmTraceText } from "../../../src/rpc/encode/trace-results.ts";
import type { EventSink } from "../../../src/tracer/events.ts";
import { StructLogs } from "../../../src/tracer/formats/struct-log.ts";
import { vmTrace } from "../../../src/tracer/formats/vm-trace.ts";
import { PassingSteps } from "../../../src/tracer/passing-steps.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import type { Recording } from "../../../src/tracer/recording.ts";
import { StepListener } from "../../../src/tracer/step-listener.ts";
import { aBlock, aState, OPCODE_HARDFORKS, SENDER, spec, TARGET } from "../../support/evm.ts";
import { OTHERS, programs } from "../../support/programs.ts";
import { structLogOptions } from "../../support/struct-log-options.ts";
import { awaitedTextOf, textOf } from "../../support/texts.ts";

const cases = fc.record({
  hardfork: fc.constantFrom(...OPCODE_HARDFORKS),
  codes: fc.array(programs, { minLength: 3, maxLength: 3 }),
  gasLimit: fc.integer({ min: 100, max: 300_000 }).map(BigInt),
  /** Some ten steps, and none. */
  keptBytes: fc.constantFrom(0, 500, 2_000),
  passing: fc.record({
    chunkSteps: fc.integer({ min: 1, max: 9 }),
    chunkBytes: fc.constantFrom(0, 64, 100_000),
    waitingChunks: fc.constant(Number.POSITIVE_INFINITY),
  }),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

async function run({ hardfork, codes, gasLimit }: Case, recorder: EventSink): Promise<void> {
  const accounts = [TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] ?? EMPTY_BYTES,
    balance: 1000n,
    nonce: 1n,
  }));
  const evm = Evm.open({
    common: spec.common(hardfork),
    state: aState(accounts),
    block: aBlock(hardfork),
    recorder,
  });
  const message = { from: SENDER, to: TARGET, value: 3n, data: EMPTY_BYTES, gasLimit, gasPrice: 1n };
  try {
    await evm.run({ ...message, blobVersionedHashes: [] });
  } finally {
    evm.close();
  }
}

/** The whole recording, and one whose steps have run again. */
async function bothOf(example: Case, memory: boolean): Promise<readonly [Recording, Recording]> {
  const request = { steps: true, memory, maxBytes: 150_000 };
  const whole = new Recorder(request);
  try {
    await run(example, whole);
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    return bothOf({ ...example, gasLimit: 3_000n }, memory);
  }
  const first = new Recorder(request, example.keptBytes);
  await run(example, first);
  if (first.calls === undefined) return [whole, first];
  expect(first.calls.length).toBe(whole.steps?.length);
  const steps = new PassingSteps(first.calls, example.passing);
  await run(example, new StepListener(steps));
  steps.end();
  return [whole, { frames: first.frames, accesses: [], steps }];
}

it("struct logs of steps that run again are those of the recorded ones, with any options", async () => {
  await fc.assert(
    fc.asyncProperty(cases, structLogOptions, async (example, chosen) => {
      const [whole, passing] = await bothOf(example, chosen.enableMemory ?? false);
      expect(await awaitedTextOf(structLogsText(new StructLogs(passing, chosen)))).toBe(
        textOf(structLogsText(new StructLogs(whole, chosen))),
      );
    }),
    { numRuns: 40 },
  );
});

it("vmTraces of steps that run again are those of the recorded ones", async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.constantFrom("hindcast", "openethereum"), async (example, client) => {
      const [whole, passing] = await bothOf(example, true);
      const traces = [whole, passing].map((recording) => vmTrace(recording, { client }));
      const [expected, found] = traces;
      if (expected === undefined || found === undefined) throw new Error("nothing ran");
      expect(await awaitedTextOf(recordedVmTraceText(found))).toBe(textOf(recordedVmTraceText(expected)));
    }),
    { numRuns: 40 },
  );
});
