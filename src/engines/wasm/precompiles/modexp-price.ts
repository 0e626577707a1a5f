/**
 * What modular exponentiation costs: a price for each multiplication, by the length of the longer of base and modulus,
 * times the number of multiplications, by the exponent. Lengths are what the input declares, of up to 2^256 bytes; nothing
 * is allocated to price them.
 */
import { type Hardfork, isAtLeast } from "../../../chainspec/hardforks/hardforks.ts";
import { type Bytes, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import { maxBigInt } from "../../../primitives/bytes/limits.ts";

/** Bytes of an operand's length. */
const LENGTH_BYTES = 32;
/** Bytes in front of the operands: the lengths of base, exponent and modulus. */
const HEADER_BYTES = 3n * 32n;
/** Bytes at the front of the exponent whose bits count; all bits behind them count as set. */
const HEAD_BYTES = 32n;
/** Bytes that an operand may have from Osaka on (EIP-7823). */
const OPERAND_LIMIT = 1024n;

interface Lengths {
  readonly base: bigint;
  readonly exponent: bigint;
  readonly modulus: bigint;
}

/** Price in gas of an input by the rules of a hardfork. */
export function modexpPrice(hardfork: Hardfork): (input: Bytes) => bigint {
  if (isAtLeast(hardfork, "osaka")) return osakaPrice;
  return isAtLeast(hardfork, "berlin") ? berlinPrice : byzantiumPrice;
}

/** An operand is longer than a hardfork allows (EIP-7823). */
export function hasTooLongOperand(input: Bytes, hardfork: Hardfork): boolean {
  if (!isAtLeast(hardfork, "osaka")) return false;
  const { base, exponent, modulus } = lengthsOf(input);
  return base > OPERAND_LIMIT || exponent > OPERAND_LIMIT || modulus > OPERAND_LIMIT;
}

/** What an input declares: 64-bit words of the longer of base and modulus, and multiplications of such numbers. */
export function modexpWork(input: Bytes): { readonly words: number; readonly multiplications: number } {
  const lengths = lengthsOf(input);
  return {
    words: Math.ceil(Number(maxBigInt(lengths.base, lengths.modulus)) / 8),
    multiplications: Number(multiplications(input, lengths, 8n)),
  };
}

/** EIP-198 */
function byzantiumPrice(input: Bytes): bigint {
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

/** EIP-2565. Its text counts the low bits of a long exponent; all clients count the high ones, as EIP-198 does. */
function berlinPrice(input: Bytes): bigint {
  const lengths = lengthsOf(input);
  const words = (maxBigInt(lengths.base, lengths.modulus) + 7n) / 8n;
  return maxBigInt((words * words * multiplications(input, lengths, 8n)) / 3n, 200n);
}

/** EIP-7883 */
function osakaPrice(input: Bytes): bigint {
  const lengths = lengthsOf(input);
  const length = maxBigInt(lengths.base, lengths.modulus);
  const words = (length + 7n) / 8n;
  const complexity = length <= 32n ? 16n : 2n * words * words;
  return maxBigInt(complexity * multiplications(input, lengths, 16n), 500n);
}

/**
 * The multiplications that an exponent is said to take, at least 1: one for each bit below the highest of its head, and
 * some for each byte behind that.
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

/** The number that is written in a part of the input; zeros follow the input's end. */
function readNumber(input: Bytes, start: bigint, length: number): bigint {
  if (start >= BigInt(input.length)) return 0n;
  const bytes = input.subarray(Number(start), Number(start) + length);
  return bytesToBigInt(bytes) << BigInt(8 * (length - bytes.length));
}
