/** Signed transactions from bytes: their own, those of the network with blobs, and the items of a block's body. */
import type { Common } from "@ethereumjs/common";
import { createTxFromBlockBodyData, createTxFromRLP, type TxOptions, type TypedTransaction } from "@ethereumjs/tx";
import { encodeByteList } from "../../primitives/bytes/byte-list.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { hasSidecar, splitNetworkForm } from "../blobs/blob-sidecar.ts";
import type { Given } from "../given.ts";
import { legacyOfLargeChain } from "./legacy-signature.ts";
import { LEGACY_TYPE, Transaction } from "./transaction.ts";
import { orUndecodable } from "./undecodable.ts";

/**
 * A transaction from its EIP-2718 bytes.
 *
 * @param common - at the hardfork in which it is to run
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function decodeTransaction(bytes: Bytes, common: Common, sender?: Bytes): Transaction {
  const tx = orUndecodable(() => legacyOfLargeChain(bytes, common) ?? createTxFromRLP(bytes, txOptions(common)));
  return new Transaction(tx, { sender, encoded: encodedAs(tx, bytes) });
}

/**
 * A transaction as the network sends it: like {@link decodeTransaction}, but a type 3 one may carry its sidecar, which
 * is not verified yet.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function decodeNetworkTransaction(bytes: Bytes, common: Common): Transaction {
  if (!hasSidecar(bytes)) return decodeTransaction(bytes, common);
  const { transaction, sidecar } = splitNetworkForm(bytes);
  const tx = orUndecodable(() => createTxFromRLP(transaction, txOptions(common)));
  return new Transaction(tx, { sidecar, encoded: encodedAs(tx, transaction) });
}

/** What another chain says of one of its transactions; see `foreign-transaction.ts`. */
interface ForeignTransactionOptions {
  readonly hash: Bytes;
  readonly sender: Bytes;
  readonly given: Given;
}

/**
 * A transaction from its item in a block body.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function transactionFromBodyItem(
  item: unknown,
  common: Common,
  sender?: Bytes,
  foreign?: ForeignTransactionOptions,
): Transaction {
  const tx = orUndecodable(
    () =>
      legacyOfLargeChain(item, common) ??
      createTxFromBlockBodyData(item as Uint8Array | Uint8Array[], txOptions(common)),
  );
  const encoded = encodedAs(tx, item as Bytes | Bytes[]);
  if (foreign === undefined) return new Transaction(tx, { sender, encoded });
  const { hash, given, sender: from } = foreign;
  // A transaction that stands without a valid signature has one of zeros, or a hash of its own.
  const isSigned = tx.isSigned() && tx.r !== 0n && equalBytes(hash, keccak256(encoded ?? tx.serialize()));
  return new Transaction(tx, { ...(isSigned ? { signer: from } : { sender: from }), encoded, hash, given });
}

/**
 * The EIP-2718 bytes of a transaction that was read from a body's item or from its bytes, if they are what its fields
 * would be encoded as. EthereumJS reads RLP in its one form only, and takes no integer with zeros in front but a chain id;
 * what has no signature it completes.
 */
function encodedAs(tx: TypedTransaction, source: Bytes | Bytes[]): Bytes | undefined {
  if (!tx.isSigned()) return undefined;
  if (!(source instanceof Uint8Array)) return encodeByteList(source);
  if (tx.type === LEGACY_TYPE) return source;
  const listHead = source[1] as number;
  const chainIdAt = listHead < 0xf8 ? 2 : listHead - 0xf5;
  const chainIdHead = source[chainIdAt] as number;
  const hasZeros = chainIdHead === 0 || (chainIdHead > 0x80 && source[chainIdAt + 1] === 0);
  return hasZeros ? undefined : source;
}

/**
 * Options for EthereumJS' constructors. The Common carries the gas parameters of transactions already: left to itself,
 * each constructor copies them anew, a quarter of what decoding costs (measured).
 */
export function txOptions(common: Common): TxOptions {
  return { common, params: {} };
}
