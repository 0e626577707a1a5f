// Decoded code: records of 16 bytes, which the run loop executes.
//
//     0  u16 operation: an opcode, an opcode plus PAID, or one of the numbers below
//     2  u16 a: depth of DUP and SWAP in bytes, the upper one of EXCHANGE; opcode of STEP
//     4  u32 b: pc, or the record to continue with
//     8  u64 c: a constant, gas that the rest of the block has paid for, the lower depth of EXCHANGE, or the items that the
//               instruction of a STEP names by its immediate (deep-stack.ts)
//
// Code is decoded block by block when it is first reached, in one of two manners. The fast manner checks gas and stack once
// per block, which begins with a BLOCK record of 32 bytes, and joins frequent sequences. The precise manner puts a STEP
// record before each instruction: it serves recorders, and finds the failing instruction if a block cannot be paid for.

/** Added to the opcode of an instruction with a price of its own that a STEP record has charged already. */
export const PAID: u32 = 0x100;

export const BLOCK: u32 = 0x200;
export const STEP: u32 = 0x201;
export const PUSH: u32 = 0x202;
/** The constant is in the 32 bytes after the record. */
export const PUSH_WIDE: u32 = 0x203;
/** Continues with the record at `b`. It is decoded when it is first reached. */
export const GOTO: u32 = 0x204;
/** Runs the precompile that the frame was made for. */
export const RUN_PRECOMPILE: u32 = 0x205;
/** Ends the frame with the error that was set by `raise`. */
export const RAISE: u32 = 0x206;
/**
 * An instruction that does not exist or always fails. The block is run again in the precise manner, which finds out
 * why.
 */
export const UNKNOWN: u32 = 0x207;

// A jump joined with its constant destination, and with the comparison that it depends on.
export const JUMP_TO: u32 = 0x208;
export const JUMPI_TO: u32 = 0x209;
export const JUMP_IF_ZERO: u32 = 0x20a;
export const JUMP_IF_LT: u32 = 0x20b;
export const JUMP_IF_GT: u32 = 0x20c;
export const JUMP_IF_EQ: u32 = 0x20d;
export const JUMP_UNLESS_LT: u32 = 0x20e;
export const JUMP_UNLESS_GT: u32 = 0x20f;
export const JUMP_UNLESS_EQ: u32 = 0x210;

/** Starts the outermost frame. */
export const START: u32 = 0x211;

/** Counts how often the code after it runs. Written only if coverage is on (coverage.ts). */
export const COUNT: u32 = 0x212;

export const RECORD: usize = 16;
export const BLOCK_RECORD: usize = 32;
export const WIDE_RECORD: usize = 48;
export const COUNT_RECORD: usize = 32;

// For a BLOCK: gas, bytes of stack read, most bytes added, pc, fuel.
export const BLOCK_GAS: usize = 4;
export const BLOCK_NEEDED: usize = 8;
export const BLOCK_GROWTH: usize = 12;
export const BLOCK_PC: usize = 16;
export const BLOCK_FUEL: usize = 20;
