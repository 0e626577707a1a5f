import { describe, expect, it } from "vitest";
import { type CliSettings, parseArguments } from "../../src/cli/options.ts";
import { InvalidParamsError } from "../../src/errors/hindcast-error.ts";

const parse = (line: string, env: Record<string, string> = {}) =>
  parseArguments(
    line.split(" ").filter((word) => word !== ""),
    env,
    "1.2.3",
  );

function settings(line: string, env: Record<string, string> = {}): CliSettings {
  const request = parse(line, env);
  if (request.kind !== "run") throw new Error("nothing to run");
  return request.settings;
}

function refusal(line: string): string {
  try {
    parse(line);
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
      allowedHosts: [],
      quiet: false,
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
    ["-b 0.5", { mining: { intervalMs: 500 } }],
    ["--block-time 12", { mining: { intervalMs: 12_000 } }],
    ["--no-mining", { mining: "manual" }],
    ["--automine", { mining: "auto" }],
    ["--gas-limit 1000000", { gasLimit: 1_000_000n }],
    ["--gas-price 0", { gasPrice: 0n }],
    ["--block-base-fee-per-gas 7", { baseFeePerGas: 7n }],
    ["--timestamp 1700000000", { timestamp: 1_700_000_000n }],
    ["--slots-in-an-epoch 1", { slotsInAnEpoch: 1 }],
    ["--trace-client reth", { traceClient: "reth" }],
    ["--disable-default-create2-deployer", { create2Deployer: false }],
    ["--genesis g.json", { genesisPath: "g.json" }],
    ["--init g.json", { genesisPath: "g.json" }],
    ["--import chain.rlp", { importPath: "chain.rlp" }],
    ["--export out.rlp", { exportPath: "out.rlp" }],
    ["--data-dir d", { dataDir: "d" }],
    ["--silent", { quiet: true }],
    ["-q", { quiet: true }],
    ["--quiet", { quiet: true }],
    ["--max-body-bytes 5", { maxBodyBytes: 5 }],
    ["--max-batch-length 5", { maxBatchLength: 5 }],
    [
      "--allow-origin https://a --allow-origin https://b,https://c",
      { allowedOrigins: ["https://a", "https://b", "https://c"] },
    ],
    ["--allow-host *", { allowedHosts: ["*"] }],
  ])("from %s", (line, expected) => {
    expect(settings(line)).toMatchObject(expected);
  });

  it("take a mnemonic of many words", () => {
    const request = parseArguments(["-m", "one two three"], {}, "1");
    expect(request).toMatchObject({ kind: "run", settings: { mnemonic: "one two three" } });
  });

  it("take the host from ANVIL_IP_ADDR unless --host is given", () => {
    expect(settings("", { ANVIL_IP_ADDR: "0.0.0.0" }).host).toBe("0.0.0.0");
    expect(settings("", { ANVIL_IP_ADDR: "" }).host).toBe("127.0.0.1");
    expect(settings("--host ::1", { ANVIL_IP_ADDR: "0.0.0.0" }).host).toBe("::1");
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
    ["--chain-id 0", "--chain-id: expected a whole number of at least 1"],
    ["--chain-id 1e3", "--chain-id: expected"],
    ["--block-time 0", "--block-time: expected a number of seconds above 0"],
    ["--block-time 99999999", "--block-time: expected"],
    ["--hardfork byzanz", 'Unknown hardfork "byzanz".'],
    ["--trace-client geth", "--trace-client: expected one of hindcast, openethereum, reth, erigon"],
    ["--prot 1", "unknown option '--prot' (Did you mean --port?) Run hindcast --help"],
    ["--port", "option '-p, --port <number>' argument missing."],
    ["extra", "too many arguments"],
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

describe("--help", () => {
  const help = printed("--help");

  it("groups the flags", () => {
    expect(help.match(/^\S.*:$/gm)).toEqual(["Options:", "Server:", "Development chain:", "Mining:", "Files:"]);
  });

  it("fits on a screen", () => {
    expect(help.split("\n").length).toBeLessThan(60);
    for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });

  it("names a default for every flag that has one", () => {
    const flags = help.split(/\n {2}(?=-)/).slice(1);
    const without = flags.filter((text) => !text.includes("(default")).map((text) => text.split(/\s{2,}/)[0]);
    expect(without).toEqual([
      "-V, --version",
      "-h, --help",
      "--silent",
      "--init <file>",
      "--import <file>",
      "--export <file>",
    ]);
  });
});

it("--version prints the version alone", () => {
  expect(printed("--version")).toBe("1.2.3\n");
  expect(printed("-V")).toBe("1.2.3\n");
});
