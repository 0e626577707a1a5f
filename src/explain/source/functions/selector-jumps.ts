/** The jumps of a code that choose a function by the selector of the call data. */
import { instructionOf } from "../../../evm/instructions.ts";
import { Op } from "../../../evm/opcodes.ts";
import { type Bytes, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import type { InstructionMap } from "../source-map.ts";

/** A code with its source map. */
export interface MappedCode {
  readonly instructions: InstructionMap;
  readonly template: { readonly bytes: Bytes };
}

/** A JUMPI that a comparison of two numbers decides, one of which the code contains. */
export interface SelectorJump {
  /** The number; a selector if the code compares selectors here. */
  readonly value: bigint;
  readonly pc: number;
  /** True if it jumps when the numbers are equal; otherwise it jumps when they are not. */
  readonly isTakenIfEqual: boolean;
}

/** Most instructions between a selector and the jump that its comparison decides. */
const MOST_BETWEEN = 4;
const SELECTOR_BYTES = 4;

/** Numbers may be no selectors, and only look like them. */
export function findSelectorJumps({ instructions: map, template }: MappedCode): readonly SelectorJump[] {
  const jumps: SelectorJump[] = [];
  const instructions = [...map.values()];
  for (const [index, { pc, opcode }] of instructions.entries()) {
    const { immediate } = instructionOf(opcode);
    if (immediate === 0 || immediate > SELECTOR_BYTES) continue;
    const after = instructions.slice(index + 1, index + 1 + MOST_BETWEEN);
    const jump = after.findIndex((each) => each.opcode === Op.JUMPI);
    const compares = after.slice(0, Math.max(0, jump)).find((each) => isComparison(each.opcode));
    const { pc: place } = after[jump] ?? {};
    if (place === undefined || compares === undefined) continue;
    const value = bytesToBigInt(template.bytes.subarray(pc + 1, pc + 1 + immediate));
    jumps.push({ value, pc: place, isTakenIfEqual: compares.opcode === Op.EQ });
  }
  return jumps;
}

/** EQ jumps if the numbers are equal; SUB and XOR jump if they are not. */
function isComparison(opcode: number): boolean {
  return opcode === Op.EQ || opcode === Op.SUB || opcode === Op.XOR;
}
