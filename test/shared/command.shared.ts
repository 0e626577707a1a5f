/** The command with a chain in PostgreSQL, and programs without the package of its driver. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { aCommand, aRunningNode, type RunningNode } from "../e2e/a-command.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { projectFolder } from "../support/build-once.ts";
import { aPostgres, type TestPostgres, withPostgres } from "./a-postgres.ts";
import { aChainName } from "./log-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };
/** Longer than a lease. */
const TAKEN_OVER = { timeout: 60_000, interval: 200 };
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await aPostgres();
});
afterAll(() => postgres.close());

const roleOf = async (node: RunningNode): Promise<unknown> =>
  ((await node.ask("hindcast_status")) as { role: unknown }).role;

withPostgres("nodes take over from each other, and none prints the password", async () => {
  const env = { HINDCAST_SHARED: postgres.url, HINDCAST_CHAIN: aChainName() };
  const first = await aRunningNode(["--role", "writer"], env);
  const second = await aRunningNode(["--data-dir", await aFolder()], env);
  const reader = await aRunningNode(["--role", "reader"], env);
  const hash = await reader.ask("eth_sendTransaction", TRANSFER);
  expect(await Promise.all([first, second, reader].map(roleOf))).toEqual(["writer", "standby", "reader"]);
  first.process.kill("SIGKILL");
  await expect.poll(() => roleOf(second), TAKEN_OVER).toBe("writer");
  expect(await second.ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  const third = await aRunningNode([], env);
  expect(await third.ask("hindcast_takeOver")).toBe(true);
  // It was the writer: it begins again from the log.
  await expect.poll(() => roleOf(second).catch(() => "away"), TAKEN_OVER).toBe("standby");
  await third.ask("eth_sendTransaction", TRANSFER);
  const head = await third.ask("eth_getBlockByNumber", "latest", true);
  await expect.poll(() => second.ask("eth_getBlockByNumber", "latest", true), TAKEN_OVER).toEqual(head);
  for (const node of [second, reader, third]) {
    const { stdout, stderr } = await node.interrupt();
    expect(stdout + stderr).not.toContain(postgres.password);
  }
});

withPostgres("a reader may start before its chain is there, and files are for the node that writes", async () => {
  const env = { HINDCAST_SHARED: postgres.url, HINDCAST_CHAIN: aChainName() };
  const starting = aRunningNode(["--role", "reader"], env);
  const file = join(await aFolder(), "state.json");
  const writer = await aRunningNode(["--state", file], env);
  const reader = await starting;
  // It looks once a second where the writer is.
  const send = () => reader.ask("eth_sendTransaction", TRANSFER).catch(String);
  await expect.poll(send, TAKEN_OVER).toMatch(/^0x/);
  await writeFile(file, "{}");
  const second = await aCommand(["--port", "0", "--state", file], env).finished;
  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain("--state: this node does not write its chain, as another one does.");
  await writer.interrupt();
});

withPostgres("the example prints what it prints without PostgreSQL, and that a node took over", () => {
  const program = join(projectFolder, "examples/shared/main.mjs");
  const env = { ...process.env, HINDCAST_SHARED: postgres.url };
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8", env });
  const [, ...lines] = readFileSync(join(program, "../output.txt"), "utf8").split("\n");
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "The chain is in PostgreSQL.",
    ...lines.slice(0, 4),
    "the node that stood by writes: true",
    "",
  ]);
});

withPostgres("a URL that is wrong ends the command with a sentence, without the password", async () => {
  const url = new URL(postgres.url);
  url.password = "another-password";
  const { code, stdout, stderr } = await aCommand(["--shared", url.href]).finished;
  expect(code).not.toBe(0);
  expect(stderr).toContain("PostgreSQL refuses");
  expect(stdout + stderr).not.toContain("another-password");
});

withPostgres("where the driver or the queue is not installed, an error says how to install it", () => {
  const hook = `export const resolve = (name, context, next) => {
    if (name === process.env.MISSING) throw Object.assign(new Error("not found"), { code: "ERR_MODULE_NOT_FOUND" });
    return next(name, context);
  };`;
  const program = `
    import { register } from "node:module";
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hook)}));
    const { createNode } = await import(${JSON.stringify(new URL("../../build/index.js", import.meta.url).href)});
    const shared = { url: "postgres://a@127.0.0.1/b", role: "reader", work: true };
    await createNode({ shared }).catch(({ code, fix }) => console.log(code, fix));`;
  const said = ["pg", "pg-boss"].map((MISSING) => {
    const options = { encoding: "utf8", env: { ...process.env, MISSING } } as const;
    return spawnSync(process.execPath, ["--input-type=module", "-e", program], options).stdout;
  });
  expect(said).toEqual([
    "PACKAGE_MISSING Install it beside Hindcast: npm install pg\n",
    "PACKAGE_MISSING Install it beside Hindcast: npm install pg-boss@10\n",
  ]);
});
