/** Options for mining modes and the order of transactions. */
import type { MiningInterval } from "../../miner/miner.ts";
import type { TransactionOrder } from "../../txpool/price-order.ts";
import type { FlagsOf } from "./flag.ts";
import { address, interval, oneOf, wholeNumber } from "./option-values.ts";

/** Values by option. */
export interface MiningValues {
  readonly automine: boolean;
  /** milliseconds */
  readonly blockTime: MiningInterval;
  readonly mixedMining: boolean;
  readonly noMining: boolean;
  readonly order: TransactionOrder;
  readonly slotsInAnEpoch: number;
  readonly coinbase: string;
  readonly maxTransactions: number;
  readonly throwOnTransactionFailures: boolean;
  readonly allowBlocksWithSameTimestamp: boolean;
  readonly disablePoolBalanceChecks: boolean;
}

/** The options of this group, in the order of the help. */
export const MINING_FLAGS: FlagsOf<MiningValues> = {
  automine: {
    flags: "--automine",
    help: "mine a block for each transaction (default without --genesis or --import)",
  },
  blockTime: {
    flags: "-b, --block-time <seconds>",
    help: "mine a block at this interval: 12, or a random one of 3-6 (default: off)",
    shape: interval,
    aliases: ["--blockTime"],
  },
  mixedMining: {
    flags: "--mixed-mining",
    help: "with --block-time, also mine a block for each transaction (default: off)",
  },
  noMining: {
    flags: "--no-mining",
    help: "mine only on request; also --no-mine (default with --genesis or --import)",
    aliases: ["--no-mine"],
  },
  order: {
    flags: "--order <name>",
    help: "order of transactions: fees (best price) or fifo (earliest) (default: fees)",
    shape: oneOf(["fees", "fifo"] as const),
    isText: true,
  },
  coinbase: {
    flags: "--coinbase <address>",
    help: "recipient of fees and rewards (default: the zero address)",
    shape: address,
    isText: true,
  },
  maxTransactions: {
    flags: "--max-transactions <number>",
    help: "most transactions of a block (default: as many as its gas limit allows)",
    shape: wholeNumber(1, 1_000_000),
  },
  throwOnTransactionFailures: {
    flags: "--throw-on-transaction-failures",
    help: "answer with the error of a mined transaction that fails (default: off)",
  },
  allowBlocksWithSameTimestamp: {
    flags: "--allow-blocks-with-same-timestamp",
    help: "let a block have its parent's timestamp (default: off)",
  },
  disablePoolBalanceChecks: {
    flags: "--disable-pool-balance-checks",
    help: "accept transactions that their sender cannot pay for yet (default: off)",
  },
  slotsInAnEpoch: {
    flags: "--slots-in-an-epoch <number>",
    help: "distance of safe from latest, and of finalized from safe (default: 32)",
    shape: wholeNumber(1, 1_000_000),
  },
};
