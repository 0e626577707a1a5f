/**
 * Struct logs made while the transaction runs: the entries of {@link structLogs} without any recording behind them.
 *
 * An entry is handed on as soon as nothing about it can change: at once, after an SLOAD when its value is there, after a
 * SELFDESTRUCT when its refund is, and for an operation that could not be dispatched when its frame has ended and told why.
 */
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../primitives/bytes.ts";
import {
  type EventSink,
  type FrameEnd,
  FrameKind,
  type FrameStart,
  isCreation,
  type LiveStep,
  StepOutcome,
} from "../events.ts";
import { Op } from "../opcodes.ts";
import { gethErrorText, gethOpcodeName } from "./geth-errors.ts";
import type { StoredSlot, StructLog, StructLogOptions } from "./struct-log.ts";

interface OpenFrame {
  readonly kind: FrameKind;
  readonly depth: number;
  /** Slots seen of the account whose storage it works on. */
  readonly slots: Map<bigint, bigint>;
  returnData: Bytes;
  /** An entry that waits for its value or its error. */
  held: StructLogDraft | undefined;
}

type StructLogDraft = { -readonly [Member in keyof StructLog]: StructLog[Member] };

export class LiveStructLogs implements EventSink {
  readonly wantsFrames = true;
  readonly wantsLogs = false;
  readonly wantsAccesses = false;
  readonly wantsSteps = true;
  readonly #options: StructLogOptions;
  readonly #emit: (log: StructLog) => void;
  readonly #open: OpenFrame[] = [];
  readonly #slots = new Map<string, Map<bigint, bigint>>();
  #current: OpenFrame | undefined;

  /** @param emit - takes each entry; `limit` is left to it */
  constructor(options: StructLogOptions, emit: (log: StructLog) => void) {
    this.#options = options;
    this.#emit = emit;
  }

  enterFrame({ kind, depth, from, to }: FrameStart): void {
    const runsForeignCode = kind === FrameKind.delegateCall || kind === FrameKind.callCode;
    const slots = isCreation(kind) || to === undefined ? new Map() : this.#slotsOf(runsForeignCode ? from : to);
    this.#current = { kind, depth, slots, returnData: EMPTY_BYTES, held: undefined };
    this.#open.push(this.#current);
  }

  #slotsOf(account: Bytes): Map<bigint, bigint> {
    const key = bytesKey(account);
    let slots = this.#slots.get(key);
    if (slots === undefined) {
      slots = new Map();
      this.#slots.set(key, slots);
    }
    return slots;
  }

  exitFrame({ error, detail, output, createdAddress }: FrameEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined) return;
    if (frame.held !== undefined) {
      if (error !== undefined && error !== "staticStateChange") frame.held.error = gethErrorText(error, detail);
      this.#release(frame);
    }
    // Only now has the account that init code wrote to an address.
    if (createdAddress !== undefined) this.#slots.set(bytesKey(createdAddress), frame.slots);
    this.#current = this.#open.at(-1);
    if (this.#current === undefined) return;
    const isBuffer = error === "reverted" || (error === undefined && !isCreation(frame.kind));
    this.#current.returnData = isBuffer ? output : EMPTY_BYTES;
  }

  refuseFrame(): void {
    if (this.#current !== undefined) this.#current.returnData = EMPTY_BYTES;
  }

  beginStep(live: LiveStep): void {
    const frame = this.#current;
    if (frame === undefined) return;
    const log = this.#draft(frame, live);
    const waitsForValue = live.stepOpcode === Op.SLOAD && this.#options.disableStorage !== true;
    if (waitsForValue || live.stepOpcode === Op.SELFDESTRUCT) {
      frame.held = log;
      return;
    }
    if (live.stepOpcode === Op.SSTORE) this.#see(frame, log, live, operand(live, 1));
    this.#emit(log);
  }

  endStep(live: LiveStep): void {
    const frame = this.#current;
    if (frame?.held === undefined) return;
    if (live.stepOpcode === Op.SELFDESTRUCT) {
      if (live.gasRefund !== 0n) frame.held.refund = Number(live.gasRefund);
      this.#release(frame);
      return;
    }
    if (live.stepOpcode !== Op.SLOAD) return;
    // The slot is where the value is now; it is in the entry's stack if that has one.
    const value = operand(live, 0);
    const slot = this.#slotRead;
    if (value !== undefined && slot !== undefined) frame.slots.set(slot, value);
    frame.held.storage = listed(frame.slots);
    this.#release(frame);
  }

  failStep(): void {
    if (this.#current?.held !== undefined) this.#release(this.#current);
  }

  refuseStep(live: LiveStep, outcome: StepOutcome): void {
    const frame = this.#current;
    if (frame === undefined) return;
    const log = this.#draft(frame, live);
    const { stepOpcode } = live;
    if (stepOpcode === Op.SLOAD) this.#see(frame, log, live, undefined);
    else if (stepOpcode === Op.SSTORE) this.#see(frame, log, live, operand(live, 1));
    // Only the frame's end tells whether it has an error to show.
    if (outcome === StepOutcome.undefinedOpcode) this.#emit(log);
    else frame.held = log;
  }

  #release(frame: OpenFrame): void {
    const { held } = frame;
    frame.held = undefined;
    if (held !== undefined) this.#emit(held);
  }

  /** Slot of the SLOAD that is running. */
  #slotRead: bigint | undefined;

  #draft(frame: OpenFrame, live: LiveStep): StructLogDraft {
    const { stepOpcode, stepMemoryBytes, stackHeight } = live;
    const isCreate = stepOpcode === Op.CREATE || stepOpcode === Op.CREATE2;
    const log: StructLogDraft = {
      pc: live.pc,
      op: gethOpcodeName(stepOpcode),
      gas: live.gas,
      gasCost: live.stepCost + (isCreate ? 0 : live.stepForwarded),
      depth: frame.depth + 1,
    };
    const { disableStack, enableMemory, enableReturnData } = this.#options;
    if (disableStack !== true) log.stack = live.stack.slice(0, stackHeight);
    if (enableMemory === true && stepMemoryBytes > 0) {
      const memory = new Uint8Array(stepMemoryBytes);
      memory.set(live.memory.subarray(0, stepMemoryBytes));
      log.memory = memory;
    }
    if (enableReturnData === true && frame.returnData.length > 0) log.returnData = frame.returnData;
    if (live.gasRefund !== 0n) log.refund = Number(live.gasRefund);
    if (stepOpcode === Op.SLOAD) this.#slotRead = operand(live, 0);
    return log;
  }

  /** Notes the slot on top of the stack and lists the account's. */
  #see(frame: OpenFrame, log: StructLogDraft, live: LiveStep, value: bigint | undefined): void {
    const slot = operand(live, 0);
    if (this.#options.disableStorage === true || slot === undefined) return;
    if (live.stepOpcode === Op.SSTORE && value === undefined) return;
    if (value !== undefined) frame.slots.set(slot, value);
    log.storage = listed(frame.slots);
  }

  // What it does not want is never emitted; self-destructs are no entries of their own.
  selfDestruct(): void {}
  log(): void {}
  accessAccount(): void {}
  accessSlot(): void {}
}

function listed(slots: ReadonlyMap<bigint, bigint>): StoredSlot[] {
  return Array.from(slots, ([slot, value]) => ({ slot, value }));
}

function operand({ stack, stackHeight }: LiveStep, index: number): bigint | undefined {
  return index < stackHeight ? stack[stackHeight - 1 - index] : undefined;
}
