/** Traces whose steps run a second time while they are written: their text is that of whole recordings, whatever ran. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LimitError } from "../../../../src/errors/hindcast-error.ts";
import type { EventSink } from "../../../../src/evm/event-sink.ts";
import { EMPTY_BYTES } from "../../../../src/primitives/bytes/bytes.ts";
import { structLogsText } from "../../../../src/rpc/encode/traces/struct-log-text.ts";
import { vmTraceText } from "../../../../src/rpc/encode/traces/vm-trace-text.ts";
import { type StructLog, StructLogs } from "../../../../src/tracer/formats/struct-log.ts";
import { vmTrace } from "../../../../src/tracer/formats/vm-trace.ts";
import { Recorder } from "../../../../src/tracer/recorder.ts";
import type { Recording, StepStream } from "../../../../src/tracer/recording.ts";
import { StreamedSteps } from "../../../../src/tracer/streamed-steps.ts";
import { OPCODE_HARDFORKS, runCode, TARGET } from "../../../support/evm.ts";
import { OTHERS, programs } from "../../../support/programs.ts";
import { runs } from "../../../support/seed.ts";
import { splitSteps } from "../../../support/step-buffers.ts";
import { structLogOptions } from "../../../support/struct-log-options.ts";
import { awaitedTextOf, textOf } from "../../../support/texts.ts";

const cases = fc.record({
  hardfork: fc.constantFrom(...OPCODE_HARDFORKS),
  codes: fc.array(programs, { minLength: 3, maxLength: 3 }),
  gasLimit: fc.integer({ min: 100, max: 300_000 }).map(BigInt),
  /** None, and some ten steps. */
  heldBytes: fc.constantFrom(0, 1_000),
  /** Steps of a buffer. */
  bufferSteps: fc.integer({ min: 1, max: 9 }),
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
  const first = new Recorder(request, example.heldBytes);
  await run(example, first);
  const { frames, passedSteps: count } = first;
  if (count === undefined) return [whole, first];
  expect(count).toBe(whole.steps?.length);
  const steps = new StreamedSteps({ memory, count, waitingBuffers: Number.POSITIVE_INFINITY });
  await run(example, {
    wants: steps.wants,
    takeSteps: (buffer) => {
      for (const part of splitSteps(buffer, example.bufferSteps)) void steps.takeSteps(part);
    },
  });
  steps.end();
  return [whole, { frames, accesses: [], steps: overwritten(steps) }];
}

/** The same steps. What was read is overwritten as soon as the next is asked for, as an engine may do it. */
function overwritten(steps: StreamedSteps): StepStream {
  return (function* () {
    for (const buffer of steps) {
      for (let spare = steps.spareSteps(); spare !== undefined; spare = steps.spareSteps()) spare.fill(0xff);
      yield buffer;
    }
  })();
}

it("struct logs of steps that run again are those of the recorded ones, with any options", async () => {
  await fc.assert(
    fc.asyncProperty(cases, structLogOptions, async (example, chosen) => {
      const [whole, passing] = await bothOf(example, chosen.enableMemory ?? false);
      expect(await awaitedTextOf(structLogsText(new StructLogs(passing, chosen)))).toBe(
        textOf(structLogsText(new StructLogs(whole, chosen))),
      );
    }),
    { numRuns: runs(40) },
  );
});

it("struct logs as values are those of the recorded ones, too", async () => {
  await fc.assert(
    fc.asyncProperty(cases, structLogOptions, async (example, chosen) => {
      const [whole, passing] = await bothOf(example, chosen.enableMemory ?? false);
      const logs: StructLog[] = [];
      for await (const log of new StructLogs(passing, chosen)) logs.push(log);
      expect(logs).toEqual([...new StructLogs(whole, chosen)]);
    }),
    { numRuns: runs(20) },
  );
});

it("vmTraces of steps that run again are those of the recorded ones", async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.constantFrom("hindcast", "openethereum", "reth", "erigon"), async (example, client) => {
      const [whole, passing] = await bothOf(example, true);
      const traces = [whole, passing].map((recording) => vmTrace(recording, { client }));
      const [expected, found] = traces;
      if (expected === undefined || found === undefined) throw new Error("nothing ran");
      expect(await awaitedTextOf(vmTraceText(found))).toBe(textOf(vmTraceText(expected)));
    }),
    { numRuns: runs(40) },
  );
});
