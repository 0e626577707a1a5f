/** Tells a sink what operations look at and log, and of calls and creations that start no frame. */
import type { InterpreterStep } from "@ethereumjs/evm";
import type { EventSink, FrameStart } from "../../../evm/event-sink.ts";
import { CALL_DEPTH_LIMIT, type FrameError, FrameKind, isCreation } from "../../../evm/frames.ts";
import { Op, startsFrame } from "../../../evm/opcodes.ts";
import { type Bytes, bigIntToFixedBytes } from "../../../primitives/bytes.ts";
import { MAX_UINT64 } from "../../../primitives/limits.ts";
import { type Operation, readRegion } from "./operation.ts";
import { addressOf } from "./operation-reader.ts";
import { kindStartedBy, type RunningFrame } from "./running-frame.ts";

/** Gas that a called frame gets on top where value moves (yellow paper, G_callstipend). */
const STIPEND = 2300;

/**
 * Tells of what an operation looks at and logs.
 *
 * @param account - whose storage the frame works on
 * @param isDone - it was paid for and runs
 */
export function tellEffects(sink: EventSink, operation: Operation, account: Bytes, isDone: boolean): void {
  const { accesses, logs } = sink.wants;
  // geth's access list tracer asks for so many items (eth/tracers/logger/access_list_tracer.go).
  const hasOperands = operation.stackHeight >= (startsFrame(operation.opcode) ? 5 : 1);
  if (accesses === "done" ? isDone : accesses === "attempted" && hasOperands) tellAccess(sink, operation, account);
  if (logs === true && isDone) tellLog(sink, operation, account);
}

/** Tells of the account or slot that an operation looks at, if it does. */
function tellAccess(sink: EventSink, operation: Operation, account: Bytes): void {
  const { opcode } = operation;
  switch (opcode) {
    case Op.SLOAD:
    case Op.SSTORE:
      sink.accessSlot?.(account.slice(), bigIntToFixedBytes(operation.stackItem(0), 32));
      break;
    case Op.BALANCE:
    case Op.EXTCODESIZE:
    case Op.EXTCODECOPY:
    case Op.EXTCODEHASH:
    case Op.SELFDESTRUCT:
      sink.accessAccount?.(addressOf(operation.stackItem(0)));
      break;
    case Op.CALL:
    case Op.CALLCODE:
    case Op.DELEGATECALL:
    case Op.STATICCALL:
      sink.accessAccount?.(addressOf(operation.stackItem(1)));
  }
}

/** Tells of a log, if an operation emits one. */
function tellLog(sink: EventSink, operation: Operation, account: Bytes): void {
  const count = operation.opcode - Op.LOG0;
  if (count < 0 || operation.opcode > Op.LOG4) return;
  const topics = Array.from({ length: count }, (_, index) => bigIntToFixedBytes(operation.stackItem(2 + index), 32));
  sink.log?.({ address: account.slice(), topics, data: readRegion(operation, 0, 1) });
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
  const moved = kind === FrameKind.delegateCall ? 0n : valueSeen(operation, kind, parent);
  if (account.balance < moved) return "insufficientBalance";
  return isCreation(kind) && account.nonce >= MAX_UINT64 ? "nonceOverflow" : undefined;
}

/** wei that the child sees. */
function valueSeen(operation: Operation, kind: FrameKind, parent: RunningFrame): bigint {
  if (kind === FrameKind.staticCall) return 0n;
  if (kind === FrameKind.delegateCall) return parent.message.value;
  return operation.stackItem(isCreation(kind) ? 0 : 2);
}

/** The frame that a call or creation asks for, from its operands. */
export function requestedFrame(
  operation: Operation,
  parent: RunningFrame,
  from: Bytes,
): Omit<FrameStart, "isPrecompile" | "step"> {
  const kind = kindStartedBy(operation.opcode) ?? FrameKind.call;
  const isNew = isCreation(kind);
  const first = isNew ? 1 : kind === FrameKind.call || kind === FrameKind.callCode ? 3 : 2;
  return {
    kind,
    depth: parent.message.depth + 1,
    from: from.slice(),
    to: isNew ? undefined : addressOf(operation.stackItem(1)),
    value: valueSeen(operation, kind, parent),
    gas: BigInt(operation.forwarded + stipendOf(operation)),
    input: readRegion(operation, first, first + 1),
  };
}

/** Gas that a call hands to its child beside what it takes off the caller. */
export function stipendOf({ opcode, stack }: Operation): number {
  const movesValue = (opcode === Op.CALL || opcode === Op.CALLCODE) && stack.at(-3) !== 0n;
  return movesValue ? STIPEND : 0;
}
