/** Windows of steps that run again: their machines and writes are those of a recording that has all steps. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LimitError } from "../../../src/errors/hindcast-error.ts";
import type { EventSink } from "../../../src/evm/event-sink.ts";
import { EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { machineAt } from "../../../src/tracer/inspect/machine-at.ts";
import { OpcodeFinder, StepSurvey, WindowRecorder } from "../../../src/tracer/inspect/step-window.ts";
import { followWrites, traceWrites } from "../../../src/tracer/inspect/storage-writes.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import type { FrameMachine } from "../../../src/tracer/replay.ts";
import { OPCODE_HARDFORKS, runCode, TARGET } from "../../support/evm.ts";
import { OTHERS, programs } from "../../support/programs.ts";
import { runs } from "../../support/seed.ts";
import { splitSteps } from "../../support/step-buffers.ts";

const cases = fc.record({
  hardfork: fc.constantFrom(...OPCODE_HARDFORKS),
  codes: fc.array(programs, { minLength: 3, maxLength: 3 }),
  gasLimit: fc.integer({ min: 100, max: 60_000 }).map(BigInt),
  /** Steps of a buffer, of a window, and between copies of the machines. */
  bufferSteps: fc.integer({ min: 1, max: 9 }),
  window: fc.integer({ min: 1, max: 60 }),
  distance: fc.integer({ min: 1, max: 60 }),
  keptMachines: fc.constantFrom(0, 2_000, 1e9),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

async function run({ hardfork, codes, gasLimit }: Case, sink: EventSink): Promise<void> {
  const accounts = [TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] ?? EMPTY_BYTES,
    balance: 1000n,
    nonce: 1n,
  }));
  await runCode({ hardfork, accounts, message: { value: 3n, gasLimit }, sink });
}

/** Runs with a sink that gets its steps in small buffers. */
function runSplit(example: Case, sink: EventSink): Promise<void> {
  return run(example, {
    wants: sink.wants,
    takeSteps: (buffer) => {
      for (const part of splitSteps(buffer, example.bufferSteps)) void sink.takeSteps?.(part);
    },
  });
}

async function recorded(example: Case): Promise<Recorder> {
  const recorder = new Recorder({ steps: true, memory: true, maxBytes: 150_000 });
  try {
    await run(example, recorder);
    return recorder;
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    return recorded({ ...example, gasLimit: 3_000n });
  }
}

/** What a machine holds, with as much memory as the step says. */
function stateOf(machine: FrameMachine, memoryBytes: number): unknown {
  const { frame, stack, returnData } = machine;
  return { frame: frame.index, stack: [...stack], returnData, memory: machine.readMemory(0, memoryBytes) };
}

it("the machine before each step, from windows of any length and with any copies of machines", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (example) => {
      const whole = await recorded(example);
      const { frames, steps } = whole;
      if (steps === undefined || steps.length === 0) return;
      const used = { ...example, gasLimit: frames[0]?.gas ?? 0n };
      const survey = new StepSurvey(frames, example.distance, example.keptMachines);
      await runSplit(used, survey);
      const preimages = new Map<bigint, Uint8Array>();
      expect(followWrites(frames, survey.writes)).toEqual(traceWrites({ frames, steps }, preimages));
      for (const [hash, preimage] of preimages) expect(survey.preimages.get(hash)).toEqual(preimage);
      for (let from = 0; from < steps.length; from += example.window) {
        const end = Math.min(steps.length, from + example.window);
        const start = survey.starts.findLast(({ step }) => step <= from);
        const recorder = new WindowRecorder(frames, { from, end }, start);
        await runSplit(used, recorder);
        const part = { frames, steps: recorder.steps };
        for (let step = from; step < end; step++) {
          const buffer = steps.bufferOf(step);
          const memoryBytes = buffer.memoryBytes(step - buffer.first);
          expect(stateOf(machineAt(part, step, recorder.start), memoryBytes)).toEqual(
            stateOf(machineAt({ frames, steps }, step), memoryBytes),
          );
        }
      }
    }),
    { numRuns: runs(40) },
  );
});

it("steps of an opcode are found from any step on, as many as are wanted", async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.nat(200), fc.integer({ min: 1, max: 5 }), async (example, from, most) => {
      const { frames, steps } = await recorded(example);
      if (steps === undefined || steps.length === 0) return;
      const opcodes = Array.from({ length: steps.length }, (_, step) => {
        const buffer = steps.bufferOf(step);
        return buffer.opcode(step - buffer.first);
      });
      const wanted = opcodes.at(-1) ?? 0;
      const finder = new OpcodeFinder(wanted, from, most);
      await runSplit({ ...example, gasLimit: frames[0]?.gas ?? 0n }, finder);
      const expected = opcodes.flatMap((opcode, step) => (opcode === wanted && step >= from ? [step] : []));
      expect(finder.found.map(({ first }) => first)).toEqual(expected.slice(0, most));
      expect(finder.found.every((found) => found.length === 1 && found.opcode(0) === wanted)).toBe(true);
    }),
    { numRuns: runs(40) },
  );
});
