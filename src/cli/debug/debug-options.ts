/** The arguments of `hindcast debug`. */
import { Command, CommanderError, Option } from "commander";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData } from "../../primitives/bytes/hex.ts";
import { integer, readText, usageError } from "../flags/option-values.ts";
import { sentence } from "../options/command-line.ts";

/** The arguments after they were checked. */
export interface DebugOptions {
  /** The hash of a transaction, or the path of a replay file. */
  readonly target: { readonly txHash: Bytes } | { readonly replayPath: string };
  readonly rpcUrl: string;
  /** Folders of Hardhat or Foundry. */
  readonly artifacts: readonly string[];
  /** Folder that paths of sources are relative to; default: the working folder. */
  readonly sourceRoot: string | undefined;
  /** Undefined for stdin and stdout. */
  readonly port: number | undefined;
  readonly saveReplay: string | undefined;
}

interface Values {
  readonly rpcUrl: string;
  readonly artifacts: readonly string[];
  readonly sourceRoot?: string;
  readonly port?: string;
  readonly saveReplay?: string;
}

const MAX_PORT = 65_535n;
const DEFAULT_URL = "http://127.0.0.1:8545";

/**
 * Parses the arguments after `hindcast debug`.
 *
 * @returns the options, or the help as text
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export function parseDebugOptions(argv: readonly string[]): DebugOptions | { readonly help: string } {
  let help: string | undefined;
  const command = debugCommand((text) => {
    help = text;
  });
  try {
    command.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (help !== undefined && error.exitCode === 0) return { help };
    throw usageError(sentence(error.message), "Run hindcast debug --help.");
  }
  const [target = ""] = command.args;
  const { rpcUrl, artifacts, sourceRoot, port, saveReplay } = command.opts<Values>();
  const isHash = /^0x[0-9a-f]{64}$/i.test(target);
  if (!isHash && saveReplay !== undefined) {
    throw usageError("--save-replay needs the hash of a transaction: 0x and 64 hex digits.");
  }
  if (!isHash && /^0x[0-9a-f]*$/i.test(target)) {
    throw usageError(`${target} is not the hash of a transaction: expected 0x and 64 hex digits.`);
  }
  return {
    target: isHash ? { txHash: decodeData(target) } : { replayPath: target },
    rpcUrl,
    artifacts,
    sourceRoot,
    port: port === undefined ? undefined : Number(readText(integer(0n, MAX_PORT), port, "--port")),
    saveReplay,
  };
}

function debugCommand(print: (text: string) => void): Command {
  const collect = (value: string, earlier: readonly string[]): readonly string[] => [...earlier, value];
  return new Command("hindcast debug")
    .description(
      "Serves a debugger of a mined transaction over the Debug Adapter Protocol, on stdin and stdout. docs/debugger.md shows how editors use it.",
    )
    .argument("<hash or file>", "hash of a transaction, or a file of --save-replay")
    .addOption(new Option("--rpc-url <url>", "Hindcast node that has the transaction").default(DEFAULT_URL))
    .addOption(
      new Option("--artifacts <folder>", "Hardhat's artifacts or Foundry's out; can be repeated (default: the node's)")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--source-root <folder>", "folder that paths of sources are relative to (default: the working folder)")
    .option("--port <port>", "serve on this port of localhost instead of stdin and stdout; 0 chooses one")
    .option("--save-replay <file>", "write a file that can be debugged without the node, and end")
    .configureOutput({ writeOut: print, writeErr: () => undefined })
    .allowExcessArguments(false)
    .exitOverride();
}
