// DUPN, SWAPN and EXCHANGE (EIP-8024), whose immediate byte names stack items.

import { Opcode } from "../facts.generated";

/** @inline */
export function isDeep(opcode: u32): bool {
  return opcode == Opcode.DUPN || opcode == Opcode.SWAPN || opcode == Opcode.EXCHANGE;
}

/**
 * The items named by an immediate, counted from 1 at the top of the stack: one in each half, the deeper one in the
 * upper half. DUPN names one. Zero for an invalid byte, so that JUMPDEST and PUSH keep their meaning.
 */
export function itemsOf(opcode: u32, immediate: u32): u32 {
  if (opcode == Opcode.EXCHANGE) return pairOf(immediate);
  if (immediate > 90 && immediate < 128) return 0;
  const depth = (immediate + 145) & 0xff;
  return opcode == Opcode.DUPN ? depth << 16 : ((depth + 1) << 16) | 1;
}

function pairOf(immediate: u32): u32 {
  if (immediate > 81 && immediate < 128) return 0;
  const mixed = immediate ^ 143;
  const row = mixed >> 4;
  const column = mixed & 15;
  return row < column ? ((column + 2) << 16) | (row + 2) : ((30 - row) << 16) | (column + 2);
}

/** The deepest item named by {@link itemsOf}. @inline */
export function deepest(items: u32): u32 {
  return items >> 16;
}
