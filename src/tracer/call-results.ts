/** What a call or creation leaves in the frame that made it. It follows from the child's frame, so no step records it. */
import { isCreation } from "../evm/frames.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import type { CallFrame } from "./recording.ts";

/** The item on top of the stack: 1 or the new address, 0 where the call or creation failed or never started. */
export function resultWord({ kind, error, to }: CallFrame): bigint {
  if (error !== undefined) return 0n;
  return isCreation(kind) ? bytesToBigInt(to ?? EMPTY_BYTES) : 1n;
}

/**
 * The return data buffer (EIP-211). As much of it as fits goes to the memory region that a call names for its output.
 *
 * @see https://eips.ethereum.org/EIPS/eip-211
 */
export function returnDataAfter({ kind, error, isStarted, output }: CallFrame): Bytes {
  if (error === "reverted") return output;
  return error === undefined && isStarted && !isCreation(kind) ? output : EMPTY_BYTES;
}

/**
 * Gas of a frame after an operation of its own: what a child left is back, the stipend included, and all that it was given
 * where it never started. Before minus cost where the operation did not run.
 *
 * @param child - the frame that a call or creation started or was refused
 */
export function gasAfter(steps: StepBuffer, row: number, child: CallFrame | undefined): number {
  const left = steps.gas(row) - steps.cost(row);
  return child === undefined ? left : left - steps.forwarded(row) + Number(child.gas - child.gasUsed);
}
