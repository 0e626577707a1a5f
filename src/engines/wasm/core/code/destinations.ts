// Jump destinations of a code (yellow paper §9.4.3): one bit for each byte, and for each 64 bytes the number of
// destinations before them.

import { instructionOf, Opcode } from "../facts.generated";
import { burn } from "../machine/machine";
import { Code, CodeFlag } from "./code";
import { BlockPlace } from "./records";

/** The bit of a byte of code within its 64. @inline */
function bitOf(pc: u32): u64 {
  const place = <u64>(pc & 63);
  return 1 << place;
}

function analyse(code: Code): void {
  const length = <usize>code.length;
  const blocks = (length + 63) >> 6;
  const bitmap = code.arena.take(blocks * 12 + 16);
  memory.fill(bitmap, 0, blocks * 8);
  for (let pc: usize = 0; pc < length; pc++) {
    const opcode = <u32>load<u8>(code.raw + pc);
    if (opcode == Opcode.JUMPDEST) {
      const bits = bitmap + ((pc >> 6) << 3);
      store<u64>(bits, load<u64>(bits) | bitOf(<u32>pc));
    } else if (opcode >= Opcode.PUSH1 && opcode <= Opcode.PUSH32) pc += instructionOf(opcode).immediate;
  }
  const ranks = bitmap + blocks * 8;
  let count: u32 = 0;
  for (let block: usize = 0; block < blocks; block++) {
    store<u32>(ranks + (block << 2), count);
    count += <u32>popcnt<u64>(load<u64>(bitmap + (block << 3)));
  }
  code.bitmap = bitmap;
  code.ranks = ranks;
  code.destinations = count;
  code.flags |= CodeFlag.IS_ANALYSED;
  burn(length << 3);
}

/** Number of the jump destination at a program counter; -1 if there is none. @inline */
function destinationAt(code: Code, pc: u32): i32 {
  const lane = <usize>(pc >> 6);
  const bits = load<u64>(code.bitmap + (lane << 3));
  const bit = bitOf(pc);
  if ((bits & bit) == 0) return -1;
  return <i32>(load<u32>(code.ranks + (lane << 2)) + <u32>popcnt<u64>(bits & (bit - 1)));
}

/** Creates the tables for {@link targetPlace}, unless they exist. */
export function prepareTargets(code: Code, isPrecise: bool): void {
  if (!code.isAnalysed) analyse(code);
  if ((isPrecise ? code.preciseTargets : code.fastTargets) != 0) return;
  const bytes = (<usize>code.destinations) << 2;
  const targets = code.records.take(bytes + 4);
  memory.fill(targets, 0, bytes);
  if (isPrecise) code.preciseTargets = targets;
  else code.fastTargets = targets;
}

/**
 * The decoded block at a jump destination of the running code; null for an invalid destination.
 *
 * @param pc - any number
 */
export function targetPlace(code: Code, pc: u64, isPrecise: bool): BlockPlace | null {
  if (pc >= <u64>code.length) return null;
  const number = destinationAt(code, <u32>pc);
  if (number < 0) return null;
  const targets = isPrecise ? code.preciseTargets : code.fastTargets;
  return changetype<BlockPlace>(targets + ((<usize>number) << 2));
}
