import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ask } from "../../e2e/a-command.ts";
import { aFolder } from "../../support/a-folder.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { aNodeRun, aRun } from "../a-run.ts";

const ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const transfer = { from: ALICE, to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", value: "0x1" };

it("--json prints an object per line: the start, each request, each block", async () => {
  const node = await aNodeRun(["--json", "--accounts", "1", "--chain-id", "77", "--base-fee", "7"]);
  const hash = await node.ask("eth_sendTransaction", transfer);
  await expect(node.ask("no_such")).rejects.toThrow("-32601");
  const { stdout } = await node.stop();
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const [start, ...others] = lines;
  expect(start).toMatchObject({
    level: 30,
    event: "start",
    url: `http://127.0.0.1:${node.port}`,
    accounts: [{ address: ALICE, balance: "10000000000000000000000" }],
    mnemonic: "test test test test test test test test test test test junk",
    chainId: "77",
    hardfork: "osaka",
    engine: "wasm",
    baseFeePerGas: "7",
  });
  expect(others).toHaveLength(4);
  expect(others).toMatchObject([
    { event: "block", number: "1", gasUsed: "21000", transactions: [hash] },
    { event: "transaction", hash, block: "1", from: ALICE, fromName: "account 0", gasUsed: "21000" },
    { event: "request", method: "eth_sendTransaction" },
    { level: 40, event: "request", method: "no_such", code: -32601 },
  ]);
});

describe("the log", () => {
  it("has a line for each transaction that is mined, and for blocks that nobody sent one for", async () => {
    const node = await aNodeRun(["--color", "never"]);
    await node.ask("eth_sendTransaction", transfer);
    await node.ask("eth_sendTransaction", { from: ALICE, data: "0x60006000f3", gas: "0x186a0" });
    await node.ask("eth_sendTransaction", { from: ALICE, data: "0x60006000fd", gas: "0x186a0" });
    await node.ask("hardhat_mine", "0x3e8");
    await node.ask("anvil_rollback", 1);
    const { stdout } = await node.stop();
    const lines = stdout.slice(stdout.indexOf("Listening")).split("\n").slice(1, -1);
    const told = lines.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3} /, ""));
    expect(told.filter((line) => /^mined|^block/.test(line)).map((line) => line.replace(/0x\w{8}…/, "0x…"))).toEqual([
      "mined 0x… in block 1: account 0 → account 1, 21000 gas",
      "mined 0x… in block 2: account 0 created a contract at 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512, 53064 gas",
      "mined 0x… in block 3: account 0 → a new contract, 53064 gas, FAILED: reverted without a reason",
      "blocks 4 to 1003: empty",
      "block 1003 left the chain",
    ]);
  });

  it("has a line for each block of an interval", async () => {
    const node = await aNodeRun(["--block-time", "0.02"]);
    await expect.poll(node.stdout, { interval: 5 }).toMatch(/ block 1 0x\w{8}…: empty\n(.*\n)*.* block 2 0x/);
  });

  it("tells of clients that are not let in, each once, and of what is no request", async () => {
    const node = await aNodeRun(["--color", "never"]);
    const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(node.url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
    for (let count = 0; count < 2; count++) {
      expect((await post("{}", { origin: "https://app.example" })).status).toBe(403);
    }
    await post("{ this is not JSON");
    await post('{"jsonrpc":"2.0"}');
    await expect.poll(node.stdout, { interval: 5 }).toContain("The member method must be a string");
    const lines = node.stdout().split("\n");
    const refusal = "Origin https://app.example is not allowed; start with --allow-origin to allow it.";
    expect(lines.filter((line) => line.endsWith(refusal))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(" request -32700 The request body is not JSON."))).toHaveLength(1);
  });
});

it("--color decides whether the log has colours", async () => {
  const colored = await aNodeRun(["--color", "always"]);
  await colored.ask("eth_chainId");
  await expect.poll(() => colored.stdout(), { interval: 5 }).toContain("eth_chainId");
  expect(colored.stdout()).toContain("\u001b[2m");
  const plain = await aNodeRun(["--color", "never"]);
  await plain.ask("eth_chainId");
  await expect.poll(() => plain.stdout(), { interval: 5 }).toContain("eth_chainId");
  expect(plain.stdout()).not.toContain("\u001b");
});

it("--config-out writes what Anvil's users read", async () => {
  const path = join(await aFolder(), "out.json");
  await aNodeRun(["--config-out", path, "--accounts", "1", "--timestamp", "1700000000"]);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    available_accounts: [ALICE],
    private_keys: ["0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"],
    wallet: {
      derivation_path: "m/44'/60'/0'/0/",
      mnemonic: "test test test test test test test test test test test junk",
    },
    base_fee: "1000000000",
    gas_price: "1875000000",
    gas_limit: "30000000",
    genesis_timestamp: "1700000000",
  });
});

describe("state files", () => {
  it("--state writes on exit and loads at the next start", async () => {
    const path = join(await aFolder(), "state");
    const first = await aNodeRun(["--state", path]);
    await first.ask("eth_sendTransaction", transfer);
    const head = await first.ask("eth_getBlockByNumber", "latest", true);
    expect(existsSync(path)).toBe(false);
    expect(await first.stop()).toMatchObject({ code: 0, stderr: "" });
    const second = await aNodeRun(["--state", path]);
    expect(await second.ask("eth_getBlockByNumber", "latest", true)).toEqual(head);
    const third = await aNodeRun(["--load-state", path]);
    expect(await third.ask("eth_getBlockByNumber", "latest", true)).toEqual(head);
  });

  it("of a chain with --hardfork-at, which counts from the first block in the file", async () => {
    const path = join(await aFolder(), "state");
    const flags = ["--hardfork-at", "amsterdam:1000", "--state", path];
    const first = await aNodeRun([...flags, "--timestamp", "1700000000"]);
    await first.ask("evm_increaseTime", 2_000);
    await first.ask("evm_mine");
    const list = await first.ask("debug_getRawBlockAccessList", "0x1");
    expect(await first.stop()).toMatchObject({ code: 0, stderr: "" });
    const second = await aNodeRun(flags);
    expect(await second.ask("debug_getRawBlockAccessList", "0x1")).toBe(list);
    await expect(second.ask("debug_getRawBlockAccessList", "0x0")).rejects.toThrow("Resource not found");
    expect(await second.stop()).toMatchObject({ code: 0, stderr: "" });
    const other = await aRun(["--port", "0", ...flags, "--timestamp", "1700000001"]).finished;
    expect(other.stderr).toContain("give its timestamp too: 1700000000.");
    await writeFile(path, "{");
    expect((await aRun(["--port", "0", ...flags]).finished).stderr).toContain("The state file cannot be loaded.");
  });

  it("lie in a folder under Anvil's name, if it is a folder that is given", async () => {
    const folder = await aFolder();
    const first = await aNodeRun(["--state", folder]);
    await first.ask("evm_mine");
    expect(await first.stop()).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(folder, "state.json"))).toBe(true);
    const second = await aNodeRun(["--load-state", folder]);
    expect(await second.ask("eth_blockNumber")).toBe("0x1");
  });

  it.each(["--dump-state", "--state"])("that could not be written are a failure at the start: %s", async (flag) => {
    const folder = await aFolder();
    await writeFile(join(folder, "file"), "");
    for (const path of [join(folder, "no", "such", "state"), join(folder, "file", "state")]) {
      const { code, stdout, stderr } = await aRun(["--port", "0", flag, path]).finished;
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(new RegExp(`^hindcast: ${flag}: cannot write [^\\n]+\\n$`));
    }
  });

  it("that can no longer be written are a failure at the end", async () => {
    const folder = join(await aFolder(), "one");
    await mkdir(folder);
    const node = await aNodeRun(["--dump-state", join(folder, "state")]);
    await rename(folder, `${folder} and another`);
    const { code, stderr } = await node.stop();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^hindcast: --dump-state: cannot write [^\n]+\n$/);
  });

  it("--state-interval writes while the node runs", async () => {
    const path = join(await aFolder(), "state");
    const node = await aNodeRun(["--dump-state", path, "--state-interval", "0.01"]);
    await expect.poll(() => existsSync(path), { interval: 5 }).toBe(true);
    expect(gunzipSync(await readFile(path)).length).toBeGreaterThan(0);
    expect(await node.stop()).toMatchObject({ code: 0, stderr: "" });
  });

  it("that are missing or broken are refused, with exit code 1", async () => {
    const folder = await aFolder();
    const broken = join(folder, "broken");
    await writeFile(broken, "noise");
    const missing = await aRun(["--port", "0", "--load-state", join(folder, "none")]).finished;
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toMatch(/^hindcast: --load-state: cannot read [^\n]+\n$/);
    expect(await aRun(["--port", "0", "--state", broken]).finished).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("the configuration file of the working folder", () => {
  it("sets what neither flags nor environment do", async () => {
    const cwd = await aFolder();
    await writeFile(join(cwd, "hindcast.config.json"), '{ "chainId": 5, "accounts": 2, "noMining": true }');
    const node = await aNodeRun(["--chain-id", "6"], { cwd, env: { HINDCAST_ACCOUNTS: "3" } });
    expect(await node.ask("eth_chainId")).toBe("0x6");
    expect(await node.ask("eth_accounts")).toHaveLength(3);
    await node.ask("eth_sendTransaction", transfer);
    expect(await node.ask("eth_blockNumber")).toBe("0x0");
  });

  slowIt("may have another name and place, by flag or environment", async () => {
    const cwd = await aFolder();
    await writeFile(join(cwd, "other.ts"), "export default { chainId: 5 as number };");
    const byFlag = await aNodeRun(["--config", "other.ts"], { cwd });
    expect(await byFlag.ask("eth_chainId")).toBe("0x5");
    const byVariable = await aNodeRun([], { env: { HINDCAST_CONFIG: join(cwd, "other.ts") } });
    expect(await byVariable.ask("eth_chainId")).toBe("0x5");
  });

  it("that is wrong is one line on standard error, with exit code 2", async () => {
    const cwd = await aFolder();
    await writeFile(join(cwd, "hindcast.config.json"), '{ "prot": 5 }');
    const { code, stdout, stderr } = await aRun([], { cwd }).finished;
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^hindcast: [^\n]+hindcast\.config\.json: prot is not an option\.[^\n]+\n$/);
  });
});

describe("doors", () => {
  it("--ipc serves a socket file, says so, and removes it", async () => {
    const path = join(await aFolder(), "n.ipc");
    const node = await aNodeRun(["--ipc", path]);
    expect(node.stdout()).toContain(`IPC path: ${path}\nListening on 127.0.0.1:`);
    expect(existsSync(path)).toBe(true);
    await node.stop();
    expect(existsSync(path)).toBe(false);
  });

  it("--no-cors lets no page in, not even one on localhost", async () => {
    const send = (url: string) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", origin: "http://localhost:3000" },
        body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
      });
    const open = await aNodeRun();
    expect((await send(open.url)).status).toBe(200);
    const closed = await aNodeRun(["--no-cors"]);
    expect((await send(closed.url)).status).toBe(403);
    expect(await ask(closed.url, "eth_chainId", [])).toBe("0x7a69");
  });

  slowIt("--no-request-size-limit takes what is larger than ten megabytes", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"${" ".repeat(11 * 1024 * 1024)}}`;
    const send = (url: string) => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect((await send((await aNodeRun()).url)).status).toBe(413);
    expect((await send((await aNodeRun(["--no-request-size-limit"])).url)).status).toBe(200);
  });
});

describe("flags of the chain", () => {
  it("--disable-block-gas-limit gives blocks the largest limit there is, and they are mined on", async () => {
    const node = await aNodeRun(["--disable-block-gas-limit"]);
    await node.ask("anvil_mine", "0x3");
    const block = await node.ask("eth_getBlockByNumber", "latest", false);
    expect(block).toMatchObject({ number: "0x3", gasLimit: "0x7fffffffffffffff" });
  });

  it("--auto-impersonate, --order, --code-size-limit and --disable-min-priority-fee reach the node", async () => {
    const flags =
      "--auto-impersonate --order fifo --code-size-limit 30000 --disable-min-priority-fee --hardfork cancun";
    const node = await aNodeRun(flags.split(" "));
    const stranger = `0x${"ab".repeat(20)}`;
    await node.ask("anvil_setBalance", stranger, "0xde0b6b3a7640000");
    // PUSH2 30000 PUSH1 0 RETURN
    const hash = await node.ask("eth_sendTransaction", { from: stranger, data: "0x6175306000f3", gas: "0x989680" });
    expect(await node.ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
    expect(await node.ask("eth_maxPriorityFeePerGas")).toBe("0x0");
  });

  it("--mnemonic-random funds other accounts each time and prints their words", async () => {
    const node = await aNodeRun(["--mnemonic-random", "15", "--accounts", "1"]);
    expect(await node.ask("eth_accounts")).not.toEqual([ALICE.toLowerCase()]);
    expect(node.stdout()).toMatch(/^Mnemonic: +(?:[a-z]+ ){14}[a-z]+$/m);
  });
});

describe("a file that is no good is named, with the flag", () => {
  it.each([
    [
      "--genesis",
      '{"alloc":{"0x12":{"balance":"1"}}}',
      /--genesis \S+file: genesis\.json: alloc\["0x12"\]: expected 20 bytes/,
    ],
    ["--import", "garbage", /--import \S+file: The file is not a complete list of blocks: after 0 blocks, at byte 0/],
    ["--load-state", "garbage", /--load-state \S+file: The state file cannot be loaded/],
  ])("%s", async (flag, content, words) => {
    const path = join(await aFolder(), "file");
    await writeFile(path, content);
    const { code, stderr } = await aRun(["--port", "0", flag, path]).finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
  });

  it("--config, which is as wrong as a flag: exit code 2", async () => {
    const { code, stderr } = await aRun(["--port", "0", "--config", "nope.ts"]).finished;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("cannot read /nope.ts: there is no such"),
    });
  });
});

it("flags that have no effect are warned of, and the node starts", async () => {
  const node = await aNodeRun(["--threads", "4"]);
  expect(node.stderr()).toBe("hindcast: warning: --threads: a chain runs in one thread.\n");
});
