/** geth's `keccak256PreimageTracer`: the inputs of all KECCAK256 operations (eth/tracers/native/keccak256_preimage.go). */

import { LimitError } from "../../errors/hindcast-error.ts";
import { StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { type Bytes, bytesKey, compareBytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import { ownSteps } from "../inspect/machine-at.ts";
import type { Recording } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { StepTable } from "../step-table.ts";

/** A hash and the bytes that it is of. */
export interface KeccakPreimage {
  /** 32 bytes. */
  readonly hash: Bytes;
  readonly preimage: Bytes;
}

/** Most bytes of all preimages of a trace. 30 million gas hash 160 MB. */
const MOST_BYTES = 128 * 2 ** 20;
/** Longest input of an operation that could not pay for its memory: as much as geth pads with zeros. */
const LONGEST_UNPAID = 2 ** 20;

/**
 * The preimages by hash, each once. An operation that runs out of gas counts, as in geth.
 *
 * @param recording - must have steps and memory
 * @throws {TypeError} if it has no steps
 * @throws {LimitError} `RECORDING_LIMIT`
 */
export function* keccakPreimages({ frames, steps }: Recording): Steps<KeccakPreimage[]> {
  if (!(steps instanceof StepTable)) throw new TypeError("keccakPreimages: the recording has no steps");
  const found = new Map<string, KeccakPreimage>();
  let size = 0;
  for (const frame of frames) {
    const machine = new FrameMachine(frame);
    for (const { buffer, row, child } of ownSteps({ frames, steps }, frame)) {
      const input = buffer.opcode(row) === Op.KECCAK256 ? inputOf(machine, buffer.outcome(row)) : undefined;
      if (input !== undefined) {
        const hash = keccak256(input);
        const key = bytesKey(hash);
        if (!found.has(key)) size += input.length;
        found.set(key, { hash, preimage: input });
        if (size > MOST_BYTES) throw tooLarge();
      }
      machine.apply(buffer, row, child);
      yield;
    }
  }
  return [...found.values()].sort((left, right) => compareBytes(left.hash, right.hash));
}

function inputOf(machine: FrameMachine, outcome: StepOutcome): Bytes | undefined {
  if (machine.height < 2) return undefined;
  const [offset, length] = [machine.operand(0), machine.operand(1)];
  if (outcome !== StepOutcome.done && (length > LONGEST_UNPAID || offset > Number.MAX_SAFE_INTEGER)) return undefined;
  return machine.readMemory(Number(offset), Number(length));
}

function tooLarge(): LimitError {
  return new LimitError({
    code: "RECORDING_LIMIT",
    what: `The inputs of the hashes take more than the ${MOST_BYTES} bytes that a trace of them may have.`,
    fix: "Give the call less gas.",
    data: { limit: MOST_BYTES, flag: null },
  });
}
