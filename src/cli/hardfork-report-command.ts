/** `hindcast hardfork-report`: says what a hardfork changes for a project's contracts. */
import { Command, CommanderError, Option } from "commander";
import { HARDFORKS } from "../chainspec/hardforks/hardforks.ts";
import { MAXIMUM_GAS_LIMIT, MINIMUM_GAS_LIMIT } from "../chainspec/header/gas-limit.ts";
import { hardfork, integer, readText, usageError } from "./flags/option-values.ts";
import { sentence } from "./options/command-line.ts";

/** Values of the flags, as commander gives them. */
interface Values {
  readonly from: string;
  readonly to: string;
  readonly blockGasLimit?: string;
}

/**
 * Runs `hindcast hardfork-report`.
 *
 * @param argv - the folder of artifacts, and flags
 * @returns text to print, and whether something cannot be deployed or pays for less
 * @throws {InvalidParamsError} `INVALID_OPTION`; `FILE_NOT_READABLE`, `INVALID_ABI`, `NO_ARTIFACTS` for the folder
 */
export async function runHardforkReport(
  argv: readonly string[],
): Promise<{ readonly text: string; readonly isAffected: boolean }> {
  let printed = "";
  const command = new Command("hindcast hardfork-report")
    .description("Shows what a hardfork changes for a project: deployments that need too much gas, and hard-coded gas.")
    .argument("<folder>", "artifacts of Hardhat (artifacts) or Foundry (out)")
    .addOption(new Option("--from <hardfork>", "hardfork to compare with").default("osaka"))
    .addOption(new Option("--to <hardfork>", "hardfork to report on").default(HARDFORKS.at(-1)))
    .option("--block-gas-limit <gas>", "gas limit of the blocks to deploy in (default: mainnet's, 60000000)")
    .addHelpText("after", "\nExit codes: 0 nothing breaks, 1 something does, 2 wrong flags.\n")
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined })
    .allowExcessArguments(false)
    .exitOverride();
  try {
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text: printed, isAffected: false };
    throw usageError(sentence(error.message), "Run hindcast hardfork-report --help.");
  }
  return report(command.args[0] as string, command.opts());
}

async function report(folder: string, { from, to, blockGasLimit }: Values) {
  const limit = integer(MINIMUM_GAS_LIMIT, MAXIMUM_GAS_LIMIT);
  const hardforks = [readText(hardfork, from, "--from"), readText(hardfork, to, "--to")] as const;
  if (hardforks[0] === hardforks[1]) {
    throw usageError(`--from and --to are both ${from}.`, "Name two hardforks, to see what differs.");
  }
  const options = {
    hardforks,
    ...(blockGasLimit === undefined ? {} : { blockGasLimit: readText(limit, blockGasLimit, "--block-gas-limit") }),
  };
  const { createNode } = await import("../node/create-node.ts");
  const { reportText } = await import("../services/simulate/compare/report-text.ts");
  const node = await createNode({ accounts: 0, mining: "manual" });
  try {
    const found = await node.hardforkReport(folder, options);
    const isAffected =
      found.deployments.some(({ problems }) => problems.length > 0) ||
      found.gasConstants.some(({ lost }) => lost.length > 0);
    return { text: reportText(found), isAffected };
  } finally {
    await node.close();
  }
}
