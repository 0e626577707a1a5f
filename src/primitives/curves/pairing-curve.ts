/**
 * Common parts of the precompiles of bn254 and BLS12-381: converts points between input bytes and mcl's memory, and
 * checks pairings. A point is written as its big-endian coordinates, and the point at infinity as zeros.
 */
import { type Bytes, bytesKey } from "../bytes/bytes.ts";
import type { CurveAnswer, CurveFault } from "./curve-answer.ts";
import { KnownPoints } from "./known-points.ts";
import type { Mcl } from "./mcl.ts";

/** The encoding of field elements in a curve's precompiles. */
export interface PointEncoding {
  /** Size of a field element in the input, in bytes. */
  readonly width: number;
  /** Number of zeros in front of each. */
  readonly zeros: number;
  /** Whether an element of the extension field begins with its imaginary part (EIP-197) or its real part (EIP-2537). */
  readonly isImaginaryFirst: boolean;
  /** Fault of a point that is not on the curve. */
  readonly offCurve: CurveFault;
}

/** One curve, on an instance of mcl. */
export class PairingCurve {
  readonly mcl: Mcl;
  readonly #encoding: PointEncoding;
  /** Pairs whose Miller loops are computed together. */
  readonly #batch = 16;
  /**
   * Addresses of a field element's bytes, the element one, two elements of the target group, points of a batch, and a point
   * beside a known one.
   */
  readonly #buffer: number;
  readonly #one: number;
  readonly #product: number;
  readonly #factor: number;
  readonly #g1s: number;
  readonly #g2s: number;
  readonly #waitingG1: number;
  readonly #known: KnownPoints;

  constructor(mcl: Mcl, encoding: PointEncoding) {
    this.mcl = mcl;
    this.#encoding = encoding;
    const { sizes } = mcl;
    this.#buffer = mcl.allocate(sizes.element);
    this.#one = mcl.allocate(sizes.element);
    this.#product = mcl.allocate(sizes.target);
    this.#factor = mcl.allocate(sizes.target);
    this.#g1s = mcl.allocate(this.#batch * sizes.g1);
    this.#g2s = mcl.allocate(this.#batch * sizes.g2);
    this.#waitingG1 = mcl.allocate(sizes.g1);
    this.#known = new KnownPoints(mcl);
    mcl.functions.mclBnFp_setInt32(this.#one, 1);
  }

  /** Reads a field element to an address. */
  readElement(to: number, input: Bytes, at: number): CurveFault | undefined {
    const { width, zeros } = this.#encoding;
    for (let index = at; index < at + zeros; index++) if (input[index] !== 0) return "fieldElementTopBytes";
    this.mcl.writeReversed(this.#buffer, input, at + zeros, width - zeros);
    const read = this.mcl.functions.mclBnFp_deserialize(to, this.#buffer, width - zeros);
    return read === width - zeros ? undefined : "fieldElement";
  }

  /** Reads an element of the extension field to an address. */
  readExtended(to: number, input: Bytes, at: number): CurveFault | undefined {
    const { width, isImaginaryFirst } = this.#encoding;
    const [first, second] = isImaginaryFirst ? [to + this.mcl.sizes.element, to] : [to, to + this.mcl.sizes.element];
    return this.readElement(first, input, at) ?? this.readElement(second, input, at + width);
  }

  /** Reads a point of the curve to an address. It need not be in the subgroup. */
  readG1(to: number, input: Bytes, at: number): CurveFault | undefined {
    const { functions, sizes } = this.mcl;
    const { width, offCurve } = this.#encoding;
    functions.mclBnG1_clear(to);
    if (this.#isZero(input, at, 2 * width)) return undefined;
    const fault = this.readElement(to, input, at) ?? this.readElement(to + sizes.element, input, at + width);
    if (fault !== undefined) return fault;
    this.#copyOne(to + 2 * sizes.element);
    return functions.mclBnG1_isValid(to) === 1 ? undefined : offCurve;
  }

  /** Reads a point of the twisted curve to an address. It need not be in the subgroup. */
  readG2(to: number, input: Bytes, at: number): CurveFault | undefined {
    const { functions, sizes } = this.mcl;
    const { width, offCurve } = this.#encoding;
    functions.mclBnG2_clear(to);
    if (this.#isZero(input, at, 4 * width)) return undefined;
    const fault = this.readExtended(to, input, at) ?? this.readExtended(to + 2 * sizes.element, input, at + 2 * width);
    if (fault !== undefined) return fault;
    this.#copyOne(to + 4 * sizes.element);
    return functions.mclBnG2_isValid(to) === 1 ? undefined : offCurve;
  }

  /** The bytes of the point at an address, which this normalizes. */
  writeG1(from: number): Bytes {
    const { functions, sizes } = this.mcl;
    const { width } = this.#encoding;
    const output = new Uint8Array(2 * width);
    if (functions.mclBnG1_isZero(from) === 1) return output;
    functions.mclBnG1_normalize(from, from);
    this.#writeElement(output, 0, from);
    this.#writeElement(output, width, from + sizes.element);
    return output;
  }

  /** The bytes of the point at an address, which this normalizes; real parts first (EIP-2537). */
  writeG2(from: number): Bytes {
    const { functions, sizes } = this.mcl;
    const { width } = this.#encoding;
    const output = new Uint8Array(4 * width);
    if (functions.mclBnG2_isZero(from) === 1) return output;
    functions.mclBnG2_normalize(from, from);
    for (let part = 0; part < 4; part++) this.#writeElement(output, part * width, from + part * sizes.element);
    return output;
  }

  /**
   * Whether the product of all pairings is one, as a word.
   *
   * @param pairBytes - length of a pair in the input, whose points are next to each other
   * @param readPair - reads the pair of points at an offset of the input to two addresses; the second is undefined for a
   * point that was checked before
   */
  checkPairings(
    input: Bytes,
    pairBytes: number,
    readPair: (g1: number, g2: number | undefined, at: number) => CurveFault | undefined,
  ): CurveAnswer {
    const { functions, sizes } = this.mcl;
    functions.mclBnGT_setInt32(this.#product, 1);
    let count = 0;
    /** Lines of a known point that waits for another one. */
    let waiting: number | undefined;
    for (let at = 0; at < input.length; at += pairBytes) {
      const [g1, g2] = [this.#g1s + count * sizes.g1, this.#g2s + count * sizes.g2];
      const name = bytesKey(input.subarray(at + 2 * this.#encoding.width, at + pairBytes));
      const known = this.#known.linesOf(name);
      const fault = readPair(g1, known === undefined ? g2 : undefined, at);
      if (fault !== undefined) return { fault };
      // The pairing with a point at infinity is one and adds nothing to the product.
      const isOne = functions.mclBnG1_isZero(g1) === 1 || (known === undefined && functions.mclBnG2_isZero(g2) === 1);
      if (!isOne) {
        const lines = known ?? this.#known.learn(name, g2);
        if (lines === undefined) count++;
        else if (waiting === undefined) {
          this.mcl.bytes.copyWithin(this.#waitingG1, g1, g1 + sizes.g1);
          waiting = lines;
        } else {
          functions.mclBn_precomputedMillerLoop2(this.#factor, this.#waitingG1, waiting, g1, lines);
          this.#multiplyByFactor();
          waiting = undefined;
        }
      }
      if (count === this.#batch || (count > 0 && at + pairBytes >= input.length)) {
        functions.mclBn_millerLoopVec(this.#factor, this.#g1s, this.#g2s, count);
        this.#multiplyByFactor();
        count = 0;
      }
    }
    if (waiting !== undefined) {
      functions.mclBn_precomputedMillerLoop(this.#factor, this.#waitingG1, waiting);
      this.#multiplyByFactor();
    }
    functions.mclBn_finalExp(this.#product, this.#product);
    const output = new Uint8Array(32);
    output[31] = functions.mclBnGT_isOne(this.#product);
    return { output };
  }

  #multiplyByFactor(): void {
    this.mcl.functions.mclBnGT_mul(this.#product, this.#product, this.#factor);
  }

  #writeElement(output: Bytes, at: number, element: number): void {
    const { width, zeros } = this.#encoding;
    this.mcl.functions.mclBnFp_serialize(this.#buffer, width - zeros, element);
    const { bytes } = this.mcl;
    for (let index = 0; index < width - zeros; index++) {
      output[at + width - 1 - index] = bytes[this.#buffer + index] as number;
    }
  }

  #copyOne(to: number): void {
    this.mcl.bytes.copyWithin(to, this.#one, this.#one + this.mcl.sizes.element);
  }

  #isZero(input: Bytes, at: number, length: number): boolean {
    for (let index = at; index < at + length; index++) if (input[index] !== 0) return false;
    return true;
  }
}
