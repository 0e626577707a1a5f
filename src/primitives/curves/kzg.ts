/**
 * Verifies KZG proofs (EIP-4844): that the polynomial of a commitment has a given value at a point.
 *
 * This needs only the point [τ]G2 of the trusted setup. The library for blob transactions loads the whole setup, which
 * takes longer.
 */
import type { Bytes } from "../bytes/bytes.ts";
import { sha256 } from "../platform/crypto.ts";
import { fromHexDigits } from "../platform/encodings.ts";
import type { CurveAnswer, CurveFault } from "./curve-answer.ts";
import type { Mcl } from "./mcl.ts";

/** The precompile, on one instance of mcl. */
export class KzgEvaluation {
  readonly #mcl: Mcl;
  /** Output for a valid proof: the number of field elements of a blob, and the order of the groups. */
  readonly #verified = "100073eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
  readonly #modulus =
    "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
  /** Addresses of points and scalars in pairs: the generator of G1 and the claim, then the proof and the point. */
  readonly #points: number;
  readonly #proof: number;
  readonly #scalars: number;
  readonly #point: number;
  /** Addresses of points of G1, pairing lines of the two points of G2, an element of the target group, and bytes. */
  readonly #commitment: number;
  readonly #sum: number;
  readonly #generatorLines: number;
  readonly #setupLines: number;
  readonly #target: number;
  readonly #buffer: number;

  /** @param mcl - an instance for BLS12-381 */
  constructor(mcl: Mcl) {
    this.#mcl = mcl;
    const { sizes } = mcl;
    this.#points = mcl.allocate(2 * sizes.g1);
    this.#proof = this.#points + sizes.g1;
    this.#scalars = mcl.allocate(2 * sizes.scalar);
    this.#point = this.#scalars + sizes.scalar;
    this.#commitment = mcl.allocate(sizes.g1);
    this.#sum = mcl.allocate(sizes.g1);
    this.#target = mcl.allocate(sizes.target);
    this.#buffer = mcl.allocate(96);
    const generator =
      "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb";
    this.#decompress(this.#points, fromHexDigits(generator));
    this.#generatorLines = this.#linesOf(
      "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e" +
        "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
    );
    // g2_monomial[1] of trusted_setup_4096.json in ethereum/consensus-specs.
    this.#setupLines = this.#linesOf(
      "b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72" +
        "185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2",
    );
  }

  /** Checks an input of versioned hash, point, claimed value, commitment and proof. */
  answer(input: Bytes): CurveAnswer {
    if (input.length !== 192) return { fault: "inputLength" };
    const commitment = input.subarray(96, 144);
    const hash = sha256(commitment);
    const isHash = input[0] === 1 && hash.every((byte, index) => index === 0 || byte === input[index]);
    if (!isHash) return { fault: "versionedHash" };
    const fault =
      this.#readScalar(this.#scalars, input, 64) ??
      this.#readScalar(this.#point, input, 32) ??
      this.#readPoint(this.#commitment, commitment) ??
      this.#readPoint(this.#proof, input.subarray(144));
    if (fault !== undefined) return { fault };
    if (!this.#isRight()) return { fault: "kzgProof" };
    const output = new Uint8Array(64);
    const verified = fromHexDigits(this.#verified);
    output.set(verified, output.length - verified.length);
    return { output };
  }

  /**
   * Whether e([claim]G1 - commitment - [point]proof, G2) · e(proof, [τ]G2) is one. This means that the polynomial minus
   * the claim is the proof's polynomial times τ minus the point.
   */
  #isRight(): boolean {
    const { functions } = this.#mcl;
    functions.mclBnFr_neg(this.#point, this.#point);
    functions.mclBnG1_mulVec(this.#sum, this.#points, this.#scalars, 2);
    functions.mclBnG1_sub(this.#sum, this.#sum, this.#commitment);
    const isProofZero = functions.mclBnG1_isZero(this.#proof) === 1;
    const isRestZero = functions.mclBnG1_isZero(this.#sum) === 1;
    // The pairing with a point at infinity is one, so that both must be at infinity.
    if (isProofZero || isRestZero) return isProofZero && isRestZero;
    functions.mclBnG1_normalize(this.#sum, this.#sum);
    functions.mclBn_precomputedMillerLoop2(
      this.#target,
      this.#sum,
      this.#generatorLines,
      this.#proof,
      this.#setupLines,
    );
    functions.mclBn_finalExp(this.#target, this.#target);
    return functions.mclBnGT_isOne(this.#target) === 1;
  }

  #readScalar(to: number, input: Bytes, at: number): CurveFault | undefined {
    this.#mcl.writeReversed(this.#buffer, input, at, 32);
    return this.#mcl.functions.mclBnFr_deserialize(to, this.#buffer, 32) === 32 ? undefined : "kzgScalar";
  }

  /** Reads a compressed point and checks the subgroup. Its first three bits mean: compressed, infinity, larger y. */
  #readPoint(to: number, bytes: Bytes): CurveFault | undefined {
    const { functions } = this.#mcl;
    const first = bytes[0] as number;
    const flags = first >> 5;
    if (flags === 0b000 || flags === 0b010) return "kzgUncompressed";
    if (flags === 0b110) {
      functions.mclBnG1_clear(to);
      return first === 0b1100_0000 && bytes.every((byte, index) => index === 0 || byte === 0)
        ? undefined
        : "kzgInfinity";
    }
    if (flags !== 0b100 && flags !== 0b101) return "kzgPointEncoding";
    if (!this.#isBelowModulus(bytes)) return "kzgFieldElement";
    if (!this.#decompress(to, bytes)) return "kzgPoint";
    return functions.mclBnG1_isValidOrder(to) === 1 ? undefined : "kzgSubgroup";
  }

  /** Whether the x coordinate of a compressed point is below the field's modulus; the first three bits are flags. */
  #isBelowModulus(bytes: Bytes): boolean {
    for (const [index, most] of fromHexDigits(this.#modulus).entries()) {
      const byte = index === 0 ? (bytes[0] as number) & 0b0001_1111 : (bytes[index] as number);
      if (byte !== most) return byte < most;
    }
    return false;
  }

  /** Reads a compressed point of 48 bytes; false if no point has its x coordinate. */
  #decompress(to: number, bytes: Bytes): boolean {
    const { functions } = this.#mcl;
    this.#mcl.bytes.set(bytes, this.#buffer);
    functions.mclBn_setETHserialization(1);
    const read = functions.mclBnG1_deserialize(to, this.#buffer, bytes.length);
    functions.mclBn_setETHserialization(0);
    return read === bytes.length;
  }

  /** Precomputed lines for pairings with a fixed point of G2. */
  #linesOf(compressed: string): number {
    const { functions, sizes } = this.#mcl;
    const point = this.#mcl.allocate(sizes.g2);
    const bytes = fromHexDigits(compressed);
    this.#mcl.bytes.set(bytes, this.#buffer);
    functions.mclBn_setETHserialization(1);
    functions.mclBnG2_deserialize(point, this.#buffer, bytes.length);
    functions.mclBn_setETHserialization(0);
    const lines = this.#mcl.allocate(8 * functions.mclBn_getUint64NumToPrecompute());
    functions.mclBn_precomputeG2(lines, point);
    return lines;
  }
}
