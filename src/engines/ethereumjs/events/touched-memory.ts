/** Memory that operations reach, and what growing it costs (yellow paper appendix H.1). */
import { Op } from "../../../evm/opcodes.ts";

const WORD_BYTES = 32n;

/** A region by its operands, 0 being the top of the stack; or with a length of its own. */
type Region = readonly [offset: number, length: number | bigint];

const CALL: readonly Region[] = [
  [3, 4],
  [5, 6],
];
const CALL_WITHOUT_VALUE: readonly Region[] = [
  [2, 3],
  [4, 5],
];
const COPY: readonly Region[] = [[0, 2]];
const RANGE: readonly Region[] = [[0, 1]];

const REGIONS: ReadonlyMap<number, readonly Region[]> = new Map([
  ...[Op.CALLDATACOPY, Op.CODECOPY, Op.RETURNDATACOPY].map((opcode) => [opcode, COPY] as const),
  ...[Op.KECCAK256, Op.RETURN, Op.REVERT].map((opcode) => [opcode, RANGE] as const),
  ...[0, 1, 2, 3, 4].map((topics) => [Op.LOG0 + topics, RANGE] as const),
  ...[Op.CREATE, Op.CREATE2].map((opcode) => [opcode, [[1, 2]]] as const),
  ...[Op.CALL, Op.CALLCODE].map((opcode) => [opcode, CALL] as const),
  ...[Op.DELEGATECALL, Op.STATICCALL].map((opcode) => [opcode, CALL_WITHOUT_VALUE] as const),
  ...[Op.MLOAD, Op.MSTORE].map((opcode) => [opcode, [[0, WORD_BYTES]]] as const),
  [Op.MSTORE8, [[0, 1n]]],
  [Op.MCOPY, [...COPY, [1, 2]]],
  [Op.EXTCODECOPY, [[1, 3]]],
]);

/** An item of a stack that has its top at the end; 0 is the top. Zero beyond the stack. */
export function operand(stack: readonly bigint[], index: number): bigint {
  return stack[stack.length - 1 - index] ?? 0n;
}

/** Active memory in bytes, a multiple of 32, that an operation needs where there are `active` bytes already. */
export function memoryNeeded(opcode: number, stack: readonly bigint[], active: bigint): bigint {
  let most = active;
  for (const [offset, length] of REGIONS.get(opcode) ?? []) {
    const bytes = typeof length === "bigint" ? length : operand(stack, length);
    const end = bytes === 0n ? 0n : operand(stack, offset) + bytes;
    if (end > most) most = wordsOf(end) * WORD_BYTES;
  }
  return most;
}

/** Price in gas of growing memory from `active` bytes to what an operation needs. */
export function growthPrice(opcode: number, stack: readonly bigint[], active: bigint): bigint {
  return priceOf(memoryNeeded(opcode, stack, active) / WORD_BYTES) - priceOf(active / WORD_BYTES);
}

function priceOf(words: bigint): bigint {
  return words * 3n + (words * words) / 512n;
}

/** Words that so many bytes fill. */
export function wordsOf(bytes: bigint): bigint {
  return (bytes + WORD_BYTES - 1n) / WORD_BYTES;
}
