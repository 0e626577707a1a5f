// Properties of an instruction for the decoder: its immediate, its price, and whether it ends a block.

import { isDeep, itemsOf } from "./deep-stack";
import { ABSENT, operands, prices } from "../machine/machine";

export function itemsAt(opcode: u32, pc: usize, raw: usize): u32 {
  return itemsOf(opcode, <u32>load<u8>(raw + pc + 1));
}

// @ts-ignore: decorator
@inline
export function immediateOf(opcode: u32): usize {
  if (isDeep(opcode)) return 1;
  return opcode >= 0x60 && opcode <= 0x7f ? <usize>opcode - 0x5f : 0;
}

// @ts-ignore: decorator
@inline
export function fixedPriceOf(opcode: u32): u32 {
  return load<u32>(prices + (<usize>opcode << 2));
}

/** True if the instruction has a dynamic price. */
// @ts-ignore: decorator
@inline
export function isPriced(opcode: u32): bool {
  return load<u8>(operands + 512 + <usize>opcode) != 0;
}

/** True if the next instruction is reached only by a jump. */
// @ts-ignore: decorator
@inline
export function endsRun(opcode: u32): bool {
  return opcode == 0x00 || opcode == 0x56 || opcode == 0xf3 || opcode == 0xfd || opcode == 0xff || fixedPriceOf(opcode) == ABSENT;
}

/** True if another frame, or other code of this one, may run next. */
// @ts-ignore: decorator
@inline
export function endsBlock(opcode: u32): bool {
  return opcode == 0x57 || (opcode >= 0xf0 && opcode <= 0xfa) || endsRun(opcode);
}
