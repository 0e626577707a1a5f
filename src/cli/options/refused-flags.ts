/** Flags of other nodes that are not supported, with reasons, because users bring their scripts along. */

/** A flag that is refused, or ignored because its effect is the default. */
export interface ForeignFlag {
  readonly flags: readonly string[];
  /** Reason of the refusal: completes a sentence that begins with the flag. */
  readonly reason: string;
}

const ALL_STORED = "every block and state is stored; there is nothing to prune.";
const NO_LAYER_TWO = "only Ethereum's own rules are executed.";

/** Flags by the reason that the refusal gives. */
export const REFUSED_FLAGS: readonly ForeignFlag[] = [
  { flags: ["--optimism", "--celo", "--odyssey", "--alphanet", "-n, --network [value]"], reason: NO_LAYER_TWO },
  { flags: ["--md"], reason: "the log is text, or JSON with --json." },
];

/** Flags whose absence no client can notice. A warning explains why they have no effect. */
export const IGNORED_FLAGS: readonly ForeignFlag[] = [
  {
    flags: ["--prune-history [value]", "--max-persisted-states [value]", "--transaction-block-keeper [value]"],
    reason: ALL_STORED,
  },
  { flags: ["-j, --threads [value]", "--jobs [value]"], reason: "a chain runs in one thread." },
];

/** Commands and flags of Hardhat and Ganache, with their equivalents. */
const ELSEWHERE: readonly (readonly [spelling: RegExp, instead: string])[] = [
  [/^(node|start|run)$/, "hindcast without a command"],
  [/^(-d|--deterministic|--wallet\.deterministic)$/, "nothing: the accounts are the same at each start"],
  [/^(-s|--seed|--wallet\.seed)$/, "--mnemonic-seed-unsafe"],
  [/^--wallet\.mnemonic$/, "--mnemonic"],
  [/^--wallet\.(accounts|accountKeysPath)$/, "--account KEY=ETH"],
  [/^--wallet\.totalAccounts$/, "--accounts"],
  [/^(-e|--wallet\.defaultBalance|--defaultBalanceEther)$/, "--balance"],
  [/^--wallet\.hdPath$/, "--derivation-path"],
  [/^(-l|--miner\.blockGasLimit)$/, "--gas-limit"],
  [/^--miner\.blockTime$/, "--block-time"],
  [/^(--callGasLimit|--miner\.callGasLimit)$/, "--call-gas-limit"],
  [/^--miner\.coinbase$/, "--coinbase"],
  [/^--miner\.defaultGasPrice$/, "--gas-price"],
  [/^(-i|--networkId|--networkid|--chain\.networkId)$/, "--network-id"],
  [/^--chain\.chainId$/, "--chain-id"],
  [/^(-k|--chain\.hardfork)$/, "--hardfork"],
  [/^--chain\.time$/, "--timestamp"],
  [/^--chain\.allowUnlimitedContractSize$/, "--disable-code-size-limit"],
  [/^(--db|--database\.dbPath)$/, "--data-dir"],
  [/^(-h|--hostname|--server\.host)$/, "--host"],
  [/^--server\.port$/, "--port"],
  [/^--logging\.quiet$/, "--quiet"],
  [/^--logging\.(debug|verbose)$/, "-vvvv"],
];

/** The equivalent of another node's argument; undefined if there is none. */
export function insteadOf(argument: string): string | undefined {
  const [spelling = ""] = argument.split("=", 1);
  return ELSEWHERE.find(([pattern]) => pattern.test(spelling))?.[1];
}

/** Flags of Anvil for behaviour that is the default here. */
export const NEEDLESS_FLAGS: readonly string[] = [
  "--steps-tracing",
  "--tracing",
  "--preserve-historical-states",
  // Requests are paced by the upstream node's answers.
  "--no-rate-limit",
  "--no-rpc-rate-limit",
];
