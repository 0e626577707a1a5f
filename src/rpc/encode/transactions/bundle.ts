/** The answer of eth_callBundle: amounts are decimal text, gas and block numbers JSON numbers, as Flashbots writes them. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { BundledTransaction, BundleResult } from "../../../services/simulate/bundle/call-bundle.ts";
import { failureOf } from "../../../services/simulate/call/call.ts";
import type { BundleResult as BundleJson } from "../../wire-types.ts";

/** Sums and prices are of all transactions; the price is their payment by gas used. */
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
