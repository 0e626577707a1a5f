/** Nodes that follow another one, as processes, with viem as their client. */
import { createPublicClient, createWalletClient, http, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { expect, it } from "vitest";
import { aFolder } from "../support/a-folder.ts";
import { BOB } from "../support/a-node.ts";
import { aCommand, aRunningNode, type RunningNode } from "./a-command.ts";

const TOKEN = "a token that nobody may see";
const SHARED = { HINDCAST_SHARE_TOKEN: TOKEN };
const LOCAL = mnemonicToAccount("test test test test test test test test test test test junk");

async function caughtUp(reader: RunningNode, writer: RunningNode): Promise<void> {
  await expect
    .poll(() => reader.ask("eth_blockNumber"), { timeout: 20_000 })
    .toBe(await writer.ask("eth_blockNumber"));
}

it("viem works at a reader as at any node: it sends, waits and watches", async () => {
  const writer = await aRunningNode(["--share"], SHARED);
  const reader = await aRunningNode(["--follow", writer.url], SHARED);
  const client = createPublicClient({ chain: foundry, transport: http(reader.url), pollingInterval: 20 });
  const socket = createPublicClient({ chain: foundry, transport: webSocket(reader.url.replace("http", "ws")) });
  const wallet = createWalletClient({ account: LOCAL, chain: foundry, transport: http(reader.url) });
  const watched: bigint[] = [];
  const stop = socket.watchBlockNumber({ onBlockNumber: (number) => watched.push(number), emitOnBegin: false });
  // The subscription is made by a request of its own.
  await socket.getChainId();
  for (let nonce = 0; nonce < 3; nonce++) {
    const hash = await wallet.sendTransaction({ to: BOB, value: 5n });
    const { blockNumber } = await client.waitForTransactionReceipt({ hash });
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(blockNumber);
    expect((await client.getTransaction({ hash })).nonce).toBe(nonce);
  }
  await expect.poll(() => watched).toEqual([1n, 2n, 3n]);
  stop();
  expect(await client.getBalance({ address: BOB })).toBe(10_000n * 10n ** 18n + 15n);
  expect(await reader.ask("hindcast_status")).toMatchObject({ role: "reader", behind: "0x0", problem: null });
  for (const node of [writer, reader]) {
    const { stdout, stderr } = await node.interrupt();
    expect(stdout + stderr).not.toContain(TOKEN);
  }
});

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
    expect([code, stdout]).toEqual([0, expect.stringContaining("")]);
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
