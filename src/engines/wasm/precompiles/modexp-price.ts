/**
 * Prices of modular exponentiation: the price of a multiplication, which depends on the lengths of base and modulus, times
 * the number of multiplications, which depends on the exponent. The lengths are those that the input declares, up to 2^256
 * bytes; nothing is allocated for them.
 */
import { hasEip } from "../../../chainspec/hardforks/eips.ts";
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import { type Bytes, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import { maxBigInt } from "../../../primitives/bytes/limits.ts";

/** Bytes of an operand's length. */
const LENGTH_BYTES = 32;
/** Bytes before the operands: the lengths of base, exponent and modulus. */
const HEADER_BYTES = 3n * 32n;
/** Bytes at the front of the exponent whose bits are counted; all later bits count as set. */
const HEAD_BYTES = 32n;
/** Most bytes of an operand (EIP-7823). */
const OPERAND_LIMIT = 1024n;

interface Lengths {
  readonly base: bigint;
  readonly exponent: bigint;
  readonly modulus: bigint;
}

/** Price in gas of an input by the rules of a hardfork. */
export function modexpPrice(hardfork: Hardfork): (input: Bytes) => bigint {
  if (hasEip(hardfork, 7883)) return latestPrice;
  return hasEip(hardfork, 2565) ? secondPrice : firstPrice;
}

/** True if an operand is longer than the hardfork allows (EIP-7823). */
export function hasTooLongOperand(input: Bytes, hardfork: Hardfork): boolean {
  if (!hasEip(hardfork, 7823)) return false;
  const { base, exponent, modulus } = lengthsOf(input);
  return base > OPERAND_LIMIT || exponent > OPERAND_LIMIT || modulus > OPERAND_LIMIT;
}

/** Work declared by an input: 64-bit words of the longer of base and modulus, and number of multiplications. */
export function modexpWork(input: Bytes): { readonly words: number; readonly multiplications: number } {
  const lengths = lengthsOf(input);
  return {
    words: Math.ceil(Number(maxBigInt(lengths.base, lengths.modulus)) / 8),
    multiplications: Number(multiplications(input, lengths, 8n)),
  };
}

/** The price by EIP-198. */
function firstPrice(input: Bytes): bigint {
  const lengths = lengthsOf(input);
  const length = maxBigInt(lengths.base, lengths.modulus);
  const square = length * length;
  const complexity =
    length <= 64n
      ? square
      : length <= 1024n
        ? square / 4n + 96n * length - 3072n
        : square / 16n + 480n * length - 199_680n;
  return (complexity * multiplications(input, lengths, 8n)) / 20n;
}

/**
 * The price by EIP-2565. The text of that EIP counts the low bits of a long exponent; all clients count the high ones, as
 * in EIP-198.
 */
function secondPrice(input: Bytes): bigint {
  const lengths = lengthsOf(input);
  const words = (maxBigInt(lengths.base, lengths.modulus) + 7n) / 8n;
  return maxBigInt((words * words * multiplications(input, lengths, 8n)) / 3n, 200n);
}

/** The price by EIP-7883. */
function latestPrice(input: Bytes): bigint {
  const lengths = lengthsOf(input);
  const length = maxBigInt(lengths.base, lengths.modulus);
  const words = (length + 7n) / 8n;
  const complexity = length <= 32n ? 16n : 2n * words * words;
  return maxBigInt(complexity * multiplications(input, lengths, 16n), 500n);
}

/**
 * The number of multiplications for an exponent, at least 1: one for each bit below the highest in its head, and
 * `byByte` for each later byte.
 */
function multiplications(input: Bytes, { base, exponent }: Lengths, byByte: bigint): bigint {
  const headBytes = exponent < HEAD_BYTES ? exponent : HEAD_BYTES;
  const rest = (exponent - headBytes) * byByte;
  const head = readNumber(input, HEADER_BYTES + base, Number(headBytes));
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1);
  return maxBigInt(rest + bits, 1n);
}

function lengthsOf(input: Bytes): Lengths {
  const [base, exponent, modulus] = [0n, 1n, 2n].map((index) =>
    readNumber(input, index * BigInt(LENGTH_BYTES), LENGTH_BYTES),
  ) as [bigint, bigint, bigint];
  return { base, exponent, modulus };
}

/** The number in a part of the input, which is padded with zeros at its end. */
function readNumber(input: Bytes, start: bigint, length: number): bigint {
  if (start >= BigInt(input.length)) return 0n;
  const bytes = input.subarray(Number(start), Number(start) + length);
  return bytesToBigInt(bytes) << BigInt(8 * (length - bytes.length));
}
