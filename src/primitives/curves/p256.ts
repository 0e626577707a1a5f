/** Verifies signatures on P-256, also called secp256r1 (EIP-7951). */
import type { Bytes } from "../bytes/bytes.ts";
import type { CurveAnswer } from "./curve-answer.ts";
import type { Mcl } from "./mcl.ts";

/** The precompile, on one instance of mcl. */
export class P256 {
  readonly #mcl: Mcl;
  /** Addresses of the generator and the public key, their scalars, four more scalars, a point, and a number's bytes. */
  readonly #points: number;
  readonly #factors: number;
  readonly #hash: number;
  readonly #r: number;
  readonly #s: number;
  readonly #x: number;
  readonly #sum: number;
  readonly #buffer: number;

  /** @param mcl - an instance for this curve */
  constructor(mcl: Mcl) {
    this.#mcl = mcl;
    const { functions, sizes } = mcl;
    this.#points = mcl.allocate(2 * sizes.g1);
    this.#factors = mcl.allocate(2 * sizes.scalar);
    [this.#hash, this.#r, this.#s, this.#x] = [0, 1, 2, 3].map(() => mcl.allocate(sizes.scalar)) as [
      number,
      number,
      number,
      number,
    ];
    this.#sum = mcl.allocate(sizes.g1);
    this.#buffer = mcl.allocate(32);
    functions.mclBnG1_getBasePoint(this.#points);
    functions.mclBnG1_normalize(this.#points, this.#points);
  }

  /** Checks an input of hash, r, s and the public key's coordinates. The output is 1 as a word, or empty. */
  answer(input: Bytes): CurveAnswer {
    const isRight = input.length === 160 && this.#readSignature(input) && this.#readPublicKey(input) && this.#isRight();
    const output = new Uint8Array(isRight ? 32 : 0);
    if (isRight) output[31] = 1;
    return { output };
  }

  /** False if r or s is zero or not below the order. The hash is reduced. */
  #readSignature(input: Bytes): boolean {
    const { functions } = this.#mcl;
    this.#mcl.writeReversed(this.#buffer, input, 0, 32);
    functions.mclBnFr_setLittleEndianMod(this.#hash, this.#buffer, 32);
    return [this.#r, this.#s].every((scalar, index) =>
      this.#mcl.readScalar(scalar, this.#buffer, input, 32 + 32 * index),
    );
  }

  /** False if a coordinate is not below the modulus, or the point is not on the curve or is the one at infinity. */
  #readPublicKey(input: Bytes): boolean {
    const { functions, sizes } = this.#mcl;
    const key = this.#points + sizes.g1;
    for (let part = 0; part < 2; part++) {
      this.#mcl.writeReversed(this.#buffer, input, 96 + 32 * part, 32);
      if (functions.mclBnFp_deserialize(key + part * sizes.element, this.#buffer, 32) !== 32) return false;
    }
    // The generator's z coordinate is one.
    const one = this.#points + 2 * sizes.element;
    this.#mcl.bytes.copyWithin(key + 2 * sizes.element, one, one + sizes.element);
    return functions.mclBnG1_isValid(key) === 1;
  }

  /** Whether the x coordinate of [hash/s]G + [r/s]Q equals r modulo the order. */
  #isRight(): boolean {
    const { functions, sizes } = this.#mcl;
    functions.mclBnFr_inv(this.#s, this.#s);
    functions.mclBnFr_mul(this.#factors, this.#hash, this.#s);
    functions.mclBnFr_mul(this.#factors + sizes.scalar, this.#r, this.#s);
    functions.mclBnG1_mulVec(this.#sum, this.#points, this.#factors, 2);
    if (functions.mclBnG1_isZero(this.#sum) === 1) return false;
    functions.mclBnG1_normalize(this.#sum, this.#sum);
    functions.mclBnFp_serialize(this.#buffer, 32, this.#sum);
    functions.mclBnFr_setLittleEndianMod(this.#x, this.#buffer, 32);
    return functions.mclBnFr_isEqual(this.#x, this.#r) === 1;
  }
}
