// Long division in base 2^32: Knuth, The Art of Computer Programming, volume 2, algorithm 4.3.1 D.

import { Word } from "./word";

/** A number of 32-bit digits, the least significant first. */
@unmanaged
export class Digits {
  /** The lowest 256 bits. */
  @inline get low(): Word {
    return changetype<Word>(this);
  }

  /** The 256 bits above them. */
  @inline get high(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Word>());
  }

  @inline digit(index: i32): u64 {
    return <u64>load<u32>(changetype<usize>(this) + ((<usize>index) << 2));
  }

  @inline setDigit(index: i32, value: u64): void {
    store<u32>(changetype<usize>(this) + ((<usize>index) << 2), <u32>value);
  }
}

export const DIVIDEND: Digits = changetype<Digits>(memory.data(80, 16));
export const DIVISOR: Digits = changetype<Digits>(memory.data(32, 16));
export const QUOTIENT: Digits = changetype<Digits>(memory.data(64, 16));

/** Divides DIVIDEND, of the given digits, by DIVISOR: QUOTIENT gets the quotient and DIVIDEND keeps the remainder. */
export function divide(digits: i32): void {
  let count = digits;
  let size = 8;
  while (count > 0 && DIVIDEND.digit(count - 1) == 0) count--;
  while (DIVISOR.digit(size - 1) == 0) size--;
  memory.fill(changetype<usize>(QUOTIENT), 0, 64);
  if (count < size) return;
  if (size == 1) divideByDigit(count);
  else divideByMany(count, size);
}

function divideByDigit(count: i32): void {
  const divisor = DIVISOR.digit(0);
  let remainder: u64 = 0;
  for (let index = count - 1; index >= 0; index--) {
    const part = (remainder << 32) | DIVIDEND.digit(index);
    const quotient = part / divisor;
    QUOTIENT.setDigit(index, quotient);
    remainder = part - quotient * divisor;
    DIVIDEND.setDigit(index, 0);
  }
  DIVIDEND.setDigit(0, remainder);
}

/** Shifts a number left by less than a digit; the overflow goes to the next digit. */
function shiftLeft(number: Digits, count: i32, bits: u64): void {
  if (bits == 0) return;
  for (let index = count - 1; index > 0; index--) {
    number.setDigit(index, (number.digit(index) << bits) | (number.digit(index - 1) >> (32 - bits)));
  }
  number.setDigit(0, number.digit(0) << bits);
}

function divideByMany(count: i32, size: i32): void {
  const bits = <u64>clz<u32>(<u32>DIVISOR.digit(size - 1));
  DIVIDEND.setDigit(count, 0);
  shiftLeft(DIVIDEND, count + 1, bits);
  shiftLeft(DIVISOR, size, bits);
  const first = DIVISOR.digit(size - 1);
  const second = DIVISOR.digit(size - 2);
  for (let place = count - size; place >= 0; place--) {
    const top = (DIVIDEND.digit(place + size) << 32) | DIVIDEND.digit(place + size - 1);
    let quotient = top / first;
    let rest = top - quotient * first;
    while (quotient > 0xffffffff || quotient * second > ((rest << 32) | DIVIDEND.digit(place + size - 2))) {
      quotient--;
      rest += first;
      if (rest > 0xffffffff) break;
    }
    if (subtractMultiple(place, size, quotient)) {
      quotient--;
      addDivisor(place, size);
    }
    QUOTIENT.setDigit(place, quotient);
  }
  for (let index = 0; index < size; index++) {
    const above = bits == 0 ? 0 : DIVIDEND.digit(index + 1) << (32 - bits);
    DIVIDEND.setDigit(index, (DIVIDEND.digit(index) >> bits) | above);
  }
  for (let index = size; index <= count; index++) DIVIDEND.setDigit(index, 0);
}

/** Subtracts a multiple of DIVISOR from DIVIDEND at a place; true if that was one too many. */
function subtractMultiple(place: i32, size: i32, factor: u64): bool {
  let borrow: i64 = 0;
  let carry: u64 = 0;
  for (let index = 0; index < size; index++) {
    const product = factor * DIVISOR.digit(index) + carry;
    carry = product >> 32;
    const left = <i64>DIVIDEND.digit(index + place) - borrow - <i64>(product & 0xffffffff);
    DIVIDEND.setDigit(index + place, <u64>left);
    borrow = (left >> 32) & 1;
  }
  const left = <i64>DIVIDEND.digit(place + size) - borrow - <i64>carry;
  DIVIDEND.setDigit(place + size, <u64>left);
  return left < 0;
}

function addDivisor(place: i32, size: i32): void {
  let carry: u64 = 0;
  for (let index = 0; index < size; index++) {
    const total = DIVIDEND.digit(index + place) + DIVISOR.digit(index) + carry;
    DIVIDEND.setDigit(index + place, total);
    carry = total >> 32;
  }
  DIVIDEND.setDigit(place + size, DIVIDEND.digit(place + size) + carry);
}
