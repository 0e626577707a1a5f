/**
 * Modular exponentiation (EIP-198) on BigInts, whose multiplication and division are compiled code. Four bits of the
 * exponent at a time take four fifths of the time of single ones; Montgomery's form on BigInts gains nothing beyond.
 */
import type { Bytes } from "../bytes/bytes.ts";

/** Bytes as hexadecimal digits, by the platform. */
export interface HexDigits {
  toHexDigits(bytes: Bytes): string;
  fromHexDigits(digits: string): Bytes;
}

/** Names nothing outside of itself: threads are given it as text. */
export class ModularExponentiation {
  /** Bytes of base and modulus that are computed with: more cost a million million gas, and have squares that are no BigInts. */
  readonly #limit = 2 ** 25;
  /** Bytes of an exponent up to which single bits are faster than a table of sixteen powers. */
  readonly #shortExponent = 4;
  readonly #hex: HexDigits;

  constructor(hex: HexDigits) {
    this.#hex = hex;
  }

  answer(input: Bytes): { readonly output: Bytes } | { readonly fault: "modexpLength" } {
    const baseLength = this.#length(input, 0);
    const exponentLength = this.#length(input, 32);
    const modulusLength = this.#length(input, 64);
    // An exponent of any length is paid for where there is nothing to multiply.
    if (baseLength === 0 && modulusLength === 0) return { output: new Uint8Array(0) };
    const isTooLong = Math.max(baseLength, modulusLength) > this.#limit || !Number.isSafeInteger(exponentLength);
    if (isTooLong) return { fault: "modexpLength" };
    const exponentAt = 96 + baseLength;
    const modulus = this.#number(input, exponentAt + exponentLength, modulusLength);
    const output = new Uint8Array(modulusLength);
    if (modulus <= 1n) return { output };
    const base = this.#number(input, 96, baseLength) % modulus;
    const exponent = input.subarray(exponentAt, exponentAt + exponentLength);
    const power = this.#power(base, exponent, exponentLength, modulus);
    const digits = power.toString(16);
    const bytes = this.#hex.fromHexDigits(digits.length % 2 === 0 ? digits : `0${digits}`);
    output.set(bytes, modulusLength - bytes.length);
    return { output };
  }

  /** @param length - bytes of the exponent; those that are not in `exponent` are zeros behind it */
  #power(base: bigint, exponent: Bytes, length: number, modulus: bigint): bigint {
    let start = 0;
    while (start < exponent.length && exponent[start] === 0) start++;
    if (start === exponent.length) return 1n;
    const isShort = length - start <= this.#shortExponent;
    const bitsAtOnce = isShort ? 1 : 4;
    const powers = this.#powers(base, 1 << bitsAtOnce, modulus);
    let power = 1n;
    for (let index = start; index < length; index++) {
      const byte = index < exponent.length ? (exponent[index] as number) : 0;
      for (let shift = 8 - bitsAtOnce; shift >= 0; shift -= bitsAtOnce) {
        for (let square = 0; square < bitsAtOnce; square++) power = (power * power) % modulus;
        const digit = (byte >> shift) & ((1 << bitsAtOnce) - 1);
        if (digit !== 0) power = (power * (powers[digit] as bigint)) % modulus;
      }
    }
    return power;
  }

  /** The first powers of a base, from its 0th on. */
  #powers(base: bigint, count: number, modulus: bigint): bigint[] {
    const powers = [1n];
    while (powers.length < count) powers.push(((powers.at(-1) as bigint) * base) % modulus);
    return powers;
  }

  /** A length as the input declares it; Infinity where it has more than 53 bits. */
  #length(input: Bytes, at: number): number {
    const length = this.#number(input, at, 32);
    return length <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(length) : Number.POSITIVE_INFINITY;
  }

  /** The number that is written in a part of the input; zeros follow the input's end. */
  #number(input: Bytes, at: number, length: number): bigint {
    const bytes = input.subarray(at, at + length);
    if (bytes.length === 0) return 0n;
    const written = BigInt(`0x${this.#hex.toHexDigits(bytes)}`);
    return written << BigInt(8 * (length - bytes.length));
  }
}
