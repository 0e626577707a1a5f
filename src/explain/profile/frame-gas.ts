/** Divides the gas of a call frame among its operations. */
import { isCreation } from "../../evm/frames.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import { type Execution, OPERATIONS_OF_STEP } from "../stack/execution.ts";

/** Gas of a frame by operation. The gas of its calls is not included. */
export interface FrameGas {
  /** By index of the operation in the frame. */
  readonly operations: readonly number[];
  /** Gas of no operation: the deposit cost of created code, or the cost of a precompile. */
  readonly rest: number;
}

/** Divides the gas of a frame among its operations. With the gas of its calls, the sum equals the frame's `gasUsed`. */
export function* divideGas(frame: CallFrame, execution: Execution): Steps<FrameGas> {
  const used = Number(frame.gasUsed);
  const { length } = execution;
  const left = Number(frame.gas) - used;
  const hasChildren = execution.children.size > 0;
  const operations: number[] = [];
  let sum = 0;
  for (let index = 0; index < length; index++) {
    const child = hasChildren ? Number(execution.children.get(index)?.gasUsed ?? 0n) : 0;
    const isLast = index === length - 1;
    const after = isLast ? left : execution.gas(index + 1);
    const cost = isLast && leavesCode(frame) ? execution.cost(index) : execution.gas(index) - after - child;
    operations.push(cost);
    sum += cost + child;
    if (index % OPERATIONS_OF_STEP === 0) yield;
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
