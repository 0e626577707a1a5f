/** Runs over ranges of blocks: results are those of the node, each once, whatever dies meanwhile. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { JobQueue } from "../../src/sharing/jobs/job-queue.ts";
import { RunDelivery } from "../../src/sharing/jobs/run-delivery.ts";
import { RunRecords } from "../../src/sharing/jobs/run-records.ts";
import { LogConnection } from "../../src/sharing/postgres/connection.ts";
import { aRun, type Run } from "../cli/a-run.ts";
import { aCommand } from "../e2e/a-command.ts";
import { ask } from "../node/sharing/shared-nodes.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { COUNTER, LOOP, place } from "../support/contracts.ts";
import { aPostgres, type TestPostgres, withPostgres } from "./a-postgres.ts";
import { aChainName, aLogNode, LEASE_MS } from "./log-nodes.ts";
import { NodeProcess } from "./processes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0x5208" };
const TYPES = ["trace", "stateDiff"];
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await aPostgres();
});
afterAll(() => postgres.close());

interface Line {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly traces: unknown;
}

/** A writer with blocks of none, one and several transactions. */
async function aChain(): Promise<{ readonly chain: string; readonly writer: HindcastNode }> {
  const chain = aChainName();
  const writer = await aLogNode({ url: postgres.url, role: "writer", chain, leaseMs: 60_000 });
  const to = await place(writer, COUNTER);
  await ask(writer, "evm_setAutomine", false);
  for (let block = 1; block <= 6; block++) {
    for (let count = 0; count < block % 4; count++) {
      await ask(writer, "eth_sendTransaction", count === 1 ? TRANSFER : { from: ALICE, to, gas: "0x186a0" });
    }
    await ask(writer, "evm_mine");
  }
  return { chain, writer };
}

const aWorker = (chain: string, options: NodeOptions = {}): Promise<HindcastNode> =>
  aLogNode({ url: postgres.url, role: "reader", chain, work: true }, options);

const jobs = (chain: string, ...flags: readonly string[]): Run =>
  aRun(["jobs", ...flags], { env: { HINDCAST_SHARED: postgres.url, HINDCAST_CHAIN: chain } });

const trace = (chain: string, out: string, ...flags: readonly string[]): Run =>
  jobs(chain, "trace", "--types", TYPES.join(","), "--out", out, ...flags);

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".ndjson")).sort();

async function linesOf(folder: string): Promise<Line[]> {
  const texts = await Promise.all((await filesOf(folder)).map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) => text.split("\n").slice(0, -1)).map((line) => JSON.parse(line) as Line);
}

/** What a node answers for each block, up to the head. */
async function expectedLines(node: HindcastNode, types: readonly string[] = TYPES): Promise<Line[]> {
  const head = Number(await ask(node, "eth_blockNumber"));
  const numbers = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}`);
  return Promise.all(
    numbers.map(async (blockNumber) => {
      const block = (await ask(node, "eth_getBlockByNumber", blockNumber, false)) as { readonly hash: string };
      const traces = await ask(node, "trace_replayBlockTransactions", blockNumber, types);
      return { blockNumber, blockHash: block.hash, traces };
    }),
  );
}

/** PostgreSQL ends all connections of nodes and commands, whatever they are at. */
const endConnections = () =>
  postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hindcast'");

/** Rows that are left of runs that have ended, which must be none. */
async function leftovers(chain: string): Promise<unknown> {
  const count = (table: string) =>
    `(select count(*)::int from hindcast_jobs.${table} x join hindcast_jobs.runs r on r.id = x.run where r.chain = $1)`;
  return (await postgres.query(`select ${count("ranges")} as ranges, ${count("pieces")} as pieces`, [chain]))[0];
}

describe("a run into a folder", () => {
  withPostgres("has what the node answers for each block, once and in order", async () => {
    const { chain, writer } = await aChain();
    await aWorker(chain);
    await aWorker(chain);
    const folder = join(await aFolder(), "out");
    const flags = ["--from", "0", "--to", "latest", "--blocks", "2"];
    expect(await trace(chain, folder, ...flags).finished).toMatchObject({
      code: 0,
      stdout: `Complete: 7 blocks in ${folder}\n`,
    });
    expect(await filesOf(folder)).toEqual(
      ["0-1", "2-3", "4-5", "6-6"].map(
        (range) => `${range.replace(/\d+/g, (digits) => digits.padStart(12, "0"))}.ndjson`,
      ),
    );
    expect(await linesOf(folder)).toEqual(await expectedLines(writer));
    expect(await leftovers(chain)).toEqual({ ranges: 0, pieces: 0 });
    // The same command again does nothing, another one is refused.
    expect(await trace(chain, folder, ...flags).finished).toMatchObject({ code: 0 });
    const other = await trace(chain, folder, "--from", "1", "--to", "2").finished;
    expect(other.code).toBe(1);
    expect(other.stderr).toContain(`has another run: trace --types trace,stateDiff of blocks 0 to latest of the chain`);
    expect(other.stderr).not.toContain(postgres.password);
  });

  withPostgres("of a filter has the traces of its addresses, and all of them without any", async () => {
    const { chain, writer } = await aChain();
    await aWorker(chain);
    const folder = await aFolder();
    const filtered = async (out: string, ...flags: readonly string[]): Promise<unknown[]> => {
      const run = jobs(chain, "trace-filter", "--from", "0", "--to", "6", "--blocks", "4", "--out", out, ...flags);
      expect(await run.finished).toMatchObject({ code: 0 });
      return (await linesOf(out)).flatMap(({ traces }) => traces as unknown[]);
    };
    const range = { fromBlock: "0x0", toBlock: "0x6" };
    const found = await filtered(join(folder, "bob"), "--to-address", BOB.toUpperCase().replace("0X", "0x"));
    expect(found).toEqual(await ask(writer, "trace_filter", { ...range, toAddress: [BOB] }));
    expect(found).toHaveLength(3);
    const all = await filtered(join(folder, "all"));
    expect(all).toEqual(await ask(writer, "trace_filter", range));
    const [line] = (await linesOf(join(folder, "all"))) as [Line];
    expect(line.traces).toEqual(await ask(writer, "trace_block", line.blockNumber));
  });

  withPostgres("is the same after its worker and its command were killed, and another worker is there", async () => {
    const { chain, writer } = await aChain();
    await ask(writer, "anvil_mine", "0x50");
    const folder = join(await aFolder(), "out");
    const worker = new NodeProcess({
      shared: { url: postgres.url, chain, role: "reader", work: true, leaseMs: LEASE_MS },
    });
    await worker.start();
    const flags = ["--from", "0", "--to", "86", "--blocks", "1"];
    const env = { HINDCAST_SHARED: postgres.url, HINDCAST_CHAIN: chain };
    const killed = aCommand(["jobs", "trace", "--types", TYPES.join(","), "--out", folder, ...flags], env);
    await expect.poll(() => filesOf(folder), { interval: 20, timeout: 60_000 }).not.toEqual([]);
    // It is killed with a range in its hands.
    const inHand = `select count(*)::int as count from hindcast_jobs.ranges g join hindcast_jobs.runs r on r.id = g.run
      where r.chain = $1 and g.worker is not null and not g.is_done`;
    await expect
      .poll(
        async () => {
          worker.signal("SIGSTOP");
          const [row] = await postgres.query(inHand, [chain]);
          if (row?.count !== 1) worker.signal("SIGCONT");
          return row?.count;
        },
        { interval: 10, timeout: 60_000 },
      )
      .toBe(1);
    killed.process.kill("SIGKILL");
    await worker.kill();
    expect(await killed.finished).toMatchObject({ code: null });
    expect((await linesOf(folder)).length).toBeLessThan(87);
    await aWorker(chain);
    expect(await trace(chain, folder, ...flags).finished).toMatchObject({ code: 0 });
    expect(await linesOf(folder)).toEqual(await expectedLines(writer));
    expect(await leftovers(chain)).toEqual({ ranges: 0, pieces: 0 });
  });

  withPostgres("has no part of a range whose results another command has fetched meanwhile", async () => {
    const { chain } = await aChain();
    await aWorker(chain);
    const connection = new LogConnection(postgres.url);
    onTestFinished(() => connection.close());
    const records = new RunRecords(connection, await JobQueue.open(connection, chain), chain);
    const id = crypto.randomUUID();
    const wish = { chain, kind: "trace", parameters: { types: TYPES }, from: "0", to: "6", blocks: 100 };
    const run = await records.begin({ id, wish, table: undefined, destination: "here" });
    const delivery = new RunDelivery(connection, records, async (_, lines) => {
      await postgres.query("delete from hindcast_jobs.pieces where run = $1", [id]);
      for await (const _line of lines);
    });
    expect(await delivery.hold(run, connection)).toBe(true);
    expect(await new RunDelivery(connection, records, undefined).hold(run, connection)).toBe(false);
    const step = () => delivery.step(id, new AbortController().signal).then(() => "waits", String);
    await expect.poll(step, { interval: 20 }).toContain(`Another command has taken the run ${id}.`);
  });

  withPostgres("ends with an error if the chain changes meanwhile", async () => {
    const { chain, writer } = await aChain();
    await ask(writer, "anvil_mine", "0xc8");
    const folder = join(await aFolder(), "out");
    const worker = await aWorker(chain);
    const flags = ["--from", "0", "--to", "200", "--blocks", "1"];
    const run = trace(chain, folder, ...flags);
    await expect.poll(() => filesOf(folder), { interval: 20 }).not.toEqual([]);
    await worker.close();
    await ask(writer, "anvil_reorg", "0x14", []);
    await aWorker(chain);
    const { code, stderr } = await run.finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(/The chain has changed: block 200 was 0x[0-9a-f]{64} when the run began and is 0x/);
    expect((await linesOf(folder)).length).toBeLessThan(201);
  });

  withPostgres("names the block that fails, and goes on when a node can do it", async () => {
    const { chain, writer } = await aChain();
    await ask(writer, "evm_setAutomine", true);
    await ask(writer, "eth_sendTransaction", { from: ALICE, to: await place(writer, LOOP), gas: "0xf42400" });
    const folder = join(await aFolder(), "out");
    const weak = await aWorker(chain, { limits: { traceTimeoutMs: 1 } });
    const flags = ["--from", "1", "--to", "latest", "--blocks", "3"];
    const { code, stderr } = await trace(chain, folder, ...flags).finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Block \d+ failed: .* It was tried 3 times\. When the cause is removed, the same command goes/,
    );
    await weak.close();
    await aWorker(chain);
    expect(await trace(chain, folder, ...flags).finished).toMatchObject({ code: 0 });
    expect(await linesOf(folder)).toEqual((await expectedLines(writer)).slice(1));
  });
});

describe("a run into a table", () => {
  withPostgres("has a row for each block, also after connections were lost and it was interrupted", async () => {
    const { chain, writer } = await aChain();
    await ask(writer, "anvil_mine", "0x3c");
    const table = `traces_${Math.random().toString(36).slice(2)}`;
    const flags = ["--from", "0", "--to", "latest", "--blocks", "1"];
    await aWorker(chain);
    const first = trace(chain, `table:${table}`, ...flags);
    const count = async (): Promise<number> =>
      Number((await postgres.query(`select count(*) as count from ${table}`).catch(() => []))[0]?.count ?? 0);
    await expect.poll(count, { interval: 20 }).toBeGreaterThan(0);
    await endConnections();
    const before = await count();
    await expect.poll(count, { interval: 20 }).toBeGreaterThan(before);
    expect(await first.stop()).toMatchObject({ code: 1, stderr: expect.stringContaining("The same command goes on") });
    expect(await trace(chain, `table:${table}`, ...flags).finished).toMatchObject({ code: 0 });
    const rows = await postgres.query(`select * from ${table} order by block_number`);
    expect(rows).toEqual(
      (await expectedLines(writer)).map(({ blockNumber, blockHash, traces }) => ({
        block_number: String(Number(blockNumber)),
        block_hash: blockHash,
        traces,
      })),
    );
    expect(await leftovers(chain)).toEqual({ ranges: 0, pieces: 0 });
    // The same again changes nothing.
    expect(await trace(chain, `table:${table}`, ...flags).finished).toMatchObject({ code: 0 });
    const other = await trace(chain, `table:${table}`, "--from", "0", "--to", "3").finished;
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining(`The table ${table} has another run`) });
  });
});

describe("hindcast jobs", () => {
  withPostgres("says that no node works, lists the run, and cancels it", async () => {
    const { chain } = await aChain();
    const folder = join(await aFolder(), "out");
    const flags = ["--from", "1", "--to", "5"];
    const run = trace(chain, folder, ...flags);
    await expect.poll(() => run.stderr(), { interval: 50 }).toContain("No node takes jobs of this chain. Start one");
    await run.stop();
    const { stdout } = await jobs(chain, "list").finished;
    expect(stdout).toContain(`trace --types trace,stateDiff of blocks 1 to 5 of the chain ${chain}, into ${folder}`);
    expect(stdout).toContain("planning, without a command");
    expect(stdout).toContain("0 nodes take jobs of this chain.");
    const id = stdout.slice(0, 36);
    expect(await jobs(chain, "cancel", id).finished).toMatchObject({
      code: 0,
      stdout: `The run ${id} is cancelled.\n`,
    });
    const { code, stderr } = await trace(chain, folder, ...flags).finished;
    expect([code, stderr]).toEqual([1, expect.stringContaining(`The run ${id} was cancelled.`)]);
    expect((await jobs(chain, "cancel", "none").finished).stderr).toContain("has no run none");
  });

  withPostgres("refuses blocks that there are not, folders and tables of others, and wrong flags", async () => {
    const { chain } = await aChain();
    await aWorker(chain);
    const folder = await aFolder();
    const beyond = await trace(chain, join(folder, "beyond"), "--from", "3", "--to", "500").finished;
    expect(beyond).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no block 500: the head is 6.") });
    await writeFile(join(folder, "notes.txt"), "mine");
    const foreign = await trace(chain, folder, "--from", "1", "--to", "2").finished;
    expect(foreign.stderr).toContain(`The folder ${folder} is not empty, and not that of a run.`);
    await postgres.query("create table if not exists public.someones (id integer)");
    const table = await trace(chain, "table:someones", "--from", "1", "--to", "2").finished;
    expect(table.stderr).toContain("The table someones is not that of a run.");
    const wrong = [
      ["--from 5 --to 4", "--from 5 is beyond --to 4."],
      ["--from x --to 4", "--from: expected a whole number"],
      ["--from 1", "required option '--to <block>' not specified"],
      ["--from 1 --to 2 --types trace,gas", '--types: expected some of trace, vmTrace, stateDiff, got "trace,gas".'],
      ["--from 1 --to 2 --blocks 0", "--blocks: expected a whole number from 1"],
      ['--from 1 --to 2 --out table:a"b', "--out: expected a folder, or table: and a name"],
    ] as const;
    for (const [flags, says] of wrong) {
      const run = await jobs(chain, "trace", "--out", join(folder, "none"), ...flags.split(" ")).finished;
      expect(run).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(says) });
    }
    const alone = await aRun(["jobs", "list"]).finished;
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining("hindcast jobs needs --shared.") });
  });
});
