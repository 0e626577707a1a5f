/** Signatures that random tests do not meet. */
import { p256 } from "@noble/curves/nist.js";
import { describe, expect, it } from "vitest";
import { PrecompileSet } from "../../../src/engines/wasm/precompiles/precompile-set.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";

const { Fn, Fp, BASE } = p256.Point;
const verify = new PrecompileSet().of("osaka").get(0x100)?.run;
const word = (value: bigint): Bytes => bigIntToFixedBytes(value, 32);
const RIGHT = { output: word(1n) };
const WRONG = { output: EMPTY_BYTES };

function signature(numbers: { hash: bigint; r: bigint; s: bigint }, key: typeof BASE): Bytes {
  const { x, y } = key.toAffine();
  return concatBytes(...[numbers.hash, numbers.r, numbers.s, x, y].map(word));
}

describe("a signature on P-256", () => {
  it("is wrong where the sum is the point at infinity, which has no x coordinate", () => {
    const [key, r, s] = [12_345n, 678n, 90n];
    const hash = Fn.neg(Fn.mul(r, key));
    expect(verify?.(signature({ hash, r, s }, BASE.multiply(key)))).toEqual(WRONG);
  });

  it("is right where the x coordinate is not below the order, and r is what is left of it", () => {
    // The field has 2^127 elements more than the group.
    let r = 1n;
    const pointAt = (x: bigint): typeof BASE | undefined => {
      try {
        return p256.Point.fromHex(
          `02${Fp.toBytes(x).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "")}`,
        );
      } catch {
        return undefined;
      }
    };
    while (pointAt(Fn.ORDER + r) === undefined) r++;
    const sum = pointAt(Fn.ORDER + r) as typeof BASE;
    const [byGenerator, byKey] = [1001n, 2002n];
    const key = sum.subtract(BASE.multiply(byGenerator)).multiply(Fn.inv(byKey));
    const s = Fn.div(r, byKey);
    const hash = Fn.mul(byGenerator, s);
    expect(verify?.(signature({ hash, r, s }, key))).toEqual(RIGHT);
    expect(verify?.(signature({ hash, r: Fn.ORDER + r, s }, key))).toEqual(WRONG);
  });

  it("may be of a hash that is zero, or is not below the order", () => {
    const key = 777n;
    const nonce = BASE.multiply(55n).toAffine().x;
    for (const hash of [0n, Fn.ORDER, Fn.ORDER + 9n, 2n ** 256n - 1n]) {
      const r = Fn.create(nonce);
      const s = Fn.div(Fn.add(Fn.create(hash), Fn.mul(r, key)), 55n);
      expect(verify?.(signature({ hash, r, s }, BASE.multiply(key)))).toEqual(RIGHT);
      expect(verify?.(signature({ hash, r, s: Fn.ORDER - s }, BASE.multiply(key)))).toEqual(RIGHT);
      expect(verify?.(signature({ hash, r, s: Fn.add(s, 1n) }, BASE.multiply(key)))).toEqual(WRONG);
    }
  });
});
