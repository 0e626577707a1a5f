/** Passes the core's recorded events and steps to a sink. */
import type { EventSink, FrameStart, LiveStep, SinkWants } from "../../evm/event-sink.ts";
import { type FailureDetail, type FrameKind, isCreation, type StepOutcome } from "../../evm/frames.ts";
import { STEP_BYTES, StepBuffer } from "../../evm/step-buffer.ts";
import { ByteArena } from "../../primitives/bytes/byte-arena.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import * as Layout from "./core/machine/layout.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";
import { LogReader } from "./log-reader.ts";
import { type DetailPlace, detailOf, errorOf } from "./outcomes.ts";
import { RecentBytes } from "./recent-bytes.ts";

const { Code, CurrentStep, Event } = Records;

const ADDRESS_OFFSET = 12;
const ADDRESS_BYTES = 20;
/** Bytes of a frame's data from which on it is long. */
const LONG_DATA = 1_024;
/** Addresses that are remembered: frames mostly have those of the frames around them. */
const RECENT_ADDRESSES = 8;

/** Writes the address that a sink watches, and returns its `wants` as bits for the core. */
export function writeWants(instance: CoreInstance, { wants }: EventSink): number {
  const { frames, data, logs, accesses, steps, memory } = wants;
  if (frames instanceof Uint8Array) writeWatched(instance, frames);
  return (
    (frames === "all" ? Layout.TRACE_FRAMES : frames === undefined ? 0 : Layout.TRACE_WATCHED) |
    writeData(instance, data) |
    (logs === true ? Layout.TRACE_LOGS : 0) |
    (accesses === undefined ? 0 : Layout.TRACE_ACCESSES) |
    (accesses === "attempted" ? Layout.TRACE_ATTEMPTS : 0) |
    (steps === "recorded" ? Layout.TRACE_STEPS : 0) |
    (steps === "recorded" && memory === true ? Layout.TRACE_MEMORY : 0) |
    (steps === "live" ? Layout.TRACE_LIVE : 0)
  );
}

/** The same for the data of frames alone. */
function writeData(instance: CoreInstance, data: SinkWants["data"]): number {
  if (data instanceof Uint8Array) {
    writeWatched(instance, data);
    return Layout.TRACE_WATCHED_DATA;
  }
  return data === undefined ? 0 : data === "all" ? Layout.TRACE_DATA : Layout.TRACE_OUTERMOST_DATA;
}

function writeWatched(instance: CoreInstance, address: Bytes): void {
  instance.writeReversed(instance.core.watched.value >>> 0, address);
}

function addressOf(instance: CoreInstance, at: number): Bytes {
  return instance.copy(at + ADDRESS_OFFSET, ADDRESS_BYTES);
}

/** Numbers of a failure, and what they mean. */
interface LastFailure extends Pick<DetailPlace, "flags" | "detail"> {
  readonly failure: FailureDetail | undefined;
}

/** Passes the events of one traced transaction to its sink. */
export class TraceReader {
  readonly #instance: CoreInstance;
  readonly #sink: EventSink;
  /** Code that this transaction created and ran, by place, so that a sink receives the same array each time. */
  readonly #newCodes = new Map<number, Bytes>();
  readonly #addresses = new RecentBytes(ADDRESS_BYTES, RECENT_ADDRESSES);
  #logs: LogReader | undefined;
  readonly #longData = new ByteArena(true);
  #firstStep = 0;
  #lastFailure: LastFailure = { flags: 0, detail: 0, failure: undefined };
  #data: SinkWants["data"];

  constructor(instance: CoreInstance, sink: EventSink) {
    this.#instance = instance;
    this.#sink = sink;
    this.#data = sink.wants.data;
  }

  /** Bytes that the sink holds. */
  get recordedBytes(): number {
    return this.#sink.size ?? 0;
  }

  /** True if events are recorded that were not passed on. */
  get hasEvents(): boolean {
    const { start, end } = this.#instance.buffer(this.#instance.core.events);
    return end > start;
  }

  /** Passes on the recorded steps. No step may be in progress. */
  takeSteps(): MaybePromise<void> {
    const instance = this.#instance;
    const { core } = instance;
    const records = instance.copyOfBuffer(core.steps, this.#sink.spareSteps?.());
    const count = records.length / STEP_BYTES;
    if (count === 0) return undefined;
    const writes = instance.copyOfBuffer(core.writes);
    const steps = new StepBuffer(this.#firstStep, records, writes);
    this.#firstStep += count;
    core.clearSteps();
    return this.#sink.takeSteps?.(steps);
  }

  /** Passes on the recorded events. */
  takeEvents(): void {
    const instance = this.#instance;
    const { core } = instance;
    const { start, end } = instance.buffer(core.events);
    for (let at = start; at < end; at += instance.half(at + Event.size)) this.#report(at);
    core.clearEvents();
    const { data } = this.#sink.wants;
    if (data === this.#data) return;
    this.#data = data;
    core.wantData(writeData(instance, data));
  }

  #report(at: number): void {
    const instance = this.#instance;
    const sink = this.#sink;
    switch (instance.bytes[at]) {
      case Layout.EVENT_ENTER:
        sink.enterFrame?.(this.#startAt(at));
        break;
      case Layout.EVENT_EXIT:
        this.#reportExit(at);
        break;
      case Layout.EVENT_REFUSE:
        sink.refuseFrame?.(this.#startAt(at), errorOf(instance.half(at + Event.error)) ?? "internal");
        break;
      case Layout.EVENT_SELFDESTRUCT:
        sink.selfDestruct?.({
          address: addressOf(instance, at + Event.first),
          beneficiary: addressOf(instance, at + Event.second),
          balance: instance.word(at + Event.third),
        });
        break;
      case Layout.EVENT_LOG:
        this.#logs ??= new LogReader(instance);
        sink.log?.(this.#logs.at(at));
        break;
      case Layout.EVENT_ACCOUNT:
        sink.accessAccount?.(addressOf(instance, at + Event.first));
        break;
      default:
        sink.accessSlot?.(addressOf(instance, at + Event.first), instance.copy(at + Event.second, 32));
    }
  }

  #startAt(at: number): FrameStart {
    const instance = this.#instance;
    const kind = instance.bytes[at + Event.kind] as FrameKind;
    const isCreated = isCreation(kind);
    return {
      kind,
      depth: instance.half(at) >>> 16,
      from: this.#addresses.copy(instance.bytes, at + Event.first + ADDRESS_OFFSET),
      to: isCreated ? undefined : this.#addresses.copy(instance.bytes, at + Event.second + ADDRESS_OFFSET),
      value: instance.word(at + Event.third),
      gas: instance.long(at + Event.gas),
      input: this.#dataAt(at),
      isPrecompile: (instance.half(at + Event.flags) & Layout.EVENT_IS_PRECOMPILE) !== 0,
      step: instance.half(at + Event.step) - 1,
    };
  }

  #reportExit(at: number): void {
    const instance = this.#instance;
    const flags = instance.half(at + Event.flags);
    const isCreated = (flags & Layout.EVENT_IS_CREATION) !== 0;
    const isUndeposited = (flags & Layout.EVENT_IS_UNDEPOSITED) !== 0;
    const data = this.#dataAt(at);
    this.#sink.exitFrame?.({
      error: errorOf(instance.half(at + Event.error)),
      detail: this.#detailOf({ flags, detail: instance.half(at + Event.detail), initCodeSize: at + Event.second }),
      gasUsed: instance.long(at + Event.gas),
      output: isUndeposited ? EMPTY_BYTES : data,
      undeposited: isUndeposited ? data : undefined,
      createdAddress: isCreated ? addressOf(instance, at + Event.third) : undefined,
      code: isCreated ? EMPTY_BYTES : this.#codeAt(instance.half(at + Event.code)),
      stepEnd: instance.half(at + Event.step),
    });
  }

  /** Most frames that fail do so like the one before. They share its detail. */
  #detailOf(place: DetailPlace): FailureDetail | undefined {
    const last = this.#lastFailure;
    const isSame = last.flags === place.flags && last.detail === place.detail;
    const known = isSame ? last.failure : undefined;
    if (known !== undefined && !("initCodeSize" in known && known.initCodeSize !== undefined)) return known;
    const failure = detailOf(this.#instance, place);
    if (failure !== undefined) this.#lastFailure = { flags: place.flags, detail: place.detail, failure };
    return failure;
  }

  #dataAt(at: number): Bytes {
    const length = this.#instance.half(at + Event.dataLength);
    const from = at + Event.bytes;
    if (length >= LONG_DATA) return this.#longData.copy(this.#instance.bytes.subarray(from, from + length));
    return length === 0 ? EMPTY_BYTES : this.#instance.copy(from, length);
  }

  #codeAt(place: number): Bytes {
    const instance = this.#instance;
    const known = instance.codes.get(place) ?? this.#newCodes.get(place);
    if (known !== undefined) return known;
    const length = instance.half(place + Code.length);
    if (length === 0) return EMPTY_BYTES;
    const code = instance.copy(instance.half(place + Code.raw), length);
    this.#newCodes.set(place, code);
    return code;
  }

  /** Reports the current step of the core. */
  reportLiveStep(): void {
    this.#takeLive((step, outcome) => this.#sink.beginStep?.(step, outcome));
  }

  /** Reports that the current step failed, or is a REVERT. */
  reportLiveFault(): void {
    this.#takeLive((step, outcome) => this.#sink.failStep?.(step, outcome));
  }

  #takeLive(tell: (step: LiveStep, outcome: StepOutcome) => void): void {
    const instance = this.#instance;
    tell(liveStepOf(instance), instance.half(stepPlaceIn(instance) + CurrentStep.outcome) as StepOutcome);
  }
}

function stepPlaceIn(instance: CoreInstance): number {
  return instance.core.currentStep.value >>> 0;
}

/** The core's current step. */
function liveStepOf(instance: CoreInstance): LiveStep {
  const step = stepPlaceIn(instance);
  const memoryBytes = instance.half(step + CurrentStep.memorySize);
  return {
    pc: instance.half(step + CurrentStep.pc),
    opcode: instance.half(step + CurrentStep.opcode),
    gas: instance.number(step + CurrentStep.gas),
    cost: instance.number(step + CurrentStep.cost),
    forwarded: instance.number(step + CurrentStep.forwarded),
    memoryBytes,
    gasRefund: instance.number(step + CurrentStep.refund),
    stackHeight: instance.half(step + CurrentStep.height),
    stackItem: (index) => instance.word(instance.half(step + CurrentStep.stack) - (index + 1) * 32),
    readMemory: (offset, length) => {
      const read = new Uint8Array(length);
      const available = Math.min(length, memoryBytes - offset);
      if (available <= 0) return read;
      const start = instance.half(step + CurrentStep.memory) + offset;
      read.set(instance.bytes.subarray(start, start + available));
      return read;
    },
  };
}
