/** The memory region that an opcode reads or writes, as vmTrace shows it, by the operands that name it. */
import { Op } from "./opcodes.ts";

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

/** The memory region by opcode. */
export const MEMORY_REGIONS: readonly (MemoryRegion | undefined)[] = Array.from({ length: 256 }, (_, opcode) =>
  REGIONS.get(opcode),
);
