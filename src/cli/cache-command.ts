/** `hindcast cache`: lists and deletes the cached data of forked chains. */
import { Command, CommanderError, Option } from "commander";
import type { Hex } from "../primitives/bytes/hex.ts";
import { type CacheListing, type CleanOptions, cleanCache, listCache } from "../remote/cache/manage.ts";
import { defaultCacheFolder } from "../remote/cache/paths.ts";
import { integer, readText, usageError } from "./flags/option-values.ts";
import { sentence } from "./options/command-line.ts";

const DAY_MS = 86_400_000;

/** Values of the flags, as commander gives them. */
interface Values {
  readonly cachePath?: string;
  readonly chainId?: string;
  readonly blockHash?: string;
  readonly olderThan?: string;
}

/**
 * Runs `hindcast cache`.
 *
 * @param argv - `list` (the default) or `clean`, and flags
 * @param environment - may name the cache folder, as for a node
 * @returns text to print
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export function runCacheCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string {
  let printed = "";
  const print = (text: string): void => {
    printed += text;
  };
  const folderOf = ({ cachePath }: Values): string =>
    cachePath ?? environment.HINDCAST_CACHE_PATH ?? defaultCacheFolder(environment);
  const command = new Command("hindcast cache")
    .description("The stored parts of forked chains, which are not requested again.")
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .exitOverride();
  const folder = new Option("--cache-path <folder>", "folder of the cache (default: in the user's folder for caches)");
  command
    .command("list", { isDefault: true })
    .description("list the blocks with stored data, last used first")
    .addOption(folder)
    .action((values: Values) => print(listText(folderOf(values), listCache(folderOf(values)))));
  command
    .command("clean")
    .description("delete all of it, or a part")
    .addOption(folder)
    .option("--chain-id <id>", "only of this chain")
    .option("--block-hash <hash>", "only of this block")
    .option("--older-than <days>", "only entries not used for that many days")
    .action((values: Values) => print(`Deleted ${bytesText(cleanCache(folderOf(values), cleanOptions(values)))}.\n`));
  parse(command, argv);
  return printed;
}

function parse(command: Command, argv: readonly string[]): void {
  try {
    const [name = "list"] = argv;
    const known = ["list", "clean", "help"];
    if (!name.startsWith("-") && !known.includes(name)) {
      throw usageError(`hindcast cache has no command ${name}.`, "Write hindcast cache list or hindcast cache clean.");
    }
    for (const each of command.commands) each.copyInheritedSettings(command).allowExcessArguments(false);
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(sentence(error.message), "Run hindcast cache --help.");
  }
}

function cleanOptions({ chainId, blockHash, olderThan }: Values): CleanOptions {
  if (blockHash !== undefined && !/^0x[0-9a-f]{64}$/i.test(blockHash)) {
    throw usageError(`--block-hash: expected a hash, 0x and 64 hex digits, got "${blockHash}".`);
  }
  const days = olderThan === undefined ? undefined : Number(readText(integer(), olderThan, "--older-than"));
  return {
    chainId: chainId === undefined ? undefined : readText(integer(1n), chainId, "--chain-id"),
    blockHash: blockHash as Hex | undefined,
    usedBefore: days === undefined ? undefined : Date.now() - days * DAY_MS,
  };
}

function listText(folder: string, { blocks, codes, sources, bytes }: CacheListing): string {
  const rows = blocks.map(({ chainId, number, hash, entries, bytes: size, usedAt }) =>
    [
      `chain ${chainId}`,
      number === undefined ? "block ?" : `block ${number}`,
      hash,
      `${entries} answers`,
      bytesText(size),
      `used ${new Date(usedAt).toISOString().slice(0, 10)}`,
    ].join("  "),
  );
  const contracts = sources.count === 0 ? "" : `sources of ${sources.count} contracts (${bytesText(sources.bytes)}), `;
  const total = `${codes.count} codes (${bytesText(codes.bytes)}), ${contracts}${bytesText(bytes)} in all, in ${folder}`;
  return `${[...rows, total].join("\n")}\n`;
}

function bytesText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
