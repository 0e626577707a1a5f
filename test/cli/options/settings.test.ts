import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { FLAGS, type GivenValues, longFlag, NAMES, type Name } from "../../../src/cli/flags/flags.ts";
import { parseCommandLine } from "../../../src/cli/options/command-line.ts";
import type { HindcastConfig } from "../../../src/cli/options/config.ts";
import { environmentWarnings, readEnvironment, variableOf } from "../../../src/cli/options/environment.ts";
import { withMnemonic } from "../../../src/cli/options/node-options.ts";
import { IGNORED_FLAGS, NEEDLESS_FLAGS, REFUSED_FLAGS } from "../../../src/cli/options/refused-flags.ts";
import { type CliSettings, toSettings } from "../../../src/cli/options/settings.ts";
import { InvalidParamsError } from "../../../src/errors/hindcast-error.ts";
import { DEV_MNEMONIC } from "../../../src/keyring/keyring.ts";

type Env = Record<string, string>;

const parse = (line: string) =>
  parseCommandLine(
    line.split(" ").filter((word) => word !== ""),
    "1.2.3",
  );

/** Settings of a command line, an environment and a configuration file. */
function settings(line: string, env: Env = {}, file: GivenValues = {}): CliSettings {
  const request = parse(line);
  if (request.kind !== "run") throw new Error("nothing to run");
  return toSettings(request.values, readEnvironment(env), file);
}

function refusal(line: string, env: Env = {}, file: GivenValues = {}): string {
  try {
    settings(line, env, file);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidParamsError);
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    return (error as Error).message;
  }
  throw new Error(`not refused: ${line}`);
}

const printed = (line: string): string => {
  const request = parse(line);
  return request.kind === "print" ? request.text : "";
};

describe("settings", () => {
  it("leave everything but address and lists to the library when no flag is given", () => {
    expect(settings("")).toEqual({
      host: "127.0.0.1",
      port: 8545,
      allowedOrigins: [],
      allowsLocalOrigins: true,
      allowedHosts: [],
      explorer: true,
      servesSources: true,
      opensBrowser: false,
      stateMayBeMissing: false,
      quiet: false,
      json: false,
      color: "auto",
      trees: "none",
      consoleLog: true,
      artifacts: [],
    });
  });

  it.each<[string, Partial<CliSettings>]>([
    ["-p 0", { port: 0 }],
    ["--port 65535", { port: 65_535 }],
    ["--host 0.0.0.0", { host: "0.0.0.0" }],
    ["-a 3", { accounts: 3 }],
    ["--balance 10000", { balance: 10_000n * 10n ** 18n }],
    ["--balance 0.000000000000000001", { balance: 1n }],
    ["--chain-id 1152921504606846977", { chainId: 2n ** 60n + 1n }],
    ["--chain-id 0x7a69", { chainId: 31_337n }],
    ["--hardfork Cancun", { hardfork: "cancun" }],
    ["--hardfork frontier", { hardfork: "chainstart" }],
    ["--hardfork-at Amsterdam:1000", { hardforkAt: { amsterdam: 1_000n } }],
    ["--hardfork-at london:3,paris:5 --hardfork-at prague:9", { hardforkAt: { london: 3n, paris: 5n, prague: 9n } }],
    ["-b 0.5", { mining: { intervalMs: 500 } }],
    ["--block-time 12", { mining: { intervalMs: 12_000 } }],
    ["--block-time 12 --mixed-mining", { mining: { intervalMs: 12_000, automine: true } }],
    ["--no-mining", { mining: "manual" }],
    ["--no-mine", { mining: "manual" }],
    ["--order fifo", { transactionOrder: "fifo" }],
    ["--automine", { mining: "auto" }],
    ["--gas-limit 1000000", { gasLimit: 1_000_000n }],
    ["--gas-price 0", { gasPrice: 0n }],
    ["--block-base-fee-per-gas 7", { baseFeePerGas: 7n }],
    ["--base-fee 7", { baseFeePerGas: 7n }],
    ["--disable-block-gas-limit", { gasLimit: 2n ** 63n - 1n }],
    ["--disable-min-priority-fee", { priorityFeePerGas: 0n }],
    ["--code-size-limit 30000", { codeSizeLimit: 30_000 }],
    ["--code-size-limit 0x6000", { codeSizeLimit: 24_576 }],
    ["--disable-code-size-limit", { codeSizeLimit: 2 ** 30 }],
    ["--blockTime 3", { mining: { intervalMs: 3_000 } }],
    ["--no-priority-fee", { priorityFeePerGas: 0n }],
    ["--auto-unlock", { autoImpersonate: true }],
    ["--no-create2", { create2Deployer: false }],
    ["--ipcpath /tmp/y.ipc", { ipcPath: "/tmp/y.ipc" }],
    ["--auto-impersonate", { autoImpersonate: true }],
    ["--derivation-path m/44'/60'/1'/0/", { derivationPath: "m/44'/60'/1'/0/" }],
    ["--mnemonic-random", { randomWords: 12 }],
    ["--mnemonic-random 24", { randomWords: 24 }],
    ["--mnemonic-seed-unsafe 5", { mnemonicSeed: 5n }],
    ["--timestamp 1700000000", { timestamp: 1_700_000_000n }],
    ["--slots-in-an-epoch 1", { slotsInAnEpoch: 1 }],
    ["--trace-client reth", { traceClient: "reth" }],
    ["--dialect hardhat", { dialect: "hardhat" }],
    [
      "--coinbase 0x00000000000000000000000000000000000000AA",
      { coinbase: "0x00000000000000000000000000000000000000AA" },
    ],
    ["--max-transactions 2", { maxTransactions: 2 }],
    ["--disable-pool-balance-checks", { poolBalanceChecks: false }],
    ["--enable-tx-gas-limit", { transactionGasCap: true }],
    ["--tx-gas-limit", { transactionGasCap: true }],
    ["--engine ethereumjs", { engine: "ethereumjs" }],
    ["--client-version anvil/hindcast", { clientVersion: "anvil/hindcast" }],
    ["--disable-default-create2-deployer", { create2Deployer: false }],
    ["--genesis g.json", { genesisPath: "g.json" }],
    ["--init g.json", { genesisPath: "g.json" }],
    ["--import chain.rlp", { importPath: "chain.rlp" }],
    ["--export out.rlp", { exportPath: "out.rlp" }],
    ["--data-dir d", { dataDir: "d" }],
    ["--load-state s", { loadStatePath: "s", stateMayBeMissing: false }],
    ["--dump-state s", { dumpStatePath: "s" }],
    ["--state s", { loadStatePath: "s", dumpStatePath: "s", stateMayBeMissing: true }],
    ["--state s -s 2", { stateIntervalMs: 2_000 }],
    ["--config-out c", { configOutPath: "c" }],
    ["--json", { json: true }],
    ["--color never", { color: "never" }],
    ["--print-traces", { trees: "all" }],
    ["-v", { trees: "none" }],
    ["-vv", { trees: "none" }],
    ["-vvv", { trees: "failed" }],
    ["--verbosity 3", { trees: "failed" }],
    ["-vvvv", { trees: "all" }],
    ["--disable-console-log", { consoleLog: false }],
    ["--artifacts out,artifacts --artifacts lib/out", { artifacts: ["out", "artifacts", "lib/out"] }],
    ["--ipc", { ipcPath: join(tmpdir(), "hindcast.ipc") }],
    ["--ipc /tmp/x.ipc", { ipcPath: "/tmp/x.ipc" }],
    ["--no-cors", { allowsLocalOrigins: false }],
    ["--no-explorer", { explorer: false }],
    ["--no-sourcify", { servesSources: false }],
    [
      "--sources https://a.example --sources https://b.example/server",
      { sources: ["https://a.example", "https://b.example/server"] },
    ],
    ["--explorer-read-only", { explorer: "read-only" }],
    ["--open", { opensBrowser: true }],
    ["--no-request-size-limit", { maxBodyBytes: 2 ** 29 - 24 }],
    ["--silent", { quiet: true }],
    ["-q", { quiet: true }],
    ["--quiet", { quiet: true }],
    ["--max-body-bytes 5", { maxBodyBytes: 5 }],
    ["--max-batch-length 5", { maxBatchLength: 5 }],
    ["--max-request-values 9", { maxRequestValues: 9 }],
    ["--max-cache-bytes 2097152", { maxCacheBytes: 2_097_152 }],
    [
      "--allow-origin https://a --allow-origin https://b,https://c",
      { allowedOrigins: ["https://a", "https://b", "https://c"] },
    ],
    ["--allow-host *", { allowedHosts: ["*"] }],
  ])("from %s", (line, expected) => {
    expect(settings(line)).toMatchObject(expected);
  });

  it("take an interval, or a random one between two", () => {
    expect(settings("--block-time 2").mining).toEqual({ intervalMs: 2000 });
    expect(settings("--block-time 3-6.5").mining).toEqual({ intervalMs: [3000, 6500] });
    for (const wrong of ["6-3", "3-", "-3", "1-2-3", "0-1"]) {
      expect(() => settings(`--block-time=${wrong}`)).toThrow("two such as 3-6");
    }
  });

  it("take accounts by private key, each with its balance, and predeploys by name", () => {
    const key = "11".repeat(32);
    const { accounts, predeploy } = settings(`--account ${key}=0.5,0x${key} --predeploy multicall3,permit2`);
    expect(accounts).toEqual([{ privateKey: `0x${key}`, balance: 5n * 10n ** 17n }, { privateKey: `0x${key}` }]);
    expect(predeploy).toEqual(["multicall3", "permit2"]);
    expect(() => settings("--account 0x12")).toThrow("expected private keys");
    expect(() => settings(`--account ${key} --accounts 3`)).toThrow("exclude each other");
    expect(() => settings("--predeploy permit3")).toThrow("one of multicall3, create2, entrypoint, permit2");
  });

  it("take addresses to fund, between commas or spaces, each with its balance", () => {
    const [first, second] = [`0x${"11".repeat(20)}`, `0x${"aB".repeat(20)}`];
    const funded = [{ address: first, balance: 1000n * 10n ** 18n }, { address: second }];
    expect(settings(`--fund-accounts ${first}:1000 ${second} --port 1`).fundedAccounts).toEqual(funded);
    expect(settings(`--fund-accounts ${first}:1000,${second}`).fundedAccounts).toEqual(funded);
    for (const wrong of ["0x12", `${first}:`, `${first}:-1`, `${first}=1`, `${first}:1:2`]) {
      expect(() => settings(`--fund-accounts ${wrong}`)).toThrow("--fund-accounts: expected addresses of 20 bytes");
    }
  });

  it("take a mnemonic of many words", () => {
    const request = parseCommandLine(["-m", "one two three"], "1");
    expect(request).toMatchObject({ kind: "run", values: { mnemonic: "one two three" } });
  });

  it.each(NEEDLESS_FLAGS)("are the same with Anvil's %s, which always holds", (flag) => {
    expect(settings(flag)).toEqual(settings(""));
  });
});

describe("the environment", () => {
  it("has a variable for every flag", () => {
    expect(NAMES.map(variableOf)).toEqual(
      NAMES.map((name) => `HINDCAST_${longFlag(name).slice(2).replaceAll("-", "_").toUpperCase()}`),
    );
  });

  it.each<[Env, Partial<CliSettings>]>([
    [{ HINDCAST_PORT: "1234" }, { port: 1234 }],
    [{ HINDCAST_CHAIN_ID: "0x10" }, { chainId: 16n }],
    [{ HINDCAST_NO_MINING: "1" }, { mining: "manual" }],
    [{ HINDCAST_QUIET: "true" }, { quiet: true }],
    [{ HINDCAST_QUIET: "0" }, { quiet: false }],
    [{ HINDCAST_ALLOW_ORIGIN: "https://a, https://b" }, { allowedOrigins: ["https://a", "https://b"] }],
    [{ HINDCAST_IPC: "/tmp/x.ipc" }, { ipcPath: "/tmp/x.ipc" }],
    [{ HINDCAST_IPC: "yes" }, { ipcPath: join(tmpdir(), "hindcast.ipc") }],
    [{ ANVIL_IP_ADDR: "0.0.0.0" }, { host: "0.0.0.0" }],
    [{ ANVIL_IP_ADDR: "0.0.0.0", HINDCAST_HOST: "::1" }, { host: "::1" }],
    [
      { ANVIL_IP_ADDR: "", HINDCAST_PORT: "" },
      { host: "127.0.0.1", port: 8545 },
    ],
  ])("%j", (env, expected) => {
    expect(settings("", env)).toMatchObject(expected);
  });

  it("is refused with the variable's name", () => {
    expect(refusal("", { HINDCAST_PORT: "high" })).toContain("HINDCAST_PORT: expected a whole number from 0 to 65535");
    expect(refusal("", { HINDCAST_NO_MINING: "maybe" })).toBe('HINDCAST_NO_MINING: expected 1 or 0, got "maybe".');
  });

  it.each([
    ["HINDCAST_DATADIR", "Did you mean HINDCAST_DATA_DIR?"],
    ["HINDCAST_INIT", "Did you mean HINDCAST_GENESIS?"],
    ["HINDCAST_PROT", "Did you mean HINDCAST_PORT?"],
    ["HINDCAST_HARDFROK", "Did you mean HINDCAST_HARDFORK?"],
    ["HINDCAST_COLOUR_MODE", "Variables are HINDCAST_ and a long flag in capitals."],
  ])("is warned of where %s was taken for one", (variable, help) => {
    const env = { [variable]: "1" };
    expect(settings("", env)).toEqual(settings("", {}));
    expect(environmentWarnings(env)).toEqual([`${variable} is not an option and has no effect. ${help}`]);
  });

  it("does not take the address of a service for a port, and says so", () => {
    const env = { HINDCAST_PORT: "tcp://10.96.0.7:8545" };
    expect(settings("", env).port).toBe(8545);
    expect(environmentWarnings(env)).toEqual([
      "HINDCAST_PORT=tcp://10.96.0.7:8545 is the address of a service, not a port, and has no effect.",
    ]);
  });

  it("may have neighbours that are somebody else's", () => {
    const env = {
      HINDCAST_URL: "http://localhost",
      HINDCAST_CONFORMANCE: "/suites",
      // Of Kubernetes, for services named hindcast and hindcast-archive.
      HINDCAST_SERVICE_HOST: "10.0.0.1",
      HINDCAST_SERVICE_PORT: "8545",
      HINDCAST_SERVICE_PORT_RPC: "8545",
      HINDCAST_PORT_8545_TCP: "tcp://10.0.0.1:8545",
      HINDCAST_PORT_8545_TCP_PROTO: "tcp",
      HINDCAST_ARCHIVE_PORT: "tcp://10.0.0.2:8545",
      HINDCAST_ARCHIVE_PORT_8545_UDP_ADDR: "10.0.0.2",
      // Of a link to a container.
      HINDCAST_NAME: "/web/hindcast",
      HINDCAST_ENV_NODE_VERSION: "22",
    };
    expect(settings("", env)).toEqual(settings("", {}));
    expect(environmentWarnings(env)).toEqual([]);
  });
});

it("the type of configuration files has a member for every option but the file itself", () => {
  // Held by the compiler, in npm run check.
  expectTypeOf<keyof HindcastConfig>().toEqualTypeOf<Exclude<Name, "config">>();
});

describe("precedence", () => {
  it("is flags, then environment, then file", () => {
    const file = { port: 1, host: "file", accounts: 3 };
    const env = { HINDCAST_PORT: "2", HINDCAST_HOST: "env" };
    expect(settings("--port 3", env, file)).toMatchObject({ port: 3, host: "env", accounts: 3 });
  });

  it.each<[string, Env, GivenValues, Partial<CliSettings>]>([
    ["--block-time 1", {}, { noMining: true }, { mining: { intervalMs: 1_000 } }],
    ["--no-mining", {}, { blockTime: 5, mixedMining: true }, { mining: "manual" }],
    ["--mixed-mining", { HINDCAST_BLOCK_TIME: "1" }, {}, { mining: { intervalMs: 1_000, automine: true } }],
    ["--gas-limit 5000", {}, { disableBlockGasLimit: true }, { gasLimit: 5000n }],
    ["--no-cors", {}, { allowOrigin: ["*"] }, { allowsLocalOrigins: false, allowedOrigins: [] }],
    ["--json", {}, { quiet: true }, { json: true, quiet: false }],
    ["", { HINDCAST_QUIET: "0" }, { quiet: true }, { quiet: false }],
    ["--genesis g.json", {}, { accounts: 3, hardfork: "london" }, { genesisPath: "g.json", accounts: 3 }],
  ])("lets %j overrule what excludes it: %j, %j", (line, env, file, expected) => {
    expect(settings(line, env, file)).toMatchObject(expected);
  });

  it("keeps nothing of a development chain under a stronger genesis", () => {
    expect(settings("--genesis g.json", {}, { hardfork: "london" })).not.toHaveProperty("hardfork");
  });

  it("leaves contradictions of one source, or of a weaker genesis, to be mended", () => {
    expect(refusal("--hardfork london", {}, { genesis: "g.json" })).toContain("--hardfork cannot be combined");
    expect(refusal("", {}, { quiet: true, json: true })).toContain("--quiet and --json exclude each other.");
  });
});

describe("mnemonics", () => {
  const mnemonic = (line: string): string => withMnemonic(settings(line)).mnemonic ?? DEV_MNEMONIC;

  it("are the development one unless something else is asked for", () => {
    expect(mnemonic("")).toBe(DEV_MNEMONIC);
  });

  it.each([12, 15, 18, 21, 24])("of %i words are new each time", (words) => {
    const [one, other] = [mnemonic(`--mnemonic-random ${words}`), mnemonic(`--mnemonic-random ${words}`)];
    expect(one.split(" ")).toHaveLength(words);
    expect(one).not.toBe(other);
  });

  // Observed: Anvil 1.7.1 prints these.
  it.each([
    ["0", "leisure need topic clown code attend earn lounge baby omit vault crunch"],
    ["0x1", "gesture car maximum regret pudding merry fatal electric sea grab crack social"],
    ["12345", "file crane travel soon mosquito donate exotic rough agent height fix muscle"],
    ["18446744073709551615", "reunion eager public radio victory silver palm elite make sing accuse moon"],
  ])("of the number %s are Anvil's", (seed, words) => {
    expect(mnemonic(`--mnemonic-seed-unsafe ${seed}`)).toBe(words);
  });
});

describe("refusals", () => {
  it.each([
    ["--port abc", '--port: expected a whole number from 0 to 65535, got "abc".'],
    ["--port 65536", "--port: expected"],
    ["--port -1", "--port: expected"],
    ["--accounts 1.5", "--accounts: expected"],
    ["--balance 1.0000000000000000001", "--balance: expected an amount in ETH"],
    ["--balance lots", "--balance: expected an amount in ETH"],
    ["--chain-id 0", "--chain-id: expected a whole number from 1 to 2^256 - 1"],
    ["--chain-id 1e3", "--chain-id: expected"],
    ["--block-time 0", "--block-time: expected a number of seconds above 0"],
    ["--block-time 99999999", "--block-time: expected"],
    ["--hardfork-at amsterdam", "--hardfork-at: expected a hardfork and its beginning, such as amsterdam:1000"],
    ["--hardfork-at byzanz:1", '--hardfork-at: Unknown hardfork "byzanz".'],
    ["--hardfork byzanz", '--hardfork: Unknown hardfork "byzanz".'],
    ["--mnemonic-random 13", "--mnemonic-random: expected one of 12, 15, 18, 21, 24"],
    ["--mnemonic-seed-unsafe 18446744073709551616", "--mnemonic-seed-unsafe: expected a whole number from 0 to 18446"],
    ["--order random", '--order: expected one of fees, fifo, got "random".'],
    ["--color green", "--color: expected one of auto, always, never"],
    ["--code-size-limit 0", "--code-size-limit: expected a whole number from 1"],
    ["--ipc=", "--ipc: expected some text"],
    ["--mixed-mining", "--mixed-mining needs --block-time."],
    ["--state-interval 5", "--state-interval needs --state or --dump-state."],
    ["--shared-lease 2000", "--shared-lease needs --shared."],
    ["--shared postgres://a@b/c --shared-lease 499", "--shared-lease: expected a whole number from 500 to 600000"],
    ["--state a --load-state b", "--state and --load-state exclude each other."],
    ["--mnemonic-random --mnemonic-seed-unsafe 1", "exclude each other."],
    ["--shared postgres://a@b/c --role reader --import a", "--import and --role reader exclude each other."],
    ["--shared postgres://a@b/c --role reader --state a", "--state and --role reader exclude each other."],
    ["--gas-limit 5000 --disable-block-gas-limit", "--gas-limit and --disable-block-gas-limit exclude each other."],
    ["--base-fee 1 --block-base-fee-per-gas 1", "--block-base-fee-per-gas and --base-fee are the same flag."],
    ["--engine revm", "--engine: expected one of wasm, ethereumjs"],
    ["--trace-client geth", "--trace-client: expected one of hindcast, openethereum, reth, erigon"],
    ["--dialect truffle", "--dialect: expected one of hindcast, anvil, hardhat, ganache"],
    ["--prot 1", "unknown option '--prot' (Did you mean --port?). Run hindcast --help"],
    ["--port", "option '-p, --port <number>' argument missing."],
    ["extra", '"extra" is neither a command nor the value of the flag before it. Run hindcast --help'],
    ["chekc", "Did you mean hindcast check?"],
    ["cahce", "Did you mean hindcast cache?"],
    ["--quiet check", "A command is the first argument: hindcast check."],
    ["--block-time 1 --no-mining", "--block-time and --no-mining exclude each other."],
    ["--automine --no-mining", "--automine and --no-mining exclude each other."],
    ["--genesis a --init b", "--genesis and --init are the same flag."],
    ["--genesis a --chain-id 5", "--chain-id cannot be combined with --genesis"],
    ["--init a --hardfork london", "--hardfork cannot be combined with --genesis"],
  ])("of %s say what is wrong, in one line", (line, text) => {
    const message = refusal(line);
    expect(message).toContain(text);
    expect(message).not.toContain("\n");
  });
});

describe("flags of other nodes", () => {
  const ignored = IGNORED_FLAGS.flatMap(({ flags, reason }) => flags.map((flag) => [flag, reason] as const));

  it.each(ignored)("%s changes nothing that a client could see: it is warned of", (spelling, reason) => {
    for (const flag of spelling.replace(" [value]", "").split(", ")) {
      const line = parse(`${flag} 4`);
      expect(line).toMatchObject({ kind: "run", values: {} });
      expect(line.kind === "run" ? line.warnings : []).toEqual([expect.stringContaining(`: ${reason}`)]);
    }
  });

  it.each([
    ["node", "node belongs to another node; write hindcast without a command."],
    ["-d", "-d belongs to another node; write nothing: the accounts are the same at each start."],
    ["--wallet.totalAccounts 5", "--wallet.totalAccounts belongs to another node; write --accounts."],
    ["--chain.chainId=5", "--chain.chainId=5 belongs to another node; write --chain-id."],
  ])("Hardhat's and Ganache's %s is answered with what to write", (line, words) => {
    expect(refusal(line)).toContain(words);
  });

  const spellings = REFUSED_FLAGS.flatMap(({ flags, reason }) => flags.map((flag) => [flag, reason] as const));

  it.each(spellings)("%s is refused with the reason", (spelling, reason) => {
    for (const flag of spelling.replace(" [value]", "").split(", ")) {
      expect(refusal(spelling.includes("[") ? `${flag} 1` : flag)).toMatch(/^--?[\w-]+: /);
      expect(refusal(flag)).toContain(reason);
    }
  });

  it("that say something of a fork need one", () => {
    expect(refusal("--fork-block-number 12")).toContain("--fork-block-number needs --fork-url");
    expect(refusal("-f http://a --import chain.rlp")).toContain("exclude each other");
    expect(refusal("-f http://a --fork-block-hash 0x12")).toContain("a hash");
    expect(refusal("-f http://a --fork-header secret")).toContain("a header");
  });

  it("set the pace of a fork's requests; --no-rate-limit is how it is anyway", () => {
    const { fork } = settings("-f http://a --compute-units-per-second 330 --no-rate-limit");
    expect(fork).toMatchObject({ computeUnitsPerSecond: 330 });
    expect(settings("-f http://a --cups 100").fork).toMatchObject({ computeUnitsPerSecond: 100 });
    expect(settings("-f http://a").fork).not.toHaveProperty("computeUnitsPerSecond");
    expect(refusal("-f http://a --compute-units-per-second 0")).toContain("compute-units-per-second");
  });

  it("ask for forks as Anvil's do", () => {
    expect(settings("-f http://a -f ws://b --fork-block-number -5 --retries 2 --timeout 900").fork).toEqual({
      urls: ["http://a", "ws://b"],
      blockNumber: -5n,
      retries: 2,
      timeoutMs: 900,
      cache: true,
    });
    expect(
      settings("-f http://a --fork-header X-Key:s --cache-path here --genesis g.json --hardfork prague"),
    ).toMatchObject({
      fork: { urls: ["http://a"], headers: { "X-Key": "s" }, cache: { folder: "here" } },
      genesisPath: "g.json",
      hardfork: "prague",
    });
    const at = settings("-f https://key@a.example/v3@1400000 -f http://b").fork;
    expect(at).toMatchObject({ urls: ["https://key@a.example/v3", "http://b"], blockNumber: 1_400_000n });
    expect(settings("-f http://a:8545@5 --fork-block-number 7").fork).toMatchObject({ blockNumber: 7n });
    const hash = `0x${"12".repeat(32)}`;
    expect(settings(`-f http://a:8545@5 --fork-block-hash ${hash}`).fork).toMatchObject({ urls: ["http://a:8545"] });
    expect(settings(`-f http://a:8545@5 --fork-block-hash ${hash}`).fork).not.toHaveProperty("blockNumber");
  });
});

describe("--help", () => {
  const help = printed("--help");

  it("groups the flags", () => {
    expect(help.match(/^\S.*:$/gm)).toEqual([
      "Commands, the first argument; hindcast help <command> says more, hindcast help limits what no flag limits:",
      "Options:",
      "Server:",
      "Development chain:",
      "Fork:",
      "Shared chain:",
      "Mining:",
      "Limits:",
      "Files:",
      "Output and configuration:",
    ]);
  });

  it("is short", () => {
    expect(help.split("\n").length).toBeLessThan(169);
    for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  it("names every flag, other names included", () => {
    for (const name of NAMES) {
      expect(help).toContain(FLAGS[name].flags);
      for (const alias of FLAGS[name].aliases ?? []) expect(help).toContain(alias);
    }
    for (const flag of NEEDLESS_FLAGS) expect(help).toContain(flag);
  });

  it("names a default for every flag that has one", () => {
    const flags = help.split(/\n {2}(?=-)/).slice(1);
    const without = flags.filter((text) => !text.includes("(default")).map((text) => text.split(/\s{2,}/)[0]);
    expect(without).toEqual([
      "-V, --version",
      "-h, --help",
      "--share-token <token>",
      "--import <file>",
      "--export <file>",
      "--load-state <file>",
      "--dump-state <file>",
      "--state <file>",
      "--config-out <file>",
    ]);
  });

  it("says what else sets an option, and the exit codes", () => {
    expect(help).toContain("HINDCAST_PORT=8546");
    expect(help).toContain("Exit codes: 0 ended as asked, 1 something failed, 2 wrong flags or configuration");
  });
});

it("--version prints the version alone", () => {
  expect(printed("--version")).toBe("1.2.3\n");
  expect(printed("-V")).toBe("1.2.3\n");
});
