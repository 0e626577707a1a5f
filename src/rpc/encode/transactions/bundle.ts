/** The answer of eth_callBundle: amounts are decimal text, gas and block numbers JSON numbers, as Flashbots writes them. */
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import type { BundledTransaction, BundleResult } from "../../../services/simulate/bundle/call-bundle.ts";
import { failureOf } from "../../../services/simulate/call/call.ts";

interface Payments {
  /** Decimal wei, as all amounts here. */
  coinbaseDiff: string;
  ethSentToCoinbase: string;
  gasFees: string;
}

/** The result of one transaction. Amounts are in wei. */
export interface BundledTransactionJson extends Payments {
  txHash: Hex;
  fromAddress: Hex;
  toAddress: Hex | null;
  gasPrice: string;
  gasUsed: number;
  /** Return data of one that succeeded. */
  value?: Hex;
  /** Why one failed, and its revert data. */
  error?: string;
  revert?: Hex;
}

/** The answer of `eth_callBundle`. */
export interface BundleJson extends Payments {
  bundleHash: Hex;
  bundleGasPrice: string;
  results: BundledTransactionJson[];
  stateBlockNumber: number;
  totalGasUsed: number;
}

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

function encodeBundled({ tx, outcome, ...amounts }: BundledTransaction): BundledTransactionJson {
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
