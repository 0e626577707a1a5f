/** Properties of every recording, on random programs and all hardforks before Amsterdam. */
import fc from "fast-check";
import { expect } from "vitest";
import type { EventSink, LiveStep, SinkWants } from "../../src/evm/event-sink.ts";
import { isCreation } from "../../src/evm/frames.ts";
import { startsFrame } from "../../src/evm/opcodes.ts";
import type { StepBuffer } from "../../src/evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { type FlatTrace, flatTraces } from "../../src/tracer/formats/flat.ts";
import { Recorder } from "../../src/tracer/recorder.ts";
import type { CallFrame } from "../../src/tracer/recording.ts";
import { FrameMachine } from "../../src/tracer/replay.ts";
import { HARDFORKS_OF_ONE_GAS, runCode, TARGET, type TestAccount } from "../support/evm.ts";
import { OTHERS, programs } from "../support/programs.ts";
import { childOf, stepAt } from "../support/recorded-steps.ts";
import { holdTheSameFrames, leadFromUsedToUsed, listTheSameOperations } from "./chain-properties.ts";

const hardforks = fc.constantFrom(...HARDFORKS_OF_ONE_GAS);
const cases = fc.record({
  hardfork: hardforks,
  codes: fc.array(programs, { minLength: 3, maxLength: 3 }),
  gasLimit: fc.integer({ min: 100, max: 500_000 }).map(BigInt),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const world = (codes: readonly Bytes[]): TestAccount[] =>
  [TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] ?? EMPTY_BYTES,
    balance: 1000n,
    nonce: 1n,
  }));

const run = ({ hardfork, codes, gasLimit }: Case, record?: false) =>
  runCode({
    hardfork,
    accounts: world(codes),
    message: { gasLimit, value: 3n },
    ...(record === undefined ? {} : { record }),
  });

const check = (runs: number, property: (example: Case) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(cases, property), { numRuns: runs });

/** Stack and memory before each step, as a live sink sees them. */
class Copies implements EventSink {
  readonly wants: SinkWants = { steps: "live" };
  readonly seen: { readonly stack: readonly bigint[]; readonly memory: string }[] = [];

  beginStep(live: LiveStep): void {
    const { stackHeight, memoryBytes } = live;
    const stack = Array.from({ length: stackHeight }, (_, index) => live.stackItem(stackHeight - 1 - index));
    this.seen.push({ stack, memory: encodeData(live.readMemory(0, memoryBytes)) });
  }
}

async function listen({ hardfork, codes, gasLimit }: Case, sink: EventSink): Promise<void> {
  await runCode({ hardfork, accounts: world(codes), message: { gasLimit, value: 3n }, sink });
}

/** Recording never changes what is recorded. */
export const neverChangesWhatIsRecorded = (runs: number): Promise<void> =>
  check(runs, async (example) => {
    const recorded = await run(example);
    const plain = await run(example, false);
    expect(recorded.result).toEqual(plain.result);
    expect(recorded.state.transactionChanges()).toEqual(plain.state.transactionChanges());
  });

/** Replaying gives back stack and memory of every step. */
export const replaysStackAndMemory = (runs: number): Promise<void> =>
  check(runs, async (example) => {
    const recorder = new Recorder({ steps: true, memory: true });
    await listen(example, recorder);
    const copies = new Copies();
    await listen(example, copies);
    const { steps, frames } = recorder;
    expect(steps?.length).toBe(copies.seen.length);
    const machines = new Map<number, FrameMachine>();
    copies.seen.forEach((seen, step) => {
      const buffer = steps?.bufferOf(step) as StepBuffer;
      const row = step - buffer.first;
      const index = buffer.frame(row);
      const machine = machines.get(index) ?? new FrameMachine(frames[index] as CallFrame);
      machines.set(index, machine);
      expect(machine.stack).toEqual(seen.stack);
      expect(encodeData(machine.readMemory(0, buffer.memoryBytes(row)))).toBe(seen.memory);
      machine.apply(buffer, row, childOf(recorder, step));
    });
  });

/** vmTrace and struct logs list the same operations with the same gas; what each left follows from the one before. */
export const agreesOnOperations = (runs: number): Promise<void> =>
  check(runs, async (example) => {
    const traced = await run(example);
    listTheSameOperations(traced);
    leadFromUsedToUsed(traced);
  });

/** Gas adds up from one operation to the next. */
export const keepsTheAccountOfGas = (runs: number): Promise<void> =>
  check(runs, async (example) => {
    const { recorder } = await run(example);
    for (const frame of recorder.frames) expectGasToAddUp(recorder, frame);
  });

/** Flat traces and the call tree hold the same frames; what is hidden leaves no gap. */
export const holdsTheSameFrames = (runs: number): Promise<void> =>
  check(runs, async (example) => {
    const { recorder } = await run(example);
    holdTheSameFrames({ recorder });
    expectPathsToBeWhole([...flatTraces(recorder, "reth")].slice(1));
  });

/** In one frame: gas before = gas after of the step before; after = before - cost, but for calls, which get gas back. */
function expectGasToAddUp(recorder: Recorder, frame: CallFrame): void {
  if (recorder.steps === undefined) return;
  let expected = Number(frame.gas);
  for (let step = frame.step + 1; step < frame.stepEnd; step++) {
    const { frame: index, gas, cost, opcode, gasAfter } = stepAt(recorder, step);
    if (index !== frame.index) continue;
    expect(gas).toBe(expected);
    const spent = gas - cost;
    // A call without gas of its own can still bring back what is left of the stipend.
    if (startsFrame(opcode)) expect(gasAfter).toBeLessThanOrEqual(spent + 2300);
    else expect(gasAfter).toBe(spent);
    expected = gasAfter;
  }
  if (frame.error === undefined && !isCreation(frame.kind) && !frame.isPrecompile && frame.isStarted) {
    expect(Number(frame.gas - frame.gasUsed)).toBe(expected);
  }
}

/** Every path but the outermost has its parent in the list, and siblings are numbered without gaps. */
function expectPathsToBeWhole(traces: readonly FlatTrace[]): void {
  const paths = new Set(traces.map(({ traceAddress }) => traceAddress.join()));
  expect(paths.size).toBe(traces.length);
  for (const { traceAddress } of traces) {
    const last = traceAddress.at(-1) ?? 0;
    const parent = traceAddress.slice(0, -1);
    if (parent.length > 0) expect(paths).toContain(parent.join());
    if (last > 0) expect(paths).toContain([...parent, last - 1].join());
  }
}
