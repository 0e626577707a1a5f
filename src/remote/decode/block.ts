/** Decodes blocks and headers from JSON. */
import type { Block, Withdrawal } from "../../chainspec/header/block.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { SignatureRules } from "../../chainspec/transaction/transaction.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { BLOOM_BYTES } from "../../primitives/hash/bloom.ts";
import { EMPTY_TRIE_ROOT, EMPTY_UNCLES_HASH, ZERO_HASH } from "../../primitives/hash/hash.ts";
import { data, optionalData, optionalQuantity, quantity, requireList, requireObject } from "./members.ts";
import { decodeTransactionJson } from "./transaction.ts";

/** Signature rules at a header's hardfork. */
export type SignatureRulesOf = (header: Header) => SignatureRules;

/**
 * A block from its JSON with whole transactions. Its hash is not verified.
 *
 * @param givenUncles - JSON of the uncles, in order
 * @throws {RemoteError} `REMOTE_BAD_ANSWER`
 */
export function decodeBlockJson(
  json: UpstreamJson,
  givenUncles: readonly UpstreamJson[],
  rulesOf: SignatureRulesOf,
): Block {
  const header = decodeHeaderJson(json);
  const uncles = givenUncles.map(decodeHeaderJson);
  const rules = rulesOf(header);
  const transactions = requireList(json.transactions, "transactions").map((value) =>
    decodeTransactionJson(requireObject(value, "transactions"), rules),
  );
  const withdrawals = Array.isArray(json.withdrawals) ? json.withdrawals.map(decodeWithdrawal) : undefined;
  return { hash: data(json, "hash", 32), header, transactions, uncles, withdrawals, given: json, givenUncles };
}

function decodeWithdrawal(value: unknown): Withdrawal {
  const json = requireObject(value, "withdrawals");
  return {
    index: quantity(json, "index"),
    validatorIndex: quantity(json, "validatorIndex"),
    address: data(json, "address", 20),
    amount: quantity(json, "amount"),
  };
}

/**
 * The header in the JSON of a block or uncle. Members that some chains omit get neutral defaults.
 *
 * @throws {RemoteError} `REMOTE_BAD_ANSWER`
 */
export function decodeHeaderJson(json: UpstreamJson): Header {
  return {
    parentHash: data(json, "parentHash", 32),
    unclesHash: optionalData(json, "sha3Uncles", 32) ?? EMPTY_UNCLES_HASH,
    coinbase: data(json, "miner", 20),
    stateRoot: data(json, "stateRoot", 32),
    transactionsRoot: optionalData(json, "transactionsRoot", 32) ?? EMPTY_TRIE_ROOT,
    receiptsRoot: optionalData(json, "receiptsRoot", 32) ?? EMPTY_TRIE_ROOT,
    logsBloom: optionalData(json, "logsBloom", BLOOM_BYTES) ?? new Uint8Array(BLOOM_BYTES),
    difficulty: optionalQuantity(json, "difficulty") ?? 0n,
    number: quantity(json, "number", 64),
    gasLimit: quantity(json, "gasLimit", 64),
    gasUsed: quantity(json, "gasUsed", 64),
    timestamp: quantity(json, "timestamp", 64),
    extraData: optionalData(json, "extraData") ?? new Uint8Array(0),
    mixHash: optionalData(json, "mixHash", 32) ?? ZERO_HASH,
    nonce: optionalData(json, "nonce", 8) ?? new Uint8Array(8),
    baseFeePerGas: optionalQuantity(json, "baseFeePerGas"),
    withdrawalsRoot: optionalData(json, "withdrawalsRoot", 32),
    blobGasUsed: optionalQuantity(json, "blobGasUsed", 64),
    excessBlobGas: optionalQuantity(json, "excessBlobGas", 64),
    parentBeaconBlockRoot: optionalData(json, "parentBeaconBlockRoot", 32),
    requestsHash: optionalData(json, "requestsHash", 32),
    blockAccessListHash: optionalData(json, "blockAccessListHash", 32),
    slotNumber: optionalQuantity(json, "slotNumber", 64),
  };
}
