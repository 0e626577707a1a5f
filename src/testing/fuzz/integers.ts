/** Integers for parameters: small ones, constants of the code and bounds more often than others; they shrink to zero. */
import fc from "fast-check";

/** Bits up to which lengths of random numbers are chosen. */
const LARGEST_BITS = 256;

/**
 * Arbitrary of integers from `min` to `max`, both included. fast-check shrinks them towards zero, or the bound nearest
 * to it.
 */
export class Integers extends fc.Arbitrary<bigint> {
  readonly #min: bigint;
  readonly #max: bigint;
  /** Values that are tried often. */
  readonly #known: readonly bigint[];
  readonly #all: fc.Arbitrary<bigint>;

  /** @param known - values that are likely to matter; those out of bounds are left out */
  constructor(min: bigint, max: bigint, known: readonly bigint[]) {
    super();
    this.#min = min;
    this.#max = max;
    this.#known = [0n, 1n, 2n, min, max, ...known].filter((value) => value >= min && value <= max);
    this.#all = fc.bigInt({ min, max });
  }

  generate(random: fc.Random, _bias: number | undefined): fc.Value<bigint> {
    return new fc.Value(this.#pick(random), undefined);
  }

  #pick(random: fc.Random): bigint {
    const kind = random.nextInt(0, 9);
    if (kind < 5) return this.#near(this.#known[random.nextInt(0, this.#known.length - 1)] ?? this.#min, random);
    // Each length in bits is as likely as any other: with equal chances for all values, none would be small.
    const size = 1n << BigInt(random.nextInt(1, kind < 8 ? 10 : LARGEST_BITS));
    const value = random.nextBigInt(0n, size);
    const signed = this.#min < 0n && random.nextInt(0, 1) === 1 ? -value : value;
    return signed < this.#min || signed > this.#max ? random.nextBigInt(this.#min, this.#max) : signed;
  }

  /** The value itself, or one of its neighbours: comparisons are wrong by one. */
  #near(value: bigint, random: fc.Random): bigint {
    const offset = [-1n, 1n][random.nextInt(0, 7)] ?? 0n;
    const near = value + offset;
    return near < this.#min || near > this.#max ? value : near;
  }

  canShrinkWithoutContext(value: unknown): value is bigint {
    return this.#all.canShrinkWithoutContext(value);
  }

  shrink(value: bigint, _context: unknown): fc.Stream<fc.Value<bigint>> {
    const bounded = (candidate: bigint): boolean =>
      candidate !== value && candidate >= this.#min && candidate <= this.#max;
    return fc
      .stream(simplerIntegers(value))
      .filter(bounded)
      .map((candidate) => new fc.Value(candidate, undefined));
  }
}

/** First much smaller ones, then smaller steps, down to one: a value that must be large is found by few of them. */
function* simplerIntegers(value: bigint): IterableIterator<bigint> {
  const size = value < 0n ? -value : value;
  const sign = value < 0n ? -1n : 1n;
  for (const small of [0n, 1n, 2n]) if (small < size) yield sign * small;
  if (value < 0n) yield size;
  for (let shift = LARGEST_BITS >> 1; shift > 0; shift >>= 1)
    if (size >> BigInt(shift) > 2n) yield sign * (size >> BigInt(shift));
  for (let step = size >> 2n; step > 0n; step >>= 1n) yield sign * (size - step);
}
