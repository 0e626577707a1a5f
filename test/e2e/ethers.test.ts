/** ethers drives a running node: over HTTP, over WebSocket, and through node.provider. */
import {
  BrowserProvider,
  HDNodeWallet,
  JsonRpcProvider,
  type Log,
  type Provider,
  Transaction,
  toBeHex,
  verifyMessage,
  verifyTypedData,
  WebSocketProvider,
} from "ethers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { ALICE, aServedNode, BOB, NOBODY, openNode, type ServedNode, serve } from "../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";

let served: ServedNode;
let emitter: string;
/** Told of each method that was answered. */
let onAnswer: (method: string) => void = () => undefined;
beforeAll(async () => {
  served = await serve(await openNode({ onRequest: (method) => onAnswer(method) }));
  emitter = await deploy(served.node, EMITTER);
});
afterAll(() => served.node.close());

const PHRASE = "test test test test test test test test test test test junk";

/** Else ethers answers itself for a quarter of a second, and waits ten milliseconds with each request for others. */
const UNCACHED = { pollingInterval: 5, cacheTimeout: -1, batchStallTime: 0 };

const doors = {
  JsonRpcProvider: () => new JsonRpcProvider(served.plain.url, undefined, UNCACHED),
  WebSocketProvider: () => new WebSocketProvider(() => new WebSocket(`ws${served.plain.url.slice(4)}`) as never),
  BrowserProvider: () => new BrowserProvider(served.node.provider, undefined, UNCACHED),
} as const;

/** ethers subscribes in the background, or makes a filter and polls: the third poll comes when the first is dealt with. */
function untilListening(hasFilter: boolean): Promise<void> {
  return new Promise((resolve) => {
    let polls = hasFilter ? Number.NaN : 0;
    onAnswer = (method) => {
      if (/^eth_new\w*Filter$/.test(method)) polls = 0;
      else if (method === "eth_blockNumber") polls++;
      if (method === "eth_subscribe" || polls === 3) resolve();
    };
  });
}

/** Collects events until one is enough. */
async function collected<Item>(
  provider: Provider,
  event: Parameters<Provider["on"]>[0],
  isEnough: (item: Item) => boolean,
  act: () => Promise<unknown>,
): Promise<Item[]> {
  const seen: Item[] = [];
  const listening = untilListening(event !== "block");
  const enough = new Promise<void>((resolve) => {
    void provider.on(event, (item: Item) => {
      seen.push(item);
      if (isEnough(item)) resolve();
    });
  });
  await listening;
  await act();
  await enough;
  await provider.removeAllListeners(event);
  return seen;
}

describe.each(Object.entries(doors))("ethers' %s", (_name, open) => {
  let provider: JsonRpcProvider | WebSocketProvider | BrowserProvider;
  beforeAll(() => {
    provider = open();
  });
  afterAll(() => provider.destroy());

  it("sends with the node's accounts and with keys of its own, and waits", async () => {
    for (const signer of [await provider.getSigner(ALICE), HDNodeWallet.fromPhrase(PHRASE).connect(provider)]) {
      const sent = await signer.sendTransaction({ to: BOB, value: 5n });
      const receipt = await sent.wait();
      expect(receipt).toMatchObject({ status: 1, to: expect.stringMatching(new RegExp(BOB, "i")) });
      const tx = await provider.getTransaction(sent.hash);
      expect(tx).toMatchObject({ hash: sent.hash, blockNumber: receipt?.blockNumber, type: 2 });
    }
  });

  it("reads network, fees, blocks and logs", async () => {
    expect((await provider.getNetwork()).chainId).toBe(31_337n);
    expect((await provider.getFeeData()).maxPriorityFeePerGas).toBe(10n ** 9n);
    expect(await provider.getBlock("latest", true)).toMatchObject({ number: Number(served.node.head.header.number) });
    const hash = await send(served.node, { to: emitter, data: logCall([7]), gas: "0x30d40" });
    const logs = await provider.getLogs({ address: emitter, topics: [toBeHex(7, 32)], fromBlock: 0 });
    expect(logs.at(-1)).toMatchObject({ transactionHash: hash, removed: false });
    expect(await provider.call({ to: emitter, data: logCall([]) })).toBe("0x");
  });

  it("has the node sign a transaction, and sends it as a raw one", async () => {
    const signer = await provider.getSigner(BOB);
    const nonce = await provider.getTransactionCount(BOB);
    const raw = await signer.signTransaction({ to: ALICE, value: 6n, gasLimit: 21_000n, nonce, chainId: 31_337n });
    expect(Transaction.from(raw)).toMatchObject({
      value: 6n,
      nonce,
      from: expect.stringMatching(new RegExp(BOB, "i")),
    });
    expect(await (await provider.broadcastTransaction(raw)).wait()).toMatchObject({ status: 1 });
  });

  it("finds a signer for an impersonated account, and none once that ended", async () => {
    await provider.send("anvil_setBalance", [NOBODY, toBeHex(10n ** 18n)]);
    await provider.send("anvil_impersonateAccount", [NOBODY]);
    const sent = await (await provider.getSigner(NOBODY)).sendTransaction({ to: BOB, value: 7n });
    expect(await sent.wait()).toMatchObject({ status: 1, from: expect.stringMatching(new RegExp(NOBODY, "i")) });
    await provider.send("anvil_stopImpersonatingAccount", [NOBODY]);
    await expect(provider.getSigner(NOBODY)).rejects.toThrow(/invalid account/);
  });

  it("signs messages and typed data", async () => {
    const signer = await provider.getSigner(ALICE);
    expect(verifyMessage("hello", await signer.signMessage("hello")).toLowerCase()).toBe(ALICE);
    const types = { Order: [{ name: "amount", type: "uint256" }] };
    const signature = await signer.signTypedData({ name: "Shop", chainId: 31_337n }, types, { amount: 2n ** 200n });
    const signed = verifyTypedData({ name: "Shop", chainId: 31_337n }, types, { amount: 2n ** 200n }, signature);
    expect(signed.toLowerCase()).toBe(ALICE);
  });

  it("hears of blocks, one by one", async () => {
    const last = Number(served.node.head.header.number) + 3;
    const isEnough = (number: number): boolean => number === last;
    const numbers = await collected<number>(provider, "block", isEnough, async () => {
      for (let count = 0; count < 3; count++) await served.node.mine();
    });
    // A polling client may begin with earlier blocks.
    expect(numbers).toEqual(numbers.map((_, index) => last + 1 - numbers.length + index));
    expect(numbers.length).toBeGreaterThanOrEqual(3);
  });

  it("hears of logs", async () => {
    const filter = { address: emitter, topics: [toBeHex(5, 32)] };
    let hash = "";
    const logs = await collected<Log>(
      provider,
      filter,
      () => true,
      async () => {
        await send(served.node, { to: emitter, data: logCall([4]), gas: "0x30d40" });
        hash = await send(served.node, { to: emitter, data: logCall([5]), gas: "0x30d40" });
      },
    );
    expect(logs).toMatchObject([{ transactionHash: hash }]);
  });

  it("hears of pending transactions", async () => {
    let hash = "";
    const hashes = await collected<string>(
      provider,
      "pending",
      () => true,
      async () => {
        hash = await send(served.node, { to: BOB });
      },
    );
    expect(hashes).toEqual([hash]);
  });

  it("asks what it has no function of its own for", async () => {
    const call = { from: ALICE, to: emitter, data: logCall([7]) };
    expect(await provider.send("eth_feeHistory", ["0x1", "latest", [50]])).toMatchObject({
      reward: [[expect.any(String)]],
    });
    expect(await provider.send("eth_createAccessList", [call, "latest"])).toMatchObject({ accessList: [] });
    expect(await provider.send("eth_getProof", [emitter, ["0x0"], "latest"])).toMatchObject({ address: emitter });
    const [simulated] = await provider.send("eth_simulateV1", [{ blockStateCalls: [{ calls: [call] }] }, "latest"]);
    expect(simulated.calls).toMatchObject([{ status: "0x1", logs: [{ address: emitter, topics: [toBeHex(7, 32)] }] }]);
    const { tx } = await provider.send("eth_fillTransaction", [{ from: ALICE, to: BOB, value: "0x1" }]);
    const { from: _from, gas, input, ...rest } = tx;
    const wallet = HDNodeWallet.fromPhrase(PHRASE);
    const raw = await wallet.signTransaction({ ...rest, gasLimit: gas, data: input, type: Number(tx.type) });
    expect(await provider.send("eth_sendRawTransactionSync", [raw])).toMatchObject({ status: "0x1", from: ALICE });
  });

  it("names what the node refuses by its own codes", async () => {
    const signer = HDNodeWallet.fromPhrase(PHRASE).connect(provider);
    // ethers keeps answers for a moment: it would still take the nonce of a transaction that was just mined.
    const nonce = Number(await provider.send("eth_getTransactionCount", [signer.address, "pending"]));
    const poor = { to: BOB, value: 10n ** 30n, gasLimit: 21_000n, nonce };
    await expect(signer.sendTransaction(poor)).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
    await expect(signer.sendTransaction({ to: BOB, nonce: 0, gasLimit: 21_000n })).rejects.toMatchObject({
      code: "NONCE_EXPIRED",
    });
    // Init code that reverts with Error("no").
    const reason = `08c379a0${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6e6f".padEnd(64, "0")}`;
    await expect(provider.call({ data: `0x6064600c60003960646000fd${reason}` })).rejects.toMatchObject({
      code: "CALL_EXCEPTION",
      reason: "no",
    });
  });
});

it("ethers hears over WebSocket that a log left with its block, and of the log again when it is mined again", async () => {
  const provider = doors.WebSocketProvider();
  onTestFinished(() => provider.destroy());
  // A log that comes before ethers knows the network would not be told of.
  await provider.getNetwork();
  const filter = { address: emitter, topics: [toBeHex(6, 32)] };
  const dropped: Log[] = [];
  let reorged: Promise<unknown> | undefined;
  const logs = await collected<Log>(
    provider,
    filter,
    (log) => {
      reorged ??= dropBlockOf(log);
      return dropped.length > 0;
    },
    () => send(served.node, { to: emitter, data: logCall([6]), gas: "0x30d40" }),
  );
  await reorged;
  const again = { transactionHash: logs[0]?.transactionHash, removed: false };
  expect(logs).toMatchObject([again, { ...again, blockHash: encodeData(served.node.head.hash) }]);
  expect(dropped).toMatchObject([{ ...again, removed: true, blockHash: logs[0]?.blockHash }]);
  expect(logs[0]?.blockHash).not.toBe(logs[1]?.blockHash);
  // ethers unsubscribes in the background, which must be over before it goes.
  await provider.send("eth_chainId", []);

  /** Listens for the drop, which ethers tells of under the log's own name, and makes it come. */
  async function dropBlockOf(log: Log): Promise<void> {
    await provider.once({ orphan: "drop-log", log: { ...log.toJSON(), removed: true } as Log }, (removed: Log) => {
      dropped.push(removed);
    });
    await served.node.reorg({ depth: 1 });
    await served.node.mine();
  }
});

it("ethers over WebSocket hears of every event after a filter, though it waits for nothing", async () => {
  const { node, plain } = await aServedNode();
  const address = await deploy(node, EMITTER);
  const provider = new WebSocketProvider(() => new WebSocket(`ws${plain.url.slice(4)}`) as never);
  onTestFinished(() => provider.destroy());
  // ethers refuses events before it knows the network.
  await provider.getNetwork();
  const seen: string[] = [];
  await provider.on({ address }, (log: Log) => seen.push(log.transactionHash));
  const sent: string[] = [];
  for (let count = 0; count < 3; count++) {
    const tx = { from: ALICE, to: address, data: logCall([count]), gas: "0x30d40" };
    sent.push((await provider.send("eth_sendTransaction", [tx])) as string);
  }
  // ethers passes notifications on in a later turn than answers.
  await provider.send("eth_blockNumber", []);
  await new Promise(setImmediate);
  expect(seen).toEqual(sent);
});

it("ethers signs legacy transactions for a chain id beyond what a double holds, and reads them back", async () => {
  const chainId = 2n ** 60n + 1n;
  const alloc = { [ALICE.slice(2)]: { balance: "0xde0b6b3a7640000" } };
  const config = { chainId: `${chainId}`, londonBlock: 0 };
  const { plain } = await aServedNode({ genesis: { config, alloc, gasLimit: "0x1c9c380" }, mining: "auto" });
  // Cached, ethers takes the nonce of a quarter of a second ago.
  const provider = new JsonRpcProvider(plain.url, undefined, UNCACHED);
  onTestFinished(() => provider.destroy());
  expect((await provider.getNetwork()).chainId).toBe(chainId);
  const wallet = HDNodeWallet.fromPhrase(PHRASE).connect(provider);
  for (const type of [0, 2]) {
    const sent = await wallet.sendTransaction({ to: BOB, value: 1n, type });
    expect(await sent.wait()).toMatchObject({ status: 1 });
    const read = await provider.getTransaction(sent.hash);
    expect(read).toMatchObject({ chainId, from: wallet.address });
    expect(Transaction.from(await plain.ask<string>("eth_getRawTransactionByHash", sent.hash)).chainId).toBe(chainId);
  }
});
