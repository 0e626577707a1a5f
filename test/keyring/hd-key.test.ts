import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveChild, deriveKey, masterKey, mnemonicSeed } from "../../src/keyring/hd-key.ts";
import { DEV_MNEMONIC } from "../../src/keyring/keyring.ts";

describe("BIP-32 derivation", () => {
  it("stretches a mnemonic to the seed of BIP-39", () => {
    expect(mnemonicSeed(DEV_MNEMONIC)).toEqual(mnemonicToSeedSync(DEV_MNEMONIC));
  });

  it("gives the keys that @scure/bip32 gives, hardened and not", () => {
    const seeds = fc.uint8Array({ minLength: 16, maxLength: 64 });
    const indexes = fc.array(fc.nat({ max: 2 ** 32 - 1 }), { maxLength: 4 });
    fc.assert(
      fc.property(seeds, indexes, (seed, path) => {
        let ours = masterKey(seed);
        let theirs = HDKey.fromMasterSeed(seed);
        for (const index of path) {
          ours = deriveChild(ours, index);
          theirs = theirs.deriveChild(index);
        }
        expect(ours.privateKey).toEqual(theirs.privateKey);
        expect(ours.chainCode).toEqual(theirs.chainCode);
      }),
      { numRuns: 20 },
    );
  });

  it("refuses a path that is none", () => {
    const root = masterKey(mnemonicSeed(DEV_MNEMONIC));
    expect(() => deriveKey(root, "m/44x/0")).toThrow("not a derivation path");
  });
});
