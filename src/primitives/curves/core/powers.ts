// Powers modulo an odd number of at most 256 bits, by Montgomery's multiplication (P. L. Montgomery, 1985): a product is
// divided by 2^256 instead of by the modulus. Numbers are little-endian, in eight limbs of 32 bits, because WebAssembly
// multiplies to no more than 64 bits.

/** Bytes of a number. */
const WIDTH: usize = 32;
/** Most bytes of an exponent. */
export const EXPONENT_BYTES: usize = 1024;

export const MODULUS: usize = memory.data(32, 16);
/** 2^256 and 2^256 times the base, modulo the modulus. The host writes them. */
export const ONE: usize = memory.data(32, 16);
export const BASE: usize = memory.data(32, 16);
/** Big-endian. */
export const EXPONENT: usize = memory.data(1024, 16);
export const POWER: usize = memory.data(32, 16);

/** The powers 0 to 15 of the base, each times 2^256: one for each value of four bits of an exponent. */
const POWERS = memory.data(512, 16);
/** The number 1. */
const PLAIN_ONE = memory.data<u64>([1, 0, 0, 0]);

/** Minus the inverse of a modulus, modulo 2^32, by Newton's method: each step doubles the bits that are right. */
function negativeInverse(modulus: u32): u32 {
  let inverse = modulus;
  for (let step = 0; step < 4; step++) inverse *= 2 - modulus * inverse;
  return 0 - inverse;
}

/**
 * Writes a product, divided by 2^256, modulo the modulus. Both factors must be below it. Long, because the limbs stay in
 * local variables.
 */
function multiply(target: usize, first: usize, second: usize, inverse: u32): void {
  const m0 = <u64>load<u32>(MODULUS);
  const m1 = <u64>load<u32>(MODULUS, 4);
  const m2 = <u64>load<u32>(MODULUS, 8);
  const m3 = <u64>load<u32>(MODULUS, 12);
  const m4 = <u64>load<u32>(MODULUS, 16);
  const m5 = <u64>load<u32>(MODULUS, 20);
  const m6 = <u64>load<u32>(MODULUS, 24);
  const m7 = <u64>load<u32>(MODULUS, 28);
  const s0 = <u64>load<u32>(second);
  const s1 = <u64>load<u32>(second, 4);
  const s2 = <u64>load<u32>(second, 8);
  const s3 = <u64>load<u32>(second, 12);
  const s4 = <u64>load<u32>(second, 16);
  const s5 = <u64>load<u32>(second, 20);
  const s6 = <u64>load<u32>(second, 24);
  const s7 = <u64>load<u32>(second, 28);
  let t0: u64 = 0;
  let t1: u64 = 0;
  let t2: u64 = 0;
  let t3: u64 = 0;
  let t4: u64 = 0;
  let t5: u64 = 0;
  let t6: u64 = 0;
  let t7: u64 = 0;
  let t8: u64 = 0;
  for (let at: usize = 0; at < WIDTH; at += 4) {
    const factor = <u64>load<u32>(first + at);
    let sum = factor * s0 + t0;
    // The multiple of the modulus that makes the lowest limb zero.
    const quotient = <u64>(<u32>sum * inverse);
    let reduced = quotient * m0 + <u64>(<u32>sum);
    sum = factor * s1 + t1 + (sum >> 32);
    reduced = quotient * m1 + <u64>(<u32>sum) + (reduced >> 32);
    t0 = <u64>(<u32>reduced);
    sum = factor * s2 + t2 + (sum >> 32);
    reduced = quotient * m2 + <u64>(<u32>sum) + (reduced >> 32);
    t1 = <u64>(<u32>reduced);
    sum = factor * s3 + t3 + (sum >> 32);
    reduced = quotient * m3 + <u64>(<u32>sum) + (reduced >> 32);
    t2 = <u64>(<u32>reduced);
    sum = factor * s4 + t4 + (sum >> 32);
    reduced = quotient * m4 + <u64>(<u32>sum) + (reduced >> 32);
    t3 = <u64>(<u32>reduced);
    sum = factor * s5 + t5 + (sum >> 32);
    reduced = quotient * m5 + <u64>(<u32>sum) + (reduced >> 32);
    t4 = <u64>(<u32>reduced);
    sum = factor * s6 + t6 + (sum >> 32);
    reduced = quotient * m6 + <u64>(<u32>sum) + (reduced >> 32);
    t5 = <u64>(<u32>reduced);
    sum = factor * s7 + t7 + (sum >> 32);
    reduced = quotient * m7 + <u64>(<u32>sum) + (reduced >> 32);
    t6 = <u64>(<u32>reduced);
    sum = t8 + (sum >> 32) + (reduced >> 32);
    t7 = <u64>(<u32>sum);
    t8 = sum >> 32;
  }
  // The result is below twice the modulus, which is subtracted where it fits.
  let rest = t0 - m0;
  const d0 = <u32>rest;
  rest = t1 - m1 - (rest >> 63);
  const d1 = <u32>rest;
  rest = t2 - m2 - (rest >> 63);
  const d2 = <u32>rest;
  rest = t3 - m3 - (rest >> 63);
  const d3 = <u32>rest;
  rest = t4 - m4 - (rest >> 63);
  const d4 = <u32>rest;
  rest = t5 - m5 - (rest >> 63);
  const d5 = <u32>rest;
  rest = t6 - m6 - (rest >> 63);
  const d6 = <u32>rest;
  rest = t7 - m7 - (rest >> 63);
  const d7 = <u32>rest;
  const isBelow = t8 < rest >> 63;
  store<u32>(target, isBelow ? <u32>t0 : d0);
  store<u32>(target, isBelow ? <u32>t1 : d1, 4);
  store<u32>(target, isBelow ? <u32>t2 : d2, 8);
  store<u32>(target, isBelow ? <u32>t3 : d3, 12);
  store<u32>(target, isBelow ? <u32>t4 : d4, 16);
  store<u32>(target, isBelow ? <u32>t5 : d5, 20);
  store<u32>(target, isBelow ? <u32>t6 : d6, 24);
  store<u32>(target, isBelow ? <u32>t7 : d7, 28);
}

/** Raises the base to the exponent's first bytes. */
export function raise(exponentBytes: usize): void {
  const inverse = negativeInverse(load<u32>(MODULUS));
  memory.copy(POWERS, ONE, WIDTH);
  for (let at: usize = WIDTH; at < 16 * WIDTH; at += WIDTH) multiply(POWERS + at, POWERS + at - WIDTH, BASE, inverse);
  memory.copy(POWER, ONE, WIDTH);
  for (let index: usize = 0; index < exponentBytes; index++) {
    const byte = <usize>load<u8>(EXPONENT + index);
    raiseByDigit(byte >> 4, inverse);
    raiseByDigit(byte & 15, inverse);
  }
  multiply(POWER, POWER, PLAIN_ONE, inverse);
}

/** @inline */
function raiseByDigit(digit: usize, inverse: u32): void {
  for (let square = 0; square < 4; square++) multiply(POWER, POWER, POWER, inverse);
  if (digit != 0) multiply(POWER, POWER, POWERS + digit * WIDTH, inverse);
}
