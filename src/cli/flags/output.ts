/** Options for printed output, the configuration file and build artifacts. */
import type { FlagsOf } from "./flag.ts";
import { list, oneOf, verbosity, words } from "./option-values.ts";

/** Values by option. */
export interface OutputValues {
  readonly quiet: boolean;
  readonly json: boolean;
  readonly color: "auto" | "always" | "never";
  readonly verbosity: number | boolean;
  readonly printTraces: boolean;
  readonly disableConsoleLog: boolean;
  readonly artifacts: readonly string[];
  readonly sources: readonly string[];
  readonly solidityStack: boolean;
  readonly coverage: string;
  readonly config: string;
  readonly configOut: string;
}

/** The options of this group, in the order of the help. */
export const OUTPUT_FLAGS: FlagsOf<OutputValues> = {
  quiet: {
    flags: "-q, --quiet",
    help: "print only errors; also --silent (default: off)",
    aliases: ["--silent"],
  },
  json: {
    flags: "--json",
    help: "print JSON, an object per line: start, requests, blocks (default: off)",
  },
  color: {
    flags: "--color <when>",
    help: "auto, always or never (default: auto)",
    shape: oneOf(["auto", "always", "never"] as const),
    isText: true,
  },
  verbosity: {
    flags: "-v, --verbosity [level]",
    help: "as in Foundry: -vvv adds call trees of failures, -vvvv all (default: 0)",
    shape: verbosity,
  },
  printTraces: {
    flags: "--print-traces",
    help: "print call trees of all transactions and calls, as -vvvv does (default: off)",
    aliases: ["--enable-trace-printing"],
  },
  disableConsoleLog: {
    flags: "--disable-console-log",
    help: "do not print console.log lines of contracts (default: printed)",
    aliases: ["--no-console-log"],
  },
  artifacts: {
    flags: "--artifacts <folders>",
    help: "build folders with ABIs and sources, of Hardhat or Foundry (default: none)",
    shape: list,
    isText: true,
    isList: true,
  },
  sources: {
    flags: "--sources <urls>",
    help: "servers that have sources of unknown contracts: https://sourcify.dev/server (default: none)",
    shape: list,
    isText: true,
    isList: true,
  },
  solidityStack: {
    flags: "--solidity-stack",
    help: "stack traces in errors of failed calls (default: off)",
  },
  coverage: {
    flags: "--coverage <file>",
    help: "on exit, write which lines ran as lcov; needs --artifacts (default: off)",
    shape: words,
    isText: true,
  },
  config: {
    flags: "-c, --config <file>",
    help: "configuration (default: hindcast.config.ts, .js, .mjs or .json in this folder, if there is one)",
    shape: words,
    isText: true,
  },
  configOut: {
    flags: "--config-out <file>",
    help: "write accounts, keys and fees as JSON, as Anvil does",
    shape: words,
    isText: true,
  },
};
