/**
 * The command line: flags and environment to settings. Pure: reads nothing, prints nothing.
 *
 * Flags carry Anvil's names where Anvil has them. What is not given stays undefined, so that the library's defaults
 * hold; the defaults that the help names are tested against the library's.
 */
import { Command, CommanderError, Option } from "commander";
import { HARDFORKS, parseHardfork } from "../chainspec/hardforks.ts";
import { TRACE_CLIENTS, type TraceClient } from "../services/simulate/trace-client.ts";
import { ether, integer, list, oneOf, seconds, usageError, wholeNumber } from "./option-values.ts";

/** What the user asked for; undefined members mean the library's default. */
export interface CliSettings {
  readonly host: string;
  readonly port: number;
  readonly accounts?: number;
  /** wei */
  readonly balance?: bigint;
  readonly mnemonic?: string;
  readonly derivationPath?: string;
  readonly chainId?: bigint;
  readonly hardfork?: string;
  readonly mining?: "auto" | "manual" | { readonly intervalMs: number };
  readonly gasLimit?: bigint;
  /** wei per gas */
  readonly gasPrice?: bigint;
  /** wei per gas */
  readonly baseFeePerGas?: bigint;
  /** seconds */
  readonly timestamp?: bigint;
  readonly create2Deployer?: boolean;
  readonly slotsInAnEpoch?: number;
  readonly traceClient?: TraceClient;
  readonly genesisPath?: string;
  readonly importPath?: string;
  readonly exportPath?: string;
  readonly dataDir?: string;
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly maxBodyBytes?: number;
  readonly maxBatchLength?: number;
  /** Print nothing but errors. */
  readonly quiet: boolean;
}

export type CliRequest =
  | { readonly kind: "run"; readonly settings: CliSettings }
  | { readonly kind: "print"; readonly text: string };

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8545;

/**
 * Reads the arguments after the program's name.
 *
 * @param version - what `--version` prints
 * @throws {InvalidParamsError} `INVALID_OPTION` for anything that cannot be understood or contradicts itself
 */
export function parseArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): CliRequest {
  let printed = "";
  const command = describeCommand(version).configureOutput({
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
    throw usageError(sentence(error.message), "Run hindcast --help for all flags.");
  }
  return { kind: "run", settings: toSettings(command.opts<Flags>(), env) };
}

/** Values as commander collects them, under its camel-case names. */
interface Flags {
  readonly port?: number;
  readonly host?: string;
  readonly allowOrigin?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly maxBodyBytes?: number;
  readonly maxBatchLength?: number;
  readonly accounts?: number;
  readonly balance?: bigint;
  readonly mnemonic?: string;
  readonly derivationPath?: string;
  readonly chainId?: bigint;
  readonly hardfork?: string;
  readonly gasLimit?: bigint;
  readonly gasPrice?: bigint;
  readonly blockBaseFeePerGas?: bigint;
  readonly timestamp?: bigint;
  readonly disableDefaultCreate2Deployer?: true;
  readonly slotsInAnEpoch?: number;
  readonly traceClient?: TraceClient;
  readonly blockTime?: number;
  readonly mining: boolean;
  readonly automine?: true;
  readonly genesis?: string;
  readonly init?: string;
  readonly import?: string;
  readonly export?: string;
  readonly dataDir?: string;
  readonly silent?: true;
  readonly quiet?: true;
}

function describeCommand(version: string): Command {
  const command = new Command("hindcast")
    .description("A local Ethereum chain that answers JSON-RPC over HTTP and WebSocket and explains what it executed.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .allowExcessArguments(false)
    .configureHelp({ helpWidth: 110 })
    .exitOverride();
  addServerFlags(command);
  addChainFlags(command);
  addMiningFlags(command);
  addFileFlags(command);
  return command;
}

function addServerFlags(command: Command): void {
  const mebibytes = 1024 * 1024;
  command.optionsGroup("Server:");
  flag(
    command,
    "-p, --port <number>",
    `port; 0 takes a free one (default: ${DEFAULT_PORT})`,
    wholeNumber("--port", 0, 65_535),
  );
  flag(command, "--host <address>", `address to bind (default: ${DEFAULT_HOST}; env: ANVIL_IP_ADDR)`);
  flag(command, "--allow-origin <origins>", "browser origins let in; * for all (default: those on localhost)", list);
  flag(
    command,
    "--allow-host <names>",
    "Host names let in; * for all (default: localhost and the bound address)",
    list,
  );
  flag(
    command,
    "--max-body-bytes <number>",
    `largest request (default: ${10 * mebibytes})`,
    wholeNumber("--max-body-bytes", 1, 1024 * mebibytes),
  );
  flag(
    command,
    "--max-batch-length <number>",
    "most requests in one batch (default: 1000)",
    wholeNumber("--max-batch-length", 1, 1_000_000),
  );
  flag(
    command,
    "--trace-client <name>",
    `whose quirks trace_* shows: ${TRACE_CLIENTS.join(", ")} (default: hindcast)`,
    oneOf("--trace-client", TRACE_CLIENTS),
  );
  command.option("-q, --quiet", "print nothing but errors (default: off)");
  command.option("--silent", "same as --quiet");
}

function addChainFlags(command: Command): void {
  const names = ["frontier", ...HARDFORKS.slice(1)].join(", ");
  command.optionsGroup("Development chain:");
  flag(command, "-a, --accounts <number>", "funded accounts (default: 10)", wholeNumber("--accounts", 0, 10_000));
  flag(command, "--balance <eth>", "balance of each (default: 10000)", ether("--balance"));
  flag(command, "-m, --mnemonic <words>", 'where their keys come from (default: "test … test junk")');
  flag(command, "--derivation-path <path>", "and at which path, without the index (default: m/44'/60'/0'/0/)");
  flag(command, "--chain-id <id>", "chain id (default: 31337)", integer("--chain-id", 1n));
  flag(command, "--hardfork <name>", `one of ${names} (default: osaka)`, parseHardfork);
  flag(command, "--gas-limit <gas>", "block gas limit (default: 30000000)", integer("--gas-limit", 1n));
  flag(command, "--gas-price <wei>", "gas price suggested (default: 2000000000)", integer("--gas-price"));
  flag(
    command,
    "--block-base-fee-per-gas <wei>",
    "base fee of the first block (default: 1000000000)",
    integer("--block-base-fee-per-gas"),
  );
  flag(command, "--timestamp <seconds>", "time of the first block (default: now)", integer("--timestamp"));
  command.option("--disable-default-create2-deployer", "leave out the CREATE2 deployer (default: included)");
}

function addMiningFlags(command: Command): void {
  command.optionsGroup("Mining:");
  command.option("--automine", "a block per transaction (default, unless --genesis or --import is given)");
  flag(command, "-b, --block-time <seconds>", "a block every so often (default: off)", seconds("--block-time"));
  command.option("--no-mining", "only mine when told to (default with --genesis or --import)");
  flag(
    command,
    "--slots-in-an-epoch <number>",
    "distance of safe from latest, and of finalized from safe (default: 32)",
    wholeNumber("--slots-in-an-epoch", 1, 1_000_000),
  );
}

function addFileFlags(command: Command): void {
  command.optionsGroup("Files:");
  flag(command, "--genesis <file>", "start from geth's genesis.json (default: a development chain)");
  flag(command, "--init <file>", "same as --genesis");
  flag(command, "--import <file>", "import blocks in RLP, also gzipped, before listening");
  flag(command, "--export <file>", "write the chain in RLP after start-up and again on exit");
  flag(command, "--data-dir <folder>", "keep the chain on disk (default: in memory)");
}

function flag<T>(command: Command, flags: string, description: string, read?: (text: string, before: T) => T): void {
  const option = new Option(flags, description);
  if (read !== undefined) option.argParser(read);
  command.addOption(option);
}

function toSettings(flags: Flags, env: Readonly<Record<string, string | undefined>>): CliSettings {
  refuseContradictions(flags);
  const mining = miningOf(flags);
  return {
    host: flags.host ?? (env.ANVIL_IP_ADDR || DEFAULT_HOST),
    port: flags.port ?? DEFAULT_PORT,
    allowedOrigins: flags.allowOrigin ?? [],
    allowedHosts: flags.allowHost ?? [],
    quiet: flags.quiet === true || flags.silent === true,
    ...given("accounts", flags.accounts),
    ...given("balance", flags.balance),
    ...given("mnemonic", flags.mnemonic),
    ...given("derivationPath", flags.derivationPath),
    ...given("chainId", flags.chainId),
    ...given("hardfork", flags.hardfork),
    ...given("mining", mining),
    ...given("gasLimit", flags.gasLimit),
    ...given("gasPrice", flags.gasPrice),
    ...given("baseFeePerGas", flags.blockBaseFeePerGas),
    ...given("timestamp", flags.timestamp),
    ...given("create2Deployer", flags.disableDefaultCreate2Deployer === true ? false : undefined),
    ...given("slotsInAnEpoch", flags.slotsInAnEpoch),
    ...given("traceClient", flags.traceClient),
    ...given("genesisPath", flags.genesis ?? flags.init),
    ...given("importPath", flags.import),
    ...given("exportPath", flags.export),
    ...given("dataDir", flags.dataDir),
    ...given("maxBodyBytes", flags.maxBodyBytes),
    ...given("maxBatchLength", flags.maxBatchLength),
  };
}

function miningOf(flags: Flags): CliSettings["mining"] {
  if (flags.blockTime !== undefined) return { intervalMs: flags.blockTime };
  if (!flags.mining) return "manual";
  return flags.automine === true ? "auto" : undefined;
}

function refuseContradictions(flags: Flags): void {
  const hasGenesis = flags.genesis !== undefined || flags.init !== undefined;
  const modes = [
    flags.automine === true ? "--automine" : undefined,
    flags.blockTime === undefined ? undefined : "--block-time",
    flags.mining ? undefined : "--no-mining",
  ].filter((name) => name !== undefined);
  if (modes.length > 1) throw usageError(`${modes.join(" and ")} exclude each other.`);
  if (flags.genesis !== undefined && flags.init !== undefined)
    throw usageError("--genesis and --init are the same flag.");
  if (!hasGenesis) return;
  const fromGenesis = {
    "--balance": flags.balance,
    "--chain-id": flags.chainId,
    "--hardfork": flags.hardfork,
    "--gas-limit": flags.gasLimit,
    "--block-base-fee-per-gas": flags.blockBaseFeePerGas,
    "--timestamp": flags.timestamp,
    "--disable-default-create2-deployer": flags.disableDefaultCreate2Deployer,
  };
  const clash = Object.entries(fromGenesis).find(([, value]) => value !== undefined);
  if (clash !== undefined) throw usageError(`${clash[0]} cannot be combined with --genesis, which settles it.`);
}

/** `{ [name]: value }`, or nothing for undefined: with exact optional members the two are not the same. */
function given<Name extends string, T>(name: Name, value: T | undefined): { readonly [key in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in Name]: T });
}

/** Commander's message as one sentence without its prefix. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return /[.)?]$/.test(text) ? text : `${text}.`;
}
