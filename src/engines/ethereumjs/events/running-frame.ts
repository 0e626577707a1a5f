/** One of EthereumJS' messages while it runs. */
import type { Message } from "@ethereumjs/evm";
import type { SelfDestruct } from "../../../evm/event-sink.ts";
import { FrameKind } from "../../../evm/frames.ts";
import { Op } from "../../../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes.ts";
import type { Operation } from "./operation.ts";

const KIND_OF: Readonly<Record<number, FrameKind>> = {
  [Op.CALL]: FrameKind.call,
  [Op.CALLCODE]: FrameKind.callCode,
  [Op.DELEGATECALL]: FrameKind.delegateCall,
  [Op.STATICCALL]: FrameKind.staticCall,
  [Op.CREATE]: FrameKind.create,
  [Op.CREATE2]: FrameKind.create2,
};

/** Kind of the frame that an opcode starts; undefined for others. */
export function kindStartedBy(opcode: number): FrameKind | undefined {
  return KIND_OF[opcode];
}

export class RunningFrame {
  /** In order of entry, those that never started included. */
  readonly number: number;
  readonly message: Message;
  readonly kind: FrameKind;
  /** Call data, or init code: EthereumJS moves the latter away later. */
  readonly input: Bytes;
  /** The last operation that was heard. */
  last: Operation | undefined;
  /** Gas that the child of the last operation used. */
  childGas = 0n;
  /** Active memory in bytes behind the last operation. */
  memoryBytes = 0n;
  /** Nobody may listen to what comes behind the child of the last operation. */
  isUnheardBehindChild = false;
  /** SELFDESTRUCT is running. */
  selfDestruct: SelfDestruct | undefined;

  constructor(number: number, message: Message, parent: RunningFrame | undefined) {
    this.number = number;
    this.message = message;
    this.kind = kindOf(message, parent);
    this.input = message.data;
  }

  /** Code that runs: EthereumJS puts it into the message after the message's event. */
  get code(): Bytes {
    return this.message.code instanceof Uint8Array ? this.message.code : EMPTY_BYTES;
  }
}

/** The frames of one outermost message. */
export class FrameStack {
  /** From the outermost on. */
  readonly #running: RunningFrame[] = [];
  /** Frames so far, with those that never started. */
  #count = 0;

  get innermost(): RunningFrame | undefined {
    return this.#running.at(-1);
  }

  push(message: Message): RunningFrame {
    const frame = new RunningFrame(this.#count++, message, this.innermost);
    this.#running.push(frame);
    return frame;
  }

  pop(): RunningFrame {
    const frame = this.#running.pop();
    if (frame === undefined) throw new TypeError("FrameStack: a message ended that never began");
    return frame;
  }

  /** Counts a frame that never started. */
  skip(): void {
    this.#count++;
  }
}

/** By the opcode where steps are heard. Without them a CALL in a static frame looks like a STATICCALL. */
function kindOf(message: Message, parent: RunningFrame | undefined): FrameKind {
  const started = parent?.last && kindStartedBy(parent.last.opcode);
  if (started !== undefined) return started;
  if (message.to === undefined) return message.salt === undefined ? FrameKind.create : FrameKind.create2;
  if (message.delegatecall) return FrameKind.delegateCall;
  if (!equalBytes(message.codeAddress.bytes, message.to.bytes)) return FrameKind.callCode;
  return message.isStatic ? FrameKind.staticCall : FrameKind.call;
}
