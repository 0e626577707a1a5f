/** Points of bn254 and BLS12-381 as precompiles take them, made by @noble/curves. */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { type Bytes, bigIntToFixedBytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";

/** The points of a pairing's two groups, and points of both curves that are in neither group. */
export interface CurvePoints {
  readonly modulus: bigint;
  readonly order: bigint;
  /** A number as field elements are written. */
  readonly element: (value: bigint) => Bytes;
  readonly g1: readonly Bytes[];
  readonly g2: readonly Bytes[];
  readonly outsideG1: readonly Bytes[];
  readonly outsideG2: readonly Bytes[];
  /** A multiple of each generator. */
  readonly multiple: (factor: bigint) => { readonly g1: Bytes; readonly g2: Bytes };
}

interface Extended {
  readonly c0: bigint;
  readonly c1: bigint;
}

/** A point with what is needed of it. */
interface Point<Coordinate, Self> {
  double(): Self;
  add(other: Self): Self;
  is0(): boolean;
  toAffine(): { readonly x: Coordinate; readonly y: Coordinate };
}

/** [factor]P for any factor and any point of the curve, which the library refuses. */
function multiply<P extends Point<unknown, P>>(point: P, factor: bigint, zero: P): P {
  let product = zero;
  for (const bit of factor.toString(2)) {
    product = product.double();
    if (bit === "1") product = product.add(point);
  }
  return product;
}

/** Factors of the points that tests take, beside zero. */
const FACTORS = [1n, 2n, 3n, 77n, 2n ** 200n + 1n, -1n, -2n];

/**
 * Points outside the subgroup: of the whole curve's order, of the cofactor's, and of orders that divide `divisors` of the
 * cofactor. Where a prime divides the cofactor twice, no point may have its square as an order.
 */
function outside<P extends Point<unknown, P>>(
  point: P,
  { order, cofactor, divisors, zero }: { order: bigint; cofactor: bigint; divisors: readonly bigint[]; zero: P },
): P[] {
  const inCofactor = multiply(point, order, zero);
  const small = divisors.map((divisor) => multiply(inCofactor, cofactor / divisor, zero));
  return [point, inCofactor, ...small].filter((each) => !each.is0());
}

/** The first point at or behind an x coordinate. */
function pointFrom<P>(start: bigint, at: (x: bigint) => P): P {
  for (let x = start; ; x++) {
    try {
      return at(x);
    } catch {
      // No point has that coordinate.
    }
  }
}

function bn254Points(): CurvePoints {
  const { Fp, Fp2, Fr } = bn254.fields;
  const { G1, G2 } = bn254;
  const element = (value: bigint): Bytes => bigIntToFixedBytes(value, 32);
  const write1 = ({ x, y }: { x: bigint; y: bigint }): Bytes => concatBytes(element(x), element(y));
  const write2 = ({ x, y }: { x: Extended; y: Extended }): Bytes =>
    concatBytes(...[x.c1, x.c0, y.c1, y.c0].map(element));
  const multiple = (factor: bigint): { g1: Bytes; g2: Bytes } => ({
    g1: write1(G1.Point.BASE.multiplyUnsafe(Fr.create(factor)).toAffine()),
    g2: write2(G2.Point.BASE.multiplyUnsafe(Fr.create(factor)).toAffine()),
  });
  const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  const twisted = pointFrom(1n, (value) => {
    const x = Fp2.fromBigTuple([value, 5n]);
    return G2.Point.fromAffine({ x, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)) });
  });
  const twist = { order: Fr.ORDER, cofactor: 2n * Fp.ORDER - Fr.ORDER, divisors: [10_069n, 5_864_401n] };
  return {
    modulus: Fp.ORDER,
    order: Fr.ORDER,
    element,
    multiple,
    g1: [new Uint8Array(64), ...FACTORS.map((n) => multiple(n).g1)],
    g2: [new Uint8Array(128), ...FACTORS.map((n) => multiple(n).g2)],
    outsideG1: [],
    outsideG2: outside(twisted, { ...twist, zero: G2.Point.ZERO }).map((point) => write2(point.toAffine())),
  };
}

function blsPoints(): CurvePoints {
  const { Fp, Fp2, Fr } = bls12_381.fields;
  const { G1, G2 } = bls12_381;
  const element = (value: bigint): Bytes => bigIntToFixedBytes(value, 64);
  const write1 = ({ x, y }: { x: bigint; y: bigint }): Bytes => concatBytes(element(x), element(y));
  const write2 = ({ x, y }: { x: Extended; y: Extended }): Bytes =>
    concatBytes(...[x.c0, x.c1, y.c0, y.c1].map(element));
  const multiple = (factor: bigint): { g1: Bytes; g2: Bytes } => ({
    g1: write1(G1.Point.BASE.multiplyUnsafe(Fr.create(factor)).toAffine()),
    g2: write2(G2.Point.BASE.multiplyUnsafe(Fr.create(factor)).toAffine()),
  });
  const plain = pointFrom(1n, (x) => G1.Point.fromAffine({ x, y: Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n)) }));
  const twisted = pointFrom(1n, (value) => {
    const x = Fp2.fromBigTuple([value, 5n]);
    return G2.Point.fromAffine({ x, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.fromBigTuple([4n, 4n]))) });
  });
  const curve = {
    order: Fr.ORDER,
    cofactor: G1.Point.CURVE().h,
    divisors: [11n ** 2n, 10_177n ** 2n],
    zero: G1.Point.ZERO,
  };
  const twist = { order: Fr.ORDER, cofactor: G2.Point.CURVE().h, divisors: [13n ** 2n, 2_713n], zero: G2.Point.ZERO };
  return {
    modulus: Fp.ORDER,
    order: Fr.ORDER,
    element,
    multiple,
    g1: [new Uint8Array(128), ...FACTORS.map((n) => multiple(n).g1)],
    g2: [new Uint8Array(256), ...FACTORS.map((n) => multiple(n).g2)],
    outsideG1: outside(plain, curve).map((point) => write1(point.toAffine())),
    outsideG2: outside(twisted, twist).map((point) => write2(point.toAffine())),
  };
}

export const BN254_POINTS: CurvePoints = bn254Points();
export const BLS_POINTS: CurvePoints = blsPoints();
