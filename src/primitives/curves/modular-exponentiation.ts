/** Modular exponentiation (EIP-198), with BigInts but for odd moduli of 65 to 256 bits. */
import type { Bytes } from "../bytes/bytes.ts";
import { once } from "../once.ts";
import { fromHexDigits, toHexDigits } from "../platform/encodings.ts";
import { MontgomeryPowers } from "./montgomery-powers.ts";

/** The precompile. */
export class ModularExponentiation {
  /**
   * Most bytes of base and modulus. Longer ones cost more than 10^12 gas, and their squares exceed the size of a
   * BigInt.
   */
  readonly #limit = 2 ** 25;
  /** Longest exponent in bytes for which single bits are faster than a table of sixteen powers. */
  readonly #shortExponent = 4;
  readonly #short = once(() => new MontgomeryPowers());

  answer(input: Bytes): { readonly output: Bytes } | { readonly fault: "modexpLength" } {
    const baseLength = this.#length(input, 0);
    const exponentLength = this.#length(input, 32);
    const modulusLength = this.#length(input, 64);
    // Without base and modulus there is nothing to compute, whatever the length of the exponent.
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
    const bytes = fromHexDigits(digits.length % 2 === 0 ? digits : `0${digits}`);
    output.set(bytes, modulusLength - bytes.length);
    return { output };
  }

  /** @param length - length of the exponent in bytes; it is padded with zeros at the end */
  #power(base: bigint, exponent: Bytes, length: number, modulus: bigint): bigint {
    let start = 0;
    while (start < exponent.length && exponent[start] === 0) start++;
    if (start === exponent.length) return 1n;
    const short = this.#short();
    if (short.takes(length - start, modulus))
      return short.raise(base, exponent.subarray(start), length - start, modulus);
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

  /** Powers of a base, beginning with the 0th. */
  #powers(base: bigint, count: number, modulus: bigint): bigint[] {
    const powers = [1n];
    while (powers.length < count) powers.push(((powers.at(-1) as bigint) * base) % modulus);
    return powers;
  }

  /** A length declared in the input; Infinity above 2^53. */
  #length(input: Bytes, at: number): number {
    const length = this.#number(input, at, 32);
    return length <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(length) : Number.POSITIVE_INFINITY;
  }

  /** The number in a part of the input, which is padded with zeros at its end. */
  #number(input: Bytes, at: number, length: number): bigint {
    const bytes = input.subarray(at, at + length);
    if (bytes.length === 0) return 0n;
    const written = BigInt(`0x${toHexDigits(bytes)}`);
    return written << BigInt(8 * (length - bytes.length));
  }
}
