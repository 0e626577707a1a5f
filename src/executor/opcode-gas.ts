/**
 * Gas of the opcodes whose price depends on their operands but on no state: memory, copies, hashing, EXP, LOG.
 *
 * EthereumJS computes these with bigints in async functions; here they are numbers. Each returns what comes on top of the
 * static price. Parameters come from the hardfork's Common.
 */
import type { Common } from "@ethereumjs/common";
import { Op } from "../evm/opcodes.ts";
import type { Frame } from "./evm-frame.ts";

export type PlainGas = (frame: Frame) => number;

const operand = (frame: Frame, index: number): bigint => frame.stack[frame.stackHeight - 1 - index] as bigint;

/** Words that `length` bytes fill. */
function wordsOf(length: bigint): number {
  return Math.ceil(Number(length) / 32);
}

/** Memory of operands `offset` and `length`, and a price per word of it. */
function region(offset: number, length: number, perWord: number): PlainGas {
  return (frame) => {
    const bytes = operand(frame, length);
    const memory = frame.expandMemory(operand(frame, offset), bytes);
    return perWord === 0 ? memory : memory + perWord * wordsOf(bytes);
  };
}

function fixedRegion(length: bigint): PlainGas {
  return (frame) => frame.expandMemory(operand(frame, 0), length);
}

function exponent(perByte: number): PlainGas {
  return (frame) => {
    const digits = operand(frame, 1);
    return digits === 0n ? 0 : perByte * Math.ceil(digits.toString(16).length / 2);
  };
}

function copyWithin(perWord: number): PlainGas {
  return (frame) => {
    const length = operand(frame, 2);
    const words = perWord * wordsOf(length);
    return words + frame.expandMemory(operand(frame, 1), length) + frame.expandMemory(operand(frame, 0), length);
  };
}

/** Dynamic gas by opcode, at the prices of one hardfork. */
export function plainGas(common: Common): ReadonlyMap<number, PlainGas> {
  const price = (name: string): number => Number(common.param(name));
  const word = fixedRegion(32n);
  const copy = region(0, 2, price("copyGas"));
  return new Map<number, PlainGas>([
    [Op.EXP, exponent(price("expByteGas"))],
    [Op.KECCAK256, region(0, 1, price("keccak256WordGas"))],
    [Op.CALLDATACOPY, copy],
    [Op.CODECOPY, copy],
    [Op.RETURNDATACOPY, copy],
    [Op.MLOAD, word],
    [Op.MSTORE, word],
    [Op.MSTORE8, fixedRegion(1n)],
    [Op.MCOPY, copyWithin(3)],
    [Op.RETURN, region(0, 1, 0)],
    [Op.REVERT, region(0, 1, 0)],
  ]);
}
