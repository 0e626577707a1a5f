/** viem as the client of a node that follows another one. */
import { createPublicClient, createWalletClient, http, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { expect, it } from "vitest";
import { BOB, serve } from "../../support/a-node.ts";
import { aReader, aWriter } from "./shared-nodes.ts";

const LOCAL = mnemonicToAccount("test test test test test test test test test test test junk");

it("viem works at a reader as at any node: it sends, waits and watches", async () => {
  const { url } = await aWriter();
  const reader = await serve(await aReader(url));
  const client = createPublicClient({ chain: foundry, transport: http(reader.plain.url), pollingInterval: 20 });
  const socket = createPublicClient({
    chain: foundry,
    transport: webSocket(reader.plain.url.replace("http", "ws"), { reconnect: false }),
  });
  const wallet = createWalletClient({ account: LOCAL, chain: foundry, transport: http(reader.plain.url) });
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
  expect(await reader.plain.ask("hindcast_status")).toMatchObject({ role: "reader", behind: "0x0", problem: null });
  (await socket.transport.getRpcClient()).close();
});
