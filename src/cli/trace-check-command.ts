/** `hindcast trace-check`: says how a node's `trace_*` methods differ from those of a client, and from each other. */
import { Command, CommanderError, Option } from "commander";
import { integer, readText, usageError } from "./flags/option-values.ts";
import { sentence } from "./options/command-line.ts";
import { checkTraces } from "./trace-check/check-traces.ts";
import { nodeAt } from "./trace-check/node-answers.ts";
import { COLUMNS, type Column } from "./trace-check/points.ts";
import { checkText } from "./trace-check/report-text.ts";

/** Values of the flags, as commander gives them. */
interface Values {
  readonly client: Column;
  readonly blocks: string;
  readonly write?: boolean;
}

/** Most blocks that are compared: each takes some requests for each of its transactions. */
const MOST_BLOCKS = 1_000n;

/**
 * Runs `hindcast trace-check`.
 *
 * @param argv - the URL of the node, and flags
 * @returns text to print, and whether the node differs
 * @throws {InvalidParamsError} `INVALID_OPTION`
 * @throws {RemoteError} `REMOTE_UNREACHABLE`
 */
export async function runTraceCheck(
  argv: readonly string[],
): Promise<{ readonly text: string; readonly differs: boolean }> {
  let printed = "";
  const command = new Command("hindcast trace-check")
    .description("Compares the trace_* methods of a node with a client's and with each other.")
    .argument("<url>", "of the node, such as http://127.0.0.1:8545")
    .addOption(new Option("--client <name>", "client to compare with").choices(COLUMNS).default("hindcast"))
    .option("--blocks <number>", "how many of the newest blocks are compared", "10")
    .option("--write", "sends transactions first, from an account of the node: development nodes only")
    .addHelpText("after", "\nExit codes: 0 no difference, 1 differences, 2 wrong flags.\n")
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined })
    .allowExcessArguments(false)
    .exitOverride();
  try {
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text: printed, differs: false };
    throw usageError(sentence(error.message), "Run hindcast trace-check --help.");
  }
  const { client, blocks, write = false } = command.opts<Values>();
  const { label, ask } = nodeAt(command.args[0] as string);
  const count = Number(readText(integer(0n, MOST_BLOCKS), blocks, "--blocks"));
  return checkText(await checkTraces(ask, { blocks: count, write }), client, label);
}
