/**
 * Translates the events of this room's run loop for a sink of `evm/event-sink.ts`, for one transaction.
 *
 * It copies the byte arrays that the run loop goes on changing, writes steps into buffers, and has the run wait for the
 * buffers that the sink asks it to wait for.
 */
import type { EventSink, LiveStep } from "../evm/event-sink.ts";
import { type FrameError, type Log, StepOutcome } from "../evm/frames.ts";
import { instructionOf } from "../evm/instructions.ts";
import { MEMORY_REGIONS } from "../evm/memory-regions.ts";
import { isDup, isSwap, Op, startsFrame } from "../evm/opcodes.ts";
import type { StateReader } from "../evm/state-port.ts";
import { StepWriter } from "../evm/step-writer.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes.ts";
import type { ExecutionClock } from "./evm-clock.ts";
import type { OldEventSink, OldFrameEnd, OldFrameStart, OldLiveStep } from "./old-events.ts";

/** Opcodes that leave one computed item on top; DUP and SWAP only move items. */
const LEAVES_WORD: readonly boolean[] = Array.from(
  { length: 256 },
  (_, opcode) => instructionOf(opcode).pushes === 1 && !isDup(opcode) && !isSwap(opcode) && !startsFrame(opcode),
);

interface OpenFrame {
  readonly index: number;
  /** The sink was told that it began. */
  readonly isTold: boolean;
}

export class SinkBridge implements OldEventSink {
  readonly wantsFrames: boolean;
  readonly wantsLogs: boolean;
  readonly wantsAccesses: boolean;
  readonly wantsRefusedAccesses: boolean;
  readonly wantsSteps: boolean;
  readonly #sink: EventSink;
  readonly #clock: ExecutionClock;
  readonly #writer: StepWriter | undefined;
  readonly #open: OpenFrame[] = [];
  #frameCount = 0;
  #current = 0;
  /** Memory that the running step writes. */
  #writeOffset = 0;
  #writeLength = 0;

  constructor(sink: EventSink, state: StateReader, clock: ExecutionClock) {
    const { frames, logs, accesses, steps } = sink.wants;
    // Steps are numbered by frames.
    this.wantsFrames = frames !== undefined || steps !== undefined;
    this.wantsLogs = logs === true;
    this.wantsAccesses = accesses !== undefined;
    this.wantsRefusedAccesses = accesses === "attempted";
    this.wantsSteps = steps !== undefined;
    this.#sink = sink;
    this.#clock = clock;
    this.#writer = steps === "recorded" ? new StepWriter() : undefined;
    // A recorded run has its time looked at before it begins.
    if (this.#writer !== undefined) clock.budget = -1;
    sink.begin?.(state);
  }

  /** Hands over the last steps. Settles when the sink has taken all of them. */
  async end(): Promise<void> {
    this.#flush();
    await this.#clock.held();
  }

  #flush(): void {
    const steps = this.#writer?.take();
    const waiting = steps && this.#sink.takeSteps?.(steps);
    if (waiting !== undefined) this.#clock.hold(waiting);
  }

  #wantsFrame({ to }: OldFrameStart): boolean {
    const { frames } = this.#sink.wants;
    return frames === "all" || (frames !== undefined && to !== undefined && equalBytes(frames, to));
  }

  #owned(start: OldFrameStart) {
    const step = this.#writer === undefined || start.depth === 0 ? -1 : this.#writer.count - 1;
    return { ...start, input: copied(start.input), step };
  }

  enterFrame(start: OldFrameStart): void {
    this.#current = this.#frameCount++;
    const isTold = this.#wantsFrame(start);
    this.#open.push({ index: this.#current, isTold });
    if (isTold) this.#sink.enterFrame?.(this.#owned(start));
  }

  exitFrame(end: OldFrameEnd): void {
    const frame = this.#open.pop();
    this.#current = this.#open.at(-1)?.index ?? 0;
    if (frame?.isTold !== true) return;
    this.#sink.exitFrame?.({ ...end, output: copied(end.output), stepEnd: this.#writer?.count ?? 0 });
  }

  refuseFrame(start: OldFrameStart, error: FrameError): void {
    this.#frameCount++;
    if (this.#wantsFrame(start)) this.#sink.refuseFrame?.(this.#owned(start), error);
  }

  selfDestruct(event: Parameters<OldEventSink["selfDestruct"]>[0]): void {
    if (this.#sink.wants.frames === "all") this.#sink.selfDestruct?.(event);
  }

  log(log: Log): void {
    this.#sink.log?.(log);
  }

  accessAccount(address: Bytes): void {
    this.#sink.accessAccount?.(address.slice());
  }

  accessSlot(address: Bytes, slot: Bytes): void {
    this.#sink.accessSlot?.(address.slice(), slot.slice());
  }

  beginStep(live: OldLiveStep): void {
    if (this.#writer === undefined) this.#sink.beginStep?.(new LiveView(live), StepOutcome.done);
    else this.#write(this.#writer, live);
  }

  #write(writer: StepWriter, live: OldLiveStep): void {
    // Everything before this step is over, or is a call, whose row is finished before its frame runs.
    if (writer.isFull) this.#flush();
    writer.begin({
      pc: live.pc,
      opcode: live.stepOpcode,
      frame: this.#current,
      memoryBytes: live.stepMemoryBytes,
      gas: live.gas,
      cost: live.stepCost,
      forwarded: live.stepForwarded,
      refund: Number(live.gasRefund),
    });
    this.#writeLength = 0;
    const region = this.#sink.wants.memory === true ? MEMORY_REGIONS[live.stepOpcode] : undefined;
    if (region?.isWritten !== true || region.isCallOutput) return;
    const operand = (index: number): number => Number(live.stack[live.stackHeight - 1 - index] ?? 0n);
    this.#writeLength = region.length < 0 ? region.fixedLength : operand(region.length);
    this.#writeOffset = operand(region.offset);
  }

  endStep(live: OldLiveStep): void {
    const opcode = live.stepOpcode;
    const writer = this.#writer;
    if (writer === undefined) {
      if (opcode === Op.REVERT) this.#sink.failStep?.(new LiveView(live), StepOutcome.done);
      return;
    }
    if (startsFrame(opcode)) return;
    if (LEAVES_WORD[opcode] === true) writer.setWord(live.stack[live.stackHeight - 1] as bigint);
    // geth's counter has it from the operation on, here as for SSTORE, which earns it while its price is worked out.
    if (opcode === Op.SELFDESTRUCT) writer.setRefund(Number(live.gasRefund));
    if (this.#writeLength > 0) writer.setWrite(live.memory, this.#writeOffset, this.#writeLength);
    this.#writeLength = 0;
  }

  failStep(live: OldLiveStep, outcome: StepOutcome): void {
    if (this.#writer === undefined) this.#sink.failStep?.(new LiveView(live), outcome);
    else this.#writer.setOutcome(outcome);
  }

  refuseStep(live: OldLiveStep, outcome: StepOutcome): void {
    if (this.#writer === undefined) this.#sink.beginStep?.(new LiveView(live), outcome);
    else {
      this.#write(this.#writer, live);
      this.#writer.setOutcome(outcome);
    }
  }
}

function copied(bytes: Bytes): Bytes {
  return bytes.length === 0 ? EMPTY_BYTES : bytes.slice();
}

class LiveView implements LiveStep {
  readonly #live: OldLiveStep;

  constructor(live: OldLiveStep) {
    this.#live = live;
  }

  get pc(): number {
    return this.#live.pc;
  }

  get opcode(): number {
    return this.#live.stepOpcode;
  }

  get gas(): number {
    return this.#live.gas;
  }

  get cost(): number {
    return this.#live.stepCost;
  }

  get forwarded(): number {
    return this.#live.stepForwarded;
  }

  get memoryBytes(): number {
    return this.#live.stepMemoryBytes;
  }

  get gasRefund(): number {
    return Number(this.#live.gasRefund);
  }

  get stackHeight(): number {
    return this.#live.stackHeight;
  }

  stackItem(index: number): bigint {
    return this.#live.stack[this.#live.stackHeight - 1 - index] ?? 0n;
  }

  readMemory(offset: number, length: number): Bytes {
    const copy = new Uint8Array(length);
    const limit = Math.min(offset + length, this.#live.stepMemoryBytes, this.#live.memory.length);
    if (limit > offset) copy.set(this.#live.memory.subarray(offset, limit));
    return copy;
  }
}
