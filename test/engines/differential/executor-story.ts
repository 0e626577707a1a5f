/** Runs a scenario on the executor's own EVM, and tells what it made of each transaction in the same words as an engine. */

import type { SinkWants } from "../../../src/evm/event-sink.ts";
import { StepOutcome } from "../../../src/evm/frames.ts";
import { Evm } from "../../../src/executor/evm.ts";
import type { Bytes } from "../../../src/primitives/bytes.ts";
import { encodeData } from "../../../src/primitives/hex.ts";
import { EMPTY_ACCOUNT } from "../../../src/state/empty-account.ts";
import type { EventSink, FrameEnd, FrameError, FrameStart, LiveStep, Log } from "../../../src/tracer/events.ts";
import { MEMORY_REGIONS, regionLength, regionOffset } from "../../../src/tracer/memory-regions.ts";
import { Op, opcodeShape, startsFrame } from "../../../src/tracer/opcodes.ts";
import { aBlock, aState, COINBASE, SENDER, spec } from "../../support/evm.ts";
import { storyLog } from "./collecting-sink.ts";
import { storyChanges } from "./engine-story.ts";
import { type Scenario, warmFromStart } from "./scenarios.ts";
import type { Story, StoryEvent, StoryFrame, StoryStep } from "./story.ts";

/** Hears the executor's events and keeps them as an engine would tell them. */
class TranslatingSink implements EventSink {
  readonly wantsFrames: boolean;
  readonly wantsLogs: boolean;
  readonly wantsAccesses: boolean;
  readonly wantsSteps: boolean;
  readonly events: StoryEvent[] = [];
  readonly accesses = new Set<string>();
  readonly steps: StoryStep[] = [];
  readonly #isLive: boolean;
  readonly #hasMemory: boolean;
  readonly #open: { readonly index: number; pending: number; write: readonly [number, number] }[] = [];
  #count = 0;

  constructor({ frames, logs, accesses, steps, memory }: SinkWants) {
    this.wantsFrames = true;
    this.wantsLogs = logs === true;
    this.wantsAccesses = accesses !== undefined;
    this.wantsSteps = steps !== undefined;
    this.#isLive = steps === "live";
    this.#hasMemory = memory === true;
    if (frames !== "all") throw new TypeError("TranslatingSink: all frames or none of this");
  }

  get #current() {
    return this.#open.at(-1);
  }

  get #step(): number {
    return this.#isLive ? -1 : (this.#current?.pending ?? -1);
  }

  enterFrame(frame: FrameStart): void {
    this.events.push({ event: "enter", frame: this.#frame(frame), error: undefined });
    this.#open.push({ index: this.#count++, pending: -1, write: [0, 0] });
  }

  #frame({ kind, depth, from, to, value, gas, input, isPrecompile }: FrameStart): StoryFrame {
    const bytes = { from: encodeData(from), to: to && encodeData(to), input: encodeData(input) };
    return { kind, depth, ...bytes, value, gas, isPrecompile, step: this.#step };
  }

  refuseFrame(frame: FrameStart, error: FrameError): void {
    this.#count++;
    this.events.push({ event: "refuse", frame: this.#frame(frame), error: error as never });
  }

  exitFrame({ error, detail, gasUsed, output, undeposited, createdAddress, code }: FrameEnd): void {
    this.#open.pop();
    this.events.push({
      event: "exit",
      end: {
        error: error as never,
        detail,
        gasUsed,
        output: encodeData(output),
        undeposited: undeposited && encodeData(undeposited),
        createdAddress: createdAddress && encodeData(createdAddress),
        code: encodeData(code),
        stepEnd: this.#isLive ? 0 : this.steps.length,
      },
    });
  }

  selfDestruct(address: Bytes, beneficiary: Bytes, balance: bigint): void {
    const event = {
      event: "selfDestruct",
      address: encodeData(address),
      beneficiary: encodeData(beneficiary),
    } as const;
    this.events.push({ ...event, balance });
  }

  log(log: Log): void {
    this.events.push({ event: "log", log: storyLog(log) });
  }

  accessAccount(address: Bytes): void {
    this.accesses.add(encodeData(address));
  }

  accessSlot(address: Bytes, slot: Bytes): void {
    this.accesses.add(encodeData(address));
    this.accesses.add(`${encodeData(address)}:${encodeData(slot)}`);
  }

  beginStep(live: LiveStep): void {
    this.#add(live, StepOutcome.done);
    const frame = this.#current;
    const region = this.#hasMemory && !this.#isLive ? MEMORY_REGIONS[live.stepOpcode] : undefined;
    if (frame === undefined) return;
    frame.pending = this.steps.length - 1;
    frame.write = [0, 0];
    if (region?.isWritten !== true || region.isCallOutput) return;
    const length = regionLength(region, live.stack, live.stackHeight);
    if (length > 0) frame.write = [regionOffset(region, live.stack, live.stackHeight), length];
  }

  #add(live: LiveStep, outcome: StepOutcome): void {
    const { pc, stepOpcode: opcode, gas, stepCost: cost, stepForwarded: forwarded, stepMemoryBytes, gasRefund } = live;
    this.steps.push({
      frame: this.#current?.index ?? 0,
      ...{ pc, opcode, outcome, gas, cost, forwarded, refund: Number(gasRefund), memoryBytes: stepMemoryBytes },
      ...{ word: undefined, write: undefined },
      ...(this.#isLive
        ? { stack: live.stack.slice(0, live.stackHeight), memory: memoryOf(live, 0, stepMemoryBytes) }
        : {}),
    });
  }

  endStep(live: LiveStep): void {
    const frame = this.#current;
    const step = this.steps[frame?.pending ?? -1];
    if (frame === undefined || step === undefined || this.#isLive) return;
    if (opcodeShape(step.opcode).pushes === 1 && !startsFrame(step.opcode))
      step.word = live.stack[live.stackHeight - 1];
    if (step.opcode === Op.SELFDESTRUCT) step.refund = Number(live.gasRefund);
    const [offset, length] = frame.write;
    if (length > 0) step.write = `${offset}:${memoryOf(live, offset, length)}`;
  }

  failStep(_live: LiveStep, outcome: StepOutcome): void {
    const step = this.steps[this.#current?.pending ?? -1];
    if (step !== undefined) step.outcome = outcome;
  }

  refuseStep(live: LiveStep, outcome: StepOutcome): void {
    this.#add(live, outcome);
  }
}

function memoryOf({ memory }: LiveStep, offset: number, length: number): string {
  const read = new Uint8Array(length);
  read.set(memory.subarray(offset, offset + length));
  return encodeData(read);
}

/** What the executor's EVM makes of a scenario's transactions, one story each; with no wants, nobody listens. */
export async function executorStories(scenario: Scenario, wants?: SinkWants): Promise<Story[]> {
  const { hardfork, sender = SENDER, block } = scenario;
  const state = aState(scenario.accounts);
  const evm = Evm.open({ common: spec.common(hardfork), state, block: { ...aBlock(hardfork), ...(block as object) } });
  const stories: Story[] = [];
  try {
    for (const call of scenario.calls) {
      state.beginTransaction();
      const sink = wants && new TranslatingSink(wants);
      evm.setRecorder(sink);
      if (spec.rules(hardfork).isBerlin) for (const address of warmFromStart(scenario, call)) evm.warmAddress(address);
      evm.warmPrecompiles();
      const account = (await state.getAccount(sender)) ?? EMPTY_ACCOUNT;
      evm.putAccount(sender, { ...account, nonce: account.nonce + 1n });
      const { error, detail, output, gasUsed, gasRefund, logs, destroyed } = await evm.run({
        ...call,
        from: sender,
        gasPrice: 1n,
        blobVersionedHashes: [],
      });
      const paid = block?.coinbase ?? COINBASE;
      const coinbase = (await state.getAccount(paid)) ?? EMPTY_ACCOUNT;
      evm.putAccount(paid, { ...coinbase, balance: coinbase.balance + 1n });
      for (const address of destroyed) evm.deleteAccount(address);
      await evm.finishTransaction();
      const result = { error: error as never, detail, output: encodeData(output), gasUsed, gasRefund };
      const { events = [], accesses = [], steps = [] } = sink ?? {};
      stories.push({
        result: { ...result, logs: logs.map(storyLog) },
        changes: storyChanges(state),
        events,
        accesses: [...accesses],
        steps,
      });
      state.computeStateRoot();
    }
  } finally {
    evm.close();
  }
  return stories;
}
