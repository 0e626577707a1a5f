/** Leases: which node writes, and when it may be believed, whatever happens to clocks, connections and the log. */
import { afterAll, beforeAll, expect, vi } from "vitest";
import { allTheSame } from "../node/sharing/same-answers.ts";
import { ask, outcome } from "../node/sharing/shared-nodes.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { aCluster, type TestCluster, withCluster } from "./a-postgres.ts";
import { aChainName, aLogNode, LEASE_MS, logStatus } from "./log-nodes.ts";
import { TcpProxy } from "./tcp-proxy.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };
const IN_TIME = { timeout: 60_000, interval: 20 };
let postgres: TestCluster;

beforeAll(async () => {
  postgres = await aCluster();
});
afterAll(() => postgres.close());

type Role = "writer" | "reader" | "standby";
const place = (role: Role, chain: string) => ({ url: postgres.url, role, chain });

withCluster("a writer whose log goes back to a backup is replaced, though it writes nothing", async () => {
  const chain = aChainName();
  const fenced: string[] = [];
  const writer = await aLogNode({ ...place("writer", chain), onFenced: ({ message }) => fenced.push(message) });
  const reader = await aLogNode(place("reader", chain));
  await ask(writer, "anvil_mine", "0x2");
  const [before] = await postgres.query("select * from hindcast.chains where name = $1", [chain]);
  await ask(writer, "anvil_mine", "0x3");
  await allTheSame(reader, writer);
  const values = [before?.id, before?.sequence, before?.hash];
  await postgres.query("delete from hindcast.entries where chain = $1 and sequence > $2", values.slice(0, 2));
  await postgres.query("update hindcast.chains set sequence = $2, hash = $3 where id = $1", values);
  await expect.poll(() => fenced, IN_TIME).toEqual([expect.stringContaining("it was restored")]);
  expect(await outcome(writer, "eth_blockNumber")).toMatchObject({ error: { code: -32_004 } });
  await expect.poll(() => ask(reader, "eth_blockNumber"), IN_TIME).toBe("0x2");
});

withCluster("two terms of the same number, as after a backup, are told apart", async () => {
  const chain = aChainName();
  const first = await aLogNode(place("standby", chain));
  const second = await aLogNode(place("standby", chain));
  await ask(first, "anvil_mine", "0x2");
  expect(await ask(second, "hindcast_takeOver")).toBe(true);
  const third = await aLogNode(place("standby", chain));
  // The log as it was before the second one took over, but for its end.
  await postgres.query(
    "update hindcast.chains set epoch = epoch - 1, lease_until = '-infinity', token = 'of the first' where name = $1",
    [chain],
  );
  await expect.poll(async () => (await logStatus(third)).role, IN_TIME).toBe("writer");
  expect(await logStatus(third)).toMatchObject({ epoch: "0x2" });
  await expect.poll(async () => (await logStatus(second)).problem, IN_TIME).toContain("Another node writes");
  await ask(third, "eth_sendTransaction", TRANSFER);
});

withCluster.each([
  ["is asked for", "set epoch = epoch + 1"],
  ["writes its description", "set description"],
  ["looks for the sizes of the log", "select coalesce(b.bytes"],
])("a take-over whose connection breaks when it %s is tried again, and the chain has a writer", async (_, text) => {
  const chain = aChainName();
  const proxy = await TcpProxy.before(Number(new URL(postgres.url).port));
  const first = await aLogNode(place("standby", chain));
  const second = await aLogNode({ ...place("standby", chain), url: proxy.of(postgres.url) });
  const hash = await ask(first, "eth_sendTransaction", TRANSFER);
  await allTheSame(second, first);
  proxy.cutAt(text, 3);
  await first.close();
  await expect.poll(async () => (await logStatus(second)).role, IN_TIME).toBe("writer");
  expect(proxy.cuts).toBe(3);
  // The lease may have ended while the connections were made anew; the node says so until it has renewed it.
  const receipt = () => outcome(second, "eth_getTransactionReceipt", [hash]);
  await expect.poll(receipt, IN_TIME).toMatchObject({ result: { status: "0x1" } });
  await ask(second, "eth_sendTransaction", TRANSFER);
  await second.close();
  await proxy.close();
});

withCluster("what a reader is asked while one writer follows another waits for the next one", async () => {
  const chain = aChainName();
  const first = await aLogNode(place("standby", chain));
  const second = await aLogNode(place("standby", chain));
  const reader = await aLogNode(place("reader", chain));
  await ask(reader, "eth_sendTransaction", TRANSFER);
  expect(await ask(second, "hindcast_takeOver")).toBe(true);
  await expect.poll(() => outcome(first, "eth_blockNumber"), IN_TIME).toMatchObject({ error: { code: -32_004 } });
  // The reader may still have the address of the first one, which refuses.
  const sent = [await ask(reader, "eth_sendTransaction", TRANSFER)];
  await second.close();
  await first.close();
  const third = aLogNode(place("standby", chain));
  sent.push(await ask(reader, "eth_sendTransaction", TRANSFER));
  for (const hash of sent)
    expect(await ask(reader, "eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  await allTheSame(reader, await third);
});

withCluster("a writer whose clock is set forward, as after a machine slept, renews its lease first", async () => {
  const chain = aChainName();
  const writer = await aLogNode({ ...place("writer", chain), leaseMs: 60_000 });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  try {
    expect(await outcome(writer, "eth_blockNumber")).toMatchObject({ error: { code: -32_002 } });
    await expect.poll(() => outcome(writer, "eth_blockNumber"), IN_TIME).toEqual({ result: "0x0" });
    vi.setSystemTime(Date.now() - 7_200_000);
    expect(await outcome(writer, "eth_blockNumber")).toEqual({ result: "0x0" });
    await ask(writer, "eth_sendTransaction", TRANSFER);
  } finally {
    vi.useRealTimers();
  }
  expect((await logStatus(writer)).epoch).toBe("0x1");
});

withCluster("a log with an entry beyond its end is refused in words, and not taken over again and again", async () => {
  const chain = aChainName();
  const errors: string[] = [];
  const onError = (error: unknown): void => void errors.push((error as Error).message);
  const first = await aLogNode(place("standby", chain));
  const second = await aLogNode(place("standby", chain), { onError });
  const hash = await ask(first, "eth_sendTransaction", TRANSFER);
  await allTheSame(second, first);
  const beyond = `insert into hindcast.entries select e.chain, e.sequence + 7, part, parts, e.epoch, e.hash, payload
    from hindcast.entries e join hindcast.chains c on c.id = e.chain and c.sequence = e.sequence where name = $1`;
  await postgres.query(beyond, [chain]);
  await first.close();
  const said = "The log has entries beyond its end";
  await expect.poll(async () => (await logStatus(second)).problem, IN_TIME).toContain(said);
  const terms = () => postgres.query("select epoch from hindcast.chains where name = $1", [chain]);
  const before = await terms();
  await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS));
  expect(await terms()).toEqual(before);
  expect(errors).toEqual([expect.stringContaining(said)]);
  expect(await ask(second, "eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  await expect(aLogNode(place("writer", chain))).rejects.toMatchObject({ code: "SHARED_LOG_REFUSED" });
  const remove =
    "delete from hindcast.entries e using hindcast.chains c where c.id = e.chain and e.sequence > c.sequence";
  await postgres.query(`${remove} and name = $1`, [chain]);
  expect(await ask(second, "hindcast_takeOver")).toBe(true);
  await ask(second, "eth_sendTransaction", TRANSFER);
  expect(await logStatus(second)).toMatchObject({ role: "writer", problem: null });
});
