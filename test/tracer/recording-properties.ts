/** What must hold of every recording, on random programs and all hardforks. */
import fc from "fast-check";
import { expect } from "vitest";
import { Evm } from "../../src/executor/evm.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { encodeData } from "../../src/primitives/hex.ts";
import { isCreation, type LiveStep, type StepOutcome } from "../../src/tracer/events.ts";
import { type FlatTrace, flatTraces } from "../../src/tracer/formats/flat.ts";
import { startsFrame } from "../../src/tracer/opcodes.ts";
import { Recorder } from "../../src/tracer/recorder.ts";
import type { CallFrame } from "../../src/tracer/recording.ts";
import { FrameMachine } from "../../src/tracer/replay.ts";
import { aBlock, aState, OPCODE_HARDFORKS, runCode, SENDER, spec, TARGET, type TestAccount } from "../support/evm.ts";
import { OTHERS, programs } from "../support/programs.ts";
import { holdTheSameFrames, leadFromUsedToUsed, listTheSameOperations } from "./chain-properties.ts";

const hardforks = fc.constantFrom(...OPCODE_HARDFORKS);
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

/** A recorder that also keeps full copies of what it was shown. */
class CopyingRecorder extends Recorder {
  override get rowSink(): undefined {
    return undefined;
  }

  readonly seen: { readonly stack: readonly bigint[]; readonly memory: string }[] = [];

  override beginStep(live: LiveStep): void {
    this.#copy(live);
    super.beginStep(live);
  }

  override refuseStep(live: LiveStep, outcome: StepOutcome): void {
    this.#copy(live);
    super.refuseStep(live, outcome);
  }

  #copy(live: LiveStep): void {
    const memory = new Uint8Array(live.stepMemoryBytes);
    memory.set(live.memory.subarray(0, live.stepMemoryBytes));
    this.seen.push({ stack: live.stack.slice(0, live.stackHeight), memory: encodeData(memory) });
  }
}

/** A recorder that is told of every step by events. */
class EventRecorder extends Recorder {
  override get rowSink(): undefined {
    return undefined;
  }
}

/** Rows that the run loop fills are those that events make. */
export const isTheSameByEvents = (runs: number): Promise<void> =>
  check(runs, async (example) => {
    for (const memory of [false, true]) {
      const byRows = await recordedBy(new Recorder({ steps: true, memory }), example);
      const byEvents = await recordedBy(new EventRecorder({ steps: true, memory }), example);
      expect(byRows).toEqual(byEvents);
    }
  });

async function recordedBy(recorder: Recorder, { hardfork, codes, gasLimit }: Case): Promise<unknown> {
  const evm = Evm.open({
    common: spec.common(hardfork),
    state: aState(world(codes)),
    block: aBlock(hardfork),
    recorder,
  });
  const message = { from: SENDER, to: TARGET, value: 3n, data: EMPTY_BYTES, gasLimit, gasPrice: 1n };
  await evm.run({ ...message, blobVersionedHashes: [] });
  evm.close();
  const { frames, steps } = recorder;
  if (steps === undefined) throw new TypeError("nothing was recorded");
  const rows = Array.from({ length: steps.length }, (_, step) => ({
    frame: steps.frame(step),
    pc: steps.pc(step),
    opcode: steps.opcode(step),
    outcome: steps.outcome(step),
    gas: [steps.gas(step), steps.cost(step), steps.forwarded(step), steps.gasAfter(step), steps.refund(step)],
    memory: [steps.memoryBytes(step), steps.write(step)],
    word: steps.word(step),
  }));
  return { frames, rows };
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
  check(runs, async ({ hardfork, codes, gasLimit }) => {
    const recorder = new CopyingRecorder({ steps: true, memory: true });
    const state = aState(world(codes));
    const evm = Evm.open({ common: spec.common(hardfork), state, block: aBlock(hardfork), recorder });
    const message = { from: SENDER, to: TARGET, value: 3n, data: EMPTY_BYTES, gasLimit, gasPrice: 1n };
    await evm.run({ ...message, blobVersionedHashes: [] });
    evm.close();
    const machines = new Map<number, FrameMachine>();
    recorder.seen.forEach((seen, step) => {
      const index = recorder.steps?.frame(step) ?? -1;
      const machine = machines.get(index) ?? new FrameMachine(recorder, recorder.frames[index] as CallFrame);
      machines.set(index, machine);
      expect(machine.stack).toEqual(seen.stack);
      expect(encodeData(machine.readMemory(0, (seen.memory.length - 2) / 2))).toBe(seen.memory);
      machine.apply(step);
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
    expectPathsToBeWhole(flatTraces(recorder, "reth").slice(1));
  });

/** In one frame: gas before = gas after of the step before; after = before - cost, but for calls, which get gas back. */
function expectGasToAddUp({ steps }: Recorder, frame: CallFrame): void {
  if (steps === undefined) return;
  let expected = Number(frame.gas);
  for (let step = frame.step + 1; step < frame.stepEnd; step++) {
    if (steps.frame(step) !== frame.index) continue;
    expect(steps.gas(step)).toBe(expected);
    const spent = steps.gas(step) - steps.cost(step);
    // A call without gas of its own can still bring back what is left of the stipend.
    if (startsFrame(steps.opcode(step))) expect(steps.gasAfter(step)).toBeLessThanOrEqual(spent + 2300);
    else expect(steps.gasAfter(step)).toBe(spent);
    expected = steps.gasAfter(step);
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
