/** Which operands of an opcode name a region of memory that it reads or writes, as vmTrace lists them. */
import { Op } from "./opcodes.ts";

export interface MemoryRegion {
  /** Operand that holds the offset, 0 being the top of the stack. */
  readonly offset: number;
  /** Operand that holds the length, or -1 for a fixed length. */
  readonly length: number;
  /** Bytes, where the length is fixed. */
  readonly fixedLength: number;
  /** The opcode may write there; MLOAD only reads. */
  readonly isWritten: boolean;
  /** A call's output region: as much is written as the child returned. */
  readonly isCallOutput: boolean;
}

const region = (offset: number, length: number): MemoryRegion => {
  return { offset, length, fixedLength: 0, isWritten: true, isCallOutput: false };
};
const fixed = (fixedLength: number, isWritten: boolean): MemoryRegion => {
  return { offset: 0, length: -1, fixedLength, isWritten, isCallOutput: false };
};
const output = (offset: number): MemoryRegion => ({ ...region(offset, offset + 1), isCallOutput: true });

const REGIONS: ReadonlyMap<number, MemoryRegion> = new Map([
  [Op.MLOAD, fixed(32, false)],
  [Op.MSTORE, fixed(32, true)],
  [Op.MSTORE8, fixed(1, true)],
  [Op.CALLDATACOPY, region(0, 2)],
  [Op.CODECOPY, region(0, 2)],
  [Op.RETURNDATACOPY, region(0, 2)],
  [Op.MCOPY, region(0, 2)],
  [Op.EXTCODECOPY, region(1, 3)],
  [Op.CALL, output(5)],
  [Op.CALLCODE, output(5)],
  [Op.DELEGATECALL, output(4)],
  [Op.STATICCALL, output(4)],
]);

/** The region that each opcode names, by opcode. */
export const MEMORY_REGIONS: readonly (MemoryRegion | undefined)[] = Array.from({ length: 256 }, (_, opcode) =>
  REGIONS.get(opcode),
);
