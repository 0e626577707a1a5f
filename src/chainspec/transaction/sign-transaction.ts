/** Builds signed transactions from plain fields: by a key, or with a marker signature for an impersonated sender. */
import type { Common } from "@ethereumjs/common";
import { createTx, type LegacyTx, type TypedTransaction, type TypedTxData } from "@ethereumjs/tx";
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { txOptions } from "./decode-transaction.ts";
import { hasLargeChainId, withSignature } from "./legacy-signature.ts";
import { LEGACY_TYPE, Transaction, type TransactionFields } from "./transaction.ts";
import { encodeMembers, signedBytes, signingBytes } from "./transaction-bytes.ts";
import { reasonOf } from "./undecodable.ts";

/** Signs a 32-byte hash. */
export type SignHash = (hash: Bytes) => { readonly r: bigint; readonly s: bigint; readonly yParity: number };

/** The fields to sign; the sender follows from the key. */
export type UnsignedTransaction = Omit<TransactionFields, "sender">;

/**
 * Signs with a key.
 *
 * @param signer - address of the key, so that it need not be recovered from the signature
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION` when the fields make no transaction of that type
 */
export function signTransaction(
  fields: UnsignedTransaction,
  common: Common,
  sign: SignHash,
  signer?: Bytes,
): Transaction {
  return makeSigned(fields, common, sign, { signer });
}

/**
 * A transaction of a sender without a key. Its signature is no signature: `r` is the sender's address, `s` is 1, so that
 * hashes of different senders differ; whoever stores it must store the sender with it.
 */
export function impersonatedTransaction(fields: UnsignedTransaction, common: Common, sender: Bytes): Transaction {
  const noSignature = { r: bytesToBigInt(sender), s: 1n, yParity: 0 };
  return makeSigned(fields, common, () => noSignature, { sender });
}

/**
 * The bytes are written here and not by EthereumJS, which would build the transaction twice, without and with its
 * signature, and encode it as often: a third of what a transaction costs beside its signature.
 */
function makeSigned(
  fields: UnsignedTransaction,
  common: Common,
  sign: SignHash,
  from: { readonly signer?: Bytes | undefined; readonly sender?: Bytes },
): Transaction {
  const { type } = fields;
  const chainId = common.chainId();
  // EIP-155
  const boundTo = type === LEGACY_TYPE && common.gteHardfork("spuriousDragon") ? chainId : undefined;
  const members = encodeMembers(fields, chainId);
  const { r, s, yParity } = sign(keccak256(signingBytes(type, members, boundTo)));
  const parityOffset = type !== LEGACY_TYPE ? 0n : boundTo === undefined ? 27n : 2n * boundTo + 35n;
  const v = parityOffset + BigInt(yParity);
  const isLarge = boundTo !== undefined && hasLargeChainId(common);
  const tx = isLarge
    ? withSignature(build(fields, common) as LegacyTx, { v, r, s })
    : build(fields, common, { v, r, s });
  return new Transaction(tx, { ...from, encoded: signedBytes(type, members, [v, r, s]) });
}

/** The EIP-2718 bytes with a signature of zeros, as geth gives them for somebody to sign. */
export function encodeUnsigned(fields: UnsignedTransaction, common: Common): Bytes {
  return build(fields, common).serialize();
}

function build(
  fields: UnsignedTransaction,
  common: Common,
  signature?: { readonly v: bigint; readonly r: bigint; readonly s: bigint },
): TypedTransaction {
  const fees =
    fields.type >= 2
      ? { maxFeePerGas: fields.maxFeePerGas, maxPriorityFeePerGas: fields.maxPriorityFeePerGas }
      : { gasPrice: fields.maxFeePerGas };
  const data = {
    type: fields.type,
    nonce: fields.nonce,
    gasLimit: fields.gasLimit,
    to: fields.to,
    value: fields.value,
    data: fields.data,
    ...signature,
    ...fees,
    ...(fields.type >= 1
      ? {
          chainId: common.chainId(),
          accessList: fields.accessList.map(({ address, storageKeys }) => [address, [...storageKeys]]),
        }
      : {}),
    ...(fields.type === 3
      ? { blobVersionedHashes: fields.blobVersionedHashes.map(encodeData), maxFeePerBlobGas: fields.maxFeePerBlobGas }
      : {}),
    ...(fields.type === 4
      ? {
          authorizationList: fields.authorizations.map((entry) => ({
            chainId: `0x${entry.chainId.toString(16)}`,
            address: encodeData(entry.address),
            nonce: `0x${entry.nonce.toString(16)}`,
            yParity: `0x${entry.yParity.toString(16)}`,
            r: `0x${entry.r.toString(16)}`,
            s: `0x${entry.s.toString(16)}`,
          })),
        }
      : {}),
  };
  try {
    // Not frozen: a signature may have to be put in afterwards.
    return createTx(data as TypedTxData, { ...txOptions(common), freeze: false });
  } catch (cause) {
    if (cause instanceof HindcastError) throw cause;
    throw new InvalidParamsError({
      code: "UNDECODABLE_TRANSACTION",
      what: `The fields make no valid transaction: ${reasonOf(cause)}.`,
      cause,
    });
  }
}
