/** Results of simulated calls and transactions as JSON: eth_createAccessList, eth_callMany and eth_callBundle. */
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { BundledTransaction, BundleResult } from "../../../services/simulate/bundle/call-bundle.ts";
import type { CreatedAccessList } from "../../../services/simulate/call/access-list.ts";
import { failureOf } from "../../../services/simulate/call/failure.ts";
import type { CallOutcome } from "../../../services/simulate/call/simulation.ts";
import {
  ANYTHING,
  anyOf,
  arrayOf,
  INTEGER,
  type JsonSchema,
  named,
  object,
  orNull,
  TEXT,
} from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, DECIMAL, HASH, QUANTITY } from "../../openrpc/primitives.ts";
import type {
  AccessListResult,
  BundleResult as BundleJson,
  CallOutcome as CallOutcomeJson,
} from "../../wire-types.generated.ts";
import { accessListEntrySchema, encodeAccessList } from "./transaction.ts";

/** Decimal wei; what the coinbase was sent may be negative. */
const WEI: JsonSchema = { title: "decimal wei", type: "string", pattern: "^-?[0-9]+$" };

const PAYMENTS = { coinbaseDiff: WEI, ethSentToCoinbase: WEI, gasFees: WEI };

export const accessListResultSchema = named("AccessListResult", () =>
  object({ accessList: arrayOf(accessListEntrySchema), gasUsed: QUANTITY }, { error: TEXT }),
);

export const callOutcomeSchema = named("CallOutcome", () =>
  anyOf(object({ value: DATA }), object({ error: ANYTHING })),
);

export const bundleResultSchema = named("BundleResult", () =>
  object({
    bundleHash: HASH,
    bundleGasPrice: DECIMAL,
    ...PAYMENTS,
    results: arrayOf(
      object(
        {
          ...PAYMENTS,
          txHash: HASH,
          fromAddress: ADDRESS,
          toAddress: orNull(ADDRESS),
          gasPrice: DECIMAL,
          gasUsed: INTEGER,
        },
        { value: DATA, error: TEXT, revert: DATA },
      ),
    ),
    stateBlockNumber: INTEGER,
    totalGasUsed: INTEGER,
  }),
);

/**
 * The result of `eth_createAccessList`. `gasUsed` is that of the call with the list; `error` is there if the call failed.
 */
export function encodeCreatedAccessList({ accessList, error, gasUsed }: CreatedAccessList): AccessListResult {
  return {
    accessList: encodeAccessList(accessList),
    ...(error === undefined ? {} : { error }),
    gasUsed: encodeQuantity(gasUsed),
  };
}

/** The result of one call of `eth_callMany`, in reth's shape. */
export function encodeCallOutcome(outcome: CallOutcome): CallOutcomeJson {
  if (outcome.error === undefined) return { value: encodeData(outcome.output) };
  return { error: failureOf(outcome.error, outcome).message };
}

/**
 * The result of `eth_callBundle`: amounts are decimal text, gas and block numbers JSON numbers, as Flashbots writes them.
 * Sums are of all transactions. The price is what they pay the coinbase for each unit of gas used.
 */
export function encodeBundle({ hash, stateBlockNumber, transactions }: BundleResult): BundleJson {
  const sum = (amountOf: (each: BundledTransaction) => bigint): bigint =>
    transactions.reduce((total, each) => total + amountOf(each), 0n);
  const coinbaseDiff = sum((each) => each.coinbaseDiff);
  const gasUsed = sum((each) => each.outcome.gasUsed);
  return {
    bundleHash: encodeData(hash),
    bundleGasPrice: (coinbaseDiff / gasUsed).toString(),
    coinbaseDiff: coinbaseDiff.toString(),
    ethSentToCoinbase: sum((each) => each.ethSentToCoinbase).toString(),
    gasFees: sum((each) => each.gasFees).toString(),
    results: transactions.map(encodeBundled),
    stateBlockNumber: Number(stateBlockNumber),
    totalGasUsed: Number(gasUsed),
  };
}

function encodeBundled({ tx, outcome, ...amounts }: BundledTransaction): BundleJson["results"][number] {
  return {
    txHash: encodeData(tx.hash),
    fromAddress: encodeData(tx.sender),
    toAddress: tx.to === undefined ? null : encodeData(tx.to),
    coinbaseDiff: amounts.coinbaseDiff.toString(),
    ethSentToCoinbase: amounts.ethSentToCoinbase.toString(),
    gasFees: amounts.gasFees.toString(),
    gasPrice: amounts.gasPrice.toString(),
    gasUsed: Number(outcome.gasUsed),
    ...(outcome.error === undefined
      ? { value: encodeData(outcome.output) }
      : { error: failureOf(outcome.error, outcome).what, revert: encodeData(outcome.output) }),
  };
}
