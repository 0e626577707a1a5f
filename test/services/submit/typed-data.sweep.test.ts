import { concat, keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { hashTypedData, type TypedData } from "../../../src/services/submit/typed-data.ts";
import { isSlow } from "../../support/seed.ts";

/** The example of EIP-712. */
const MAIL: TypedData = {
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
    Person: [
      { name: "name", type: "string" },
      { name: "wallet", type: "address" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "to", type: "Person" },
      { name: "contents", type: "string" },
    ],
  },
  primaryType: "Mail",
  domain: {
    name: "Ether Mail",
    version: "1",
    chainId: 1,
    verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
  },
  message: {
    from: { name: "Cow", wallet: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826" },
    to: { name: "Bob", wallet: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" },
    contents: "Hello, Bob!",
  },
};

it("hashes the example of EIP-712 to the value it states", () => {
  expect(encodeData(hashTypedData(MAIL))).toBe("0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2");
});

it("makes the domain type of the members there are, when it is not listed", () => {
  const { EIP712Domain: _listed, ...types } = MAIL.types;
  expect(hashTypedData({ ...MAIL, types })).toEqual(hashTypedData(MAIL));
});

it("signs the domain alone when it is the primary type, whatever the message says", () => {
  const alone = { ...MAIL, primaryType: "EIP712Domain" };
  expect(hashTypedData(alone)).toEqual(hashTypedData({ ...alone, message: { else: 1 } }));
  expect(hashTypedData(alone)).not.toEqual(hashTypedData(MAIL));
});

it("ends a recursive type at what is not there", () => {
  const types = {
    Node: [
      { name: "value", type: "uint8" },
      { name: "next", type: "Node" },
    ],
  };
  const message = { value: 1, next: { value: 2 } };
  const data = { types, primaryType: "Node", domain: {}, message };
  expect(hashTypedData(data)).toEqual(
    hashTypedData({ ...data, message: { value: 1, next: { value: 2, next: null } } }),
  );
});

if (isSlow) {
  it("hashes a list of 150,000 items, and a type of 150,000 members", () => {
    const length = 150_000;
    const items = Array.from({ length }, (_, index) => index);
    const listed = {
      types: { T: [{ name: "x", type: "uint256[]" }] },
      primaryType: "T",
      domain: {},
      message: { x: items },
    };
    const words = items.map((index) => index.toString(16).padStart(64, "0")).join("");
    const struct = keccak256(concat([keccak256(toHex("T(uint256[] x)")), keccak256(`0x${words}`)]));
    const domain = keccak256(keccak256(toHex("EIP712Domain()")));
    expect(encodeData(hashTypedData(listed))).toBe(keccak256(concat(["0x1901", domain, struct])));
    const members = items.map((index) => ({ name: `m${index}`, type: "uint256" }));
    const message = Object.fromEntries(items.map((index) => [`m${index}`, index]));
    const wide = { types: { T: members }, primaryType: "T", domain: {}, message };
    expect(encodeData(hashTypedData(wide))).toMatch(/^0x[0-9a-f]{64}$/);
  });
}

describe("refuses, naming the member,", () => {
  const one = (type: string, value: unknown): TypedData => ({
    types: { T: [{ name: "x", type }] },
    primaryType: "T",
    domain: {},
    message: { x: value },
  });

  it.each([
    ["an integer out of range", one("uint8", 256), "message.x: out of range of uint8"],
    ["a negative unsigned integer", one("uint256", "-1"), "message.x: out of range of uint256"],
    ["an integer too small", one("int8", -129), "message.x: out of range of int8"],
    ["an integer that lost digits", one("uint256", 2 ** 60), "message.x: expected an integer"],
    ["a short byte string", one("bytes4", "0x1234"), "message.x: expected DATA of 4 bytes"],
    ["an address that is none", one("address", "0x12"), "message.x: expected DATA of 20 bytes"],
    ["a missing member", one("string", undefined), "message.x: expected a string"],
    ["another number of items", one("bool[2]", [true]), "message.x: expected 2 items"],
    ["what is no array", one("bool[]", true), "message.x: expected an array of bool"],
    ["a wrong item", one("bool[]", [true, 1]), "message.x[1]: expected true or false"],
    ["an unknown type", one("Missing", {}), "message.x: unknown type Missing"],
    ["a width that does not exist", one("uint7", 1), "message.x: unknown type uint7"],
    ["an unknown primary type", { ...one("bool", true), primaryType: "U" }, "message: the type U is not listed"],
  ])("%s", (_what, data, text) => {
    expect(() => hashTypedData(data)).toThrow(`Typed data: ${text}`);
  });

  it("what is nested without end", () => {
    let message: Record<string, unknown> = {};
    for (let depth = 0; depth < 100; depth++) message = { x: message };
    const data = { types: { T: [{ name: "x", type: "T" }] }, primaryType: "T", domain: {}, message };
    expect(() => hashTypedData(data)).toThrow("nested deeper than 64 levels");
  });
});
