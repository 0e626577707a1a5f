/** Goes through the operations of one call frame and says which function each of them ran in, and what it cost. */
import { isCreation } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { SourceFunction } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import type { Execution } from "../stack/execution.ts";
import type { GasNode } from "./gas-node.ts";

/** Functions that may run one within another. Beyond, the optimizer has lost their returns. */
const MOST_FUNCTIONS = 512;

/** A function that runs, and its node. */
interface RunningFunction {
  readonly node: GasNode;
  /** Undefined for routines that the compiler made of itself: they belong to their caller. */
  readonly definition: SourceFunction | undefined;
}

/** Follows the jumps that call functions of one contract and return from them. */
export class FunctionStack {
  readonly #outermost: GasNode;
  readonly #childOf: (node: GasNode, definition: SourceFunction) => GasNode;
  readonly #running: RunningFunction[] = [];
  #beyond = 0;

  constructor(outermost: GasNode, childOf: (node: GasNode, definition: SourceFunction) => GasNode) {
    this.#outermost = outermost;
    this.#childOf = childOf;
  }

  /** The node that an instruction belongs to. Modifiers, and functions put into others, are within what runs. */
  nodeOf(definition: SourceFunction | undefined): GasNode {
    const top = this.#running.at(-1);
    if (top === undefined) {
      return definition === undefined ? this.#outermost : this.#childOf(this.#outermost, definition);
    }
    return definition === undefined || definition === top.definition ? top.node : this.#childOf(top.node, definition);
  }

  /** Takes in a jump, with the instruction that it led to. */
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
    // Code that decodes a function's arguments has its range and calls it: that is one function.
    const above = this.#running.length === 0 ? this.#outermost : this.nodeOf(functionOf(site));
    const node = definition === undefined ? above : this.#childOf(above, definition);
    if (definition !== undefined) node.calls++;
    this.#running.push({ node, definition: definition ?? this.#running.at(-1)?.definition });
  }
}

export function functionOf(instruction: MappedInstruction | undefined): SourceFunction | undefined {
  const range = instruction?.range;
  return range?.file.functionAt(range.start, range.end);
}

/** Gas of a frame: what each operation used in it, and the rest. Calls have their own frames. */
export interface FrameGas {
  /** By number of the operation. */
  readonly operations: readonly number[];
  /** What is no operation's: the price of the code that a creation leaves, the answer of a precompile. */
  readonly rest: number;
}

/** Divides the gas that a frame used among its operations. The sum, with that of its calls, is exactly that gas. */
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

/** True for a creation whose init code ran to its end, so that its code was to be paid for. */
function leavesCode({ kind, error }: CallFrame): boolean {
  if (!isCreation(kind)) return false;
  return (
    error === undefined || error === "codeStoreOutOfGas" || error === "codeSizeExceeded" || error === "invalidCode"
  );
}
