/** Addresses of contracts, beside EthereumJS' and the vectors of the EIP. */
import { bigIntToBytes, generateAddress, generateAddress2 } from "@ethereumjs/util";
import { expect, it } from "vitest";
import { createAddress, createSaltedAddress } from "../../src/primitives/address.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";

const CREATOR = decodeData(`0x${"c0de".repeat(10)}`);

it.each([0n, 1n, 127n, 128n, 255n, 256n, 2n ** 64n - 2n])("follows from the creator's nonce %s", (nonce) => {
  expect(createAddress(CREATOR, nonce)).toEqual(generateAddress(CREATOR, bigIntToBytes(nonce)));
});

// EIP-1014, "Examples".
it.each([
  ["00".repeat(20), "00".repeat(32), "00", "4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38"],
  ["deadbeef".padEnd(40, "0"), "00".repeat(32), "00", "b928f69bb1d91cd65274e3c79d8986362984fda3"],
  [
    "00000000000000000000000000000000deadbeef",
    "cafebabe".padStart(64, "0"),
    "deadbeef",
    "60f3f640a8508fc6a86d45df051962668e1e8ac7",
  ],
  ["00".repeat(20), "00".repeat(32), "", "e33c0c7f7df4809055c3eba6c09cfe4baf1bd9e0"],
])("follows from creator %s, salt %s and init code 0x%s", (creator, salt, initCode, address) => {
  const [from, word, code] = [creator, salt, initCode].map((digits) => decodeData(`0x${digits}`)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  expect(encodeData(createSaltedAddress(from, word, code))).toBe(`0x${address}`);
  expect(createSaltedAddress(from, word, code)).toEqual(generateAddress2(from, word, code));
});
