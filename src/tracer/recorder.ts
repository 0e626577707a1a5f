/**
 * Records one transaction or call: an EventSink whose recording every format reads.
 *
 * Keeps what the request names and copies only what changes: a step costs a row of numbers, its result word by reference
 * and the bytes it wrote to memory.
 */
import { LimitError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../primitives/bytes.ts";
import { CallSteps } from "./call-steps.ts";
import {
  type FrameEnd,
  type FrameError,
  FrameKind,
  type FrameStart,
  isCreation,
  type LiveStep,
  type Log,
  type OpenRows,
  type RowSink,
  type StepOutcome,
} from "./events.ts";
import type { AccountAccess, CallFrame, FrameLog, Recording, RecordingRequest, SelfDestruct } from "./recording.ts";
import { StepColumns } from "./step-columns.ts";
import { StepRecorder } from "./step-recorder.ts";

const DEFAULT_MAX_BYTES = 2 ** 30;
/** Room a frame record takes beside its bytes, roughly. */
const BYTES_PER_FRAME = 400;
/** Steps between two looks at the size. */
const SIZE_CHECK_INTERVAL = 4096;

interface OpenFrame {
  readonly index: number;
  readonly parent: number;
  readonly start: FrameStart;
  readonly input: Bytes;
  readonly step: number;
  readonly children: number[];
  readonly logs: FrameLog[];
  selfDestruct: SelfDestruct | undefined;
  /** Logs that stood when the frame began. */
  readonly logsBefore: number;
}

export interface RecorderRequest extends RecordingRequest {
  /** Of accesses, also those of opcodes that could not be paid, or failed before they ran. */
  readonly refusedAccesses?: boolean;
}

export class Recorder implements RowSink, Recording {
  readonly wantsFrames = true;
  readonly wantsLogs: boolean;
  readonly wantsAccesses: boolean;
  readonly wantsRefusedAccesses: boolean;
  readonly wantsSteps: boolean;
  readonly #steps: StepRecorder | undefined;
  readonly #maxBytes: number;
  readonly #frames: CallFrame[] = [];
  readonly #open: OpenFrame[] = [];
  readonly #accesses = new Map<string, { readonly address: Bytes; readonly slots: Map<string, Bytes> }>();
  #current: OpenFrame | undefined;
  #logCount = 0;
  #frameBytes = 0;

  /** @param keptStepBytes - once steps take more, they are let go of: see {@link calls}; default all are kept */
  constructor(request: RecorderRequest = {}, keptStepBytes?: number) {
    this.wantsLogs = request.logs ?? false;
    this.wantsAccesses = request.accesses ?? false;
    this.wantsRefusedAccesses = request.refusedAccesses ?? false;
    this.wantsSteps = request.steps ?? false;
    this.#steps = this.wantsSteps
      ? new StepRecorder(new StepColumns(request.memory ?? false), keptStepBytes)
      : undefined;
    this.#maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  get rowSink(): RowSink | undefined {
    return this.wantsSteps ? this : undefined;
  }

  get telling(): Uint8Array {
    return this.#stepRecorder.telling;
  }

  openRows(): OpenRows {
    const rows = this.#stepRecorder.openRows();
    // Rows fill without being looked at: here is where a recording that grows too large is noticed.
    this.#countBytes(0);
    return rows;
  }

  reopenRow(): void {
    this.#steps?.reopenRow();
  }

  get #stepRecorder(): StepRecorder {
    if (this.#steps === undefined) throw new TypeError("Recorder: no steps are recorded");
    return this.#steps;
  }

  /** Undefined where none were asked for, and where there were too many to keep. */
  get steps(): StepColumns | undefined {
    const store = this.#steps?.store;
    return store instanceof StepColumns ? store : undefined;
  }

  /** What calls left, where there were too many steps to keep. */
  get calls(): CallSteps | undefined {
    const store = this.#steps?.store;
    return store instanceof CallSteps ? store : undefined;
  }

  get frames(): readonly CallFrame[] {
    return this.#frames;
  }

  get accesses(): readonly AccountAccess[] {
    return Array.from(this.#accesses.values(), ({ address, slots }) => ({ address, slots: [...slots.values()] }));
  }

  enterFrame(start: FrameStart): void {
    const frame = this.#openFrame(start);
    this.#open.push(frame);
    this.#current = frame;
    this.#steps?.enterFrame(frame.index, start.kind);
  }

  #openFrame(start: FrameStart): OpenFrame {
    const parent = this.#current;
    const index = this.#frames.length;
    parent?.children.push(index);
    // Live: call data is a view of the parent's memory.
    const input = start.input.length === 0 ? EMPTY_BYTES : start.input.slice();
    const frame: OpenFrame = {
      index,
      parent: parent?.index ?? -1,
      start,
      input,
      step: this.#steps?.pending ?? -1,
      children: [],
      logs: [],
      selfDestruct: undefined,
      logsBefore: this.#logCount,
    };
    this.#countBytes(BYTES_PER_FRAME + input.length);
    this.#frames.push(unfinished(frame));
    return frame;
  }

  exitFrame(end: FrameEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined) throw new TypeError("Recorder: a frame ended that never began");
    this.#frames[frame.index] = finished(frame, end, this.#steps === undefined ? 0 : this.#steps.store.latest + 1);
    this.#current = this.#open.at(-1);
    // Logs of a failed frame are gone, and later ones take their numbers.
    if (end.error !== undefined) this.#logCount = frame.logsBefore;
    this.#steps?.exitFrame(end);
    this.#countBytes(end.output.length);
  }

  refuseFrame(start: FrameStart, error: FrameError): void {
    this.#steps?.refuseFrame();
    const frame = this.#openFrame(start);
    this.#frames[frame.index] = { ...unfinished(frame), isStarted: false, error };
  }

  selfDestruct(address: Bytes, beneficiary: Bytes, balance: bigint): void {
    if (this.#current !== undefined) this.#current.selfDestruct = { address, beneficiary, balance };
  }

  log(log: Log): void {
    const frame = this.#current;
    if (frame === undefined) return;
    this.#countBytes(log.data.length + BYTES_PER_FRAME);
    frame.logs.push({ ...log, position: frame.children.length, index: this.#logCount++ });
  }

  accessAccount(address: Bytes): void {
    this.#access(address);
  }

  accessSlot(address: Bytes, slot: Bytes): void {
    const { slots } = this.#access(address);
    const key = bytesKey(slot);
    if (!slots.has(key)) slots.set(key, slot.slice());
  }

  #access(address: Bytes): { readonly slots: Map<string, Bytes> } {
    const key = bytesKey(address);
    let access = this.#accesses.get(key);
    if (access === undefined) {
      access = { address: address.slice(), slots: new Map() };
      this.#accesses.set(key, access);
    }
    return access;
  }

  beginStep(live: LiveStep): void {
    const step = this.#steps?.begin(live) ?? -1;
    if (step % SIZE_CHECK_INTERVAL === 0) this.#countBytes(0);
  }

  endStep(live: LiveStep): void {
    this.#steps?.end(live);
  }

  failStep(_live: LiveStep, outcome: StepOutcome): void {
    this.#steps?.fail(outcome);
  }

  refuseStep(live: LiveStep, outcome: StepOutcome): void {
    this.#steps?.refuse(live, outcome);
  }

  #countBytes(bytes: number): void {
    this.#frameBytes += bytes;
    if (this.#frameBytes + (this.#steps?.store.size ?? 0) <= this.#maxBytes) return;
    throw new LimitError({
      code: "RESULT_LIMIT",
      what: `The recording grew beyond its limit of ${this.#maxBytes} bytes.`,
      fix: "Ask for fewer members (without memory, without steps), or raise the limit.",
    });
  }
}

/** A frame that is still running, or never will. */
function unfinished(frame: OpenFrame): CallFrame {
  const { start } = frame;
  const runsForeignCode = start.kind === FrameKind.delegateCall || start.kind === FrameKind.callCode;
  return {
    index: frame.index,
    parent: frame.parent,
    kind: start.kind,
    depth: start.depth,
    isStarted: true,
    from: start.from,
    to: start.to,
    account: runsForeignCode ? start.from : start.to,
    value: start.value,
    gas: start.gas,
    gasUsed: 0n,
    input: frame.input,
    output: EMPTY_BYTES,
    undeposited: undefined,
    code: EMPTY_BYTES,
    isPrecompile: start.isPrecompile,
    error: undefined,
    detail: undefined,
    children: frame.children,
    logs: frame.logs,
    selfDestruct: undefined,
    step: frame.step,
    stepEnd: frame.step + 1,
  };
}

function finished(frame: OpenFrame, end: FrameEnd, stepEnd: number): CallFrame {
  const begun = unfinished(frame);
  const isNew = isCreation(begun.kind);
  return {
    ...begun,
    to: isNew ? end.createdAddress : begun.to,
    account: isNew ? end.createdAddress : begun.account,
    gasUsed: end.gasUsed,
    output: end.output,
    undeposited: end.undeposited,
    code: isNew ? frame.input : end.code,
    error: end.error,
    detail: end.detail,
    selfDestruct: frame.selfDestruct,
    stepEnd,
  };
}
