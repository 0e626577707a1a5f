/** Assigns each operation of a call frame to the function that it ran in, and computes its gas. */
import { isCreation } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { SourceFunction } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import type { Execution } from "../stack/execution.ts";
import type { GasNode } from "./gas-node.ts";

/**
 * Greatest depth of functions that is followed. A greater one means that optimized code returned without a marked jump.
 */
const MOST_FUNCTIONS = 512;

/** A function that is being executed, with its node in the profile. */
interface RunningFunction {
  readonly node: GasNode;
  /** Undefined for routines that the compiler generated. Their gas counts as the caller's. */
  readonly definition: SourceFunction | undefined;
}

/** Follows the jumps with which a contract calls its functions and returns from them. */
export class FunctionStack {
  readonly #outermost: GasNode;
  readonly #childOf: (node: GasNode, definition: SourceFunction) => GasNode;
  readonly #running: RunningFunction[] = [];
  #beyond = 0;

  constructor(outermost: GasNode, childOf: (node: GasNode, definition: SourceFunction) => GasNode) {
    this.#outermost = outermost;
    this.#childOf = childOf;
  }

  /** The node of an instruction. The gas of modifiers and inlined functions counts as that of the running function. */
  nodeOf(definition: SourceFunction | undefined): GasNode {
    const top = this.#running.at(-1);
    if (top === undefined) {
      return definition === undefined ? this.#outermost : this.#childOf(this.#outermost, definition);
    }
    return definition === undefined || definition === top.definition ? top.node : this.#childOf(top.node, definition);
  }

  /** Follows one jump, given the instruction at its destination. */
  jump(site: MappedInstruction, entry: MappedInstruction | undefined): void {
    if (site.jump === "outOf") {
      if (this.#beyond > 0) this.#beyond--;
      else this.#running.pop();
      return;
    }
    if (site.jump !== "into" || entry?.opcode !== Op.JUMPDEST) return;
    if (this.#running.length >= MOST_FUNCTIONS) {
      this.#beyond++;
      return;
    }
    const definition = functionOf(entry);
    // Code that decodes the arguments of a function has the function's range and then jumps to it: count both as one.
    const above = this.#running.length === 0 ? this.#outermost : this.nodeOf(functionOf(site));
    const node = definition === undefined ? above : this.#childOf(above, definition);
    if (definition !== undefined) node.calls++;
    this.#running.push({ node, definition: definition ?? this.#running.at(-1)?.definition });
  }
}

/** The function of the source whose range contains an instruction; undefined for code of no function. */
export function functionOf(instruction: MappedInstruction | undefined): SourceFunction | undefined {
  const range = instruction?.range;
  return range?.file.functionAt(range.start, range.end);
}

/** Gas of a frame by operation. The gas of its calls is not included. */
export interface FrameGas {
  /** By index of the operation in the frame. */
  readonly operations: readonly number[];
  /** Gas of no operation: the deposit cost of created code, or the cost of a precompile. */
  readonly rest: number;
}

/** Divides the gas of a frame among its operations. With the gas of its calls, the sum equals the frame's `gasUsed`. */
export function divideGas(frame: CallFrame, execution: Execution): FrameGas {
  const used = Number(frame.gasUsed);
  const { length } = execution;
  const left = Number(frame.gas) - used;
  const operations: number[] = [];
  let sum = 0;
  for (let index = 0; index < length; index++) {
    const child = Number(execution.children.get(index)?.gasUsed ?? 0n);
    const isLast = index === length - 1;
    const after = isLast ? left : execution.gas(index + 1);
    const cost = isLast && leavesCode(frame) ? execution.cost(index) : execution.gas(index) - after - child;
    operations.push(cost);
    sum += cost + child;
  }
  return { operations, rest: used - sum };
}

/** True for a creation whose init code succeeded, so that it pays the code deposit cost. */
function leavesCode({ kind, error }: CallFrame): boolean {
  if (!isCreation(kind)) return false;
  return (
    error === undefined || error === "codeStoreOutOfGas" || error === "codeSizeExceeded" || error === "invalidCode"
  );
}
