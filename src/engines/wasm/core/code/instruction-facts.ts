// Properties of an instruction for the decoder: its immediate, its price, its duration, and whether it ends a block.

import { instructionOf, Kind, Opcode } from "../facts.generated";
import { ABSENT, prices } from "../machine/machine";
import { itemsOf } from "./deep-stack";

/** Stack items that the immediate of an instruction names (deep-stack.ts). */
export function itemsAt(opcode: u32, pc: usize, raw: usize): u32 {
  return itemsOf(opcode, <u32>load<u8>(raw + pc + 1));
}

/** Static price in gas; ABSENT if the hardfork does not have the instruction. @inline */
export function fixedPriceOf(opcode: u32): u32 {
  return load<u32>(prices + ((<usize>opcode) << 2));
}

/** True if the instruction has a price of its own beside the static one. @inline */
export function isPriced(opcode: u32): bool {
  return <u32>instructionOf(opcode).kind >= Kind.PRICED;
}

/** True if the instruction opens a frame. @inline */
export function opensFrame(opcode: u32): bool {
  return instructionOf(opcode).kind == Kind.OPENS;
}

/** True if the next instruction is reached only by a jump. */
export function endsRun(opcode: u32): bool {
  if (opcode == Opcode.STOP || opcode == Opcode.JUMP || instructionOf(opcode).kind == Kind.ENDS) return true;
  return fixedPriceOf(opcode) == ABSENT;
}

/**
 * True if another frame, or other code of this one, may run next. Also true for SSTORE, which looks at the gas that is
 * left (EIP-2200): that is known at the end of a block only.
 */
export function endsBlock(opcode: u32): bool {
  return opcode == Opcode.JUMPI || opcode == Opcode.SSTORE || opensFrame(opcode) || endsRun(opcode);
}

/** Duration in nanoseconds, as units of fuel. Work that grows with operands is counted where it is done. */
export function durationOf(opcode: u32): u32 {
  switch (opcode) {
    case Opcode.DIV:
    case Opcode.SDIV:
    case Opcode.MOD:
    case Opcode.SMOD:
      return 100;
    case Opcode.ADDMOD:
    case Opcode.MULMOD:
      return 200;
    case Opcode.EXP:
      return 1000;
    default:
      return 4;
  }
}
