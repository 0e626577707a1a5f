/** The arguments of `hindcast jobs`: work over ranges of blocks, by the nodes of a chain in PostgreSQL. */
import { Command, CommanderError, Option } from "commander";
import type { JobFlag, JobKind, JobParameters } from "../../sharing/jobs/job-kind.ts";
import { JOB_KINDS } from "../../sharing/jobs/job-kinds.ts";
import type { GivenValues } from "../flags/flags.ts";
import { integer, readText, usageError } from "../flags/option-values.ts";
import { sentence } from "../options/command-line.ts";

/** Most blocks of a range: each is a file, and is done again as a whole. */
const MOST_BLOCKS = 10_000n;
const DEFAULT_BLOCKS = "100";
/** Blocks are 64-bit integers with a sign in PostgreSQL. */
const LAST_BLOCK = 2n ** 63n - 1n;
const TABLE = /^table:(.*)$/s;
/** Needs no quotes where people write it. */
const TABLE_NAME = /^(?:[a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}$/;
const PUBLIC = /^public\./;

/** A run that is asked for. */
export interface WantedRun {
  readonly name: "run";
  readonly kind: string;
  readonly parameters: JobParameters;
  readonly from: string;
  readonly to: string;
  readonly blocks: number;
  /** A folder as it was given, or a table. */
  readonly out: { readonly folder: string } | { readonly table: string };
}

/** The task of `hindcast jobs`. */
export type JobsAction = WantedRun | { readonly name: "list" } | { readonly name: "cancel"; readonly id: string };

/** Request of the command line: an action with options of a node, or a text such as the help. */
export type JobsCommandLine =
  | { readonly kind: "run"; readonly action: JobsAction; readonly values: GivenValues }
  | { readonly kind: "print"; readonly text: string };

/** Values of the flags, as commander gives them. */
interface Values {
  readonly shared?: string;
  readonly chain?: string;
  readonly from: string;
  readonly to: string;
  readonly out: string;
  readonly blocks: string;
  readonly quiet?: boolean;
}

/**
 * Parses the arguments after `hindcast jobs`.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export function jobsCommandLine(argv: readonly string[]): JobsCommandLine {
  let printed = "";
  let chosen: { readonly action: JobsAction; readonly values: Values } | undefined;
  const choose = (action: JobsAction, values: Values): void => {
    chosen = { action, values };
  };
  const command = new Command("hindcast jobs")
    .description("Work over ranges of blocks, by the nodes of a chain in PostgreSQL that were started with --work.")
    .addHelpText(
      "after",
      "\nThe same command goes on with a run that was interrupted. Exit codes: 0 done, 1 failed or interrupted, 2 wrong flags.\n",
    )
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined })
    .exitOverride();
  for (const kind of JOB_KINDS) {
    const sub = aSubcommand(command, kind.name, kind.summary)
      .requiredOption("--from <block>", "first block")
      .requiredOption("--to <block>", "last block, or latest: the head when the run begins")
      .requiredOption("--out <place>", "a folder for files of NDJSON, or table:NAME for a table of the database")
      .option("--blocks <number>", "blocks of a job, and of a file", DEFAULT_BLOCKS)
      .option("--quiet", "print no progress");
    for (const { flags, help, fallback } of kind.flags) sub.addOption(new Option(flags, help).default(fallback));
    sub.action((values: Values) => choose(wantedRun(kind, values), values));
  }
  aSubcommand(command, "list", "list the runs of the chain, the newest first").action((values: Values) =>
    choose({ name: "list" }, values),
  );
  aSubcommand(command, "cancel", "end a run for ever; what it has delivered stays")
    .argument("<run>", "its id, of hindcast jobs list")
    .action((id: string, values: Values) => choose({ name: "cancel", id }, values));
  try {
    command.parse([...(argv.length === 0 ? ["--help"] : argv)], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "print", text: printed };
    throw usageError(sentence(error.message), "Run hindcast jobs --help.");
  }
  if (chosen === undefined) return { kind: "print", text: printed };
  const { shared, chain, quiet } = chosen.values;
  const values = {
    ...(shared === undefined ? {} : { shared }),
    ...(chain === undefined ? {} : { chain }),
    ...(quiet === undefined ? {} : { quiet }),
  };
  return { kind: "run", action: chosen.action, values };
}

function aSubcommand(command: Command, name: string, summary: string): Command {
  return command
    .command(name)
    .description(summary)
    .copyInheritedSettings(command)
    .allowExcessArguments(false)
    .option("--shared <url>", "the PostgreSQL of the chain; with a password better in HINDCAST_SHARED")
    .option("--chain <name>", "name of the chain (default: hindcast)");
}

function wantedRun({ name, flags }: JobKind, values: Values): WantedRun {
  const from = readText(integer(0n, LAST_BLOCK), values.from, "--from");
  const to = values.to === "latest" ? undefined : readText(integer(0n, LAST_BLOCK), values.to, "--to");
  if (to !== undefined && from > to) {
    throw usageError(`--from ${from} is beyond --to ${to}.`, "Give the first block, and then the last one.");
  }
  const blocks = Number(readText(integer(1n, MOST_BLOCKS), values.blocks, "--blocks"));
  const given = values as unknown as Readonly<Record<string, string | undefined>>;
  const parameters = Object.fromEntries(flags.flatMap((flag) => parameterOf(flag, given[flag.name])));
  const out = outOf(values.out);
  return { name: "run", kind: name, parameters, from: String(from), to: String(to ?? "latest"), blocks, out };
}

function parameterOf({ name, flags, read }: JobFlag, text: string | undefined): [string, unknown][] {
  if (text === undefined) return [];
  const result = read(text);
  if ("value" in result) return [[name, result.value]];
  throw usageError(`${flags.split(" ")[0]}: expected ${result.expected}, got ${JSON.stringify(text)}.`);
}

function outOf(text: string): WantedRun["out"] {
  const table = TABLE.exec(text)?.[1];
  if (table === undefined && text !== "") return { folder: text };
  if (table !== undefined && TABLE_NAME.test(table)) return { table: table.replace(PUBLIC, "") };
  throw usageError(
    `--out: expected a folder, or table: and a name of small letters, digits and _, got ${JSON.stringify(text)}.`,
  );
}
