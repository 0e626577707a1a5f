/** A message of EthereumJS during its execution. */
import type { InterpreterStep, Message } from "@ethereumjs/evm";
import type { FrameStart, SelfDestruct } from "../../evm/event-sink.ts";
import { CALL_DEPTH_LIMIT, type FrameError, FrameKind, isCreation, runsForeignCode } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../primitives/bytes/limits.ts";
import { addressOf, isCreating, type Operation, readRegion, stipendOf } from "./operation.ts";

/** The start of a frame, without the two members that only the observer knows. */
export type StartedFrame = Omit<FrameStart, "isPrecompile" | "step">;

/** Lives until its message ends. */
export class RunningFrame {
  /** Index in order of entry, counting frames that never started. */
  readonly number: number;
  readonly message: Message;
  readonly kind: FrameKind;
  /** Call data or init code; not a copy. Held here because EthereumJS moves the latter. */
  readonly input: Bytes;
  /** The last operation with an event, and the account's balance before it. */
  last: Operation | undefined;
  account: InterpreterStep["account"] | undefined;
  /** True if the effects of {@link last} were reported. */
  isLastReported = true;
  /** True if the last operation started a frame; that frame's gas is noted too. */
  hasChild = false;
  childGas = 0n;
  /** Active memory in bytes before the last operation. */
  memoryBytes = 0;
  /** The SELFDESTRUCT in progress. */
  selfDestruct: SelfDestruct | undefined;

  constructor(number: number, message: Message, parent: RunningFrame | undefined) {
    this.number = number;
    this.message = message;
    this.input = message.data;
    this.kind = parent?.last?.starts ?? (message.to === undefined ? FrameKind.create : FrameKind.call);
  }

  /** The executing code, which EthereumJS sets after the message's event. */
  get code(): Bytes {
    return this.message.code instanceof Uint8Array ? this.message.code : EMPTY_BYTES;
  }

  /** Account whose storage the frame uses. */
  get address(): Bytes {
    return this.message.to?.bytes ?? EMPTY_BYTES;
  }

  get start(): StartedFrame {
    const { kind, input, message, address } = this;
    const { depth, value, gasLimit: gas, caller } = message;
    const to = isCreation(kind) ? undefined : message.codeAddress.bytes.slice();
    const from = (runsForeignCode(kind) ? address : caller.bytes).slice();
    return { kind, depth, from, to, value, gas, input };
  }

  /** The frame that a call or creation did not get, and the reason; undefined if the reason is unknown. */
  refused(operation: Operation): { readonly start: StartedFrame; readonly error: FrameError } | undefined {
    const { opcode, stackItem, starts: kind, forwarded } = operation;
    const { depth, value: ownValue } = this.message;
    if (kind === undefined || this.account === undefined) return undefined;
    const isNew = isCreating(opcode);
    const hasValue = isNew || opcode === Op.CALL || opcode === Op.CALLCODE;
    const moved = hasValue ? stackItem(isNew ? 0 : 2) : 0n;
    let error: FrameError | undefined;
    // The same checks in the same order as in EthereumJS.
    if (depth >= CALL_DEPTH_LIMIT) error = "callTooDeep";
    else if (this.account.balance < moved) error = "insufficientBalance";
    else if (isNew && this.account.nonce >= MAX_UINT64) error = "nonceOverflow";
    if (error === undefined) return undefined;
    const first = isNew ? 1 : hasValue ? 3 : 2;
    const start = {
      ...{ kind, depth: depth + 1, from: this.address.slice(), to: isNew ? undefined : addressOf(stackItem(1)) },
      value: opcode === Op.DELEGATECALL ? ownValue : moved,
      gas: BigInt(forwarded + stipendOf(operation)),
      input: readRegion(operation, first, first + 1),
    };
    return { start, error };
  }
}
