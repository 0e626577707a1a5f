/** The built command in processes of its own. What needs none is tested in test/cli/command.test.ts. */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { aFolder } from "../support/a-folder.ts";
import { buildOnce, cliPath, projectFolder } from "../support/build-once.ts";
import { aProject } from "../support/run-programs.ts";
import { isSlow } from "../support/seed.ts";
import { aCommand, aRunningNode, type RunningNode } from "./a-command.ts";

beforeAll(buildOnce);

it.skipIf(process.platform === "win32")("may be run by whoever links it, also after a build", () => {
  expect(statSync(cliPath).mode & 0o111).toBe(0o111);
});

it("prints its banner, answers over HTTP and WebSocket on one port, logs a line per request, and ends on SIGINT", async () => {
  const node = await aRunningNode();
  const banner = node.stdout();
  expect(banner).toContain("(0) 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 (10000.000000000000000000 ETH)");
  expect(banner).toContain("(0) 0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
  expect(banner).toContain("(9) 0xa0Ee7A142d267C1f36714E4a8F75612F20a79720");
  expect(banner).toContain("test test test test test test test test test test test junk");
  expect(banner).toMatch(/Chain ID\n=+\n31337\n/);
  expect(banner).toMatch(/Base Fee\n=+\n1000000000\n/);
  expect(banner).toMatch(/Gas Limit\n=+\n30000000\n/);
  expect(banner).toMatch(new RegExp(`Listening on 127\\.0\\.0\\.1:${node.port}\\n$`));

  expect(await node.ask("eth_blockNumber")).toBe("0x0");
  const batch = '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"no_such"}]';
  await fetch(node.url, { method: "POST", headers: { "content-type": "application/json" }, body: batch });
  const socket = new WebSocket(node.url.replace("http", "ws"));
  const reply = new Promise((resolve) => socket.on("message", (data) => resolve(JSON.parse(String(data)))));
  socket.on("open", () => socket.send('{"jsonrpc":"2.0","id":"a","method":"net_version"}'));
  expect(await reply).toEqual({ jsonrpc: "2.0", id: "a", result: "31337" });

  const { stdout } = await endsCleanly(node, "SIGINT", socket);
  const lines = (stdout.split(/Listening on .*\n/)[1] ?? "").trim().split("\n");
  expect(lines.map((line) => line.split(" ")[1])).toEqual(["eth_blockNumber", "eth_chainId", "no_such", "net_version"]);
  expect(lines[2]).toContain("-32601");
});

it.runIf(isSlow)("ends cleanly on SIGTERM, while others print, complain, and end with their exit codes", async () => {
  const commands = [["--version"], ["--help"], ["--prot", "1"], ["--import", "/no/such/file"]].map((flags) =>
    aCommand(flags),
  );
  const node = await aRunningNode(["--config", await documentedConfig()], { HINDCAST_CHAIN_ID: "77" });
  expect(await node.ask("eth_chainId")).toBe("0x4d");
  const genesis = await node.ask("eth_getBlockByNumber", "0x0", false);
  expect(genesis).toHaveProperty("baseFeePerGas");
  expect(genesis).not.toHaveProperty("withdrawals");
  expect(await node.ask("anvil_getIntervalMining")).toBe(2);
  const socket = new WebSocket(node.url.replace("http", "ws"));
  await new Promise((resolve) => socket.on("open", resolve));
  await endsCleanly(node, "SIGTERM", socket);
  const [version, help, usage, failure] = await Promise.all(commands.map(({ finished }) => finished));
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("--hardfork <name>"), stderr: "" });
  expect(usage).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("unknown option '--prot'") });
  expect(failure).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("--import: cannot read") });
});

it("says how to find the line of a configuration that is no JavaScript", async () => {
  const path = join(await aFolder(), "hindcast.config.mjs");
  await writeFile(path, "export defaul");
  const { code, stderr } = await aCommand(["--config", path]).finished;
  expect(code).toBe(2);
  expect(stderr).toMatch(/hindcast\.config\.mjs cannot be run: .+\. node --check .+ shows the line\.\n$/);
});

if (isSlow) {
  it("goes on when whoever reads its output and its complaints has left, as `head` does", async () => {
    const folder = join(await aFolder(), "one");
    await mkdir(folder);
    const node = await aRunningNode(["--dump-state", join(folder, "state"), "--state-interval", "0.005"]);
    // From here on there is something to complain of.
    await rename(folder, `${folder} and another`);
    node.process.stdout?.destroy();
    node.process.stderr?.destroy();
    for (let round = 0; round < 30; round++) expect(await node.ask("eth_chainId")).toBe("0x7a69");
    node.process.kill("SIGTERM");
    expect(await node.finished).toMatchObject({ code: 1 });
  });
}

it.skipIf(process.platform === "win32")("says that its working folder is gone", async () => {
  const folder = await aFolder();
  const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" --port 0';
  const { status, stderr } = spawnSync("sh", ["-c", script, "sh", folder, process.execPath, cliPath]);
  expect(String(stderr)).toBe("hindcast: The working folder is gone. Start in another one.\n");
  expect(status).toBe(1);
});

/** A signal closes the WebSocket with its reason and ends the process with exit code 0. */
async function endsCleanly(node: RunningNode, signal: NodeJS.Signals, socket: WebSocket) {
  const closed = new Promise((resolve) => socket.on("close", resolve));
  node.process.kill(signal);
  const finished = await node.finished;
  expect(finished).toMatchObject({ code: 0, stderr: "" });
  expect(await closed).toBe(1001);
  return finished;
}

/** The configuration file of docs/development-node.md, in a project that has the package installed. */
async function documentedConfig(): Promise<string> {
  const page = readFileSync(join(projectFolder, "docs/development-node.md"), "utf8");
  const example = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].find(([, text]) => text?.includes("hindcast/config"));
  const path = join(await aProject(), "hindcast.config.ts");
  await writeFile(path, example?.[1] ?? "");
  return path;
}
