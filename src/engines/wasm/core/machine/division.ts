// Long division in base 2^32: Knuth, The Art of Computer Programming, volume 2, algorithm 4.3.1 D.

export const DIVIDEND = memory.data(80, 16);
export const DIVISOR = memory.data(32, 16);
export const QUOTIENT = memory.data(64, 16);

/** @inline */
export function digit(number: usize, index: i32): u64 {
  return <u64>load<u32>(number + ((<usize>index) << 2));
}

/** @inline */
export function setDigit(number: usize, index: i32, value: u64): void {
  store<u32>(number + ((<usize>index) << 2), <u32>value);
}

/** Divides DIVIDEND, of the given digits, by DIVISOR: QUOTIENT gets the quotient and DIVIDEND keeps the remainder. */
export function divide(digits: i32): void {
  let count = digits;
  let size = 8;
  while (count > 0 && digit(DIVIDEND, count - 1) == 0) count--;
  while (digit(DIVISOR, size - 1) == 0) size--;
  memory.fill(QUOTIENT, 0, 64);
  if (count < size) return;
  if (size == 1) divideByDigit(count);
  else divideByMany(count, size);
}

function divideByDigit(count: i32): void {
  const divisor = digit(DIVISOR, 0);
  let remainder: u64 = 0;
  for (let index = count - 1; index >= 0; index--) {
    const part = (remainder << 32) | digit(DIVIDEND, index);
    const quotient = part / divisor;
    setDigit(QUOTIENT, index, quotient);
    remainder = part - quotient * divisor;
    setDigit(DIVIDEND, index, 0);
  }
  setDigit(DIVIDEND, 0, remainder);
}

/** Shifts a number left by less than a digit; the overflow goes to the next digit. */
function shiftLeft(number: usize, count: i32, bits: u64): void {
  if (bits == 0) return;
  for (let index = count - 1; index > 0; index--) {
    setDigit(number, index, (digit(number, index) << bits) | (digit(number, index - 1) >> (32 - bits)));
  }
  setDigit(number, 0, digit(number, 0) << bits);
}

function divideByMany(count: i32, size: i32): void {
  const bits = <u64>clz<u32>(<u32>digit(DIVISOR, size - 1));
  setDigit(DIVIDEND, count, 0);
  shiftLeft(DIVIDEND, count + 1, bits);
  shiftLeft(DIVISOR, size, bits);
  const first = digit(DIVISOR, size - 1);
  const second = digit(DIVISOR, size - 2);
  for (let place = count - size; place >= 0; place--) {
    const top = (digit(DIVIDEND, place + size) << 32) | digit(DIVIDEND, place + size - 1);
    let quotient = top / first;
    let rest = top - quotient * first;
    while (quotient > 0xffffffff || quotient * second > ((rest << 32) | digit(DIVIDEND, place + size - 2))) {
      quotient--;
      rest += first;
      if (rest > 0xffffffff) break;
    }
    if (subtractMultiple(place, size, quotient)) {
      quotient--;
      addDivisor(place, size);
    }
    setDigit(QUOTIENT, place, quotient);
  }
  for (let index = 0; index < size; index++) {
    const above = bits == 0 ? 0 : digit(DIVIDEND, index + 1) << (32 - bits);
    setDigit(DIVIDEND, index, (digit(DIVIDEND, index) >> bits) | above);
  }
  for (let index = size; index <= count; index++) setDigit(DIVIDEND, index, 0);
}

/** Subtracts a multiple of DIVISOR from DIVIDEND at a place; true if that was one too many. */
function subtractMultiple(place: i32, size: i32, factor: u64): bool {
  let borrow: i64 = 0;
  let carry: u64 = 0;
  for (let index = 0; index < size; index++) {
    const product = factor * digit(DIVISOR, index) + carry;
    carry = product >> 32;
    const left = <i64>digit(DIVIDEND, index + place) - borrow - <i64>(product & 0xffffffff);
    setDigit(DIVIDEND, index + place, <u64>left);
    borrow = (left >> 32) & 1;
  }
  const left = <i64>digit(DIVIDEND, place + size) - borrow - <i64>carry;
  setDigit(DIVIDEND, place + size, <u64>left);
  return left < 0;
}

function addDivisor(place: i32, size: i32): void {
  let carry: u64 = 0;
  for (let index = 0; index < size; index++) {
    const total = digit(DIVIDEND, index + place) + digit(DIVISOR, index) + carry;
    setDigit(DIVIDEND, index + place, total);
    carry = total >> 32;
  }
  setDigit(DIVIDEND, place + size, digit(DIVIDEND, place + size) + carry);
}
