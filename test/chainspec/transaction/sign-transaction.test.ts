import { describe, expect, it } from "vitest";
import { ChainSpec } from "../../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../../src/chainspec/genesis/genesis.ts";
import { decodeTransaction } from "../../../src/chainspec/transaction/decode-transaction.ts";
import { signTransaction } from "../../../src/chainspec/transaction/sign-transaction.ts";
import { accountOf } from "../../../src/keyring/keyring.ts";
import { signHash } from "../../../src/primitives/curves/secp256k1.ts";

const rules = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} })).signatureRules("prague");
const account = accountOf(new Uint8Array(32).fill(7));
const sign = (hash: Uint8Array) => signHash(hash, account.privateKey);
const fields = {
  nonce: 3n,
  to: new Uint8Array(20).fill(1),
  gasLimit: 21_000n,
  value: 5n,
  data: new Uint8Array(0),
  maxFeePerGas: 9n,
  maxPriorityFeePerGas: 2n,
  accessList: [],
  blobVersionedHashes: [],
  maxFeePerBlobGas: 0n,
  authorizations: [],
};

it.each([0, 1, 2])("believes the signer of a transaction of type %d, as its signature gives him", (type) => {
  const fees = type < 2 ? { maxPriorityFeePerGas: fields.maxFeePerGas } : {};
  const tx = signTransaction({ ...fields, ...fees, type }, rules, sign, account.address);
  expect(tx.sender).toEqual(account.address);
  expect(tx.isImpersonated).toBe(false);
  expect(decodeTransaction(tx.encode(), rules).sender).toEqual(account.address);
});

describe("members that a transaction of its type cannot hold", () => {
  const address = new Uint8Array(20).fill(2);
  const authorization = { chainId: 1n, address, nonce: 0n, yParity: 0n, r: 1n, s: 1n };
  const legacy = { maxFeePerGas: 9n, maxPriorityFeePerGas: 9n };

  it.each([
    [
      "a legacy transaction with an access list",
      0,
      { ...legacy, accessList: [{ address, storageKeys: [] }] },
      "accessList",
    ],
    ["a legacy transaction with a tip", 0, {}, "maxPriorityFeePerGas"],
    ["an access list's with a tip", 1, {}, "maxPriorityFeePerGas"],
    ["a fee market's with a blob fee", 2, { maxFeePerBlobGas: 1n }, "maxFeePerBlobGas"],
    ["a fee market's with blobs", 2, { blobVersionedHashes: [new Uint8Array(32).fill(1)] }, "blobVersionedHashes"],
    ["a blob transaction with authorizations", 3, { authorizations: [authorization] }, "authorizationList"],
    ["a type that is 2 in its lowest byte", 258, {}, "type"],
  ])("are refused: %s", (_what, type, members, name) => {
    expect(() => signTransaction({ ...fields, type, ...members }, rules, sign)).toThrow(
      `Transaction is not in valid format: a transaction of type ${type} cannot have this ${name}.`,
    );
  });

  it.each([
    ["a nonce of 2^64", { nonce: 2n ** 64n }, "its nonce is not below 2^64"],
    ["a gas limit of 2^64", { gasLimit: 2n ** 64n }, "its gasLimit is not below 2^64"],
    ["a value of 2^256", { value: 2n ** 256n }, "its value is not below 2^256"],
    ["a fee of 2^256", { maxFeePerGas: 2n ** 256n }, "its maxFeePerGas is not below 2^256"],
    ["a parity of 2^8", { type: 4, authorizations: [{ ...authorization, yParity: 256n }] }, "authorization list"],
    ["an authorization's nonce of 2^64", { type: 4, authorizations: [{ ...authorization, nonce: 2n ** 64n }] }, "list"],
  ])("are refused: %s", (_what, members, text) => {
    expect(() => signTransaction({ ...fields, type: 2, ...members }, rules, sign)).toThrow(text);
  });
});
