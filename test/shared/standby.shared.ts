/** A PostgreSQL with a hot standby, which readers read, and which takes its place. */
import { expect, onTestFinished } from "vitest";
import { allTheSame } from "../node/sharing/same-answers.ts";
import { ask } from "../node/sharing/shared-nodes.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { aCluster, type TestCluster, withCluster } from "./a-postgres.ts";
import { aChainName, aLogNode, logStatus } from "./log-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };

async function aPair() {
  const primary: TestCluster = await aCluster();
  onTestFinished(() => primary.close());
  return { primary, standby: await primary.standby() };
}

withCluster("readers of a hot standby follow, and forward; a node that may write does not start there", async () => {
  const { primary, standby } = await aPair();
  const chain = aChainName();
  const writer = await aLogNode({ url: primary.url, chain, role: "writer", leaseMs: 60_000 });
  const reader = await aLogNode({ url: standby.url, chain, role: "reader" });
  for (let count = 0; count < 5; count++) {
    const hash = await ask(reader, "eth_sendTransaction", TRANSFER);
    expect(await ask(reader, "eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  }
  await ask(writer, "anvil_mine", "0x20");
  await ask(writer, "anvil_reorg", "0x3");
  await allTheSame(reader, writer);
  expect(await logStatus(reader)).toMatchObject({ role: "reader", epoch: "0x1", problem: null });
  await expect(aLogNode({ url: standby.url, chain, role: "standby" })).rejects.toMatchObject({
    code: "SHARED_LOG_UNREACHABLE",
    message: expect.stringContaining("read-only"),
  });
});

withCluster("with remote_apply the standby has all that was acknowledged, and a writer goes on there", async () => {
  const { primary, standby } = await aPair();
  // After the copy was made: the standby itself waits for nobody.
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query("alter system set synchronous_commit = 'remote_apply'");
  await primary.query("select pg_reload_conf()");
  const chain = aChainName();
  const writer = await aLogNode({ url: primary.url, chain, role: "writer" });
  const sent: unknown[] = [];
  let isOver = false;
  const sending = (async () => {
    while (!isOver) sent.push(await ask(writer, "eth_sendTransaction", TRANSFER));
  })().catch(() => undefined);
  await expect.poll(() => sent.length, { timeout: 60_000 }).toBeGreaterThan(10);
  expect(await primary.query("select sync_state from pg_stat_replication")).toEqual([{ sync_state: "sync" }]);
  await primary.stop("immediate");
  isOver = true;
  const acknowledged = [...sent];
  await standby.promote();
  const next = await aLogNode({ url: standby.url, chain, role: "writer" });
  for (const hash of acknowledged)
    expect(await ask(next, "eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  await ask(next, "eth_sendTransaction", TRANSFER);
  await writer.close();
  await sending;
});
