/** Decodes blocks from JSON. */
import type { Block, Withdrawal } from "../../chainspec/header/block.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { SignatureRules } from "../../chainspec/transaction/transaction.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { decodeHeaderJson } from "./header.ts";
import { data, quantity, requireList, requireObject } from "./members.ts";
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
