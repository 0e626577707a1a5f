/** A chain whose nodes reach PostgreSQL by way of pgbouncer in transaction mode: it prepares nothing, and announces nothing. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { allTheSame } from "../node/sharing/same-answers.ts";
import { ask } from "../node/sharing/shared-nodes.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { aCluster, type TestCluster, withCluster } from "./a-postgres.ts";
import { queryAt } from "./cluster.mjs";
import { aChainName, aLogNode, logStatus } from "./log-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };
const PROGRAM = "/usr/sbin/pgbouncer";

const withPooler = ((): typeof it => {
  if (existsSync(PROGRAM)) return withCluster;
  process.stderr.write("Left out: pgbouncer is not installed (apt-get install pgbouncer).\n");
  return it.skip as typeof it;
})();

async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The URL of a cluster by way of a pooler. */
async function aPooler(postgres: TestCluster): Promise<string> {
  const folder = await aFolder();
  const [url, port] = [new URL(postgres.url), await aFreePort()];
  const users = join(folder, "users");
  const file = join(folder, "pgbouncer.ini");
  await writeFile(users, `"hindcast" "${postgres.password}"\n`);
  const settings = [
    "[databases]",
    `postgres = host=127.0.0.1 port=${url.port}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = scram-sha-256\nauth_file = ${users}`,
    "pool_mode = transaction\ndefault_pool_size = 4",
    "ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout",
  ];
  await writeFile(file, `${settings.join("\n")}\n`);
  await postgres.ownedByServer([users, file]);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: Number(execFileSync("id", ["-u", "postgres"])) } : {};
  const pooler = spawn(PROGRAM, [file], { ...user, stdio: "ignore" });
  onTestFinished(() => void pooler.kill("SIGKILL"));
  url.port = String(port);
  await expect
    .poll(() => queryAt(url.href, "select 1 as one").catch(() => undefined), { timeout: 20_000 })
    .toEqual([{ one: 1 }]);
  return url.href;
}

withPooler("writer and reader work, and the reader does without announcements when it misses one", async () => {
  const postgres = await aCluster();
  onTestFinished(() => postgres.close());
  const url = await aPooler(postgres);
  const chain = aChainName();
  const writer = await aLogNode({ url, chain, role: "standby", leaseMs: 20_000 });
  const other = await aLogNode({ url, chain, role: "standby", leaseMs: 20_000 });
  const reader = await aLogNode({ url, chain, role: "reader" });
  for (let count = 0; count < 20; count++) await ask(reader, "eth_sendTransaction", TRANSFER);
  for (let count = 0; count < 5; count++) {
    await ask(writer, "eth_sendTransaction", TRANSFER);
    await allTheSame(reader, writer);
  }
  expect(await ask(other, "hindcast_takeOver")).toBe(true);
  const hash = await ask(other, "eth_sendTransaction", TRANSFER);
  await allTheSame(reader, other);
  expect(await ask(reader, "eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  expect(await logStatus(reader)).toMatchObject({ epoch: "0x2", problem: null });
});
