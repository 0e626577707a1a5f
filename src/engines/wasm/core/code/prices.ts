// Prices of instructions by opcode. The build repeats the case of MLOAD for all instructions with a price of their own.

import { Opcode } from "../facts.generated";
import { priceMload } from "../instructions/memory-instructions";
import { Stack } from "../words/stack";

/** Prices an instruction. Returns 0, the code for missing state, or the reason why it fails (refusals.ts). */
export function priceOf(opcode: u32, stack: Stack): i32 {
  switch (opcode) {
    // As for MLOAD: priced, fails, opens, ends.
    case Opcode.MLOAD:
      return priceMload(stack);
    // End of the cases that are repeated.
    default:
      return 0;
  }
}
