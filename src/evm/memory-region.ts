/** A region of memory, by the operands that name it. */
export interface MemoryRegion {
  /** Index of the operand with the offset; 0 is the top of the stack. */
  readonly offset: number;
  /** Index of the operand with the length; -1 for a fixed length. */
  readonly length: number;
  /** Fixed length in bytes. */
  readonly fixedLength: number;
  /** False if the opcode only reads the region, as MLOAD does. */
  readonly isWritten: boolean;
  /** True for a call's output region, of which only the length of the return data is written. */
  readonly isCallOutput: boolean;
}

/** A region that is written, by the indexes of the operands with its offset and its length. */
export function region(offset: number, length: number): MemoryRegion {
  return { offset, length, fixedLength: 0, isWritten: true, isCallOutput: false };
}

/** A region of this many bytes, whose offset is on top of the stack. */
export function fixed(fixedLength: number, isWritten: boolean): MemoryRegion {
  return { offset: 0, length: -1, fixedLength, isWritten, isCallOutput: false };
}

/** The region that receives the output of a call. Its length is the operand after its offset. */
export function callOutput(offset: number): MemoryRegion {
  return { ...region(offset, offset + 1), isCallOutput: true };
}
