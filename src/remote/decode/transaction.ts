/** Decodes transactions from JSON. */
import {
  DepositTransaction,
  type ForeignIdentity,
  foreignTransaction,
  OpaqueTransaction,
} from "../../chainspec/transaction/foreign-transaction.ts";
import type { SignatureRules, Transaction } from "../../chainspec/transaction/transaction.ts";
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DEPOSIT_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
} from "../../chainspec/transaction/transaction-fields.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToBytes, concatBytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { encodeRlp, type RlpItem } from "../../primitives/rlp/rlp.ts";
import { asData, data, optionalData, optionalQuantity, quantity, requireList, requireObject } from "./members.ts";

/**
 * A transaction from its JSON. One of an unknown type, or one that breaks our rules, becomes opaque: it can be shown,
 * but not encoded or executed. Deposits of OP chains can be executed.
 *
 * @param rules - of its block's hardfork
 * @throws {RemoteError} `REMOTE_BAD_ANSWER`
 */
export function decodeTransactionJson(json: UpstreamJson, rules: SignatureRules): Transaction {
  const identity = { hash: data(json, "hash", 32), sender: data(json, "from", 20), given: json };
  const type = Number(optionalQuantity(json, "type") ?? 0n);
  if (type > SET_CODE_TYPE) return opaque(json, type, rules, identity);
  try {
    return foreignTransaction(bodyItem(json, type), rules, identity);
  } catch (error) {
    if (error instanceof InvalidParamsError) return opaque(json, type, rules, identity);
    throw error;
  }
}

function opaque(json: UpstreamJson, type: number, rules: SignatureRules, identity: ForeignIdentity): Transaction {
  const price = optionalQuantity(json, "gasPrice") ?? 0n;
  const fields = {
    type,
    sender: identity.sender,
    to: optionalData(json, "to", 20),
    nonce: optionalQuantity(json, "nonce") ?? 0n,
    gasLimit: optionalQuantity(json, "gas") ?? 0n,
    value: optionalQuantity(json, "value") ?? 0n,
    data: optionalData(json, "input") ?? EMPTY_BYTES,
    maxFeePerGas: optionalQuantity(json, "maxFeePerGas") ?? price,
    maxPriorityFeePerGas: optionalQuantity(json, "maxPriorityFeePerGas") ?? price,
    accessList: [],
    blobVersionedHashes: [],
    maxFeePerBlobGas: 0n,
    authorizations: [],
    mint: optionalQuantity(json, "mint") ?? 0n,
  };
  const Kind = type === DEPOSIT_TYPE ? DepositTransaction : OpaqueTransaction;
  return new Kind(fields, rules, identity);
}

/** The transaction's item in a block body: a list before EIP-2718, since then type and RLP. */
function bodyItem(json: UpstreamJson, type: number): RlpItem {
  const integer = (name: string): Bytes => bigIntToBytes(quantity(json, name));
  const target = [optionalData(json, "to", 20) ?? EMPTY_BYTES, integer("value"), data(json, "input")];
  const signature = [integer("r"), integer("s")];
  if (type === LEGACY_TYPE) {
    return [integer("nonce"), integer("gasPrice"), integer("gas"), ...target, integer("v"), ...signature];
  }
  const fees =
    type >= FEE_MARKET_TYPE ? [integer("maxPriorityFeePerGas"), integer("maxFeePerGas")] : [integer("gasPrice")];
  const parity = bigIntToBytes(optionalQuantity(json, "yParity") ?? quantity(json, "v"));
  const list: RlpItem[] = [integer("chainId"), integer("nonce"), ...fees, integer("gas"), ...target, accessList(json)];
  if (type === BLOB_TYPE) list.push(integer("maxFeePerBlobGas"), blobHashes(json));
  if (type === SET_CODE_TYPE) list.push(authorizations(json));
  if (type < ACCESS_LIST_TYPE) throw new TypeError("a type before access lists");
  return concatBytes(Uint8Array.of(type), encodeRlp([...list, parity, ...signature]));
}

function accessList(json: UpstreamJson): RlpItem {
  return requireList(json.accessList ?? [], "accessList").map((value) => {
    const entry = requireObject(value, "accessList");
    const keys = requireList(entry.storageKeys, "storageKeys");
    return [data(entry, "address", 20), keys.map((key) => asData(key, "storageKeys", 32))];
  });
}

function blobHashes(json: UpstreamJson): RlpItem {
  const name = "blobVersionedHashes";
  return requireList(json[name], name).map((hash) => asData(hash, name, 32));
}

function authorizations(json: UpstreamJson): RlpItem {
  return requireList(json.authorizationList, "authorizationList").map((value) => {
    const entry = requireObject(value, "authorizationList");
    const integer = (name: string): Bytes => bigIntToBytes(quantity(entry, name));
    const parity = bigIntToBytes(optionalQuantity(entry, "yParity") ?? quantity(entry, "v"));
    return [integer("chainId"), data(entry, "address", 20), integer("nonce"), parity, integer("r"), integer("s")];
  });
}
