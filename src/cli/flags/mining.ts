/** Options for mining modes and the order of transactions. */
import type { TransactionOrder } from "../../txpool/price-order.ts";
import type { FlagsOf } from "./flag.ts";
import { address, oneOf, seconds, wholeNumber } from "./option-values.ts";

export interface MiningValues {
  readonly automine: boolean;
  /** milliseconds */
  readonly blockTime: number;
  readonly mixedMining: boolean;
  readonly noMining: boolean;
  readonly order: TransactionOrder;
  readonly slotsInAnEpoch: number;
  readonly coinbase: string;
  readonly maxTransactions: number;
  readonly disablePoolBalanceChecks: boolean;
}

export const MINING_FLAGS: FlagsOf<MiningValues> = {
  automine: {
    flags: "--automine",
    help: "mine a block for each transaction (default, unless --genesis or --import is given)",
  },
  blockTime: {
    flags: "-b, --block-time <seconds>",
    help: "mine a block at this interval (default: off)",
    shape: seconds,
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
