import { expect, it } from "vitest";
import { ChainSpec } from "../../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../../src/chainspec/genesis/genesis.ts";
import { decodeTransaction } from "../../../src/chainspec/transaction/decode-transaction.ts";
import { signTransaction } from "../../../src/chainspec/transaction/sign-transaction.ts";
import { accountOf } from "../../../src/keyring/keyring.ts";
import { signHash } from "../../../src/primitives/curves/secp256k1.ts";

const rules = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} })).signatureRules("prague");
const account = accountOf(new Uint8Array(32).fill(7));
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
  const sign = (hash: Uint8Array) => signHash(hash, account.privateKey);
  const fees = type < 2 ? { maxPriorityFeePerGas: fields.maxFeePerGas } : {};
  const tx = signTransaction({ ...fields, ...fees, type }, rules, sign, account.address);
  expect(tx.sender).toEqual(account.address);
  expect(tx.isImpersonated).toBe(false);
  expect(decodeTransaction(tx.encode(), rules).sender).toEqual(account.address);
});
