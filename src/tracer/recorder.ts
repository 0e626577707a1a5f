/**
 * Records one transaction or call: an EventSink whose recording every format reads.
 *
 * Keeps what the request names and copies only what changes: a step costs a row of numbers, its result word by reference
 * and the bytes it wrote to memory.
 */
import { LimitError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../primitives/bytes.ts";
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
  Telling,
} from "./events.ts";
import { MEMORY_REGIONS, regionLength, regionOffset } from "./memory-regions.ts";
import { isDup, isSwap, Op, opcodeShape, startsFrame } from "./opcodes.ts";
import type { AccountAccess, CallFrame, FrameLog, Recording, RecordingRequest, SelfDestruct } from "./recording.ts";
import { StepColumns } from "./step-columns.ts";

const DEFAULT_MAX_BYTES = 2 ** 30;
/** Room a frame record takes beside its bytes, roughly. */
const BYTES_PER_FRAME = 400;
/** Steps between two looks at the size. */
const SIZE_CHECK_INTERVAL = 4096;

/** Opcodes that leave one computed item on top, for the formats to list; DUP and SWAP only move items. */
const LEAVES_WORD: readonly boolean[] = Array.from(
  { length: 256 },
  (_, opcode) => opcodeShape(opcode).pushes === 1 && !isDup(opcode) && !isSwap(opcode),
);

/** Operations that change more than gas and stack are told of by events: frames, memory where it is kept, refunds. */
const tellingOf = (opcode: number, hasMemory: boolean): Telling => {
  if (startsFrame(opcode) || opcode === Op.SSTORE || opcode === Op.SELFDESTRUCT) return Telling.events;
  if (hasMemory && MEMORY_REGIONS[opcode]?.isWritten === true) return Telling.events;
  return LEAVES_WORD[opcode] === true ? Telling.rowAndWord : Telling.row;
};
const TELLING = Uint8Array.from({ length: 256 }, (_, opcode) => tellingOf(opcode, false));
const TELLING_WITH_MEMORY = Uint8Array.from({ length: 256 }, (_, opcode) => tellingOf(opcode, true));

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
  /** Step that is running. */
  pending: number;
  /** Size of the return data buffer: the last child's. */
  returnLength: number;
  /** Memory that the running step writes. */
  writeOffset: number;
  writeLength: number;
}

export class Recorder implements RowSink, Recording {
  readonly wantsFrames = true;
  readonly wantsLogs: boolean;
  readonly wantsAccesses: boolean;
  readonly wantsSteps: boolean;
  readonly steps: StepColumns | undefined;
  readonly #maxBytes: number;
  readonly #frames: CallFrame[] = [];
  readonly #open: OpenFrame[] = [];
  readonly #accesses = new Map<string, { readonly address: Bytes; readonly slots: Map<string, Bytes> }>();
  #current: OpenFrame | undefined;
  #logCount = 0;
  #frameBytes = 0;

  constructor(request: RecordingRequest = {}) {
    this.wantsLogs = request.logs ?? false;
    this.wantsAccesses = request.accesses ?? false;
    this.wantsSteps = request.steps ?? false;
    this.steps = this.wantsSteps ? new StepColumns(request.memory ?? false) : undefined;
    this.#maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  get rowSink(): RowSink | undefined {
    return this.wantsSteps ? this : undefined;
  }

  get telling(): Uint8Array {
    return this.steps?.hasMemory === true ? TELLING_WITH_MEMORY : TELLING;
  }

  openRows(): OpenRows {
    const { steps } = this;
    if (steps === undefined) throw new TypeError("Recorder: no steps are recorded");
    const rows = steps.open();
    rows.runningFrame = this.#current?.index ?? 0;
    // Rows fill without being looked at: here is where a recording that grows too large is noticed.
    this.#countBytes(0);
    return rows;
  }

  reopenRow(): void {
    if (this.#current !== undefined) this.#current.pending = (this.steps?.length ?? 0) - 1;
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
      step: parent?.pending ?? -1,
      children: [],
      logs: [],
      selfDestruct: undefined,
      logsBefore: this.#logCount,
      pending: -1,
      returnLength: 0,
      writeOffset: 0,
      writeLength: 0,
    };
    this.#countBytes(BYTES_PER_FRAME + input.length);
    this.#frames.push(unfinished(frame));
    return frame;
  }

  exitFrame(end: FrameEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined) throw new TypeError("Recorder: a frame ended that never began");
    this.#frames[frame.index] = finished(frame, end, this.steps?.length ?? 0);
    this.#current = this.#open.at(-1);
    // Logs of a failed frame are gone, and later ones take their numbers.
    if (end.error !== undefined) this.#logCount = frame.logsBefore;
    this.#countBytes(end.output.length);
    if (this.#current === undefined) return;
    const isBuffer = end.error === "reverted" || (end.error === undefined && !isCreation(frame.start.kind));
    this.#current.returnLength = isBuffer ? end.output.length : 0;
  }

  refuseFrame(start: FrameStart, error: FrameError): void {
    if (this.#current !== undefined) this.#current.returnLength = 0;
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
    const { steps } = this;
    const frame = this.#current;
    if (steps === undefined || frame === undefined) return;
    const step = steps.begin(frame.index, live);
    frame.pending = step;
    if (steps.hasMemory) noteRegion(frame, live);
    if (step % SIZE_CHECK_INTERVAL === 0) this.#countBytes(0);
  }

  endStep(live: LiveStep): void {
    const { steps } = this;
    const frame = this.#current;
    if (steps === undefined || frame === undefined) return;
    const step = frame.pending;
    const opcode = live.stepOpcode;
    if (LEAVES_WORD[opcode] === true) steps.setWord(step, live.stack[live.stackHeight - 1] as bigint);
    if (startsFrame(opcode)) steps.setGasAfter(step, live.gas);
    // geth's counter has it from the operation on, here as for SSTORE, which earns it while its price is worked out.
    if (opcode === Op.SELFDESTRUCT) steps.setRefund(step, live.gasRefund);
    if (frame.writeLength === 0) return;
    const length = startsFrame(opcode) ? Math.min(frame.writeLength, frame.returnLength) : frame.writeLength;
    if (length > 0) steps.setWrite(step, live.memory, frame.writeOffset, length);
    frame.writeLength = 0;
  }

  failStep(_live: LiveStep, outcome: StepOutcome): void {
    const frame = this.#current;
    if (frame === undefined) return;
    this.steps?.setOutcome(frame.pending, outcome);
    frame.writeLength = 0;
  }

  refuseStep(live: LiveStep, outcome: StepOutcome): void {
    const frame = this.#current;
    if (frame === undefined || this.steps === undefined) return;
    this.steps.setOutcome(this.steps.begin(frame.index, live), outcome);
  }

  #countBytes(bytes: number): void {
    this.#frameBytes += bytes;
    if (this.#frameBytes + (this.steps?.size ?? 0) <= this.#maxBytes) return;
    throw new LimitError({
      code: "RESULT_LIMIT",
      what: `The recording grew beyond its limit of ${this.#maxBytes} bytes.`,
      fix: "Ask for fewer members (without memory, without steps), or raise the limit.",
    });
  }
}

/** Remembers where the step will write, while its operands are on the stack. */
function noteRegion(frame: OpenFrame, live: LiveStep): void {
  const region = MEMORY_REGIONS[live.stepOpcode];
  if (region?.isWritten !== true) return;
  frame.writeLength = regionLength(region, live.stack, live.stackHeight);
  if (frame.writeLength > 0) frame.writeOffset = regionOffset(region, live.stack, live.stackHeight);
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
