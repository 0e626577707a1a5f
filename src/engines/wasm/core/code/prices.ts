// Instructions with a dynamic price, by opcode. The build generates the cases from the table of instructions.

/*IMPORTS*/

/** Prices an instruction. Returns 0, the code for missing state, or the reason why it fails (refusals.ts). */
export function priceOf(opcode: u32, sp: usize): i32 {
  switch (opcode) {
    /*PRICES*/
    default:
      return 0;
  }
}
