/** Transactions as JSON: the members of execution-apis, and further ones in the `parity` shape. */
import { OpaqueTransaction } from "../../../chainspec/transaction/foreign-transaction.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { effectiveGasPrice } from "../../../chainspec/transaction/transaction.ts";
import type {
  AccessListEntry,
  Authorization,
  TransactionFields,
} from "../../../chainspec/transaction/transaction-fields.ts";
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  SET_CODE_TYPE,
} from "../../../chainspec/transaction/transaction-fields.ts";
import { createAddress } from "../../../primitives/address.ts";
import { bigIntToFixedBytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FoundTransaction } from "../../../services/query/block-queries.ts";
import { arrayOf, NULL, named, object, orNull } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, HEX, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type {
  AccessListEntry as AccessListEntryJson,
  Authorization as AuthorizationJson,
  SignedTransaction,
  Transaction as TransactionJson,
  UnsignedTransaction,
} from "../../wire-types.generated.ts";
import type { ResponseShape } from "../shape.ts";

export const accessListEntrySchema = named("AccessListEntry", () =>
  object({ address: ADDRESS, storageKeys: arrayOf(WORD) }),
);

export const authorizationSchema = named("Authorization", () =>
  object({
    chainId: QUANTITY,
    address: ADDRESS,
    nonce: QUANTITY,
    yParity: QUANTITY,
    r: QUANTITY,
    s: QUANTITY,
  }),
);

export const transactionSchema = named("Transaction", () =>
  object(
    {
      blockHash: orNull(HASH),
      blockNumber: orNull(QUANTITY),
      blockTimestamp: orNull(QUANTITY),
      from: ADDRESS,
      gas: QUANTITY,
      gasPrice: QUANTITY,
      hash: HASH,
      input: DATA,
      nonce: QUANTITY,
      to: orNull(ADDRESS),
      transactionIndex: orNull(QUANTITY),
      value: QUANTITY,
      type: QUANTITY,
      v: QUANTITY,
      r: HEX,
      s: HEX,
    },
    {
      yParity: QUANTITY,
      chainId: orNull(QUANTITY),
      accessList: arrayOf(accessListEntrySchema),
      maxFeePerGas: QUANTITY,
      maxPriorityFeePerGas: QUANTITY,
      maxFeePerBlobGas: QUANTITY,
      blobVersionedHashes: arrayOf(HASH),
      authorizationList: arrayOf(authorizationSchema),
      accesslist: arrayOf(accessListEntrySchema),
      condition: NULL,
      creates: orNull(ADDRESS),
      publicKey: orNull(DATA),
      raw: DATA,
      standardV: QUANTITY,
    },
  ),
);

export const signedTransactionSchema = named("SignedTransaction", () => object({ raw: DATA, tx: transactionSchema }));

/**
 * A mined, waiting or pending transaction; only mined ones have block members. A transaction of the forked chain is
 * shown as the upstream node sent it.
 */
export function encodeTransaction(found: FoundTransaction, shape: ResponseShape): TransactionJson {
  const { tx } = found;
  if (tx.given === undefined) return encodeKnown(found, shape);
  // The `parity` shape has further members, for transactions of a known type only.
  const known = shape === "parity" && !(tx instanceof OpaqueTransaction) ? encodeKnown(found, shape) : {};
  return { ...tx.given, ...known } as unknown as TransactionJson;
}

function encodeKnown({ tx, view, index }: FoundTransaction, shape: ResponseShape): TransactionJson {
  const { type, chainId } = tx;
  const block = view === undefined || view.isPending ? undefined : view.block;
  const price = view === undefined ? tx.maxFeePerGas : effectiveGasPrice(tx, view.block.header.baseFeePerGas);
  const signature = (word: bigint): Hex =>
    shape === "parity" ? encodeData(bigIntToFixedBytes(word, 32)) : encodeQuantity(word);
  return {
    blockHash: block === undefined ? null : encodeData(block.hash),
    blockNumber: block === undefined ? null : encodeQuantity(block.header.number),
    blockTimestamp: block === undefined ? null : encodeQuantity(block.header.timestamp),
    from: encodeData(tx.sender),
    gas: encodeQuantity(tx.gasLimit),
    gasPrice: encodeQuantity(price),
    hash: encodeData(tx.hash),
    input: encodeData(tx.data),
    nonce: encodeQuantity(tx.nonce),
    to: tx.to === undefined ? null : encodeData(tx.to),
    transactionIndex: block === undefined ? null : encodeQuantity(index),
    value: encodeQuantity(tx.value),
    type: encodeQuantity(type),
    // A legacy transaction has a chain id only if its signature contains one (EIP-155).
    ...(chainId === undefined ? {} : { chainId: encodeQuantity(chainId) }),
    ...(type >= ACCESS_LIST_TYPE
      ? { accessList: encodeAccessList(tx.accessList), yParity: encodeQuantity(tx.yParity) }
      : {}),
    ...encodeTypedMembers(tx),
    ...(shape === "parity" ? parityMembers(tx) : {}),
    v: encodeQuantity(tx.v),
    r: signature(tx.r),
    s: signature(tx.s),
  };
}

/** The answer of `personal_signTransaction`. The transaction is in no block. */
export function encodeSignedTransaction(tx: Transaction, shape: ResponseShape): SignedTransaction {
  return { raw: encodeData(tx.encode()), tx: encodeTransaction({ tx, view: undefined, index: 0 }, shape) };
}

/** The EIP-2718 bytes, without any sidecar. */
export function encodeRawTransaction({ tx }: Pick<FoundTransaction, "tx">): Hex {
  return encodeData(tx.encode());
}

function parityMembers(tx: Transaction): Partial<TransactionJson> {
  const { publicKey } = tx;
  return {
    condition: null,
    creates: tx.to === undefined ? encodeData(createAddress(tx.sender, tx.nonce)) : null,
    publicKey: publicKey === undefined ? null : encodeData(publicKey),
    raw: encodeData(tx.encode()),
    standardV: encodeQuantity(tx.yParity),
    ...(tx.chainId === undefined ? { chainId: null } : {}),
    ...(tx.type >= ACCESS_LIST_TYPE ? { accesslist: encodeAccessList(tx.accessList) } : {}),
  };
}

type TypedMember =
  | "maxFeePerGas"
  | "maxPriorityFeePerGas"
  | "maxFeePerBlobGas"
  | "blobVersionedHashes"
  | "authorizationList";

/** Fees, blobs and authorizations: the members that only later transaction types have. */
export function encodeTypedMembers(tx: Omit<TransactionFields, "sender">): Pick<UnsignedTransaction, TypedMember> {
  const { type } = tx;
  return {
    ...(type >= FEE_MARKET_TYPE
      ? {
          maxFeePerGas: encodeQuantity(tx.maxFeePerGas),
          maxPriorityFeePerGas: encodeQuantity(tx.maxPriorityFeePerGas),
        }
      : {}),
    ...(type === BLOB_TYPE
      ? {
          maxFeePerBlobGas: encodeQuantity(tx.maxFeePerBlobGas),
          blobVersionedHashes: tx.blobVersionedHashes.map(encodeData),
        }
      : {}),
    ...(type === SET_CODE_TYPE ? { authorizationList: tx.authorizations.map(encodeAuthorization) } : {}),
  };
}

/** An access list as JSON, in the transaction's order. */
export function encodeAccessList(entries: readonly AccessListEntry[]): AccessListEntryJson[] {
  return entries.map(({ address, storageKeys }) => ({
    address: encodeData(address),
    storageKeys: storageKeys.map(encodeData),
  }));
}

/** `r` and `s` are QUANTITY, without leading zeros. */
export function encodeAuthorization(entry: Authorization): AuthorizationJson {
  return {
    chainId: encodeQuantity(entry.chainId),
    address: encodeData(entry.address),
    nonce: encodeQuantity(entry.nonce),
    yParity: encodeQuantity(entry.yParity),
    r: encodeQuantity(entry.r),
    s: encodeQuantity(entry.s),
  };
}
