/**
 * What operations need of memory, and what that costs (yellow paper appendix H.1): for operations whose price EthereumJS
 * does not tell, because its gas handler refused them.
 */
import { Op } from "../../evm/opcodes.ts";

const WORD_BYTES = 32n;

/** A region by its operands, 0 being the top of the stack; a length of its own where none is named. */
type Region = readonly [offset: number, length: number, fixedLength?: bigint];

const CALL_REGIONS: readonly Region[] = [
  [3, 4],
  [5, 6],
];
const VALUELESS_CALL_REGIONS: readonly Region[] = [
  [2, 3],
  [4, 5],
];

const REGIONS: ReadonlyMap<number, readonly Region[]> = new Map<number, readonly Region[]>([
  [Op.KECCAK256, [[0, 1]]],
  [Op.CALLDATACOPY, [[0, 2]]],
  [Op.CODECOPY, [[0, 2]]],
  [Op.EXTCODECOPY, [[1, 3]]],
  [Op.RETURNDATACOPY, [[0, 2]]],
  [Op.MLOAD, [[0, -1, WORD_BYTES]]],
  [Op.MSTORE, [[0, -1, WORD_BYTES]]],
  [Op.MSTORE8, [[0, -1, 1n]]],
  [
    Op.MCOPY,
    [
      [0, 2],
      [1, 2],
    ],
  ],
  ...[0, 1, 2, 3, 4].map((topics): [number, readonly Region[]] => [Op.LOG0 + topics, [[0, 1]]]),
  [Op.CREATE, [[1, 2]]],
  [Op.CREATE2, [[1, 2]]],
  [Op.RETURN, [[0, 1]]],
  [Op.REVERT, [[0, 1]]],
  [Op.CALL, CALL_REGIONS],
  [Op.CALLCODE, CALL_REGIONS],
  [Op.DELEGATECALL, VALUELESS_CALL_REGIONS],
  [Op.STATICCALL, VALUELESS_CALL_REGIONS],
]);

/** An item of a stack that has its top at the end; 0 is the top. */
export function operand(stack: readonly bigint[], index: number): bigint {
  return stack[stack.length - 1 - index] ?? 0n;
}

/** Active memory in bytes, a multiple of 32, that an operation needs beside the `active` there is. */
export function memoryNeeded(opcode: number, stack: readonly bigint[], active: bigint): bigint {
  let most = active;
  for (const [offset, length, fixedLength] of REGIONS.get(opcode) ?? []) {
    const bytes = fixedLength ?? operand(stack, length);
    const end = bytes === 0n ? 0n : operand(stack, offset) + bytes;
    if (end > most) most = wordsOf(end) * WORD_BYTES;
  }
  return most;
}

/** Price in gas of growing memory from one number of bytes to another, both multiples of 32. */
export function growthPrice(from: bigint, to: bigint): bigint {
  return priceOf(to / WORD_BYTES) - priceOf(from / WORD_BYTES);
}

function priceOf(words: bigint): bigint {
  return words * 3n + (words * words) / 512n;
}

/** Words that so many bytes fill. */
export function wordsOf(bytes: bigint): bigint {
  return (bytes + WORD_BYTES - 1n) / WORD_BYTES;
}
