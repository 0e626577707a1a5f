/**
 * Decodes signed transactions (EIP-2718, 155, 2930, 1559, 4844, 7702): their own bytes, the network form with blobs,
 * and items of a block's body.
 *
 * Only the form is checked here, as in other clients: members, sizes, integers without leading zeros. Rules of
 * hardforks and types are checked before execution (`executor/transaction-checks.ts`), and the signature when the
 * sender is first read.
 */
import type { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeByteList } from "../../primitives/rlp/byte-list.ts";
import { decodeRlp, type RlpItem } from "../../primitives/rlp/rlp.ts";
import { RlpBudget } from "../../primitives/rlp/rlp-reader.ts";
import { hasSidecar, splitNetworkForm } from "../blob-sidecar.ts";
import { type SignatureRules, type SignedFields, Transaction, undecodable } from "./transaction.ts";
import {
  ACCESS_LIST_TYPE,
  type AccessListEntry,
  type Authorization,
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
} from "./transaction-fields.ts";

/**
 * Decodes a transaction from its EIP-2718 bytes.
 *
 * @param rules - of the chain and hardfork in which it will run
 * @param sender - used in place of the signature's
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function decodeTransaction(bytes: Bytes, rules: SignatureRules, sender?: Bytes): Transaction {
  return new Transaction(decodeFields(bytes), rules, { sender, encoded: bytes });
}

/** Most RLP items of a transaction that a client sends, including lists: the keys of its access list would take 95 million gas. */
export const MAX_TRANSACTION_ITEMS = 50_000;

/**
 * As {@link decodeTransaction}, for the network form, in which a type-3 transaction may have a sidecar. The sidecar is
 * not verified.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 * @throws {LimitError} `TOO_MANY_ITEMS`
 */
export function decodeNetworkTransaction(bytes: Bytes, rules: SignatureRules): Transaction {
  checkItems(bytes);
  if (!hasSidecar(bytes)) return decodeTransaction(bytes, rules);
  const { transaction, sidecar } = splitNetworkForm(bytes);
  return new Transaction(decodeFields(transaction), rules, { sidecar, encoded: transaction });
}

function checkItems(bytes: Bytes): void {
  if (bytes.length <= MAX_TRANSACTION_ITEMS) return;
  try {
    new RlpBudget(MAX_TRANSACTION_ITEMS, "transaction", "Divide its access list among several transactions.").take(
      bytes,
    );
  } catch (error) {
    throw error instanceof RangeError ? undecodable("its bytes are not RLP", error) : error;
  }
}

/**
 * Decodes an item of a block body: a list for a legacy transaction, EIP-2718 bytes for any other.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function transactionFromBodyItem(item: unknown, rules: SignatureRules, sender?: Bytes): Transaction {
  if (item instanceof Uint8Array) {
    if ((item[0] ?? 0) >= 0xc0) throw undecodable("a block has it as a list, not as bytes");
    return decodeTransaction(item, rules, sender);
  }
  const fields = legacyFields(item as RlpItem);
  return new Transaction(fields, rules, { sender, encoded: encodeByteList(item as readonly Bytes[]) });
}

/**
 * The members of a transaction from its EIP-2718 bytes.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function decodeFields(bytes: Bytes): SignedFields {
  const type = bytes[0];
  if (type === undefined) throw undecodable("it has no bytes");
  // A first byte from 0xc0 on begins a list: a legacy transaction.
  if (type >= 0xc0) return legacyFields(decoded(bytes));
  if (type < ACCESS_LIST_TYPE || type > SET_CODE_TYPE) throw undecodable(`the transaction type ${type} is unknown`);
  return typedFields(type, decoded(bytes.subarray(1)));
}

function decoded(bytes: Bytes): RlpItem {
  try {
    return decodeRlp(bytes);
  } catch (cause) {
    throw undecodable("its bytes are not RLP", cause);
  }
}

/** Number of members in each type's list, including the three of the signature. */
const MEMBER_COUNTS: readonly number[] = [9, 11, 12, 14, 13];

/** Reads the members of a transaction's list in order. */
class Members {
  readonly #items: readonly RlpItem[];
  #next = 0;

  constructor(type: number, list: RlpItem) {
    if (list instanceof Uint8Array || !Array.isArray(list)) throw undecodable("it has not the members of its type");
    const wanted = MEMBER_COUNTS[type] as number;
    if (list.length === wanted - 3) throw undecodable("it is not signed");
    if (list.length !== wanted) throw undecodable("it has not the members of its type");
    this.#items = list;
  }

  item(): RlpItem {
    return this.#items[this.#next++] as RlpItem;
  }

  bytes(name: string): Bytes {
    return bytesOf(this.item(), name);
  }

  integer(name: string, mostBytes = 32): bigint {
    return integerOf(this.item(), name, mostBytes);
  }

  /** An address; undefined for a creation. */
  target(): Bytes | undefined {
    const to = this.bytes("to");
    if (to.length !== 0 && to.length !== 20) throw undecodable(`its to has ${to.length} bytes instead of 20`);
    return to.length === 0 ? undefined : to;
  }
}

function legacyFields(list: RlpItem): SignedFields {
  const members = new Members(LEGACY_TYPE, list);
  const nonce = members.integer("nonce", 8);
  const gasPrice = members.integer("gasPrice");
  const target = targetFields(members);
  const signature = signatureOf(members, "v");
  return {
    type: LEGACY_TYPE,
    // EIP-155
    chainId: signature.v >= 35n ? (signature.v - 35n) / 2n : undefined,
    nonce,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    ...target,
    accessList: [],
    blobVersionedHashes: [],
    maxFeePerBlobGas: 0n,
    authorizations: [],
    ...signature,
  };
}

function typedFields(type: number, list: RlpItem): SignedFields {
  const members = new Members(type, list);
  const chainId = members.integer("chainId");
  const nonce = members.integer("nonce", 8);
  const isFeeMarket = type >= FEE_MARKET_TYPE;
  const tipCap = members.integer(isFeeMarket ? "maxPriorityFeePerGas" : "gasPrice");
  const maxFeePerGas = isFeeMarket ? members.integer("maxFeePerGas") : tipCap;
  return {
    type,
    chainId,
    nonce,
    maxFeePerGas,
    maxPriorityFeePerGas: tipCap,
    ...targetFields(members),
    accessList: accessListOf(members.item()),
    maxFeePerBlobGas: type === BLOB_TYPE ? members.integer("maxFeePerBlobGas") : 0n,
    blobVersionedHashes: type === BLOB_TYPE ? hashesOf(members.item()) : [],
    authorizations: type === SET_CODE_TYPE ? authorizationsOf(members.item()) : [],
    ...signatureOf(members, "y parity"),
  };
}

/** The members after the fees, which are the same in every type. */
function targetFields(members: Members): Pick<SignedFields, "gasLimit" | "to" | "value" | "data"> {
  return {
    gasLimit: members.integer("gasLimit", 8),
    to: members.target(),
    value: members.integer("value"),
    data: members.bytes("data"),
  };
}

function signatureOf(members: Members, first: string): Pick<SignedFields, "v" | "r" | "s"> {
  return { v: members.integer(first), r: members.integer("r"), s: members.integer("s") };
}

function accessListOf(item: RlpItem): readonly AccessListEntry[] {
  const list = "access list";
  return listOf(item, list).map((entry) => {
    const [address, keys] = tupleOf(entry, 2, list);
    return {
      address: sizedIn(list, address, 20),
      storageKeys: listOf(keys, list).map((key) => sizedIn(list, key, 32)),
    };
  });
}

function hashesOf(item: RlpItem): readonly Bytes[] {
  const list = "list of blob hashes";
  return listOf(item, list).map((hash) => sizedIn(list, hash, 32));
}

function authorizationsOf(item: RlpItem): readonly Authorization[] {
  const list = "authorization list";
  return listOf(item, list).map((entry) => {
    const [chainId, address, nonce, yParity, r, s] = tupleOf(entry, 6, list);
    const integer = (member: RlpItem | undefined, mostBytes: number): bigint => {
      if (!(member instanceof Uint8Array) || member.length > mostBytes || member[0] === 0) throw malformed(list);
      return bytesToBigInt(member);
    };
    return {
      chainId: integer(chainId, 32),
      address: sizedIn(list, address, 20),
      nonce: integer(nonce, 8),
      yParity: integer(yParity, 1),
      r: integer(r, 32),
      s: integer(s, 32),
    };
  });
}

function tupleOf(item: RlpItem, length: number, list: string): readonly RlpItem[] {
  if (item instanceof Uint8Array || item.length !== length) throw malformed(list);
  return item;
}

function listOf(item: RlpItem | undefined, list: string): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw malformed(list);
  return item;
}

function sizedIn(list: string, item: RlpItem | undefined, size: number): Bytes {
  if (!(item instanceof Uint8Array) || item.length !== size) throw malformed(list);
  return item;
}

function malformed(list: string): InvalidParamsError {
  return undecodable(`its ${list} is malformed`);
}

function bytesOf(item: RlpItem, name: string): Bytes {
  if (!(item instanceof Uint8Array)) throw undecodable(`its ${name} is a list`);
  return item;
}

function integerOf(item: RlpItem, name: string, mostBytes: number): bigint {
  const bytes = bytesOf(item, name);
  if (bytes[0] === 0) throw undecodable(`its ${name} has leading zeros`);
  if (bytes.length > mostBytes) throw undecodable(`its ${name} is not below 2^${8 * mostBytes}`);
  return bytesToBigInt(bytes);
}
