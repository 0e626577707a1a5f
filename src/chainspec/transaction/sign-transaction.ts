/** Makes signed transactions from fields: signed with a key, or with a marker for an impersonated sender. */
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { readBack } from "./read-back.ts";
import { type SignatureRules, Transaction } from "./transaction.ts";
import { encodeMembers, signedBytes, signingBytes } from "./transaction-bytes.ts";
import { LEGACY_TYPE, type TransactionFields } from "./transaction-fields.ts";

/** Signs a 32-byte hash. */
export type SignHash = (hash: Bytes) => { readonly r: bigint; readonly s: bigint; readonly yParity: number };

/** The fields to sign, without the sender, which is derived from the key. */
export type UnsignedTransaction = Omit<TransactionFields, "sender">;

/**
 * Signs with a key.
 *
 * @param signer - address of the key, so that it need not be recovered from the signature
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION` for members that its bytes cannot hold, as in {@link readBack}
 */
export function signTransaction(
  fields: UnsignedTransaction,
  rules: SignatureRules,
  sign: SignHash,
  signer?: Bytes,
): Transaction {
  return makeSigned(fields, rules, sign, { signer });
}

/**
 * A transaction of a sender without a key. In place of a signature `r` is the sender's address and `s` is 1, so that
 * hashes of different senders differ. Its sender must be stored with it.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION` as {@link signTransaction}
 */
export function impersonatedTransaction(
  fields: UnsignedTransaction,
  rules: SignatureRules,
  sender: Bytes,
): Transaction {
  const noSignature = { r: bytesToBigInt(sender), s: 1n, yParity: 0 };
  return makeSigned(fields, rules, () => noSignature, { sender });
}

function makeSigned(
  fields: UnsignedTransaction,
  rules: SignatureRules,
  sign: SignHash,
  from: { readonly signer?: Bytes | undefined; readonly sender?: Bytes },
): Transaction {
  const { type } = fields;
  // EIP-155
  const chainId = type === LEGACY_TYPE && !rules.namesChain ? undefined : rules.chainId;
  const members = encodeMembers(fields, rules.chainId);
  const { r, s, yParity } = sign(keccak256(signingBytes(type, members, chainId)));
  const parityOffset = type !== LEGACY_TYPE ? 0n : chainId === undefined ? 27n : 2n * chainId + 35n;
  const v = parityOffset + BigInt(yParity);
  const encoded = signedBytes(type, members, [v, r, s]);
  return new Transaction(readBack(fields, encoded), rules, { encoded, ...from });
}
