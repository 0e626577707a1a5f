/** Faults of precompile inputs, in the order of geth's checks. */
import { afterAll, describe, expect, it } from "vitest";
import { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";
import type { PrecompileFault } from "../../../../src/evm/frames.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes, EMPTY_BYTES } from "../../../../src/primitives/bytes/bytes.ts";
import { sha256 } from "../../../../src/primitives/platform/crypto.ts";
import { BLS_POINTS, BN254_POINTS, type CurvePoints } from "../../../support/curve-points.ts";
import { runCode } from "../../../support/evm.ts";

const word = (value: bigint | number): Bytes => bigIntToFixedBytes(BigInt(value), 32);
const zeros = (length: number): Bytes => new Uint8Array(length);
const ones = (length: number): Bytes => new Uint8Array(length).fill(0xff);

const bn = { ...facts(BN254_POINTS), tooLarge: BN254_POINTS.element(BN254_POINTS.modulus) };
const bls = { ...facts(BLS_POINTS), tooLarge: BLS_POINTS.element(BLS_POINTS.modulus) };
const one = BLS_POINTS.element(1n);

/** A point of each kind. */
function facts({ element, g1, g2, outsideG1, outsideG2 }: CurvePoints) {
  const offCurve = element(1n);
  return {
    g1: g1[1] as Bytes,
    g2: g2[1] as Bytes,
    outsideG1: outsideG1[0] as Bytes,
    outsideG2: outsideG2[0] as Bytes,
    offG1: concatBytes(offCurve, offCurve),
    offG2: concatBytes(offCurve, offCurve, offCurve, offCurve),
  };
}

/** The point at infinity, compressed: the commitment to zero everywhere, and its proof. */
const infinity = concatBytes(Uint8Array.of(0xc0), zeros(47));
const compressed = (first: number, last: number): Bytes =>
  concatBytes(Uint8Array.of(first), zeros(46), Uint8Array.of(last));

function evaluation(point: Bytes, claim: Bytes, commitment: Bytes = infinity, proof: Bytes = infinity): Bytes {
  const hash = sha256(commitment);
  hash[0] = 1;
  return concatBytes(hash, point, claim, commitment, proof);
}

const REFUSED: readonly (readonly [name: string, home: number, input: Bytes, fault: PrecompileFault])[] = [
  ["modexp with a long base", 0x05, concatBytes(word(1025), word(0), word(0)), "modexpLength"],
  ["modexp with a long exponent and no modulus", 0x05, concatBytes(word(0), word(1025), word(0)), "modexpLength"],
  ["modexp with a modulus beyond memory", 0x05, concatBytes(word(0), word(0), ones(32)), "modexpLength"],
  ["bn254 addition of what is no field element", 0x06, bn.tooLarge, "fieldElement"],
  ["bn254 addition of a second point off the curve", 0x06, concatBytes(bn.g1, bn.offG1), "bn254Point"],
  ["bn254 multiplication of a point off the curve", 0x07, bn.offG1, "bn254Point"],
  ["bn254 pairing of a wrong length", 0x08, zeros(191), "pairingLength"],
  ["bn254 pairing of what is no field element", 0x08, concatBytes(bn.g1, bn.tooLarge, zeros(96)), "fieldElement"],
  ["bn254 pairing of points off their curves", 0x08, concatBytes(bn.offG1, bn.offG2), "bn254Point"],
  ["bn254 pairing of infinity with a point off the curve", 0x08, concatBytes(zeros(64), bn.offG2), "bn254Point"],
  ["bn254 pairing of a point outside the subgroup", 0x08, concatBytes(bn.g1, bn.outsideG2), "bn254Subgroup"],
  [
    "bn254 pairing, a fault behind a pair outside the subgroup",
    0x08,
    concatBytes(bn.g1, bn.outsideG2, ones(192)),
    "bn254Subgroup",
  ],
  ["blake2f of a wrong length", 0x09, zeros(212), "inputLength"],
  ["blake2f with a last byte that is no flag", 0x09, concatBytes(zeros(212), Uint8Array.of(2)), "finalFlag"],
  ["KZG evaluation of a wrong length", 0x0a, zeros(191), "inputLength"],
  ["KZG evaluation of a wrong hash", 0x0a, zeros(192), "versionedHash"],
  ["KZG evaluation at what is no scalar", 0x0a, evaluation(word(BLS_POINTS.order), word(0), ones(48)), "kzgScalar"],
  ["KZG evaluation to what is no scalar", 0x0a, evaluation(word(0), ones(32)), "kzgScalar"],
  [
    "KZG evaluation of an uncompressed commitment",
    0x0a,
    evaluation(word(0), word(0), compressed(0, 5)),
    "kzgUncompressed",
  ],
  [
    "KZG evaluation of an uncompressed proof",
    0x0a,
    evaluation(word(0), word(0), infinity, compressed(0x40, 0)),
    "kzgUncompressed",
  ],
  ["KZG evaluation of impossible bits", 0x0a, evaluation(word(0), word(0), ones(48)), "kzgPointEncoding"],
  [
    "KZG evaluation of a negative infinity",
    0x0a,
    evaluation(word(0), word(0), infinity, compressed(0xe0, 0)),
    "kzgPointEncoding",
  ],
  [
    "KZG evaluation of an infinity with other bits",
    0x0a,
    evaluation(word(0), word(0), compressed(0xc0, 1)),
    "kzgInfinity",
  ],
  [
    "KZG evaluation of what is no field element",
    0x0a,
    evaluation(word(0), word(0), concatBytes(Uint8Array.of(0x9f), ones(47))),
    "kzgFieldElement",
  ],
  ["KZG evaluation of what is on no curve", 0x0a, evaluation(word(0), word(0), compressed(0x80, 1)), "kzgPoint"],
  [
    "KZG evaluation of a point outside the subgroup",
    0x0a,
    evaluation(word(0), word(0), compressed(0x80, 4)),
    "kzgSubgroup",
  ],
  ["KZG evaluation to another value", 0x0a, evaluation(word(0), word(1)), "kzgProof"],
  ["BLS12-381 G1 addition of a wrong length", 0x0b, zeros(255), "inputLength"],
  ["BLS12-381 G1 addition of a point off the curve", 0x0b, concatBytes(bls.g1, bls.offG1), "blsPoint"],
  ["BLS12-381 G1 addition of what has no leading zeros", 0x0b, ones(256), "fieldElementTopBytes"],
  ["BLS12-381 G1 addition, no field element in front", 0x0b, concatBytes(bls.tooLarge, ones(192)), "fieldElement"],
  ["BLS12-381 G1 multiplication of nothing", 0x0c, EMPTY_BYTES, "inputLength"],
  ["BLS12-381 G1 multiplication outside the subgroup", 0x0c, concatBytes(bls.outsideG1, word(0)), "blsG1Subgroup"],
  [
    "BLS12-381 G1 multiplication of a second point off the curve",
    0x0c,
    concatBytes(bls.g1, word(1), bls.offG1, word(0)),
    "blsPoint",
  ],
  ["BLS12-381 G2 addition of a wrong length", 0x0d, zeros(256), "inputLength"],
  ["BLS12-381 G2 addition of a point off the curve", 0x0d, concatBytes(bls.offG2, bls.g2), "blsPoint"],
  [
    "BLS12-381 G2 addition of what is no field element",
    0x0d,
    concatBytes(one, bls.tooLarge, zeros(384)),
    "fieldElement",
  ],
  ["BLS12-381 G2 multiplication of a wrong length", 0x0e, zeros(287), "inputLength"],
  ["BLS12-381 G2 multiplication outside the subgroup", 0x0e, concatBytes(bls.outsideG2, word(2)), "blsG2Subgroup"],
  ["BLS12-381 pairing of nothing", 0x0f, EMPTY_BYTES, "inputLength"],
  [
    "BLS12-381 pairing, first of G1 outside the subgroup",
    0x0f,
    concatBytes(bls.outsideG1, bls.outsideG2),
    "blsG1Subgroup",
  ],
  ["BLS12-381 pairing, G2 outside the subgroup", 0x0f, concatBytes(zeros(128), bls.outsideG2), "blsG2Subgroup"],
  [
    "BLS12-381 pairing, off the curve before outside the subgroup",
    0x0f,
    concatBytes(bls.outsideG1, bls.offG2),
    "blsPoint",
  ],
  ["BLS12-381 mapping of a wrong length", 0x10, zeros(63), "inputLength"],
  ["BLS12-381 mapping of what has no leading zeros", 0x10, ones(64), "fieldElementTopBytes"],
  ["BLS12-381 mapping of what is no field element", 0x10, bls.tooLarge, "fieldElement"],
  ["BLS12-381 mapping of what is no pair of field elements", 0x11, concatBytes(one, bls.tooLarge), "fieldElement"],
  ["BLS12-381 mapping of too few", 0x11, one, "inputLength"],
];

const precompiles = new PrecompileSet();
afterAll(() => precompiles.close());

describe("a precompile says what is wrong with its input", () => {
  it.each(REFUSED)("%s", (_name, home, input, fault) => {
    expect(precompiles.of("osaka").get(home)?.run(input)).toEqual({ fault });
  });

  it("and the engine says so of the message, and of the frame", async () => {
    const gasLimit = 2n ** 60n;
    for (const [name, home, data, fault] of REFUSED) {
      if ((precompiles.of("osaka").get(home)?.gas(data) ?? 0n) > gasLimit) continue;
      const message = { to: bigIntToFixedBytes(BigInt(home), 20), data, gasLimit };
      const { result, recorder } = await runCode({ hardfork: "osaka", message, record: {} });
      expect([name, result.detail, recorder.frames[0]?.detail]).toEqual([name, { fault }, { fault }]);
    }
  });
});

describe("a precompile takes any input", () => {
  it.each([
    ["ecrecover", 0x01],
    ["P256VERIFY", 0x100],
  ])("%s answers nothing to what is no signature", (_name, home) => {
    for (const input of [EMPTY_BYTES, zeros(160), ones(160), ones(161)]) {
      expect(precompiles.of("osaka").get(home)?.run(input)).toEqual({ output: EMPTY_BYTES });
    }
  });

  it.each([0x05, 0x06, 0x07, 0x08])("%i takes no bytes at all for zeros", (home) => {
    const outputs = new Map([
      [0x05, EMPTY_BYTES],
      [0x08, word(1)],
    ]);
    expect(precompiles.of("osaka").get(home)?.run(EMPTY_BYTES)).toEqual({ output: outputs.get(home) ?? zeros(64) });
  });
});
