// Decoded code: records of 16 bytes, which the run loop executes.
//
// Code is decoded block by block when it is first reached, in one of two manners. The fast manner checks gas and stack once
// per block, which begins with a BLOCK record of 32 bytes, and joins frequent sequences. The precise manner puts a STEP
// record before each instruction: it serves recorders, and finds the failing instruction if a block cannot be paid for.

import { Word } from "../words/word";

/**
 * Operations of records beside the numbers of instructions. They follow these without a gap, so that the compiler makes a
 * table of the loop's cases.
 */
export namespace Operation {
  export const BLOCK: u32 = 0x100;
  export const STEP: u32 = 0x101;
  export const PUSH: u32 = 0x102;
  /** The constant is in the 32 bytes after the record. */
  export const PUSH_WIDE: u32 = 0x103;
  /** Continues with the record at `b`, behind a COUNT if `a` is 1. It is decoded when it is first reached. */
  export const GOTO: u32 = 0x104;
  /** Runs the precompile that the frame was made for. */
  export const RUN_PRECOMPILE: u32 = 0x105;
  /** Ends the frame with the error that was set by `raise`. */
  export const RAISE: u32 = 0x106;
  /**
   * An instruction that does not exist or always fails. The block is run again in the precise manner, which finds out
   * why.
   */
  export const UNKNOWN: u32 = 0x107;

  // A jump joined with its constant destination, and with the comparison that it depends on.
  export const JUMP_TO: u32 = 0x108;
  export const JUMPI_TO: u32 = 0x109;
  export const JUMP_IF_ZERO: u32 = 0x10a;
  export const JUMP_IF_LT: u32 = 0x10b;
  export const JUMP_IF_GT: u32 = 0x10c;
  export const JUMP_IF_EQ: u32 = 0x10d;
  export const JUMP_UNLESS_LT: u32 = 0x10e;
  export const JUMP_UNLESS_GT: u32 = 0x10f;
  export const JUMP_UNLESS_EQ: u32 = 0x110;

  /** Starts the outermost frame. */
  export const START: u32 = 0x111;

  /** Counts how often the code after it runs. Written only if coverage is on (coverage.ts). */
  export const COUNT: u32 = 0x112;

  /** An instruction with a price of its own that a STEP record has charged already. Its opcode is `a`. */
  export const PAID: u32 = 0x113;
}

/** A record. */
@unmanaged
export class Record {
  /** An opcode, or a number of {@link Operation}. */
  operation: u16;
  /** Depth of DUP and SWAP in bytes, the upper one of EXCHANGE; opcode of STEP. */
  a: u16;
  /** The pc, or the address of the record to continue with. */
  b: u32;
  /**
   * A constant, gas that the rest of the block has paid for, the lower depth of EXCHANGE, or the items that the
   * instruction of a STEP names by its immediate (deep-stack.ts).
   */
  c: u64;

  @inline get next(): Record {
    return this.after(offsetof<Record>());
  }

  /** The record this many bytes behind. */
  @inline after(bytes: usize): Record {
    return changetype<Record>(changetype<usize>(this) + bytes);
  }

  /** The 32 bytes after the record, a word. */
  @inline get wide(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Record>());
  }
}

/** Stands for the record of an invalid jump destination. */
export const NO_RECORD: Record = changetype<Record>(0);

/** Most instructions that are decoded at a time: code that is entered for little gas must not take much work. */
export const RUN_LIMIT: u32 = 512;
/** Bytes of a record with a constant of 32 bytes. */
export const WIDE_RECORD: usize = 48;
/** Bytes of a BLOCK, and of a COUNT. */
export const BLOCK_RECORD: usize = 32;
export const COUNT_RECORD: usize = 32;

/** A BLOCK record. */
@unmanaged
export class Block {
  operation: u16;
  private unused: u16;
  gas: u32;
  /** Bytes of stack that it reads, and most bytes that it adds. */
  needed: u32;
  growth: u32;
  pc: u32;
  fuel: u32;
}

/** A COUNT record. The host reads it. */
@unmanaged
export class Counter {
  operation: u16;
  kind: u16;
  /** The first pc that it counts, and the one after the last. */
  start: u32;
  times: u32;
  end: u32;
  /** The next counter above zero. */
  next: Counter | null;
  /** Address of the code's object. */
  code: usize;
}

/** The place of a decoded block in a table. */
@unmanaged
export class BlockPlace {
  /** NO_RECORD before it is decoded. */
  block: Record;

  @inline get isDecoded(): bool {
    return this.block != NO_RECORD;
  }
}

/** The instruction at which a frame goes on that is at the beginning of a block, or behind an instruction that ends one. */
export function placeBehind(record: Record): u32 {
  let at = record;
  while (at.operation == Operation.GOTO) {
    if (at.b == 0) return <u32>at.c;
    at = changetype<Record>(at.b);
  }
  if (at.operation == Operation.BLOCK) return changetype<Block>(at).pc;
  return at.operation == Operation.COUNT ? changetype<Counter>(at).start : at.b;
}
