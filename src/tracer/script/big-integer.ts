/**
 * The big integers of geth's tracers, as JavaScript that runs in the sandbox: the methods of the library that geth
 * embeds (BigInteger.js, eth/tracers/js/bigint.go), implemented with BigInt. Defines `wrap`, `Big` and the global
 * `bigInt`.
 */
export const BIG_INTEGER = `
const big = (value) => {
  if (value instanceof Big) return value.value;
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && value !== Math.trunc(value)) throw new Error(value + " is not an integer.");
  const power = /^(-?)([0-9]+)(?:[.]([0-9]+))?[eE][+]?([0-9]{1,6})$/.exec(String(value));
  try {
    if (power === null) return BigInt(value);
    const zeros = Number(power[4]) - (power[3] || "").length;
    if (zeros < 0) throw new Error("Cannot include negative exponent part for integers");
    return BigInt(power[1] + power[2] + (power[3] || "")) * 10n ** BigInt(zeros);
  } catch (problem) {
    throw problem instanceof SyntaxError ? new Error("Invalid integer: " + value) : problem;
  }
};
const wrap = (value) => new Big(value);
const divisor = (value) => {
  const number = big(value);
  if (number === 0n) throw new Error("Cannot divide by zero");
  return number;
};
const magnitude = (value) => (value < 0n ? -value : value);
const greatestCommonDivisor = (left, right) => {
  let [a, b] = [magnitude(left), magnitude(right)];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
};
const powerModulo = (base, exponent, modulus) => {
  if (modulus === 0n) throw new Error("Cannot take modPow with modulus 0");
  let result = 1n;
  let square = base % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (square === 0n) return 0n;
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
};
const inverseModulo = (value, modulus) => {
  let [t, next, r, rest] = [0n, 1n, modulus, magnitude(value)];
  while (rest !== 0n) {
    const quotient = r / rest;
    [t, next] = [next, t - quotient * next];
    [r, rest] = [rest, r - quotient * rest];
  }
  if (r !== 1n) throw new Error(value + " and " + modulus + " are not co-prime");
  const positive = t < 0n ? t + modulus : t;
  return value < 0n ? -positive : positive;
};
/** Miller-Rabin test with the bases that the library uses. */
const isPrimeNumber = (value) => {
  const bases = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n];
  if (value < 2n) return false;
  for (const prime of bases) if (value % prime === 0n) return value === prime;
  let odd = value - 1n;
  while (odd % 2n === 0n) odd /= 2n;
  return bases.every((base) => {
    let power = powerModulo(base, odd, value);
    if (power === 1n || power === value - 1n) return true;
    for (let exponent = odd; exponent < value - 1n; exponent *= 2n) {
      power = (power * power) % value;
      if (power === value - 1n) return true;
    }
    return false;
  });
};
class Big {
  constructor(value) { this.value = value; }
  toString(radix) { return this.value.toString(radix || 10); }
  toJSON() { return this.value.toString(); }
  toJSNumber() { return Number(this.value); }
  valueOf() { return Number(this.value); }
  add(other) { return wrap(this.value + big(other)); }
  subtract(other) { return wrap(this.value - big(other)); }
  multiply(other) { return wrap(this.value * big(other)); }
  divide(other) { return wrap(this.value / divisor(other)); }
  mod(other) { return wrap(this.value % divisor(other)); }
  divmod(other) { return { quotient: this.divide(other), remainder: this.mod(other) }; }
  pow(other) {
    const exponent = big(other);
    if (exponent >= 0n) return wrap(this.value ** exponent);
    return wrap(this.value === 1n ? 1n : this.value === -1n ? (exponent % 2n === 0n ? 1n : -1n) : 0n);
  }
  modPow(exponent, modulus) { return wrap(powerModulo(this.value, big(exponent), big(modulus))); }
  modInv(modulus) { return wrap(inverseModulo(this.value, big(modulus))); }
  square() { return wrap(this.value * this.value); }
  negate() { return wrap(-this.value); }
  abs() { return wrap(magnitude(this.value)); }
  next() { return wrap(this.value + 1n); }
  prev() { return wrap(this.value - 1n); }
  and(other) { return wrap(this.value & big(other)); }
  or(other) { return wrap(this.value | big(other)); }
  xor(other) { return wrap(this.value ^ big(other)); }
  not() { return wrap(~this.value); }
  shiftLeft(other) { return wrap(this.value << big(other)); }
  shiftRight(other) { return wrap(this.value >> big(other)); }
  compare(other) {
    if (other === Infinity) return -1;
    if (other === -Infinity) return 1;
    const o = big(other);
    return this.value < o ? -1 : this.value > o ? 1 : 0;
  }
  compareAbs(other) { return this.abs().compare(magnitude(big(other))); }
  equals(other) { return this.compare(other) === 0; }
  notEquals(other) { return this.compare(other) !== 0; }
  lesser(other) { return this.compare(other) < 0; }
  lesserOrEquals(other) { return this.compare(other) <= 0; }
  greater(other) { return this.compare(other) > 0; }
  greaterOrEquals(other) { return this.compare(other) >= 0; }
  isZero() { return this.value === 0n; }
  isUnit() { return this.value === 1n || this.value === -1n; }
  isEven() { return this.value % 2n === 0n; }
  isOdd() { return this.value % 2n !== 0n; }
  isNegative() { return this.value < 0n; }
  isPositive() { return this.value > 0n; }
  isDivisibleBy(other) { const o = big(other); return o !== 0n && this.value % o === 0n; }
  isPrime() { return isPrimeNumber(magnitude(this.value)); }
  isProbablePrime() { return this.isPrime(); }
  bitLength() { return wrap(BigInt(this.abs().value.toString(2).length)); }
}
for (const [short, long] of [["plus", "add"], ["minus", "subtract"], ["times", "multiply"], ["over", "divide"],
  ["remainder", "mod"], ["compareTo", "compare"], ["eq", "equals"], ["neq", "notEquals"], ["lt", "lesser"],
  ["leq", "lesserOrEquals"], ["gt", "greater"], ["geq", "greaterOrEquals"]]) {
  Object.defineProperty(Big.prototype, short, { value: Big.prototype[long] });
}
Object.defineProperty(BigInt.prototype, "toJSON", { value() { return this.toString(); } });
const fromDigits = (digits, base, isNegative) => {
  let total = 0n;
  for (const digit of digits) total = total * base + big(digit);
  return wrap(isNegative ? -total : total);
};
const bigInt = (value, radix) => {
  if (value === undefined) return wrap(0n);
  if (radix === undefined || Number(radix) === 10) return wrap(big(value));
  const text = String(value).toLowerCase();
  const isNegative = text[0] === "-";
  const digits = Array.from(isNegative ? text.slice(1) : text, (character) => {
    const digit = parseInt(character, Number(radix));
    if (Number.isNaN(digit)) throw new Error(character + " is not a valid digit in base " + radix + ".");
    return digit;
  });
  return fromDigits(digits, big(radix), isNegative);
};
for (let number = 0; number < 1000; number++) {
  bigInt[number] = wrap(BigInt(number));
  if (number > 0) bigInt[-number] = wrap(BigInt(-number));
}
const either = (choose) => (left, right) => {
  const [a, b] = [big(left), big(right)];
  return wrap(choose(a, b) ? a : b);
};
Object.assign(bigInt, {
  zero: bigInt[0],
  one: bigInt[1],
  minusOne: bigInt[-1],
  max: either((a, b) => a > b),
  min: either((a, b) => a < b),
  gcd: (left, right) => wrap(greatestCommonDivisor(big(left), big(right))),
  lcm: (left, right) => {
    const [a, b] = [magnitude(big(left)), magnitude(big(right))];
    return wrap((a / divisor(greatestCommonDivisor(a, b))) * b);
  },
  isInstance: (value) => value instanceof Big,
  fromArray: (digits, base, isNegative) => fromDigits(digits, big(base || 10), isNegative === true),
  randBetween: (left, right) => {
    const [low, high] = [bigInt.min(left, right).value, bigInt.max(left, right).value];
    let random = 0n;
    for (let bits = 0; bits < (high - low + 1n).toString(2).length + 32; bits += 32) {
      random = (random << 32n) | BigInt(Math.floor(Math.random() * 4294967296));
    }
    return wrap(low + (random % (high - low + 1n)));
  },
});
globalThis.bigInt = bigInt;
`;
