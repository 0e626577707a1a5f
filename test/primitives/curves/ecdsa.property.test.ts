import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Ecdsa, openEcdsa } from "../../../src/primitives/curves/ecdsa.ts";
import { compiledFile } from "../../../src/primitives/platform/packages.ts";
import { runs } from "../../support/seed.ts";

const require = createRequire(import.meta.url);
/** As on a platform that the package has no binary for. */
const withoutBinary = Object.assign(
  (name: string): unknown => {
    if (name.startsWith("secp256k1")) throw new Error("No native build was found");
    return require(name);
  },
  { resolve: require.resolve },
) as unknown as NodeJS.Require;

const ofThisPlatform = openEcdsa(require);
const portable = openEcdsa(withoutBinary);
const bytesOf = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
/** Below the order of the curve, and not zero. */
const keys = bytesOf(32).map((key) => Uint8Array.of(1, ...key.subarray(1)));

function recovered({ recover }: Ecdsa, [hash, signature, yParity]: [Uint8Array, Uint8Array, 0 | 1]): Uint8Array | null {
  return recover(hash, signature, yParity)?.slice() ?? null;
}

it("loads nothing but the binary for this platform, or noble where there is none", () => {
  const binary = compiledFile("secp256k1/prebuilds", "secp256k1");
  const loaded: string[] = [];
  openEcdsa((name) => {
    const found: unknown = require(name);
    loaded.push(name);
    return found;
  });
  expect(loaded).toEqual([existsSync(`node_modules/${binary}`) ? binary : "@noble/curves/secp256k1.js"]);
});

describe("ECDSA, compiled and in WASM", () => {
  it("signs alike", () => {
    fc.assert(
      fc.property(bytesOf(32), keys, (hash, key) => {
        const [ours, theirs] = [ofThisPlatform.sign(hash, key), portable.sign(hash, key)];
        expect([...ours.signature, ours.yParity]).toEqual([...theirs.signature, theirs.yParity]);
      }),
      { numRuns: runs(50) },
    );
  });

  it("refuses alike to sign with what is no private key", () => {
    for (const key of [new Uint8Array(32), new Uint8Array(32).fill(0xff), new Uint8Array(31).fill(1)]) {
      for (const { sign } of [ofThisPlatform, portable]) expect(() => sign(new Uint8Array(32).fill(1), key)).toThrow();
    }
  });

  it("recovers alike what was signed, and by either parity", () => {
    fc.assert(
      fc.property(bytesOf(32), keys, (hash, key) => {
        const { signature } = portable.sign(hash, key);
        for (const yParity of [0, 1] as const) {
          const key0 = recovered(ofThisPlatform, [hash, signature, yParity]);
          expect(key0).toEqual(recovered(portable, [hash, signature, yParity]));
          expect(key0?.length).toBe(64);
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it("refuses alike what no key has signed, and what is too large", () => {
    const halves = fc.oneof(
      bytesOf(32),
      fc.constantFrom(new Uint8Array(32), new Uint8Array(32).fill(0xff), Uint8Array.of(...new Uint8Array(31), 1)),
    );
    let refused = 0;
    fc.assert(
      fc.property(bytesOf(32), halves, halves, fc.constantFrom(0 as const, 1 as const), (hash, r, s, yParity) => {
        const signature = Uint8Array.of(...r, ...s);
        const key = recovered(ofThisPlatform, [hash, signature, yParity]);
        expect(key).toEqual(recovered(portable, [hash, signature, yParity]));
        if (key === null) refused++;
      }),
      { numRuns: runs(200) },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
