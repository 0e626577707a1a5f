/**
 * An EventSink that records one transaction or call. All formats are made from its recording.
 *
 * It keeps only what the request names. Byte arrays and step buffers are held without a copy.
 */
import type { AccountAccess } from "../evm/engine.ts";
import type { EventSink, FrameEnd, FrameStart, SelfDestruct, SinkWants } from "../evm/event-sink.ts";
import { type FrameError, isCreation, runsForeignCode } from "../evm/frames.ts";
import { recordedTooMuch } from "../evm/out-of-time.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import type { CallFrame, FrameLog, RecordingRequest } from "./recording.ts";
import { StepTable, type WholeRecording } from "./step-table.ts";

/** Estimated bytes of a frame without input and output, or of a log without data. */
const BYTES_PER_FRAME = 300;

/** Bytes of steps from which on they are in large chunks. */
const MANY_STEP_BYTES = 4 * 2 ** 20;
/**
 * Size of a chunk for steps. The C library has an array of more than 32 MiB from the system, and gives it back as soon as it
 * is garbage. It still had 250 MB of smaller ones when these were garbage.
 */
const CHUNK_BYTES = 33 * 2 ** 20;

type OpenFrame = { -readonly [Member in Exclude<keyof CallFrame, "children" | "logs">]: CallFrame[Member] } & {
  children: number[];
  logs: FrameLog[];
};

/** Children and logs of a frame that has none, as most of millions have. */
const NONE: never[] = [];

/** The parts to record, and those to leave out. */
export interface RecorderRequest extends RecordingRequest {
  /** Default all. An outermost frame that is recorded alone has no children. */
  readonly frames?: "all" | "outermost" | "none";
  /** Input and output of frames, which are empty without; default true. */
  readonly data?: boolean;
  /** Also records accesses of opcodes that ran out of gas or failed before they ran. */
  readonly refusedAccesses?: boolean;
}

/** Lives for one transaction or call. It can be read when that has ended. */
export class Recorder implements EventSink, WholeRecording {
  readonly wants: SinkWants;
  readonly #maxBytes: number;
  readonly #mostStepBytes: number;
  readonly #isOutermostOnly: boolean;
  readonly #frames: CallFrame[] = [];
  readonly #open: OpenFrame[] = [];
  /** For each open frame: number of logs when it began. */
  readonly #logsBefore: number[] = [];
  readonly #accesses = new Map<string, { readonly address: Bytes; readonly slots: Map<string, Bytes> }>();
  #steps: StepTable | undefined;
  /** Records of the last steps, once they are too many to hold. */
  #spare: Uint8Array | undefined;
  /** Room for the next steps, once they are many. */
  #chunk = new Uint8Array(0);
  #stepCount = 0;
  #logCount = 0;
  #frameBytes = 0;

  /**
   * @param mostStepBytes - if steps take more bytes, they are dropped: see {@link passedSteps}; default: all stay
   */
  constructor(request: RecorderRequest = {}, mostStepBytes: number = Number.POSITIVE_INFINITY) {
    const { frames = "all", data = true, logs, accesses, steps = false, memory = false, refusedAccesses } = request;
    this.wants = {
      frames: frames === "none" ? undefined : "all",
      data: data && frames !== "none" ? frames : undefined,
      logs,
      accesses: accesses === true ? (refusedAccesses === true ? "attempted" : "done") : undefined,
      steps: steps ? "recorded" : undefined,
      memory,
    };
    this.#maxBytes = request.maxBytes ?? Number.POSITIVE_INFINITY;
    this.#mostStepBytes = mostStepBytes;
    this.#isOutermostOnly = frames === "outermost";
    if (steps) this.#steps = new StepTable();
  }

  /** Undefined if steps were not asked for, or were too many to keep. */
  get steps(): StepTable | undefined {
    return this.#steps;
  }

  /** Number of steps, if they were too many to keep; undefined if they are recorded or were not asked for. */
  get passedSteps(): number | undefined {
    return this.#steps === undefined && this.wants.steps !== undefined ? this.#stepCount : undefined;
  }

  /** Estimated bytes of the recording. */
  get size(): number {
    return this.#frameBytes + (this.#steps?.size ?? 0);
  }

  get frames(): readonly CallFrame[] {
    return this.#frames;
  }

  get accesses(): readonly AccountAccess[] {
    return Array.from(this.#accesses.values(), ({ address, slots }) => ({ address, slots: [...slots.values()] }));
  }

  enterFrame(start: FrameStart): void {
    this.#logsBefore.push(this.#logCount);
    if (this.#isInside) this.#open.push(this.#add(start));
  }

  /** False while a frame runs that is not recorded. */
  get #isInside(): boolean {
    return !this.#isOutermostOnly || this.#logsBefore.length === 1;
  }

  #add(start: FrameStart): OpenFrame {
    const { kind, depth, from, to, value, gas, input, isPrecompile, step } = start;
    const parent = this.#open.at(-1);
    const index = this.#frames.length;
    const frame: OpenFrame = {
      index,
      parent: parent?.index ?? -1,
      kind,
      depth,
      isStarted: true,
      from,
      to,
      account: runsForeignCode(kind) ? from : to,
      // The same zero for all of them.
      value: value === 0n ? 0n : value,
      gas,
      gasUsed: 0n,
      input,
      output: EMPTY_BYTES,
      undeposited: undefined,
      code: EMPTY_BYTES,
      isPrecompile,
      error: undefined,
      detail: undefined,
      children: NONE,
      logs: NONE,
      selfDestruct: undefined,
      step,
      stepEnd: step + 1,
    };
    if (parent !== undefined) parent.children = added(parent.children, index);
    this.#frames.push(frame);
    this.#countBytes(BYTES_PER_FRAME + input.length);
    return frame;
  }

  exitFrame(end: FrameEnd): void {
    const isRecorded = this.#isInside;
    // A failed frame's logs are dropped; later logs reuse their indexes.
    const logsBefore = this.#logsBefore.pop();
    if (logsBefore === undefined) throw new TypeError("Recorder: a frame ended that never began");
    if (end.error !== undefined) this.#logCount = logsBefore;
    if (isRecorded) this.#complete(this.#open.pop() as OpenFrame, end);
  }

  #complete(frame: OpenFrame, end: FrameEnd): void {
    const { error, detail, gasUsed, output, undeposited, createdAddress, code, stepEnd } = end;
    const isNew = isCreation(frame.kind);
    if (isNew) {
      frame.to = createdAddress;
      frame.account = createdAddress;
    }
    frame.error = error;
    frame.detail = detail;
    // One number for both, of which a failure has hundreds of thousands.
    frame.gasUsed = gasUsed === frame.gas ? frame.gas : gasUsed;
    frame.output = output;
    frame.undeposited = undeposited;
    frame.code = isNew ? frame.input : code;
    frame.stepEnd = stepEnd;
    this.#countBytes(output.length);
  }

  refuseFrame(start: FrameStart, error: FrameError): void {
    if (this.#isOutermostOnly) return;
    const frame = this.#add(start);
    frame.isStarted = false;
    frame.error = error;
  }

  selfDestruct(event: SelfDestruct): void {
    const frame = this.#current;
    if (frame !== undefined) frame.selfDestruct = event;
  }

  log({ address, topics, data }: Log): void {
    const index = this.#logCount++;
    const frame = this.#current;
    if (frame === undefined) return;
    this.#countBytes(data.length + BYTES_PER_FRAME);
    frame.logs = added(frame.logs, { address, topics, data, position: frame.children.length, index });
  }

  /** The running frame, if it is recorded. */
  get #current(): OpenFrame | undefined {
    return this.#isInside ? this.#open.at(-1) : undefined;
  }

  accessAccount(address: Bytes): void {
    this.#access(address);
  }

  accessSlot(address: Bytes, slot: Bytes): void {
    const { slots } = this.#access(address);
    const key = bytesKey(slot);
    if (!slots.has(key)) slots.set(key, slot);
  }

  #access(address: Bytes): { readonly slots: Map<string, Bytes> } {
    const key = bytesKey(address);
    let access = this.#accesses.get(key);
    if (access === undefined) {
      access = { address, slots: new Map() };
      this.#accesses.set(key, access);
    }
    return access;
  }

  takeSteps(steps: StepBuffer): void {
    this.#stepCount = steps.first + steps.length;
    this.#spare = this.#steps === undefined ? steps.bytes : undefined;
    this.#steps?.add(steps);
    if (this.#steps !== undefined && this.#steps.size > this.#mostStepBytes) this.#steps = undefined;
    this.#countBytes(0);
  }

  spareSteps(): Uint8Array | undefined {
    if (this.#steps === undefined || this.#mostStepBytes < CHUNK_BYTES) return this.#spare;
    if (this.#steps.size < MANY_STEP_BYTES) return undefined;
    const { length } = this.#steps.bufferOf(this.#steps.length - 1).bytes;
    if (this.#chunk.length < length) this.#chunk = new Uint8Array(CHUNK_BYTES);
    const room = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    return room;
  }

  #countBytes(bytes: number): void {
    this.#frameBytes += bytes;
    if (this.size <= this.#maxBytes) return;
    const where = `It has ${this.#frames.length} calls and ${this.#stepCount} steps up to there.`;
    throw recordedTooMuch(this.#maxBytes, null, where);
  }
}

/** The list with one more item. A list that `push` makes longer than none has room for 17. */
function added<Item>(list: Item[], item: Item): Item[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
