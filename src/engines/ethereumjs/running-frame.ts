/** One of EthereumJS' messages while it runs. */
import type { InterpreterStep, Message } from "@ethereumjs/evm";
import type { FrameStart, SelfDestruct } from "../../evm/event-sink.ts";
import { CALL_DEPTH_LIMIT, type FrameError, FrameKind, isCreation, runsForeignCode } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../primitives/bytes/limits.ts";
import { addressOf, isCreating, type Operation, readRegion, stipendOf } from "./operation.ts";

/** The start of a frame, without the two members that only the observer knows. */
export type StartedFrame = Omit<FrameStart, "isPrecompile" | "step">;

export class RunningFrame {
  /** In order of entry, those that never started included. */
  readonly number: number;
  readonly message: Message;
  readonly kind: FrameKind;
  /** Call data, or init code: EthereumJS moves the latter away later. */
  readonly input: Bytes;
  /** The last operation that was heard, and what the running account had before it. */
  last: Operation | undefined;
  account: InterpreterStep["account"] | undefined;
  /** The sink has heard what {@link last} does. */
  isLastTold = true;
  /** The last operation started a frame, which used so much gas. */
  hasChild = false;
  childGas = 0n;
  /** Active memory in bytes before the last operation. */
  memoryBytes = 0;
  /** SELFDESTRUCT is running. */
  selfDestruct: SelfDestruct | undefined;

  constructor(number: number, message: Message, parent: RunningFrame | undefined) {
    this.number = number;
    this.message = message;
    this.input = message.data;
    this.kind = parent?.last?.starts ?? (message.to === undefined ? FrameKind.create : FrameKind.call);
  }

  /** Code that runs: EthereumJS puts it into the message after the message's event. */
  get code(): Bytes {
    return this.message.code instanceof Uint8Array ? this.message.code : EMPTY_BYTES;
  }

  /** The account on whose storage the frame works. */
  get address(): Bytes {
    return this.message.to?.bytes ?? EMPTY_BYTES;
  }

  get start(): StartedFrame {
    const { kind, input, message, address } = this;
    const { depth, value, gasLimit: gas, caller } = message;
    const to = isCreation(kind) ? undefined : message.codeAddress.bytes.slice();
    const from = (runsForeignCode(kind) ? address : caller.bytes).slice();
    return { kind, depth, from, to, value, gas, input: input.slice() };
  }

  /** The frame that a call or creation asked for and did not get, and why; undefined where that is not known. */
  refused(operation: Operation): { readonly start: StartedFrame; readonly error: FrameError } | undefined {
    const { opcode, stackItem, starts: kind, forwarded } = operation;
    const { depth, value: ownValue } = this.message;
    if (kind === undefined || this.account === undefined) return undefined;
    const isNew = isCreating(opcode);
    const hasValue = isNew || opcode === Op.CALL || opcode === Op.CALLCODE;
    const moved = hasValue ? stackItem(isNew ? 0 : 2) : 0n;
    let error: FrameError | undefined;
    // The same tests in the same order as EthereumJS'.
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
