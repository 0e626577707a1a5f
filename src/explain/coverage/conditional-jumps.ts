/** How often conditional jumps were taken, and which of them lead to a failure. */
import { instructionOf } from "../../evm/instructions.ts";
import { Op } from "../../evm/opcodes.ts";
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import type { BuiltCode } from "../source/build.ts";
import type { InstructionMap } from "../source/source-map.ts";

const { STOP, JUMP, JUMPI, JUMPDEST, PUSH1, RETURN, REVERT, INVALID } = Op;
/** Instructions at which a block ends. */
const ENDS: ReadonlySet<number> = new Set([STOP, JUMP, JUMPI, JUMPDEST, RETURN, REVERT, INVALID]);
/** Widths in bytes of the numbers by which a code names its jump destinations. */
const WIDTHS = [2, 1, 3] as const;

/**
 * How often a JUMPI jumped.
 *
 * @param times - how often each instruction ran, by program counter
 */
export function timesTaken(code: BuiltCode, times: Float64Array, pc: number): number {
  const all = times[pc] ?? 0;
  const target = targetOf(code, pc);
  // Other code may jump to the instruction after it.
  const isEntered = code.instructions.get(pc + 1)?.opcode === JUMPDEST;
  if (isEntered && target !== undefined) return Math.min(all, times[target] ?? 0);
  return Math.max(0, all - (times[pc + 1] ?? 0));
}

/**
 * Whether the jump of a `require` is taken if it fails. Without the optimizer it is taken if it passes. The optimizer may
 * turn it around, so that it leads to a block that reverts.
 */
export function failsByJump(code: BuiltCode, pc: number): boolean {
  const target = targetOf(code, pc);
  return target !== undefined && reverts(code.instructions, target + 1) && !reverts(code.instructions, pc + 1);
}

/** The number that the instruction before a jump pushes. */
function targetOf({ instructions, template }: BuiltCode, pc: number): number | undefined {
  const width = WIDTHS.find((bytes) => instructions.get(pc - 1 - bytes)?.opcode === PUSH1 + bytes - 1);
  return width && Number(bytesToBigInt(template.bytes.subarray(pc - width, pc)));
}

/** True if the block that begins at a place ends in a revert. */
function reverts(instructions: InstructionMap, start: number): boolean {
  for (let pc = start; ; ) {
    const opcode = instructions.get(pc)?.opcode;
    if (opcode === undefined || ENDS.has(opcode)) return opcode === REVERT || opcode === INVALID;
    pc += 1 + instructionOf(opcode).immediate;
  }
}
