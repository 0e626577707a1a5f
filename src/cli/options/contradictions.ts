/** Options that contradict each other, need others, or are settled by a genesis file. */
import { type GivenValues, longFlag, type Name } from "../flags/flags.ts";
import { FORK_FLAGS } from "../flags/fork.ts";
import { usageError } from "../flags/option-values.ts";

const SETTLED_BY_GENESIS: readonly Name[] = [
  "balance",
  "fundAccounts",
  "chainId",
  "hardfork",
  "hardforkAt",
  "gasLimit",
  "disableBlockGasLimit",
  "blockBaseFeePerGas",
  "timestamp",
  "number",
  "predeploy",
  "disableDefaultCreate2Deployer",
];

/** Files of a chain, which a node that follows has from elsewhere, and does not write. */
const FILES_OF_A_CHAIN: readonly Name[] = ["genesis", "import", "loadState", "dumpState", "state"];

/** Options that contradict each other. Both from one source are an error; a stronger source overrides a weaker one. */
const EXCLUSIONS: readonly (readonly [Name, Name])[] = [
  ["automine", "blockTime"],
  ["automine", "noMining"],
  ["blockTime", "noMining"],
  ["mixedMining", "noMining"],
  ["mixedMining", "automine"],
  ["account", "accounts"],
  ["account", "mnemonic"],
  ["account", "mnemonicRandom"],
  ["account", "mnemonicSeedUnsafe"],
  ["account", "derivationPath"],
  ["mnemonic", "mnemonicRandom"],
  ["mnemonic", "mnemonicSeedUnsafe"],
  ["mnemonicRandom", "mnemonicSeedUnsafe"],
  ["gasLimit", "disableBlockGasLimit"],
  ["codeSizeLimit", "disableCodeSizeLimit"],
  ["maxBodyBytes", "noRequestSizeLimit"],
  ["allowOrigin", "noCors"],
  ["noExplorer", "open"],
  ["noExplorer", "explorerReadOnly"],
  ["state", "loadState"],
  ["state", "dumpState"],
  ["quiet", "json"],
  ["forkBlockNumber", "forkBlockHash"],
  ["forkBlockNumber", "forkTransactionHash"],
  ["forkBlockHash", "forkTransactionHash"],
  ["noStorageCaching", "cachePath"],
  ["noStorageCaching", "offline"],
  ["share", "follow"],
  ["share", "forkUrl"],
  ["follow", "forkUrl"],
  ...FILES_OF_A_CHAIN.map((name) => ["follow", name] as const),
  ["shared", "share"],
  ["shared", "follow"],
  ["shared", "forkUrl"],
];

/** Options that have no effect without one of others. */
const NEEDS: readonly (readonly [Name, readonly Name[]])[] = [
  ["mixedMining", ["blockTime"]],
  ["stateInterval", ["state", "dumpState"]],
  ["coverage", ["artifacts"]],
  ["share", ["shareToken"]],
  ["shareToken", ["share", "follow"]],
  ["role", ["shared"]],
  ["chain", ["shared"]],
  ["sharedAddress", ["shared"]],
  ["sharedLease", ["shared"]],
  ["work", ["shared"]],
  ...(Object.keys(FORK_FLAGS) as Name[]).map((name) => [name, ["forkUrl"]] as const),
];

/** Both sources, without values of the weaker one that contradict the stronger. */
export function overrule(stronger: GivenValues, weaker: GivenValues): GivenValues {
  const overruled = EXCLUSIONS.flatMap(([one, other]) => [
    ...(isGiven(stronger, one) ? [other] : []),
    ...(isGiven(stronger, other) ? [one] : []),
  ]);
  if (isGiven(stronger, "genesis") && !isGiven(stronger, "forkUrl")) overruled.push(...SETTLED_BY_GENESIS);
  const remaining = Object.entries(weaker).filter(([name]) => !overruled.includes(name as Name));
  return { ...Object.fromEntries(remaining), ...stronger };
}

/**
 * Checks values of one or several sources together.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export function refuseContradictions(values: GivenValues): void {
  const clash = EXCLUSIONS.find(([one, other]) => isGiven(values, one) && isGiven(values, other));
  if (clash !== undefined)
    throw usageError(`${clash.map(longFlag).join(" and ")} exclude each other.`, "Give one of them.");
  const lonely = NEEDS.find(([name, some]) => isGiven(values, name) && !some.some((each) => isGiven(values, each)));
  if (lonely !== undefined) throw usageError(`${longFlag(lonely[0])} needs ${lonely[1].map(longFlag).join(" or ")}.`);
  const foreign = values.role === "reader" && FILES_OF_A_CHAIN.find((name) => isGiven(values, name));
  if (foreign) {
    throw usageError(
      `${longFlag(foreign)} and --role reader exclude each other.`,
      "A reader has its chain from PostgreSQL.",
    );
  }
  if (isGiven(values, "forkUrl") && isGiven(values, "import")) {
    throw usageError(
      "--import and --fork-url exclude each other.",
      "A fork goes on from the blocks of the other chain.",
    );
  }
  // On a fork a genesis only gives the hardfork schedule.
  if (!isGiven(values, "genesis") || isGiven(values, "forkUrl")) return;
  const settled = SETTLED_BY_GENESIS.find((name) => isGiven(values, name));
  if (settled !== undefined) {
    throw usageError(`${longFlag(settled)} cannot be combined with --genesis, which settles it.`);
  }
}

function isGiven(values: GivenValues, name: Name): boolean {
  return values[name] !== undefined && values[name] !== false;
}
