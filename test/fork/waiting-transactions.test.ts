/** Transactions that read what the upstream has, while it is away: they hold up nobody, and are mined when it answers again. */
import { expect, it } from "vitest";
import type { NodeOptions } from "../../src/node/options/options.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { ALICE, aNode, BOB, CAROL, NOW, quantity } from "../support/a-node.ts";
import { anUpstream, UpstreamFailure } from "../support/an-upstream.ts";
import { COUNTER, deploy } from "../support/contracts.ts";
import { slowIt } from "../support/slow-suite.ts";

/** A fork that has not read a contract of its upstream, which is away. */
async function aFork(options: NodeOptions) {
  const chain = await aNode();
  const counter = await deploy(chain, COUNTER);
  const upstream = await anUpstream(chain.provider as RemoteProvider);
  const errors: unknown[] = [];
  const fork = { url: upstream.url, cache: false, retries: 0 };
  const node = await aNode({ clock: () => NOW, onError: (error) => errors.push(error), ...options, fork });
  const send = (tx: object): Promise<Hex> =>
    node.provider.send("eth_sendTransaction", [{ gas: quantity(100_000), ...tx }]) as Promise<Hex>;
  // Reads the accounts of a transfer, and the one that gets the fees.
  await send({ from: BOB, to: CAROL, value: "0x1" });
  await node.mine();
  upstream.rules.answer = () => {
    throw new UpstreamFailure(-32000, "gone");
  };
  return {
    node,
    errors,
    comeBack: (): void => {
      delete upstream.rules.answer;
    },
    mine: () => node.provider.send("evm_mine", []),
    sendReading: () => send({ from: ALICE, to: counter }),
    sendTransfer: () => send({ from: BOB, to: CAROL, value: "0x1" }),
    pooled: async () => (await node.provider.request({ method: "txpool_status" })).pending,
    minedIn: async (hash: Hex) =>
      (await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] }))?.status,
  };
}

it("wait in the pool, which is reported once, while those of others are mined", async () => {
  const { node, errors, comeBack, mine, sendReading, sendTransfer, pooled, minedIn } = await aFork({
    mining: "manual",
  });
  const reading = await sendReading();
  for (let block = 0; block < 3; block++) {
    const transfer = await sendTransfer();
    await mine();
    expect(await minedIn(transfer)).toBe("0x1");
    expect(await pooled()).toBe("0x1");
  }
  await node.mine({ blocks: 3 });
  expect(errors).toEqual([expect.objectContaining({ code: expect.stringMatching(/^REMOTE_/) })]);
  comeBack();
  // A request that was sent before may still fail, and others that want the same wait for it.
  await expect.poll(() => mine().then(() => minedIn(reading))).toBe("0x1");
  expect(await pooled()).toBe("0x0");
});

it("fail for their senders alone, and can be sent again", async () => {
  const { errors, comeBack, sendReading, sendTransfer, pooled, minedIn } = await aFork({ mining: "auto" });
  await expect(sendReading()).rejects.toMatchObject({ code: -32_002 });
  expect(await pooled()).toBe("0x0");
  expect(await minedIn(await sendTransfer())).toBe("0x1");
  const [transfer, reading] = await Promise.allSettled([sendTransfer(), sendReading(), sendTransfer()]);
  expect([transfer, reading]).toMatchObject([{ status: "fulfilled" }, { status: "rejected" }]);
  expect(errors).toEqual([]);
  comeBack();
  await expect.poll(() => sendReading().then(minedIn, () => undefined)).toBe("0x1");
});

slowIt("do not end interval mining", async () => {
  const { node, errors, comeBack, sendReading, sendTransfer, minedIn } = await aFork({ mining: { intervalMs: 5 } });
  const reading = await sendReading();
  await expect.poll(() => errors.length).toBe(1);
  const transfer = await sendTransfer();
  await expect.poll(() => minedIn(transfer)).toBe("0x1");
  const { number } = node.head.header;
  await expect.poll(() => node.head.header.number > number + 3n).toBe(true);
  expect(errors.length).toBe(1);
  comeBack();
  await expect.poll(() => minedIn(reading)).toBe("0x1");
});
