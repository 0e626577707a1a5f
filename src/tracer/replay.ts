/**
 * Rebuilds one frame's stack, memory and return data step by step, from what each step changed.
 *
 * Linear in steps: nothing is copied that did not change. Frames are independent of each other, so a format may walk a
 * frame without walking its children.
 */
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import { isCreation, StepOutcome } from "./events.ts";
import { isDup, isSwap, Op, opcodeShape, startsFrame } from "./opcodes.ts";
import type { CallFrame, MemoryWrite, Recording, StepTable } from "./recording.ts";

/** The machine of one frame during a replay. Live: valid until the next {@link FrameMachine.apply}. */
export class FrameMachine {
  readonly frame: CallFrame;
  /** Bottom first. */
  readonly stack: bigint[] = [];
  returnData: Bytes = EMPTY_BYTES;
  readonly #steps: StepTable;
  readonly #frames: readonly CallFrame[];
  #memory: Bytes = EMPTY_BYTES;
  #childrenSeen = 0;

  constructor(recording: Recording, frame: CallFrame) {
    if (recording.steps === undefined) throw new TypeError("FrameMachine: the recording has no steps");
    this.#steps = recording.steps;
    this.#frames = recording.frames;
    this.frame = frame;
  }

  /** An operand of the step about to run, 0 being the top of the stack; zero where there is none. */
  operand(index: number): bigint {
    return this.stack[this.stack.length - 1 - index] ?? 0n;
  }

  /** A copy of memory; bytes that were never written are zero. */
  readMemory(offset: number, length: number): Bytes {
    const copy = new Uint8Array(length);
    copy.set(this.#memory.subarray(offset, Math.min(offset + length, this.#memory.length)));
    return copy;
  }

  /** The child frame that a step started or was refused, if any. Steps are asked in order. */
  childOf(step: number): CallFrame | undefined {
    const index = this.frame.children[this.#childrenSeen];
    const child = index === undefined ? undefined : this.#frames[index];
    return child?.step === step ? child : undefined;
  }

  /** Moves on past a step of this frame. A step that did not run to its end changes nothing. */
  apply(step: number): void {
    const steps = this.#steps;
    const opcode = steps.opcode(step);
    const isCall = startsFrame(opcode);
    const child = isCall ? this.childOf(step) : undefined;
    if (child !== undefined) this.#childrenSeen++;
    if (steps.outcome(step) !== StepOutcome.done) return;
    const write = steps.hasMemory ? steps.write(step) : undefined;
    if (write !== undefined) this.#write(write);
    this.#applyToStack(opcode, step);
    if (isCall) this.returnData = child === undefined ? EMPTY_BYTES : returnDataAfter(child);
  }

  #applyToStack(opcode: number, step: number): void {
    const { stack } = this;
    if (isDup(opcode)) {
      stack.push(this.operand(opcode - Op.DUP1));
      return;
    }
    if (isSwap(opcode)) {
      const top = stack.length - 1;
      const other = top - (opcode - Op.SWAP1 + 1);
      const kept = stack[top] as bigint;
      stack[top] = stack[other] as bigint;
      stack[other] = kept;
      return;
    }
    for (let pops = opcodeShape(opcode).pops; pops > 0; pops--) stack.pop();
    const word = this.#steps.word(step);
    if (word !== undefined) stack.push(word);
  }

  #write({ offset, bytes }: MemoryWrite): void {
    const end = offset + bytes.length;
    if (end > this.#memory.length) {
      const grown = new Uint8Array(Math.max(end, this.#memory.length * 2));
      grown.set(this.#memory);
      this.#memory = grown;
    }
    this.#memory.set(bytes, offset);
  }
}

/** The return data buffer after a call or creation (EIP-211). */
export function returnDataAfter(child: CallFrame): Bytes {
  if (child.error === "reverted") return child.output;
  return child.error === undefined && child.isStarted && !isCreation(child.kind) ? child.output : EMPTY_BYTES;
}
