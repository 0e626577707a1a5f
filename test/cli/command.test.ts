import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/options/commands.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { aFolder } from "../support/a-folder.ts";
import { aNode } from "../support/a-node.ts";
import { anUpstream, UpstreamFailure } from "../support/an-upstream.ts";
import { aNodeRun, aRun } from "./a-run.ts";

const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BOB = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const ETHER = 10n ** 18n;
const transfer = (wei = 1n) => ({ from: ALICE, to: BOB, value: `0x${wei.toString(16)}` });

describe("a started node", () => {
  it("prints nothing with --silent", async () => {
    // Written once the node listens: a port would have to be known beforehand, and somebody else might take it.
    const path = join(await aFolder(), "accounts.json");
    const node = aRun(["--silent", "--port", "0", "--config-out", path]);
    await expect.poll(() => existsSync(path), { interval: 2 }).toBe(true);
    expect(await node.stop()).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("takes the chain's settings from flags", async () => {
    const flags =
      "--accounts 2 --balance 5 --chain-id 77 --hardfork london --gas-limit 12345678 --timestamp 1700000000";
    const node = await aNodeRun(flags.split(" "));
    expect(await node.ask("eth_accounts")).toEqual([ALICE, BOB]);
    expect(await node.ask("eth_getBalance", ALICE, "latest")).toBe(`0x${(5n * ETHER).toString(16)}`);
    expect(await node.ask("eth_chainId")).toBe("0x4d");
    const genesis = await node.ask("eth_getBlockByNumber", "0x0", false);
    expect(genesis).toMatchObject({ gasLimit: "0xbc614e", timestamp: "0x6553f100" });
    expect(genesis).not.toHaveProperty("withdrawals");
  });

  it("has written the line of its first request when it ends", async () => {
    const node = await aNodeRun();
    await node.ask("eth_chainId");
    const { stdout } = await node.stop();
    expect(stdout).toContain("eth_chainId");
  });

  it("mines when told to with --no-mining, at intervals with --block-time", async () => {
    const manual = await aNodeRun(["--no-mining"]);
    await manual.ask("eth_sendTransaction", transfer());
    expect(await manual.ask("eth_blockNumber")).toBe("0x0");
    await manual.ask("evm_mine");
    expect(await manual.ask("eth_blockNumber")).toBe("0x1");

    const interval = await aNodeRun(["--block-time", "0.02"]);
    await expect
      .poll(async () => Number(await interval.ask("eth_blockNumber")), { interval: 10 })
      .toBeGreaterThanOrEqual(2);
  });

  it("binds, lets in and refuses what flags and environment say", async () => {
    const flags = "--allow-origin https://app.example --max-body-bytes 200 --max-batch-length 2";
    const node = await aNodeRun(flags.split(" "), { env: { ANVIL_IP_ADDR: "0.0.0.0" } });
    expect(node.stdout()).toContain(`Listening on 0.0.0.0:${node.port}`);
    expect((await post(node.url, "{}", { origin: "https://app.example" })).status).toBe(200);
    expect((await post(node.url, "{}", { origin: "https://evil.example" })).status).toBe(403);
    const large = await post(node.url, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(300) }));
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ id: null, error: { code: -32600 } });
    const long = await post(node.url, "[1,2,3]");
    expect(long.status).toBe(200);
    expect(await long.json()).toMatchObject({ error: { code: -32600 } });
  });
});

describe("files", () => {
  it("a chain that was exported is imported, plain or gzipped, with the same head", async () => {
    const folder = await aFolder();
    const [genesisPath, chainPath, zippedPath] = ["genesis.json", "chain.rlp", "chain.rlp.gz"].map((name) =>
      join(folder, name),
    );
    const genesis = {
      config: { chainId: 1234, homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0, byzantiumBlock: 0 },
      difficulty: "0x20000",
      gasLimit: "0x1c9c380",
      alloc: { [ALICE]: { balance: "0xde0b6b3a7640000" } },
    };
    await writeFile(genesisPath as string, JSON.stringify(genesis));
    const miner = await aNodeRun(["--genesis", genesisPath as string, "--automine", "--export", chainPath as string]);
    await miner.ask("eth_sendTransaction", { ...transfer(5n), gasPrice: "0x1", gas: "0x5208" });
    await miner.ask("evm_mine");
    const head = await miner.ask("eth_getBlockByNumber", "latest", true);
    expect(head).toMatchObject({ number: "0x2" });
    expect(await miner.stop()).toMatchObject({ code: 0, stderr: "" });

    await writeFile(zippedPath as string, gzipSync(await readFile(chainPath as string)));
    for (const path of [chainPath, zippedPath]) {
      const importer = await aNodeRun(["--init", genesisPath as string, "--import", path as string]);
      expect(await importer.ask("eth_getBlockByNumber", "latest", true)).toEqual(head);
      expect(await importer.ask("eth_getBalance", BOB, "latest")).toBe("0x5");
      expect(importer.stdout()).toMatch(/Head Number\n=+\n2\n/);
    }
  });

  it("a data folder keeps the chain between runs, and refuses a second process and another chain", async () => {
    const folder = join(await aFolder(), "chain");
    const first = await aNodeRun(["--data-dir", folder]);
    expect(first.stdout()).toContain("Not stored there: pending transactions, snapshots, filters, impersonation.");
    await first.ask("eth_sendTransaction", transfer());
    const head = await first.ask("eth_getBlockByNumber", "latest", true);
    const second = await refusal(["--port", "0", "--data-dir", folder]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(folder);
    expect(await first.stop()).toMatchObject({ code: 0, stderr: "" });

    const other = await refusal(["--port", "0", "--data-dir", folder, "--chain-id", "5"]);
    expect(other.code).toBe(1);
    expect(other.stderr).toContain(folder);
    const again = await aNodeRun(["--data-dir", folder]);
    expect(await again.ask("eth_getBlockByNumber", "latest", true)).toEqual(head);
  });

  it("a node with a genesis does not mine by itself", async () => {
    const path = join(await aFolder(), "genesis.json");
    const alloc = { [ALICE]: { balance: "0xde0b6b3a7640000" } };
    await writeFile(path, JSON.stringify({ config: { chainId: 5 }, difficulty: "0x20000", alloc }));
    const node = await aNodeRun(["--genesis", path, "--accounts", "1"]);
    expect(await node.ask("eth_chainId")).toBe("0x5");
    const hash = await node.ask("eth_sendTransaction", transfer());
    expect(await node.ask("eth_blockNumber")).toBe("0x0");
    expect(await node.ask("txpool_status")).toEqual({ pending: "0x1", queued: "0x0" });
    await node.ask("evm_mine");
    expect(await node.ask("eth_getTransactionByHash", hash)).toMatchObject({ blockNumber: "0x1" });
  });
});

describe("what goes wrong is one clear line on standard error", () => {
  it.each([
    [["--prot", "1"], "unknown option '--prot' (Did you mean --port?)"],
    [["--port", "high"], '--port: expected a whole number from 0 to 65535, got "high".'],
    [["--no-mining", "--block-time", "1"], "exclude each other"],
    [["--mnemonic", "one two three"], "The mnemonic is not valid"],
    [["node"], '"node" is neither a command'],
  ])("%j, with exit code 2", async (flags, text) => {
    const { code, stderr } = await refusal(flags);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });

  it("a busy port, with exit code 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await refusal(["--port", String(port)]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}: the port is in use.`);
  });

  it("files that cannot be read or understood, with exit code 1", async () => {
    const folder = await aFolder();
    const write = async (name: string, content: string | Uint8Array) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const cases: [readonly string[], RegExp][] = [
      [["--genesis", join(folder, "none.json")], /--genesis: cannot read .*none\.json: there is no such file/],
      [["--genesis", folder], /it is a folder/],
      [["--genesis", await write("text.json", "not json")], /text\.json.*JSON/],
      [["--genesis", await write("odd.json", '{"config":{"chainId":1},"alloc":{"0x1":{"balance":"zwölf"}}}')], /alloc/],
      [["--import", join(folder, "none.rlp")], /--import: cannot read .*none\.rlp/],
      [["--import", await write("noise.rlp", Uint8Array.of(0x99, 1, 2, 3))], /noise\.rlp|RLP/],
      [["--export", join(folder, "no", "such", "chain.rlp")], /--export: cannot write/],
    ];
    for (const [flags, text] of cases) {
      const { code, stderr } = await refusal(["--port", "0", ...flags]);
      expect(stderr).toMatch(text);
      expect(code).toBe(1);
    }
  });
});

it("--help and --version print and end with exit code 0", async () => {
  const help = await aRun(["--help"]).finished;
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("--hardfork <name>");
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(await aRun(["--version"]).finished).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

/** Runs a command that has to fail: nothing on standard output, one line on standard error. */
async function refusal(flags: readonly string[]): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const { code, stdout, stderr } = await aRun(flags).finished;
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^hindcast: [^\n]+\n$/);
  return { code, stderr };
}

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
}

/** A chain whose node tells nothing of its hardforks. */
async function anUpstreamWithoutSchedule(): Promise<{ readonly chain: HindcastNode; readonly url: string }> {
  const chain = await aNode({ chainId: 4_242, hardfork: "prague" });
  const { url } = await anUpstream(chain.provider as never, {
    answer: ({ method }, given) => {
      if (method === "debug_chainConfig" || method === "eth_config")
        throw new UpstreamFailure(-32601, "no such method");
      return given();
    },
  });
  return { chain, url };
}

it("a fork of a chain whose hardforks nobody tells is started with a warning", async () => {
  const upstream = await anUpstreamWithoutSchedule();
  const node = await aNodeRun(["--fork-url", upstream.url, "--no-storage-caching"]);
  expect(node.stdout()).toContain("Hardforks by:      assumption");
  expect(node.stdout()).toContain("fork: The hardforks of chain 4242 are not known: ");
  expect(node.stdout()).toContain("osaka is assumed");
});

it("a fork that a reset begins has its warning too, once", async () => {
  const upstream = await anUpstreamWithoutSchedule();
  const node = await aNodeRun();
  const forking = { jsonRpcUrl: upstream.url };
  expect(node.stdout()).not.toContain("4242");
  await node.ask("anvil_reset", { forking });
  await node.ask("hardhat_reset", { forking });
  await node.ask("eth_blockNumber");
  expect(node.stdout().split("The hardforks of chain 4242 are not known: ")).toHaveLength(2);
  await node.ask("anvil_reset");
  await node.ask("anvil_reset", { forking });
  expect(node.stdout().split("The hardforks of chain 4242 are not known: ")).toHaveLength(3);
});

it("--json names the fork in the line of the start, without the secrets of its URL", async () => {
  const { chain, url } = await anUpstreamWithoutSchedule();
  const node = await aNodeRun(["--json", "--fork-url", `${url}?key=secret`, "--no-storage-caching"]);
  const lines = node.stdout().trim().split("\n");
  const start = lines.map((line) => JSON.parse(line)).find(({ event }) => event === "start");
  expect(start.fork).toEqual({
    label: new URL(url).origin,
    chainId: "4242",
    blockNumber: "0",
    blockHash: encodeData(chain.head.hash),
    scheduleSource: "assumption",
  });
  expect(node.stdout()).not.toContain("secret");
});

describe("an import", () => {
  it("of a file without blocks is done, with a warning", async () => {
    const path = join(await aFolder(), "blocks");
    await writeFile(path, "");
    const node = await aNodeRun(["--import", path]);
    expect(await node.ask("eth_blockNumber")).toBe("0x0");
    expect(await node.stop()).toMatchObject({
      code: 0,
      stderr: `hindcast: warning: --import ${path}: the file has no blocks.\n`,
    });
  });

  it("that Ctrl-C ends says so, and the exit code is 1", async () => {
    const source = await aNode({ timestamp: 1_700_000_000 });
    await source.mine({ blocks: 3 });
    const folder = await aFolder();
    const path = join(folder, "blocks");
    await writeFile(path, Buffer.concat([...source.exportChain()]));
    const run = aRun([
      "--import",
      path,
      "--timestamp",
      "1700000000",
      "--data-dir",
      join(folder, "chain"),
      "--port",
      "0",
    ]);
    const { code, stderr } = await run.stop();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `hindcast: --import ${path}: the import was stopped. No block was imported. ` +
        "The data folder has the blocks so far; the same command imports the rest.\n",
    );
  });
});

describe("help", () => {
  it("is a command too, and lists the commands first", async () => {
    const [command, flag] = [await aRun(["help"]).finished, await aRun(["--help"]).finished];
    expect(command).toEqual(flag);
    expect(command.code).toBe(0);
    for (const name of COMMAND_NAMES) expect(command.stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
    expect(command.stdout.indexOf("Commands")).toBeLessThan(command.stdout.indexOf("Options"));
  });

  it.each(COMMAND_NAMES)("of %s is that of the command", async (name) => {
    const help = await aRun(["help", name]).finished;
    expect(help).toEqual(await aRun([name, "--help"]).finished);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain(`Usage: hindcast ${name}`);
  });

  it("of limits lists those that no flag sets, as hindcast_nodeInfo answers them", async () => {
    const { code, stdout } = await aRun(["help", "limits"]).finished;
    expect(code).toBe(0);
    const node = await aNode();
    const { fixedLimits } = await node.provider.request({ method: "hindcast_nodeInfo" });
    const listed = [...stdout.matchAll(/^ {2}(\S.*?) +([\d,]+)$/gm)];
    expect(
      Object.fromEntries(listed.map(([, name = "", value = ""]) => [name, Number(value.replaceAll(",", ""))])),
    ).toEqual(fixedLimits);
  });

  it("of a mistyped command names the nearest", async () => {
    const { code, stderr } = await aRun(["help", "chekc"]).finished;
    expect([code, stderr]).toEqual([
      2,
      'hindcast: "chekc" is neither a command nor the value of the flag before it. Did you mean hindcast check?\n',
    ]);
  });
});
