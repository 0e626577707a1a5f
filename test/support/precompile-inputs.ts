/** Inputs of precompiles for random tests: such that are taken, such that nearly are, and any. */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt, concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { sha256 } from "../../src/primitives/platform/crypto.ts";
import { BLS_POINTS, BN254_POINTS, type CurvePoints } from "./curve-points.ts";

const word = (value: bigint | number): Bytes => bigIntToFixedBytes(BigInt(value), 32);
const anyBytes = (minLength: number, maxLength = minLength): fc.Arbitrary<Bytes> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => new Uint8Array(bytes));
const joined = (...parts: readonly fc.Arbitrary<Bytes>[]): fc.Arbitrary<Bytes> =>
  fc.tuple(...parts).map((bytes) => concatBytes(...bytes));

/** Mostly the input as it is; else with one byte changed, cut off, or with bytes behind it. */
function damaged(inputs: fc.Arbitrary<Bytes>): fc.Arbitrary<Bytes> {
  const damage = fc.record({ at: fc.nat(2000), by: fc.integer({ min: 1, max: 255 }), kind: fc.nat(2) });
  const changed = fc.tuple(inputs, damage).map(([input, change]) => {
    if (input.length === 0) return input;
    const at = change.at % input.length;
    if (change.kind === 0) return input.map((byte, index) => (index === at ? byte ^ change.by : byte));
    return change.kind === 1 ? input.slice(0, at) : concatBytes(input, new Uint8Array(change.by).fill(7));
  });
  return fc.oneof({ weight: 4, arbitrary: inputs }, changed);
}

/** Numbers below a modulus, the first and last of them often, and a few from it on. */
function numbersAround(modulus: bigint): fc.Arbitrary<bigint> {
  const edges = [0n, 1n, 2n, (modulus - 1n) / 2n, modulus - 1n];
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...edges) },
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: modulus - 1n }) },
    { weight: 1, arbitrary: fc.constantFrom(modulus, modulus + 1n, 2n * modulus - 1n) },
  );
}

const scalars = (order: bigint): fc.Arbitrary<Bytes> =>
  fc.oneof(
    numbersAround(order).map((value) => word(BigInt.asUintN(256, value))),
    anyBytes(32),
  );

function elements({ modulus, element }: CurvePoints): fc.Arbitrary<Bytes> {
  return numbersAround(modulus).map(element);
}

/** Mostly points of the subgroup; else others of the curve, and pairs of coordinates of no point. */
function points(inside: readonly Bytes[], outside: readonly Bytes[], curve: CurvePoints): fc.Arbitrary<Bytes> {
  const elementCount = (inside[0] as Bytes).length / curve.element(0n).length;
  const others = outside.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...outside) }];
  const none = joined(...Array.from({ length: elementCount }, () => elements(curve)));
  return fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...inside) }, ...others, { weight: 1, arbitrary: none });
}

const g1Of = (curve: CurvePoints): fc.Arbitrary<Bytes> => points(curve.g1, curve.outsideG1, curve);
const g2Of = (curve: CurvePoints): fc.Arbitrary<Bytes> => points(curve.g2, curve.outsideG2, curve);

const many = (inputs: fc.Arbitrary<Bytes>, maxLength: number): fc.Arbitrary<Bytes> =>
  fc.array(inputs, { minLength: 1, maxLength }).map((each) => concatBytes(...each));

/** Pairs of points, mostly such that the pairings cancel out. */
function pairs(curve: CurvePoints, maxLength: number): fc.Arbitrary<Bytes> {
  const [, one, , , , , minusOne] = curve.g1 as readonly Bytes[];
  const balanced = fc.constantFrom(...curve.g2).map((g2) => concatBytes(one as Bytes, g2, minusOne as Bytes, g2));
  return fc.oneof(balanced, many(joined(g1Of(curve), g2Of(curve)), maxLength));
}

/** Hash, v, r and s, of a signature or of numbers around the order. */
const ecrecover = ((): fc.Arbitrary<Bytes> => {
  const order = secp256k1.Point.Fn.ORDER;
  const signed = fc.tuple(anyBytes(32), fc.integer({ min: 1, max: 9 }), fc.boolean()).map(([hash, key, isHigh]) => {
    const bytes = secp256k1.sign(hash, word(key), { prehash: false, format: "recovered" });
    const [v, r, s] = [bytes[0] as number, bytes.subarray(1, 33), bytes.subarray(33)];
    if (!isHigh) return concatBytes(hash, word(27 + v), r, s);
    return concatBytes(hash, word(27 + (v ^ 1)), r, word(order - bytesToBigInt(s)));
  });
  const v = fc.oneof(fc.constantFrom(27, 28, 26, 29, 0, 1, 27 + 256).map(word), anyBytes(32));
  return fc.oneof({ weight: 2, arbitrary: signed }, joined(anyBytes(32), v, scalars(order), scalars(order)));
})();

/** Lengths of operands and the operands, which may be missing in part. */
const modexp = ((): fc.Arbitrary<Bytes> => {
  const length = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(0, 1, 2, 8, 31, 32, 33, 64, 65, 96) },
    { weight: 4, arbitrary: fc.nat(140) },
    { weight: 1, arbitrary: fc.constantFrom(1023, 1024, 1025) },
  );
  const numbers = fc.oneof(
    anyBytes(0, 100),
    fc.constantFrom(0, 1, 2, 3, 0xff, 0x10001).map((value) => word(value)),
  );
  const operand = fc.tuple(length, numbers).map(([bytes, number]) => {
    const padded = new Uint8Array(bytes);
    padded.set(number.subarray(Math.max(0, number.length - bytes)), Math.max(0, bytes - number.length));
    return padded;
  });
  const plain = fc
    .tuple(operand, operand, operand)
    .map((all) => concatBytes(...all.map((each) => word(each.length)), ...all));
  const hugeLength = fc.constantFrom(0n, 0n, 1n, 32n, 2n ** 32n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n).map(word);
  return fc.oneof({ weight: 5, arbitrary: plain }, joined(hugeLength, hugeLength, hugeLength, anyBytes(0, 100)));
})();

const blake2f = joined(
  fc.nat(40).map((rounds) => bigIntToFixedBytes(BigInt(rounds), 4)),
  anyBytes(208),
  fc.constantFrom(0, 1, 1, 2).map((flag) => Uint8Array.of(flag)),
);

/** Evaluations of a + b·x, whose proof is b·G1 at every point; [τ]G1 is the ceremony's. */
const kzg = ((): fc.Arbitrary<Bytes> => {
  const { G1, fields } = bls12_381;
  const tau = G1.Point.fromHex(
    "ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81",
  );
  const order = fields.Fr.ORDER;
  /** The point times 0 to 9. */
  const multiples = (point: typeof tau): readonly (typeof tau)[] =>
    [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n].map((factor) => point.multiplyUnsafe(factor));
  const [ofOne, ofTau] = [multiples(G1.Point.BASE), multiples(tau)];
  const times = (known: readonly (typeof tau)[], factor: bigint): typeof tau => known[Number(factor)] as typeof tau;
  const right = fc
    .tuple(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 9n }), scalars(order))
    .map(([a, b, z]) => {
      const commitment = times(ofOne, a).add(times(ofTau, b)).toBytes(true);
      const hash = sha256(commitment);
      hash[0] = 1;
      const y = word(fields.Fr.create(a + b * bytesToBigInt(z)));
      return concatBytes(hash, z, y, commitment, times(ofOne, b).toBytes(true));
    });
  const wrongPoint = fc.oneof(
    anyBytes(48),
    fc.constantFrom(0x00, 0x40, 0x80, 0xa0, 0xc0, 0xe0, 0x9f).map((first) => {
      const bytes = new Uint8Array(48);
      bytes[0] = first;
      bytes[47] = 5;
      return bytes;
    }),
  );
  const wrong = fc
    .tuple(right, wrongPoint, wrongPoint, fc.boolean())
    .map(([input, commitment, proof, isCommitment]) => {
      if (!isCommitment) return concatBytes(input.subarray(0, 144), proof);
      const hash = sha256(commitment);
      hash[0] = 1;
      return concatBytes(hash, input.subarray(32, 96), commitment, input.subarray(144));
    });
  return fc.oneof({ weight: 4, arbitrary: right }, wrong);
})();

/** Hash, r, s and the public key, of a signature or of numbers around the order. */
const p256verify = ((): fc.Arbitrary<Bytes> => {
  const { Fn, Fp } = p256.Point;
  const keys = Array.from({ length: 10 }, (_, key) =>
    key === 0 ? new Uint8Array() : p256.getPublicKey(word(key), false).subarray(1),
  );
  const keyOf = (key: number): Bytes => keys[key] as Bytes;
  const signed = fc.tuple(anyBytes(32), fc.integer({ min: 1, max: 9 }), fc.boolean()).map(([hash, key, isHigh]) => {
    const bytes = p256.sign(hash, word(key), { prehash: false, lowS: false });
    const s = bytesToBigInt(bytes.subarray(32));
    return concatBytes(hash, bytes.subarray(0, 32), word(isHigh ? Fn.ORDER - s : s), keyOf(key));
  });
  const coordinates = numbersAround(Fp.ORDER).map((value) => word(BigInt.asUintN(256, value)));
  const key = fc.oneof(fc.integer({ min: 1, max: 9 }).map(keyOf), joined(coordinates, coordinates));
  return fc.oneof({ weight: 2, arbitrary: signed }, joined(anyBytes(32), scalars(Fn.ORDER), scalars(Fn.ORDER), key));
})();

const bn = BN254_POINTS;
const bls = BLS_POINTS;

/** By the address at which a precompile is at home. */
export const PRECOMPILE_INPUTS: ReadonlyMap<number, fc.Arbitrary<Bytes>> = new Map([
  [0x01, damaged(ecrecover)],
  [0x02, anyBytes(0, 300)],
  [0x03, anyBytes(0, 300)],
  [0x04, anyBytes(0, 300)],
  [0x05, damaged(modexp)],
  [0x06, damaged(joined(g1Of(bn), g1Of(bn)))],
  [0x07, damaged(joined(g1Of(bn), scalars(bn.order)))],
  [0x08, damaged(pairs(bn, 3))],
  [0x09, damaged(blake2f)],
  [0x0a, damaged(kzg)],
  [0x0b, damaged(joined(g1Of(bls), g1Of(bls)))],
  [0x0c, damaged(many(joined(g1Of(bls), scalars(bls.order)), 4))],
  [0x0d, damaged(joined(g2Of(bls), g2Of(bls)))],
  [0x0e, damaged(many(joined(g2Of(bls), scalars(bls.order)), 4))],
  [0x0f, damaged(pairs(bls, 3))],
  [0x10, damaged(elements(bls))],
  [0x11, damaged(joined(elements(bls), elements(bls)))],
  [0x100, damaged(p256verify)],
]);
