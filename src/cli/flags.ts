/**
 * Every option of the command, once: as a flag, as a `HINDCAST_` environment variable, and as a member of the
 * configuration file. All three are read by the same reader.
 *
 * Flags carry Anvil's names where Anvil has them. Defaults are the library's; those that the help names are tested
 * against it. The table is longer than a file should be because it is one.
 */
import { HARDFORKS } from "../chainspec/hardforks.ts";
import { TRACE_CLIENTS, type TraceClient } from "../services/simulate/trace-client.ts";
import type { TransactionOrder } from "../txpool/price-order.ts";
import { ether, hardfork, integer, list, oneOf, type Reader, seconds, wholeNumber, words } from "./option-values.ts";

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 8545;

/**
 * Values of options as they are read; each may be missing. Their names are those of the configuration file. False says
 * that a switch is off, whatever weaker sources say.
 */
export interface Values {
  readonly port: number;
  readonly host: string;
  readonly ipc: string | boolean;
  readonly allowOrigin: readonly string[];
  readonly noCors: boolean;
  readonly allowHost: readonly string[];
  readonly maxBodyBytes: number;
  readonly noRequestSizeLimit: boolean;
  readonly maxBatchLength: number;
  readonly traceClient: TraceClient;
  readonly accounts: number;
  /** wei */
  readonly balance: bigint;
  readonly mnemonic: string;
  readonly mnemonicRandom: number | boolean;
  readonly mnemonicSeedUnsafe: bigint;
  readonly derivationPath: string;
  readonly chainId: bigint;
  readonly hardfork: string;
  readonly gasLimit: bigint;
  readonly disableBlockGasLimit: boolean;
  readonly codeSizeLimit: number;
  readonly disableCodeSizeLimit: boolean;
  /** wei per gas */
  readonly gasPrice: bigint;
  /** wei per gas */
  readonly blockBaseFeePerGas: bigint;
  readonly disableMinPriorityFee: boolean;
  /** seconds */
  readonly timestamp: bigint;
  readonly autoImpersonate: boolean;
  readonly disableDefaultCreate2Deployer: boolean;
  readonly automine: boolean;
  /** milliseconds */
  readonly blockTime: number;
  readonly mixedMining: boolean;
  readonly noMining: boolean;
  readonly order: TransactionOrder;
  readonly slotsInAnEpoch: number;
  readonly genesis: string;
  readonly import: string;
  readonly export: string;
  readonly dataDir: string;
  readonly state: string;
  readonly loadState: string;
  readonly dumpState: string;
  /** milliseconds */
  readonly stateInterval: number;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly color: "auto" | "always" | "never";
  readonly printTraces: boolean;
  readonly disableConsoleLog: boolean;
  readonly artifacts: readonly string[];
  readonly config: string;
  readonly configOut: string;
}

export type Name = keyof Values;
export type GivenValues = { readonly [Key in Name]?: Values[Key] };

/** How an option is written and read. Without a reader it is a switch. */
export interface Flag<T = unknown> {
  readonly group: Group;
  /** As commander wants it; `[value]` may be left out. */
  readonly flags: string;
  readonly help: string;
  readonly read?: Reader<T>;
  /** May be given several times; the values add up. */
  readonly isList?: boolean;
  /** Other long flags that mean the same: Anvil's, and Anvil's own aliases. */
  readonly aliases?: readonly string[];
}

export type Group = "Server" | "Development chain" | "Mining" | "Files" | "Output and configuration";

const MEBIBYTE = 1024 * 1024;
const MNEMONIC_WORDS: readonly number[] = [12, 15, 18, 21, 24];

export const FLAGS: { readonly [Key in Name]: Flag<Values[Key]> } = {
  port: {
    group: "Server",
    flags: "-p, --port <number>",
    help: `port; 0 takes a free one (default: ${DEFAULT_PORT})`,
    read: wholeNumber(0, 65_535),
  },
  host: {
    group: "Server",
    flags: "--host <address>",
    help: `address to bind (default: ${DEFAULT_HOST}; env: also ANVIL_IP_ADDR)`,
    read: words,
  },
  ipc: {
    group: "Server",
    flags: "--ipc [path]",
    help: "serve a socket file too (default: off; without path: hindcast.ipc in the temporary folder)",
    read: words,
    aliases: ["--ipcpath"],
  },
  allowOrigin: {
    group: "Server",
    flags: "--allow-origin <origins>",
    help: "browser origins let in; * for all (default: those on localhost)",
    read: list,
    isList: true,
  },
  noCors: {
    group: "Server",
    flags: "--no-cors",
    help: "let no browser origin in, not even localhost (default: off)",
  },
  allowHost: {
    group: "Server",
    flags: "--allow-host <names>",
    help: "Host names let in; * for all (default: localhost and the bound address)",
    read: list,
    isList: true,
  },
  maxBodyBytes: {
    group: "Server",
    flags: "--max-body-bytes <number>",
    help: `largest request (default: ${10 * MEBIBYTE})`,
    read: wholeNumber(1, 1024 * MEBIBYTE),
  },
  noRequestSizeLimit: {
    group: "Server",
    flags: "--no-request-size-limit",
    help: "requests as long as a text can be (default: off)",
  },
  maxBatchLength: {
    group: "Server",
    flags: "--max-batch-length <number>",
    help: "most requests in one batch (default: 1000)",
    read: wholeNumber(1, 1_000_000),
  },
  traceClient: {
    group: "Server",
    flags: "--trace-client <name>",
    help: `whose quirks trace_* shows: ${TRACE_CLIENTS.join(", ")} (default: hindcast)`,
    read: oneOf(TRACE_CLIENTS),
  },
  accounts: {
    group: "Development chain",
    flags: "-a, --accounts <number>",
    help: "funded accounts (default: 10)",
    read: wholeNumber(0, 10_000),
  },
  balance: {
    group: "Development chain",
    flags: "--balance <eth>",
    help: "balance of each (default: 10000)",
    read: ether,
  },
  mnemonic: {
    group: "Development chain",
    flags: "-m, --mnemonic <words>",
    help: 'where their keys come from (default: "test … test junk")',
    read: words,
  },
  mnemonicRandom: {
    group: "Development chain",
    flags: "--mnemonic-random [words]",
    help: "a new mnemonic at each start, of 12 to 24 words (default: off)",
    read: (text, label) => Number(oneOf(MNEMONIC_WORDS.map(String))(text, label)),
  },
  mnemonicSeedUnsafe: {
    group: "Development chain",
    flags: "--mnemonic-seed-unsafe <number>",
    help: "the mnemonic that follows from a number, as in Anvil (default: off)",
    read: integer(0n, 2n ** 64n - 1n),
  },
  derivationPath: {
    group: "Development chain",
    flags: "--derivation-path <path>",
    help: "path of the keys, without the index (default: m/44'/60'/0'/0/)",
    read: words,
  },
  chainId: {
    group: "Development chain",
    flags: "--chain-id <id>",
    help: "chain id (default: 31337)",
    read: integer(1n),
  },
  hardfork: {
    group: "Development chain",
    flags: "--hardfork <name>",
    help: `one of ${["frontier", ...HARDFORKS.slice(1)].join(", ")} (default: osaka)`,
    read: hardfork,
  },
  gasLimit: {
    group: "Development chain",
    flags: "--gas-limit <gas>",
    help: "block gas limit (default: 30000000)",
    read: integer(1n),
  },
  disableBlockGasLimit: {
    group: "Development chain",
    flags: "--disable-block-gas-limit",
    help: "the largest block gas limit there is, 2^63-1 (default: off)",
  },
  codeSizeLimit: {
    group: "Development chain",
    flags: "--code-size-limit <bytes>",
    help: "longest code of a contract; twice that of init code (default: the hardfork's, 24576)",
    read: wholeNumber(1, 2 ** 30),
  },
  disableCodeSizeLimit: {
    group: "Development chain",
    flags: "--disable-code-size-limit",
    help: "code of any length that gas pays for (default: off)",
  },
  gasPrice: {
    group: "Development chain",
    flags: "--gas-price <wei>",
    help: "gas price suggested before London (default: 2000000000)",
    read: integer(),
  },
  blockBaseFeePerGas: {
    group: "Development chain",
    flags: "--block-base-fee-per-gas <wei>",
    help: "base fee of the first block; also --base-fee (default: 1000000000)",
    read: integer(),
    aliases: ["--base-fee"],
  },
  disableMinPriorityFee: {
    group: "Development chain",
    flags: "--disable-min-priority-fee",
    help: "suggest no tip instead of 1 gwei (default: off)",
    aliases: ["--no-priority-fee"],
  },
  timestamp: {
    group: "Development chain",
    flags: "--timestamp <seconds>",
    help: "time of the first block (default: now)",
    read: integer(),
  },
  autoImpersonate: {
    group: "Development chain",
    flags: "--auto-impersonate",
    help: "any address may send without a key (default: off)",
    aliases: ["--auto-unlock"],
  },
  disableDefaultCreate2Deployer: {
    group: "Development chain",
    flags: "--disable-default-create2-deployer",
    help: "leave out the CREATE2 deployer (default: off)",
    aliases: ["--no-create2"],
  },
  automine: {
    group: "Mining",
    flags: "--automine",
    help: "a block per transaction (default, unless --genesis or --import is given)",
  },
  blockTime: {
    group: "Mining",
    flags: "-b, --block-time <seconds>",
    help: "a block every so often (default: off)",
    read: seconds,
    aliases: ["--blockTime"],
  },
  mixedMining: {
    group: "Mining",
    flags: "--mixed-mining",
    help: "with --block-time, a block per transaction as well (default: off)",
  },
  noMining: {
    group: "Mining",
    flags: "--no-mining",
    help: "only mine when told to; also --no-mine (default with --genesis or --import)",
    aliases: ["--no-mine"],
  },
  order: {
    group: "Mining",
    flags: "--order <name>",
    help: "which transaction comes first: fees (best price) or fifo (earliest) (default: fees)",
    read: oneOf(["fees", "fifo"] as const),
  },
  slotsInAnEpoch: {
    group: "Mining",
    flags: "--slots-in-an-epoch <number>",
    help: "distance of safe from latest, and of finalized from safe (default: 32)",
    read: wholeNumber(1, 1_000_000),
  },
  genesis: {
    group: "Files",
    flags: "--genesis <file>",
    help: "start from geth's genesis.json; also --init (default: a development chain)",
    read: words,
    aliases: ["--init"],
  },
  import: {
    group: "Files",
    flags: "--import <file>",
    help: "import blocks in RLP, also gzipped, before listening",
    read: words,
  },
  export: {
    group: "Files",
    flags: "--export <file>",
    help: "write the chain in RLP after start-up and again on exit",
    read: words,
  },
  dataDir: {
    group: "Files",
    flags: "--data-dir <folder>",
    help: "keep the chain on disk (default: in memory)",
    read: words,
  },
  loadState: {
    group: "Files",
    flags: "--load-state <file>",
    help: "start from what --dump-state, ours or Anvil's, wrote",
    read: words,
  },
  dumpState: {
    group: "Files",
    flags: "--dump-state <file>",
    help: "write the whole chain on exit",
    read: words,
  },
  state: {
    group: "Files",
    flags: "--state <file>",
    help: "both: load it if it is there, write it on exit",
    read: words,
  },
  stateInterval: {
    group: "Files",
    flags: "-s, --state-interval <seconds>",
    help: "write it every so often, too (default: off)",
    read: seconds,
  },
  quiet: {
    group: "Output and configuration",
    flags: "-q, --quiet",
    help: "print nothing but errors; also --silent (default: off)",
    aliases: ["--silent"],
  },
  json: {
    group: "Output and configuration",
    flags: "--json",
    help: "print JSON, an object per line: start, requests, blocks (default: off)",
  },
  color: {
    group: "Output and configuration",
    flags: "--color <when>",
    help: "auto, always or never (default: auto)",
    read: oneOf(["auto", "always", "never"] as const),
  },
  printTraces: {
    group: "Output and configuration",
    flags: "--print-traces",
    help: "print the call tree of every mined transaction and every eth_call (default: off)",
    aliases: ["--enable-trace-printing"],
  },
  disableConsoleLog: {
    group: "Output and configuration",
    flags: "--disable-console-log",
    help: "do not print what contracts log by console.log (default: printed)",
    aliases: ["--no-console-log"],
  },
  artifacts: {
    group: "Output and configuration",
    flags: "--artifacts <folders>",
    help: "name what call trees show by Hardhat's artifacts or Foundry's out (default: none)",
    read: list,
    isList: true,
  },
  config: {
    group: "Output and configuration",
    flags: "-c, --config <file>",
    help: "configuration (default: hindcast.config.ts, .js, .mjs or .json in this folder, if there is one)",
    read: words,
  },
  configOut: {
    group: "Output and configuration",
    flags: "--config-out <file>",
    help: "write accounts, keys and fees as JSON, as Anvil does",
    read: words,
  },
};

export const NAMES: readonly Name[] = Object.keys(FLAGS) as Name[];

/** The long flag of an option, such as `--port`. */
export function longFlag(name: Name): string {
  return /--[\w-]+/.exec(FLAGS[name].flags)?.[0] ?? name;
}
