/** Nodes that follow another one, as processes that are started and killed. */
import { expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { aCommand, aRunningNode, type RunningNode } from "./a-command.ts";

const TOKEN = "a token that nobody may see";
const SHARED = { HINDCAST_SHARE_TOKEN: TOKEN };

async function caughtUp(reader: RunningNode, writer: RunningNode): Promise<void> {
  await expect.poll(() => reader.ask("eth_blockNumber"), { timeout: 20_000 }).toBe(await writer.ask("eth_blockNumber"));
}

it("readers go on when their writer is killed and started again with its folder", async () => {
  const dataDir = await aFolder();
  const before = await aRunningNode(["--share", "--data-dir", dataDir], SHARED);
  const folder = await aFolder();
  const flags = ["--follow", before.url, "--data-dir", folder];
  const reader = await aRunningNode(flags, SHARED);
  await before.ask("anvil_mine", "0x5");
  before.process.kill("SIGKILL");
  await before.finished;
  expect(await reader.ask("eth_getBlockByNumber", "0x0", false)).toMatchObject({ number: "0x0" });
  const after = await aRunningNode(["--share", "--data-dir", dataDir, "--port", String(before.port)], SHARED);
  await after.ask("anvil_mine", "0x2");
  await caughtUp(reader, after);
  reader.process.kill("SIGKILL");
  await reader.finished;
  await after.ask("anvil_rollback", 3);
  const again = await aRunningNode(flags, SHARED);
  await caughtUp(again, after);
  expect(await again.ask("eth_getBlockByNumber", "latest", true)).toEqual(
    await after.ask("eth_getBlockByNumber", "latest", true),
  );
  for (const [node, checked] of [
    [again, folder],
    [after, dataDir],
  ] as const) {
    await node.interrupt();
    const { code, stdout } = await aCommand(["check", "--data-dir", checked]).finished;
    expect([code, stdout]).toEqual([0, expect.any(String)]);
    const { stdout: printed, stderr } = await node.finished;
    expect(printed + stderr).not.toContain(TOKEN);
  }
});

it("a wrong token, or a node that does not share, ends the command with a sentence", async () => {
  const writer = await aRunningNode(["--share"], SHARED);
  const wrong = await aCommand(["--follow", writer.url, "--share-token", "another token, as long"]).finished;
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain("cannot be followed: The token is not that of this shared chain.");
  const alone = await aRunningNode();
  const refused = await aCommand(["--follow", alone.url], SHARED).finished;
  expect(refused.stderr).toContain("This node does not share its chain.");
  const contradicting = await aCommand(["--follow", alone.url, "--chain-id", "5"], SHARED).finished;
  expect(contradicting.stderr).toContain("the option chainId contradicts that");
  const lonely = await aCommand(["--share"]).finished;
  expect(lonely.stderr).toContain("--share-token");
});
