/**
 * Wrong command lines, and all that the command prints about each: what is wrong, where, and how to mend it.
 *
 * Whoever changes an error reads its row as somebody would who sees it for the first time.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { aRun } from "./a-run.ts";

interface WrongLine {
  readonly line: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text of `hindcast.config.json` in the working folder, or of the file that FILE stands for in the line. */
  readonly file?: string;
  readonly exitCode: 1 | 2;
  /** Standard error after "hindcast: "; FOLDER is the working folder. */
  readonly says: string;
}

const HARDFORKS =
  "frontier, homestead, tangerineWhistle, spuriousDragon, byzantium, constantinople, petersburg, istanbul, " +
  "muirGlacier, berlin, london, arrowGlacier, grayGlacier, paris, shanghai, cancun, prague, osaka, bpo1, bpo2, bpo3, " +
  "bpo4, bpo5, amsterdam";
const STATE_FILE =
  "The state file cannot be loaded. It is neither a state file of this node nor JSON. " +
  "Give what dumpState or --dump-state of this node or of Anvil wrote.";

const LINES: readonly WrongLine[] = [
  // Flags that are not there
  {
    line: "--prot 8546",
    exitCode: 2,
    says: "unknown option '--prot' (Did you mean --port?). Run hindcast --help for all flags.",
  },
  {
    line: "8546",
    exitCode: 2,
    says: '"8546" is neither a command nor the value of the flag before it. Did you mean --port 8546?',
  },
  {
    line: "start",
    exitCode: 2,
    says: '"start" is neither a command nor the value of the flag before it. start belongs to another node; write hindcast without a command.',
  },
  { line: "--optimism", exitCode: 2, says: "--optimism: only Ethereum's own rules are executed." },
  { line: "--work", exitCode: 2, says: "--work needs --shared." },
  {
    line: "--shared postgres://127.0.0.1/none --work --role writer",
    exitCode: 2,
    says: "The option shared.work is for readers alone: a writer would be slowed down. It must be false, or role reader.",
  },
  // Values
  {
    line: "--port",
    exitCode: 2,
    says: "option '-p, --port <number>' argument missing. Run hindcast --help for all flags.",
  },
  { line: "--port abc", exitCode: 2, says: '--port: expected a whole number from 0 to 65535, got "abc".' },
  { line: "--port 70000", exitCode: 2, says: '--port: expected a whole number from 0 to 65535, got "70000".' },
  {
    line: "--hardfork londn",
    exitCode: 2,
    says: `--hardfork: Unknown hardfork "londn". Did you mean london? Use one of: ${HARDFORKS}.`,
  },
  {
    line: "--hardfork-at amsterdam:1000,amsterdam:2000",
    exitCode: 2,
    says: "--hardfork-at: hardforkAt: amsterdam is named twice. Give each hardfork once.",
  },
  { line: "--hardfork 5", exitCode: 2, says: `--hardfork: Unknown hardfork "5". Use one of: ${HARDFORKS}.` },
  {
    line: "--chain-id 0",
    exitCode: 2,
    says: '--chain-id: expected a whole number from 1 to 2^256 - 1, decimal or 0x hexadecimal, got "0".',
  },
  { line: "--accounts many", exitCode: 2, says: '--accounts: expected a whole number from 0 to 1000000, got "many".' },
  {
    line: "--predeploy permit2,nope",
    exitCode: 2,
    says: '--predeploy: expected one of multicall3, create2, entrypoint, permit2, got "permit2,nope".',
  },
  {
    line: "--balance ten",
    exitCode: 2,
    says: '--balance: expected an amount in ETH such as 10000 or 0.5, of less than 2^256 wei, got "ten".',
  },
  {
    line: "--mnemonic hello",
    exitCode: 2,
    says:
      "The mnemonic is not valid: its words or their checksum are wrong. " +
      "Use 12, 15, 18, 21 or 24 words of the English BIP-39 list.",
  },
  {
    line: "--block-time 0",
    exitCode: 2,
    says: '--block-time: expected a number of seconds above 0, such as 12 or 0.5, or two such as 3-6, the smaller first, got "0".',
  },
  {
    line: "--gas-limit 30M",
    exitCode: 2,
    says:
      "--gas-limit: expected a whole number from 5000 to 9223372036854775807, decimal or 0x hexadecimal, " +
      'got "30M".',
  },
  {
    line: "--timestamp yesterday",
    exitCode: 2,
    says:
      "--timestamp: expected a whole number of seconds from 0 to 18446744073709551615, not milliseconds, decimal or " +
      '0x hexadecimal, got "yesterday".',
  },
  {
    line: "--timestamp 1700000000000",
    exitCode: 2,
    says:
      "--timestamp: expected a whole number of seconds from 0 to 18446744073709551615, not milliseconds, decimal or " +
      '0x hexadecimal, got "1700000000000".',
  },
  { line: "--order random", exitCode: 2, says: '--order: expected one of fees, fifo, got "random".' },
  { line: "--engine evm", exitCode: 2, says: '--engine: expected one of wasm, ethereumjs, got "evm".' },
  {
    line: "--trace-client geth",
    exitCode: 2,
    says: '--trace-client: expected one of hindcast, openethereum, reth, erigon, got "geth".',
  },
  // Flags that exclude each other, or need one
  { line: "--coverage lcov.info", exitCode: 2, says: "--coverage needs --artifacts." },
  {
    line: "--no-mining --block-time 2",
    exitCode: 2,
    says: "--block-time and --no-mining exclude each other. Give one of them.",
  },
  { line: "--silent --json", exitCode: 2, says: "--quiet and --json exclude each other. Give one of them." },
  {
    line: "--genesis FILE --hardfork london",
    exitCode: 2,
    says: "--hardfork cannot be combined with --genesis, which settles it.",
  },
  // Files
  {
    line: "--genesis missing.json",
    exitCode: 1,
    says: "--genesis: cannot read missing.json: there is no such file or folder.",
  },
  {
    line: "--genesis FILE",
    file: '{ "config": { "chainId": "x" }, "alloc": {} }',
    exitCode: 1,
    says:
      '--genesis FOLDER/FILE: genesis.json: config.chainId: expected a non-negative integer such as 1, "1" or "0x1", got "x". ' +
      "Correct that member; the format is geth's genesis.json.",
  },
  {
    line: "--genesis FILE",
    file: "[]",
    exitCode: 1,
    says: "--genesis: FOLDER/FILE holds []. It must hold geth's genesis.json: an object with config and alloc.",
  },
  {
    line: "--genesis FILE",
    file: "",
    exitCode: 1,
    says: "--genesis: FOLDER/FILE is empty. It must hold geth's genesis.json: an object with config and alloc.",
  },
  {
    line: "--import FILE",
    file: "hello",
    exitCode: 1,
    says:
      "--import FOLDER/FILE: The file is not a complete list of blocks: after 0 blocks, at byte 0, there is no complete RLP list. " +
      "Check that the file is complete; it must be block RLP as geth export writes it, gzipped or not.",
  },
  { line: "--load-state FILE", file: "hello", exitCode: 1, says: `--load-state FOLDER/FILE: ${STATE_FILE}` },
  // Commands
  { line: "debug", exitCode: 2, says: "missing required argument 'hash or file'. Run hindcast debug --help." },
  {
    line: "cache clean --chain-di 1",
    exitCode: 2,
    says: "unknown option '--chain-di' (Did you mean --chain-id?). Run hindcast cache --help.",
  },
  {
    line: "check folder",
    exitCode: 2,
    says: 'hindcast check takes only flags, got "folder". Did you mean --data-dir folder?',
  },
  { line: "check --repare", exitCode: 2, says: "unknown option '--repare' (Did you mean --repair?)." },
  {
    line: "--genesis FILE",
    file: '{ "config": { "londonBlok": 0 }, "aloc": {} }',
    exitCode: 1,
    says:
      "warning: --genesis FOLDER/FILE: config.londonBlok has no effect. Did you mean londonBlock?\n" +
      "hindcast: --genesis FOLDER/FILE: genesis.json: aloc is not a member of a genesis. Did you mean alloc?",
  },
  // Environment and configuration file
  {
    line: "",
    env: { HINDCAST_PORT: "x" },
    exitCode: 2,
    says: 'HINDCAST_PORT: expected a whole number from 0 to 65535, got "x".',
  },
  {
    line: "",
    file: '{ "prot": 8546 }',
    exitCode: 2,
    says: "FOLDER/hindcast.config.json: prot is not an option. Did you mean port?",
  },
  {
    line: "",
    file: '{ "port": "x" }',
    exitCode: 2,
    says: 'FOLDER/hindcast.config.json: port: expected a whole number from 0 to 65535, got "x".',
  },
];

describe("a wrong command line", () => {
  it.each(LINES)("hindcast $line $env $file", async ({ line, env = {}, file, exitCode, says }) => {
    const folder = await aFolder();
    const name = line.includes("FILE") ? "FILE" : "hindcast.config.json";
    if (file !== undefined) await writeFile(join(folder, name), file);
    const flags = line.replaceAll("FILE", join(folder, "FILE")).split(" ").filter(Boolean);
    const { finished } = aRun(flags, { env, cwd: folder });
    const { code, stdout, stderr } = await finished;
    expect({ code, stdout, stderr: stderr.replaceAll(folder, "FOLDER") }).toEqual({
      code: exitCode,
      stdout: "",
      stderr: `hindcast: ${says}\n`,
    });
  });

  it("has thirty examples here", () => expect(LINES.length).toBeGreaterThanOrEqual(30));
});
