// Instructions with a dynamic price, by opcode. The build generates the cases from the table of instructions.

/*IMPORTS*/

/** Prices an instruction: 0, what `run` returns where something is missing, or why it is refused (refusals.ts). */
export function priceOf(opcode: u32, sp: usize): i32 {
  switch (opcode) {
    /*PRICES*/
    default:
      return 0;
  }
}
