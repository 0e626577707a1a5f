/** An event sink that wants what it is told to want, and keeps everything. */
import type { EventSink, FrameEnd, FrameStart, LiveStep, SelfDestruct, SinkWants } from "../../src/evm/event-sink.ts";
import type { FrameError, StepOutcome } from "../../src/evm/frames.ts";
import type { StateReader } from "../../src/evm/state-port.ts";
import type { StepBuffer } from "../../src/evm/step-buffer.ts";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import type { Log } from "../../src/primitives/rlp/log-list.ts";
import type { StoryEvent, StoryFrame, StoryStep } from "./told.ts";

/** Everything there is to want, with recorded steps. */
export const ALL_WANTS: SinkWants = {
  ...{ frames: "all", data: "all", logs: true, accesses: "done", steps: "recorded", memory: true },
};

export class CollectingSink implements EventSink {
  readonly wants: SinkWants;
  state: StateReader | undefined;
  readonly events: StoryEvent[] = [];
  readonly accesses = new Set<string>();
  readonly steps: StoryStep[] = [];
  /** Numbers of the first steps of the buffers that were handed over. */
  readonly buffers: number[] = [];
  /** Numbers of the running frames, for live steps. */
  readonly #running: number[] = [];
  #frames = 0;

  constructor(wants: SinkWants = ALL_WANTS) {
    this.wants = wants;
  }

  begin(state: StateReader): void {
    this.state = state;
  }

  enterFrame(frame: FrameStart): void {
    this.#running.push(this.#frames++);
    this.events.push({ event: "enter", frame: storyFrame(frame), error: undefined });
  }

  refuseFrame(frame: FrameStart, error: FrameError): void {
    this.#frames++;
    this.events.push({ event: "refuse", frame: storyFrame(frame), error });
  }

  exitFrame({ error, detail, gasUsed, output, undeposited, createdAddress, code, stepEnd }: FrameEnd): void {
    this.#running.pop();
    this.events.push({
      event: "exit",
      end: {
        error,
        detail,
        gasUsed,
        output: encodeData(output),
        undeposited: undeposited && encodeData(undeposited),
        createdAddress: createdAddress && encodeData(createdAddress),
        code: encodeData(code),
        stepEnd,
      },
    });
  }

  selfDestruct({ address, beneficiary, balance }: SelfDestruct): void {
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

  takeSteps(steps: StepBuffer): void {
    this.buffers.push(steps.first);
    for (let row = 0; row < steps.length; row++) {
      const written = steps.writeLength(row);
      this.steps.push({
        frame: steps.frame(row),
        pc: steps.pc(row),
        opcode: steps.opcode(row),
        outcome: steps.outcome(row),
        gas: steps.gas(row),
        cost: steps.cost(row),
        forwarded: steps.forwarded(row),
        refund: steps.refund(row),
        memoryBytes: steps.memoryBytes(row),
        word: steps.hasWord(row) ? steps.word(row) : undefined,
        write: written === 0 ? undefined : `${steps.writeOffset(row)}:${encodeData(steps.written(row))}`,
      });
    }
  }

  beginStep(step: LiveStep, outcome: StepOutcome): void {
    this.steps.push(storyStep(step, this.#running.at(-1) ?? 0, outcome));
  }

  failStep(_step: LiveStep, outcome: StepOutcome): void {
    const failed = this.steps.findLast(({ frame }) => frame === this.#running.at(-1));
    if (failed !== undefined) failed.outcome = outcome;
  }
}

/** A live step as plain values. */
export function storyStep(step: LiveStep, frame: number, outcome: StepOutcome): StoryStep {
  const { pc, opcode, gas, cost, forwarded, gasRefund: refund, memoryBytes, stackHeight } = step;
  return {
    ...{ frame, pc, opcode, outcome, gas, cost, forwarded, refund, memoryBytes, word: undefined, write: undefined },
    stack: Array.from({ length: stackHeight }, (_, index) => step.stackItem(stackHeight - 1 - index)),
    memory: encodeData(step.readMemory(0, memoryBytes)),
  };
}

/** A log as text. */
export function storyLog({ address, topics, data }: Log): string {
  return [address, ...topics, data].map(encodeData).join();
}

/** A frame's beginning as plain values. */
export function storyFrame(frame: FrameStart): StoryFrame {
  const { kind, depth, value, gas, isPrecompile, step } = frame;
  const to = frame.to && encodeData(frame.to);
  return {
    kind,
    depth,
    from: encodeData(frame.from),
    to,
    value,
    gas,
    input: encodeData(frame.input),
    isPrecompile,
    step,
  };
}
