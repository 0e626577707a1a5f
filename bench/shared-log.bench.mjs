// A writer whose chain is in PostgreSQL beside one that is alone, both with LevelDB, in turns in this process; the bytes that the
// chain takes in both; and how long a new reader needs for a long chain. PostgreSQL runs on this machine and syncs each commit: a
// network and other disks add to that. Needs PostgreSQL's programs: a cluster is made for it. HINDCAST_BENCH_BLOCKS=200 takes a
// tenth of the rounds.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNode } from "../dist/bundle/index.js";
import { postgresPrograms, startCluster } from "../test/shared/cluster.mjs";
import { summary } from "./measure.mjs";

const BLOCKS = Number(process.env.HINDCAST_BENCH_BLOCKS ?? 2_000);
const ROUNDS = { transfer: BLOCKS / 5, block: BLOCKS / 50, warmUp: BLOCKS / 40 };
/** Transactions of a large block. */
const MANY = 500;

export const name = "a chain in PostgreSQL";

export async function rows() {
  if ((await postgresPrograms()) === undefined) {
    console.error("  left out: PostgreSQL is not installed (apt-get install postgresql)");
    return {};
  }
  const folder = mkdtempSync(join(tmpdir(), "hindcast-shared-log-"));
  const postgres = await startCluster();
  const nodes = [];
  const start = async (dataDir, options = {}) => {
    const node = await createNode({ dataDir: join(folder, dataDir), ...options });
    nodes.push(node);
    return { node, ask: (method, ...params) => node.provider.request({ method, params }) };
  };
  const shared = (chain) => ({ shared: { url: postgres.url, role: "writer", chain } });
  try {
    const alone = await start("alone");
    const writer = await start("writer", shared("times"));
    const both = [alone, writer];
    const withOn = {
      ...(await compared("automined transfer", ROUNDS.transfer, both, transfer)),
      ...(await compared(`block of ${MANY} transfers`, ROUNDS.block, both, largeBlock)),
      ...(await sizes(postgres, await start("sizes", shared("sizes")), join(folder, "sizes"))),
      ...(await bootstrapping(postgres, await start("long", shared("long")), folder)),
    };
    await applyAtStandby(postgres);
    return {
      ...withOn,
      ...(await compared("automined transfer, remote_apply", ROUNDS.transfer, both, transfer)),
      ...(await compared(`block of ${MANY} transfers, remote_apply`, ROUNDS.block, both, largeBlock)),
    };
  } finally {
    for (const node of nodes) await node.close();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From now on a synchronous standby has what is acknowledged: `synchronous_commit = remote_apply`. It is on this machine, too. */
async function applyAtStandby(postgres) {
  await postgres.standby();
  await postgres.query("alter system set synchronous_standby_names = '*'");
  await postgres.query("alter system set synchronous_commit = remote_apply");
  await postgres.query("select pg_reload_conf()");
}

/** Milliseconds of the same task at a node alone and at a writer, in turns. */
async function compared(label, rounds, [alone, writer], task) {
  const times = [[], []];
  for (let round = 0; round < rounds + ROUNDS.warmUp; round++) {
    for (const [index, node] of [alone, writer].entries()) {
      const milliseconds = await task(node, round);
      if (round >= ROUNDS.warmUp) times[index].push(milliseconds);
    }
  }
  const [base, shared] = times.map(summary);
  const note = `${(shared.medianMs / base.medianMs).toFixed(2)} of alone`;
  return { [`${label}, alone`]: base, [`${label}, in PostgreSQL`]: { ...shared, note } };
}

/** An account for each number. */
const account = (index) => `0x${(index + 4096).toString(16).padStart(40, "f")}`;
const quantity = (value) => `0x${value.toString(16)}`;

async function transfer({ ask }, round) {
  const [from] = await ask("eth_accounts");
  const start = performance.now();
  await ask("eth_sendTransaction", { from, to: account(round), value: "0x1", gas: "0x5208" });
  return performance.now() - start;
}

/** The time of mining, without that of sending. */
async function largeBlock({ ask }, round) {
  const [from] = await ask("eth_accounts");
  await ask("evm_setAutomine", false);
  const nonce = Number(await ask("eth_getTransactionCount", from, "latest"));
  for (let index = 0; index < MANY; index++) {
    const to = account(round * MANY + index);
    await ask("eth_sendTransaction", { from, to, value: "0x1", gas: "0x5208", nonce: quantity(nonce + index) });
  }
  const start = performance.now();
  await ask("evm_mine");
  const milliseconds = performance.now() - start;
  const { transactions } = await ask("eth_getBlockByNumber", "latest", false);
  if (transactions.length !== MANY) throw new Error(`the block has ${transactions.length} transactions`);
  await ask("evm_setAutomine", true);
  return milliseconds;
}

/** Bytes of one chain in PostgreSQL and in the folder of its writer: blocks of one transfer each, after the node is closed. */
async function sizes(postgres, writer, dataDir) {
  const before = await bytesIn(postgres);
  const times = [];
  for (let round = 0; round < BLOCKS; round++) times.push(await transfer(writer, round));
  await writer.node.close();
  const inPostgres = (await bytesIn(postgres)) - before;
  const onDisk = bytesOfFolder(dataDir);
  const per = (bytes) => `${(bytes / BLOCKS / 1_000).toFixed(2)} kB`;
  const note = `${per(inPostgres)} a block in PostgreSQL, ${per(onDisk)} in LevelDB: ${(inPostgres / onDisk).toFixed(2)}`;
  return { [`size after ${BLOCKS} blocks of a transfer`]: { ...summary(times), note } };
}

/** Seconds in which a reader with an empty folder has a chain of empty blocks, and the bytes of that chain. */
async function bootstrapping(postgres, writer, folder) {
  const before = await bytesIn(postgres);
  const blocks = 50 * BLOCKS;
  // In steps, so that an entry is not the whole chain.
  for (let step = 0; step < 50; step++) await writer.ask("anvil_mine", quantity(BLOCKS));
  const dataDir = join(folder, "new reader");
  const start = performance.now();
  const reader = await createNode({ dataDir, shared: { url: postgres.url, role: "reader", chain: "long" } });
  const milliseconds = performance.now() - start;
  const head = await reader.provider.request({ method: "eth_blockNumber" });
  if (Number(head) !== blocks) throw new Error(`the reader has ${Number(head)} blocks`);
  await reader.close();
  await writer.node.close();
  const inPostgres = (await bytesIn(postgres)) - before;
  const onDisk = bytesOfFolder(join(folder, "long"));
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  const note = `${megabytes(inPostgres)} in PostgreSQL, ${megabytes(onDisk)} in LevelDB: ${(inPostgres / onDisk).toFixed(2)}`;
  return { [`a new reader of ${blocks} blocks`]: { ...summary([milliseconds]), note } };
}

async function bytesIn(postgres) {
  const [row] = await postgres.query(
    `select sum(pg_total_relation_size(format('hindcast.%I', tablename))) as bytes from pg_tables where schemaname = 'hindcast'`,
  );
  return Number(row.bytes);
}

function bytesOfFolder(folder) {
  return readdirSync(folder, { recursive: true })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
