import { RLP } from "@ethereumjs/rlp";
import { Account, createAccountFromRLP } from "@ethereumjs/util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { bigIntToBytes } from "../../../src/primitives/bytes/bytes.ts";
import {
  decodeAccount,
  decodeStorageValue,
  encodeAccount,
  encodeStorageValue,
} from "../../../src/state/trie/account-codec.ts";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const integer = (bits: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, (1n << bits) - 1n), fc.constant((1n << bits) - 1n));

it("writes accounts as EthereumJS does, and reads them back", () => {
  fc.assert(
    fc.property(integer(64n), integer(256n), hash, hash, (nonce, balance, storageRoot, codeHash) => {
      const encoded = encodeAccount({ nonce, balance, storageRoot, codeHash });
      expect(encoded).toEqual(new Account(nonce, balance, storageRoot, codeHash).serialize());
      expect(decodeAccount(encoded)).toEqual({ nonce, balance, storageRoot, codeHash });
      expect(createAccountFromRLP(encoded).balance).toBe(balance);
    }),
  );
});

it("writes storage values as RLP, and reads them back", () => {
  fc.assert(
    fc.property(integer(256n), (number) => {
      const value = bigIntToBytes(number);
      expect(encodeStorageValue(value)).toEqual(RLP.encode(value));
      expect(decodeStorageValue(encodeStorageValue(value))).toEqual(value);
    }),
  );
});

it("refuses bytes that are no account", () => {
  const good = encodeAccount({ nonce: 1n, balance: 2n, storageRoot: new Uint8Array(32), codeHash: new Uint8Array(32) });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: good.length - 1 }), (length) => {
      expect(() => decodeAccount(good.subarray(0, length))).toThrow(TypeError);
    }),
  );
  // The prefixes of the list, of its length and of both hashes.
  for (const index of [0, 1, 4, 37]) {
    const damaged = good.slice();
    damaged[index] = (damaged[index] as number) + 1;
    expect(() => decodeAccount(damaged), `byte ${index}`).toThrow(TypeError);
  }
  expect(() => decodeAccount(RLP.encode([Uint8Array.of(1), Uint8Array.of(2)]))).toThrow(TypeError);
  expect(() => decodeStorageValue(Uint8Array.of(0x82, 1))).toThrow(TypeError);
});
