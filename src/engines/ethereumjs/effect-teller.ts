/** Tells a sink what an operation looks at, logs, destroys, or fails to start. */
import type { InterpreterStep } from "@ethereumjs/evm";
import type { EventSink, FrameStart } from "../../evm/event-sink.ts";
import { CALL_DEPTH_LIMIT, type FrameError, FrameKind, isCreation } from "../../evm/frames.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes.ts";
import { MAX_UINT64 } from "../../primitives/limits.ts";
import { addressOf } from "./call-price.ts";
import { kindStartedBy, type RunningFrame } from "./frame-stack.ts";
import type { Operation } from "./operation.ts";

/** Gas that a called frame gets on top where value moves (yellow paper, G_callstipend). */
export const STIPEND = 2300;

export class EffectTeller {
  readonly #sink: EventSink;
  readonly #isPrecompile: (address: Bytes) => boolean;

  constructor(sink: EventSink, isPrecompile: (address: Bytes) => boolean) {
    this.#sink = sink;
    this.#isPrecompile = isPrecompile;
  }

  /** An operation is next, and may yet be refused. */
  attempt(operation: Operation, { address }: InterpreterStep): void {
    if (this.#sink.wants.accesses !== "attempted") return;
    // As many items as geth's access list tracer asks for (eth/tracers/logger/access_list_tracer.go).
    if (operation.stackHeight >= (startsFrame(operation.opcode) ? 5 : 1)) this.#access(operation, address.bytes);
  }

  /** An operation was paid for and runs. */
  run(operation: Operation, { address, account }: InterpreterStep, frame: RunningFrame): void {
    const { opcode } = operation;
    const { wants } = this.#sink;
    if (wants.accesses === "done") this.#access(operation, address.bytes);
    if (wants.logs === true && opcode >= Op.LOG0 && opcode <= Op.LOG4) this.#log(operation, address.bytes);
    if (opcode === Op.SELFDESTRUCT && wants.frames === "all") {
      const beneficiary = addressOf(operation.stackItem(0));
      frame.selfDestruct = { address: address.bytes.slice(), beneficiary, balance: account.balance };
    }
  }

  #access(operation: Operation, account: Bytes): void {
    const { opcode } = operation;
    switch (opcode) {
      case Op.SLOAD:
      case Op.SSTORE:
        this.#sink.accessSlot?.(account.slice(), bigIntToFixedBytes(operation.stackItem(0), 32));
        break;
      case Op.BALANCE:
      case Op.EXTCODESIZE:
      case Op.EXTCODECOPY:
      case Op.EXTCODEHASH:
      case Op.SELFDESTRUCT:
        this.#sink.accessAccount?.(addressOf(operation.stackItem(0)));
        break;
      default:
        if (startsFrame(opcode) && opcode !== Op.CREATE && opcode !== Op.CREATE2) {
          this.#sink.accessAccount?.(addressOf(operation.stackItem(1)));
        }
    }
  }

  #log(operation: Operation, address: Bytes): void {
    const topics = Array.from({ length: operation.opcode - Op.LOG0 }, (_, index) =>
      bigIntToFixedBytes(operation.stackItem(2 + index), 32),
    );
    const data = readRegion(operation, 0, 1);
    this.#sink.log?.({ address: address.slice(), topics, data });
  }

  /** Tells of a call or creation that starts no frame. */
  refuse(operation: Operation, { address }: InterpreterStep, parent: RunningFrame, refusal: Refusal): void {
    if (this.#sink.wants.frames !== "all") return;
    const start = { ...describeFrame(operation, parent, address.bytes), step: refusal.step };
    const isPrecompile = start.to !== undefined && this.#isPrecompile(start.to);
    this.#sink.refuseFrame?.({ ...start, isPrecompile }, refusal.error);
  }
}

export interface Refusal {
  readonly error: FrameError;
  /** Number of the recorded step that asked for the frame, or -1. */
  readonly step: number;
}

/** Why EthereumJS will answer a call or creation with zero at once, if it will. The same tests in the same order. */
export function refusalOf(
  operation: Operation,
  { depth, account }: InterpreterStep,
  parent: RunningFrame,
): FrameError | undefined {
  const kind = kindStartedBy(operation.opcode);
  if (kind === undefined) return undefined;
  if (depth >= CALL_DEPTH_LIMIT) return "callTooDeep";
  if (kind !== FrameKind.delegateCall && account.balance < endowment(operation, kind, parent)) {
    return "insufficientBalance";
  }
  return isCreation(kind) && account.nonce >= MAX_UINT64 ? "nonceOverflow" : undefined;
}

/** wei that the frame sees. */
function endowment(operation: Operation, kind: FrameKind, parent: RunningFrame): bigint {
  if (kind === FrameKind.staticCall) return 0n;
  if (kind === FrameKind.delegateCall) return parent.message.value;
  return operation.stackItem(isCreation(kind) ? 0 : 2);
}

/** The frame that a call or creation asks for, from its operands. */
function describeFrame(
  operation: Operation,
  parent: RunningFrame,
  from: Bytes,
): Omit<FrameStart, "isPrecompile" | "step"> {
  const kind = kindStartedBy(operation.opcode) ?? FrameKind.call;
  const isNew = isCreation(kind);
  const hasValueOperand = kind === FrameKind.call || kind === FrameKind.callCode;
  const first = isNew ? 1 : hasValueOperand ? 3 : 2;
  return {
    kind,
    depth: parent.message.depth + 1,
    from: from.slice(),
    to: isNew ? undefined : addressOf(operation.stackItem(1)),
    value: endowment(operation, kind, parent),
    gas: BigInt(operation.forwarded + stipendOf(operation)),
    input: readRegion(operation, first, first + 1),
  };
}

/** The region of memory that two operands name. */
export function readRegion(operation: Operation, offset: number, length: number): Bytes {
  return operation.readMemory(Number(operation.stackItem(offset)), Number(operation.stackItem(length)));
}

/** Gas that a call hands to its child beside what it takes off the caller. */
export function stipendOf({ opcode, stack }: Operation): number {
  const movesValue = (opcode === Op.CALL || opcode === Op.CALLCODE) && stack[stack.length - 3] !== 0n;
  return movesValue ? STIPEND : 0;
}
