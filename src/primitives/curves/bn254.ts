/**
 * The precompiles of bn254, also called alt_bn128: addition and multiplication in G1 (EIP-196), and the pairing check
 * (EIP-197).
 */
import type { Bytes } from "../bytes/bytes.ts";
import type { CurveAnswer, CurveFault } from "./curve-answer.ts";
import type { PairingCurve } from "./pairing-curve.ts";

/** The precompiles, on one instance of mcl. */
export class Bn254 {
  readonly #curve: PairingCurve;
  /** Addresses of points and of a scalar. */
  readonly #left: number;
  readonly #right: number;
  readonly #scalar: number;
  readonly #bytes: number;
  readonly #subgroup: Bn254Subgroup;

  constructor(curve: PairingCurve, subgroup: Bn254Subgroup) {
    this.#curve = curve;
    this.#subgroup = subgroup;
    const { sizes } = curve.mcl;
    this.#left = curve.mcl.allocate(sizes.g1);
    this.#right = curve.mcl.allocate(sizes.g1);
    this.#scalar = curve.mcl.allocate(sizes.scalar);
    this.#bytes = curve.mcl.allocate(32);
  }

  add(input: Bytes): CurveAnswer {
    const points = this.#padded(input, 128);
    const fault = this.#curve.readG1(this.#left, points, 0) ?? this.#curve.readG1(this.#right, points, 64);
    if (fault !== undefined) return { fault };
    this.#curve.mcl.functions.mclBnG1_add(this.#left, this.#left, this.#right);
    return { output: this.#curve.writeG1(this.#left) };
  }

  multiply(input: Bytes): CurveAnswer {
    const operands = this.#padded(input, 96);
    const fault = this.#curve.readG1(this.#left, operands, 0);
    if (fault !== undefined) return { fault };
    const { mcl } = this.#curve;
    const { functions } = mcl;
    mcl.bytes.set(operands.subarray(64), this.#bytes);
    functions.mclBnFr_setBigEndianMod(this.#scalar, this.#bytes, 32);
    functions.mclBnG1_mul(this.#left, this.#left, this.#scalar);
    return { output: this.#curve.writeG1(this.#left) };
  }

  checkPairings(input: Bytes): CurveAnswer {
    if (input.length % 192 !== 0) return { fault: "pairingLength" };
    return this.#curve.checkPairings(input, 192, (g1, g2, at) => this.#readPair(g1, g2, input, at));
  }

  /** The order of the curve over the base field is prime, so that all of its points are in the subgroup. */
  #readPair(g1: number, g2: number | undefined, input: Bytes, at: number): CurveFault | undefined {
    const fault = this.#curve.readG1(g1, input, at);
    if (fault !== undefined || g2 === undefined) return fault;
    return this.#curve.readG2(g2, input, at + 64) ?? (this.#subgroup.has(g2) ? undefined : "bn254Subgroup");
  }

  /** The input, padded with zeros. */
  #padded(input: Bytes, length: number): Bytes {
    if (input.length >= length) return input.subarray(0, length);
    const padded = new Uint8Array(length);
    padded.set(input);
    return padded;
  }
}

/**
 * The subgroup check for bn254's twisted curve by an endomorphism, which is faster than the library's multiplication by
 * the group order.
 *
 * A point P is in the subgroup exactly when [x+1]P + ψ([x]P) + ψ²([x]P) = ψ³([2x]P). Here x is the curve's parameter
 * and ψ the Frobenius endomorphism on the twisted curve: (X, Y) becomes (X̄·ξ^((p-1)/3), Ȳ·ξ^((p-1)/2)), with ξ = 9 +
 * i.
 *
 * @see https://eprint.iacr.org/2022/348, sections 3 and 5.1
 */
export class Bn254Subgroup {
  readonly #mcl: PairingCurve["mcl"];
  /** Bits of the curve's parameter. */
  readonly #parameter = 4_965_661_367_192_848_881n.toString(2);
  /** Addresses of the factors of ψ, and of points. */
  readonly #factorX: number;
  readonly #factorY: number;
  readonly #multiple: number;
  readonly #image: number;
  readonly #sum: number;

  constructor(mcl: PairingCurve["mcl"]) {
    this.#mcl = mcl;
    this.#factorX = mcl.allocate(2 * mcl.sizes.element);
    this.#factorY = mcl.allocate(2 * mcl.sizes.element);
    this.#multiple = mcl.allocate(mcl.sizes.g2);
    this.#image = mcl.allocate(mcl.sizes.g2);
    this.#sum = mcl.allocate(mcl.sizes.g2);
    const modulus =
      21_888_242_871_839_275_222_246_405_745_257_275_088_696_311_157_297_823_662_689_037_894_645_226_208_583n;
    this.#setPower(this.#factorX, (modulus - 1n) / 3n);
    this.#setPower(this.#factorY, (modulus - 1n) / 2n);
  }

  /** Whether the point at an address, which must be on the curve, is in the subgroup. */
  has(point: number): boolean {
    const { functions } = this.#mcl;
    this.#copy(this.#multiple, point);
    for (const bit of this.#parameter.slice(1)) {
      functions.mclBnG2_dbl(this.#multiple, this.#multiple);
      if (bit === "1") functions.mclBnG2_add(this.#multiple, this.#multiple, point);
    }
    functions.mclBnG2_add(this.#sum, this.#multiple, point);
    this.#copy(this.#image, this.#multiple);
    for (let power = 0; power < 2; power++) {
      this.#applyFrobenius(this.#image);
      functions.mclBnG2_add(this.#sum, this.#sum, this.#image);
    }
    this.#applyFrobenius(this.#image);
    functions.mclBnG2_dbl(this.#image, this.#image);
    return functions.mclBnG2_isEqual(this.#sum, this.#image) === 1;
  }

  /** Applies ψ to a point in projective coordinates. */
  #applyFrobenius(point: number): void {
    const { functions, sizes } = this.#mcl;
    for (let imaginary = point + sizes.element; imaginary < point + sizes.g2; imaginary += 2 * sizes.element) {
      functions.mclBnFp_neg(imaginary, imaginary);
    }
    functions.mclBnFp2_mul(point, point, this.#factorX);
    const y = point + 2 * sizes.element;
    functions.mclBnFp2_mul(y, y, this.#factorY);
  }

  /** Writes a power of ξ to an address. */
  #setPower(to: number, exponent: bigint): void {
    const { functions, sizes } = this.#mcl;
    const base = this.#image;
    functions.mclBnFp_setInt32(base, 9);
    functions.mclBnFp_setInt32(base + sizes.element, 1);
    functions.mclBnFp_setInt32(to, 1);
    functions.mclBnFp_setInt32(to + sizes.element, 0);
    for (const bit of exponent.toString(2)) {
      functions.mclBnFp2_sqr(to, to);
      if (bit === "1") functions.mclBnFp2_mul(to, to, base);
    }
  }

  #copy(to: number, from: number): void {
    this.#mcl.bytes.copyWithin(to, from, from + this.#mcl.sizes.g2);
  }
}
