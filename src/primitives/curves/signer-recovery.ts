/** Public keys from signatures on secp256k1 (SEC 1, 4.1.6), for platforms that the compiled library has no build for. */
import type { Bytes } from "../bytes/bytes.ts";
import type { Mcl } from "./mcl.ts";

/** The recovery, on one instance of mcl. */
export class SignerRecovery {
  readonly #mcl: Mcl;
  /** Addresses of the generator and the signature's point, their factors, four more scalars, a point, and bytes. */
  readonly #points: number;
  readonly #factors: number;
  readonly #hash: number;
  readonly #r: number;
  readonly #s: number;
  readonly #inverse: number;
  readonly #sum: number;
  readonly #buffer: number;

  /** @param mcl - an instance for this curve */
  constructor(mcl: Mcl) {
    this.#mcl = mcl;
    const { functions, sizes } = mcl;
    this.#points = mcl.allocate(2 * sizes.g1);
    this.#factors = mcl.allocate(2 * sizes.scalar);
    this.#hash = mcl.allocate(sizes.scalar);
    this.#r = mcl.allocate(sizes.scalar);
    this.#s = mcl.allocate(sizes.scalar);
    this.#inverse = mcl.allocate(sizes.scalar);
    this.#sum = mcl.allocate(sizes.g1);
    this.#buffer = mcl.allocate(33);
    functions.mclBnG1_getBasePoint(this.#points);
    functions.mclBnG1_normalize(this.#points, this.#points);
  }

  /** The key without its prefix, 64 bytes; undefined if no key can have made the signature, of 64 bytes. */
  recover(hash: Bytes, signature: Bytes, yParity: 0 | 1): Bytes | undefined {
    const { functions, sizes } = this.#mcl;
    if (!this.#mcl.readScalar(this.#r, this.#buffer, signature, 0)) return undefined;
    if (!this.#mcl.readScalar(this.#s, this.#buffer, signature, 32)) return undefined;
    if (!this.#readPoint(signature, yParity)) return undefined;
    this.#mcl.writeReversed(this.#buffer, hash, 0, 32);
    functions.mclBnFr_setLittleEndianMod(this.#hash, this.#buffer, 32);
    functions.mclBnFr_inv(this.#inverse, this.#r);
    functions.mclBnFr_neg(this.#hash, this.#hash);
    functions.mclBnFr_mul(this.#factors, this.#hash, this.#inverse);
    functions.mclBnFr_mul(this.#factors + sizes.scalar, this.#s, this.#inverse);
    functions.mclBnG1_mulVec(this.#sum, this.#points, this.#factors, 2);
    return functions.mclBnG1_isZero(this.#sum) === 1 ? undefined : this.#writeKey();
  }

  /** False if no point of the curve has the x coordinate r. */
  #readPoint(signature: Bytes, yParity: 0 | 1): boolean {
    const { functions, sizes } = this.#mcl;
    // The library's compressed form: the parity as in SEC 1, then x as a little-endian number.
    this.#mcl.bytes[this.#buffer] = 2 + yParity;
    this.#mcl.writeReversed(this.#buffer + 1, signature, 0, 32);
    return functions.mclBnG1_deserialize(this.#points + sizes.g1, this.#buffer, 33) === 33;
  }

  #writeKey(): Bytes {
    const { functions, sizes } = this.#mcl;
    functions.mclBnG1_normalize(this.#sum, this.#sum);
    const key = new Uint8Array(64);
    for (let part = 0; part < 2; part++) {
      functions.mclBnFp_serialize(this.#buffer, 32, this.#sum + part * sizes.element);
      const { bytes } = this.#mcl;
      for (let index = 0; index < 32; index++) {
        key[32 * part + index] = bytes[this.#buffer + 31 - index] as number;
      }
    }
    return key;
  }
}
