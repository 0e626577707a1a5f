/** Encodings without a signature, against ethers' RLP of the members as the EIPs list them. */
import { encodeRlp, toBeArray, ZeroAddress } from "ethers";
import { describe, expect, it } from "vitest";
import { unsignedBytes } from "../../../src/chainspec/transaction/transaction-bytes.ts";
import type { TransactionFields } from "../../../src/chainspec/transaction/transaction-fields.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";

const TO = `0x${"22".repeat(20)}`;
const SLOT = `0x${"33".repeat(32)}`;
const HASH = `0x01${"44".repeat(31)}`;
const CHAIN_ID = (1n << 60n) + 1n;

const fields: TransactionFields = {
  type: 2,
  sender: decodeData(ZeroAddress),
  to: decodeData(TO),
  nonce: (1n << 64n) - 1n,
  gasLimit: 50_000_000n,
  value: 1_000n,
  data: decodeData("0xc0ffee"),
  maxFeePerGas: 20n,
  maxPriorityFeePerGas: 1n,
  accessList: [{ address: decodeData(TO), storageKeys: [decodeData(SLOT)] }],
  blobVersionedHashes: [decodeData(HASH)],
  maxFeePerBlobGas: 9n,
  authorizations: [{ chainId: 0n, address: decodeData(TO), nonce: 5n, yParity: 1n, r: 6n, s: 7n }],
};

const integer = (value: bigint): Uint8Array => toBeArray(value);
const nonce = integer(fields.nonce);
const target = [integer(50_000_000n), TO, integer(1_000n), "0xc0ffee"];
const accessList = [[TO, [SLOT]]];
const unsigned = ["0x", "0x", "0x"];

const MEMBERS: readonly (readonly [name: string, type: number, members: unknown[]])[] = [
  ["legacy", 0, [nonce, integer(20n), ...target, ...unsigned]],
  ["access list (EIP-2930)", 1, [integer(CHAIN_ID), nonce, integer(20n), ...target, accessList, ...unsigned]],
  [
    "fee market (EIP-1559)",
    2,
    [integer(CHAIN_ID), nonce, integer(1n), integer(20n), ...target, accessList, ...unsigned],
  ],
  [
    "blob (EIP-4844)",
    3,
    [integer(CHAIN_ID), nonce, integer(1n), integer(20n), ...target, accessList, integer(9n), [HASH], ...unsigned],
  ],
  [
    "set code (EIP-7702)",
    4,
    [
      ...[integer(CHAIN_ID), nonce, integer(1n), integer(20n), ...target, accessList],
      [["0x", TO, integer(5n), integer(1n), integer(6n), integer(7n)]],
      ...unsigned,
    ],
  ],
];

describe("unsignedBytes", () => {
  it.each(MEMBERS)("encodes a %s transaction with a signature of zeros", (_, type, members) => {
    const rlp = encodeRlp(members as Parameters<typeof encodeRlp>[0]);
    const expected = type === 0 ? rlp : `0x0${type}${rlp.slice(2)}`;
    expect(encodeData(unsignedBytes({ ...fields, type }, CHAIN_ID))).toBe(expected);
  });

  it("writes no recipient for a creation", () => {
    const bytes = unsignedBytes({ ...fields, type: 0, to: undefined }, CHAIN_ID);
    const [gas, , ...rest] = target;
    const members = [nonce, integer(20n), gas, "0x", ...rest, ...unsigned];
    expect(encodeData(bytes)).toBe(encodeRlp(members as Parameters<typeof encodeRlp>[0]));
  });
});
