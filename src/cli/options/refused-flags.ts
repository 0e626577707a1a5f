/** Flags of other nodes that are not taken here, and why: people bring their scripts along. */

/** A flag that is refused with a reason, or accepted because what it asks for always holds. */
export interface ForeignFlag {
  readonly flags: readonly string[];
  /** Why it is refused, as the end of a sentence that begins with the flag. */
  readonly reason: string;
}

const ALL_KEPT = "every block and state is kept; there is nothing to prune.";
const NO_LAYER_TWO = "only Ethereum's own rules are executed.";

export const REFUSED_FLAGS: readonly ForeignFlag[] = [
  {
    flags: ["--prune-history [value]", "--max-persisted-states [value]", "--transaction-block-keeper [value]"],
    reason: ALL_KEPT,
  },
  { flags: ["--optimism", "--celo", "--odyssey", "--alphanet", "-n, --network [value]"], reason: NO_LAYER_TWO },
  { flags: ["--number [value]"], reason: "a development chain begins with block 0; use --genesis for another." },
  { flags: ["--memory-limit [value]"], reason: "memory is bounded by gas alone." },
  { flags: ["--disable-pool-balance-checks"], reason: "the pool takes only what its sender can pay." },
  { flags: ["-j, --threads [value]", "--jobs [value]"], reason: "a chain runs in one thread." },
  { flags: ["--max-transactions [value]"], reason: "a block takes what its gas limit allows." },
  { flags: ["--md"], reason: "the log is text, or JSON with --json." },
];

/** What Anvil has to be asked for and what is always so here. */
export const NEEDLESS_FLAGS: readonly string[] = [
  "--steps-tracing",
  "--tracing",
  "--preserve-historical-states",
  // The pace follows what the upstream allows.
  "--no-rate-limit",
  "--no-rpc-rate-limit",
];
