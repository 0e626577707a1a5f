import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bigIntToBytes } from "../../../src/primitives/bytes/bytes.ts";
import { recoverPublicKey, recoverPublicKeyByV, signHash } from "../../../src/primitives/curves/secp256k1.ts";
import { runs } from "../../support/seed.ts";

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((key) => secp256k1.utils.isValidSecretKey(key));
const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("secp256k1", () => {
  it("signs as @noble/curves does, byte for byte", () => {
    fc.assert(
      fc.property(keys, hashes, (key, hash) => {
        const options = { prehash: false, format: "recovered", extraEntropy: false } as const;
        const theirs = secp256k1.Signature.fromBytes(secp256k1.sign(hash, key, options), "recovered");
        const ours = signHash(hash, key);
        expect([ours.r, ours.s, ours.yParity]).toEqual([theirs.r, theirs.s, theirs.recovery]);
      }),
      { numRuns: runs(20) },
    );
  });

  it("recovers the signer, by parity and by every form of v", () => {
    fc.assert(
      fc.property(keys, hashes, (key, hash) => {
        const { r, s, yParity } = signHash(hash, key);
        const publicKey = secp256k1.getPublicKey(key, false).subarray(1);
        const [rBytes, sBytes] = [bigIntToBytes(r), bigIntToBytes(s)];
        const parity = BigInt(yParity);
        expect(recoverPublicKey(hash, rBytes, sBytes, parity)).toEqual(publicKey);
        expect(recoverPublicKeyByV(hash, parity + 27n, rBytes, sBytes)).toEqual(publicKey);
        expect(recoverPublicKeyByV(hash, parity + 35n + 2n * (2n ** 60n + 1n), rBytes, sBytes, 2n ** 60n + 1n)).toEqual(
          publicKey,
        );
      }),
      { numRuns: runs(20) },
    );
  });

  it("refuses what no key can have signed", () => {
    const hash = new Uint8Array(32).fill(1);
    const one = Uint8Array.of(1);
    expect(() => recoverPublicKey(hash, new Uint8Array(0), one, 0n)).toThrow("no key makes this signature");
    expect(() => recoverPublicKey(hash, new Uint8Array(32).fill(0xff), one, 0n)).toThrow("no key makes this signature");
    expect(() => recoverPublicKey(hash, one, one, 2n)).toThrow("y parity");
  });
});
