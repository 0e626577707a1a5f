/**
 * Results of a call or creation in the calling frame. They are derived from the child frame, so that no step records
 * them.
 */
import { isCreation } from "../evm/frames.ts";
import type { StepBuffer } from "../evm/step-buffer.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import type { CallFrame } from "./recording.ts";

/** The item pushed on the stack: 1 or the new address; 0 if the call or creation failed or did not start. */
export function resultWord({ kind, error, to }: CallFrame): bigint {
  if (error !== undefined) return 0n;
  return isCreation(kind) ? bytesToBigInt(to ?? EMPTY_BYTES) : 1n;
}

/**
 * The return data buffer (EIP-211). The part of it that fits is also written to the output region of a call.
 *
 * @see https://eips.ethereum.org/EIPS/eip-211
 */
export function returnDataAfter({ kind, error, isStarted, output }: CallFrame): Bytes {
  if (error === "reverted") return output;
  return error === undefined && isStarted && !isCreation(kind) ? output : EMPTY_BYTES;
}

/**
 * Gas of a frame after one of its own operations. Gas that a child frame did not use is returned, including the
 * stipend; all of it if the child did not start. If the operation was not executed: gas before it minus its cost.
 *
 * @param child - frame that a call or creation started, or tried to start
 */
export function gasAfter(steps: StepBuffer, row: number, child: CallFrame | undefined): number {
  const left = steps.gas(row) - steps.cost(row);
  return child === undefined ? left : left - steps.forwarded(row) + Number(child.gas - child.gasUsed);
}
