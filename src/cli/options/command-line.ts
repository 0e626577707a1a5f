/** Parses arguments with commander. Pure: reads no files, prints nothing. */
import { Command, CommanderError, Option } from "commander";
import type { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { nearestName } from "../../primitives/validation/nearest-name.ts";
import { FLAGS, type GivenValues, groupOf, longFlag, NAMES, type Name } from "../flags/flags.ts";
import { readText, usageError } from "../flags/option-values.ts";
import { COMMAND_NAMES, COMMANDS_HELP } from "./commands.ts";
import { type ForeignFlag, IGNORED_FLAGS, insteadOf, NEEDLESS_FLAGS, REFUSED_FLAGS } from "./refused-flags.ts";

/** Request of the command line: a node, or a text such as the help. */
export type CommandLine =
  | { readonly kind: "run"; readonly values: GivenValues; readonly warnings: readonly string[] }
  | { readonly kind: "print"; readonly text: string };

const HELP_WIDTH = 118;

const AFTER_HELP = `
Every flag can also be set in the environment, as HINDCAST_PORT=8546 or HINDCAST_NO_MINING=1, and in the configuration
file, as { port: 8546, noMining: true }. Flags take precedence over the environment, and that over the file.
${wrapped(`Other spellings: ${NAMES.flatMap((name) => FLAGS[name].aliases ?? []).join(", ")}.`)}
${wrapped(`Accepted without effect, because the node always does so: ${NEEDLESS_FLAGS.join(", ")}.`)}
Exit codes: 0 ended as asked, 1 something failed, 2 wrong flags or configuration, 130 interrupted twice.
`;

/**
 * Parses the arguments after the program's name.
 *
 * @param version - text of `--version`
 * @throws {InvalidParamsError} `INVALID_OPTION` for any error
 */
export function parseCommandLine(argv: readonly string[], version: string): CommandLine {
  let printed = "";
  const { command, options } = describeCommand(version);
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    writeErr: () => undefined,
  });
  try {
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "print", text: printed };
    const [stray] = error.code === "commander.excessArguments" ? command.args : [];
    const fix = instead(argv);
    if (stray !== undefined) throw strayArgument(stray, fix);
    throw usageError(sentence(error.message), fix ?? "Run hindcast --help for all flags.");
  }
  const [refusal] = foreignFlags(command, REFUSED_FLAGS);
  if (refusal !== undefined) throw usageError(refusal);
  return { kind: "run", values: givenValues(command, options), warnings: foreignFlags(command, IGNORED_FLAGS) };
}

function strayArgument(text: string, instead: string | undefined): InvalidParamsError {
  return usageError(
    `${JSON.stringify(text)} is neither a command nor the value of the flag before it.`,
    instead ?? wordHint(text),
  );
}

function wordHint(text: string): string {
  if (/^\d+$/.test(text)) return `Did you mean --port ${text}?`;
  if (COMMAND_NAMES.includes(text)) return `A command is the first argument: hindcast ${text}.`;
  const near = nearestName(text, COMMAND_NAMES);
  return near === undefined ? "Run hindcast --help for all commands and flags." : `Did you mean hindcast ${near}?`;
}

interface OptionOf {
  readonly name: Name;
  /** The option's long flag. */
  readonly label: string;
  readonly option: Option;
}

function describeCommand(version: string): { readonly command: Command; readonly options: readonly OptionOf[] } {
  const command = new Command("hindcast")
    .usage("[command] [options]")
    .description(
      `A local Ethereum chain that answers JSON-RPC over HTTP and WebSocket and explains what it executed.\n\n${COMMANDS_HELP}`,
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", AFTER_HELP)
    .allowExcessArguments(false)
    .configureHelp({ helpWidth: HELP_WIDTH })
    .exitOverride();
  const options = NAMES.flatMap((name) => optionsOf(name));
  for (const { option } of options) command.addOption(option);
  const foreign = [...[...REFUSED_FLAGS, ...IGNORED_FLAGS].flatMap(({ flags }) => flags), ...NEEDLESS_FLAGS];
  for (const flags of foreign) command.addOption(new Option(flags).hideHelp());
  return { command, options };
}

/** The options for a flag and its aliases, which the help does not show. */
function optionsOf(name: Name): OptionOf[] {
  const { flags, help, shape, isList, aliases = [] } = FLAGS[name];
  const describe = (spelling: string, label: string): OptionOf => {
    const option = new Option(spelling, help).helpGroup(`${groupOf(name)}:`);
    if (shape !== undefined) {
      option.argParser<unknown>((text, before) => {
        const value = readText<unknown>(shape, text, label);
        return isList === true && Array.isArray(before) ? [...before, ...(value as unknown[])] : value;
      });
    }
    return { name, label, option };
  };
  const argument = / .*/.exec(flags.replace(/^-\w, /, ""))?.[0] ?? "";
  const others = aliases.map((alias) => describe(alias + argument, alias));
  for (const { option } of others) option.hideHelp();
  return [describe(flags, longFlag(name)), ...others];
}

/** Messages about flags of other nodes among the arguments, with the reason why each is not supported. */
function foreignFlags(command: Command, flags: readonly ForeignFlag[]): string[] {
  return flags.flatMap(({ flags: spellings, reason }) =>
    spellings
      .filter((spelling) => command.getOptionValueSource(new Option(spelling).attributeName()) === "cli")
      .map((spelling) => `${/--?[\w-]+(?= \[|$)/.exec(spelling)?.[0] ?? spelling}: ${reason}`),
  );
}

/** Advice for users who write commands of Hardhat or Ganache. */
function instead(argv: readonly string[]): string | undefined {
  for (const argument of argv) {
    const known = insteadOf(argument);
    if (known !== undefined) return `${argument} belongs to another node; write ${known}.`;
  }
  return undefined;
}

function givenValues(command: Command, options: readonly OptionOf[]): GivenValues {
  const given = new Map<Name, OptionOf>();
  const values: Partial<Record<Name, unknown>> = {};
  for (const spelled of options) {
    const { name, label, option } = spelled;
    const key = option.attributeName();
    if (command.getOptionValueSource(key) !== "cli") continue;
    const before = given.get(name);
    // For commander, `--block-time` and `--blockTime` are the same attribute.
    if (before?.option.attributeName() === key) continue;
    if (before !== undefined) throw usageError(`${before.label} and ${label} are the same flag.`);
    given.set(name, spelled);
    // A switch that begins with "no" has the value false under its name.
    values[name] = option.negate ? true : command.getOptionValue(key);
  }
  return values as GivenValues;
}

/** A text wrapped at the help's width. */
function wrapped(text: string): string {
  return text.replace(new RegExp(`(?=.{${HELP_WIDTH}})(.{1,${HELP_WIDTH - 1}}) `, "g"), "$1\n");
}

/** Commander's message as a sentence, without its prefix. */
export function sentence(message: string): string {
  const text = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return /[.?]$/.test(text) ? text : `${text}.`;
}
