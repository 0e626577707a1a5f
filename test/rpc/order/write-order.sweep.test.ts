/** Requests that write, sent without waiting, have the effects that they have when each is awaited before the next. */
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { ALICE, aNode, BOB, DAVE, type Json, NOBODY, NOW, quantity, serve } from "../../support/a-node.ts";
import { isSlow, pairs } from "../../support/seed.ts";
import { tellStory } from "../a-story.ts";
import { READING, WRITING } from "../recorded-requests.ts";
import { CONNECTIONS, type Request } from "./connections.ts";

const ask = (method: string, ...params: unknown[]): Request => ({ method, params });
const TRANSFER = { from: ALICE, to: BOB, value: "0x1" };
const SEND = ask("eth_sendTransaction", TRANSFER);
const MINE = ask("evm_mine");
const automine = (enabled: boolean): Request => ask("evm_setAutomine", enabled);
const ONE_TRANSACTION = [expect.objectContaining({ from: expect.any(String) })];
/** So many blocks that later requests would be answered first if they did not wait. */
const MINE_LONG = ask("anvil_mine", quantity(500));

const ROWS: readonly (readonly [string, readonly Request[], Json])[] = [
  [
    "an account spends a balance that was set just before",
    [
      ask("anvil_setBalance", NOBODY, quantity(10n ** 18n)),
      ask("anvil_impersonateAccount", NOBODY),
      ask("eth_sendTransaction", { from: NOBODY, to: BOB, value: "0x1" }),
    ],
    { number: "0x1", transactions: [expect.objectContaining({ from: NOBODY })] },
  ],
  [
    "a transaction takes a nonce that was set just before",
    [ask("anvil_setNonce", ALICE, "0x5"), SEND],
    { number: "0x1", transactions: [expect.objectContaining({ nonce: "0x5" })] },
  ],
  [
    "a block has the transaction that was sent before it",
    [automine(false), SEND, MINE],
    { number: "0x1", transactions: ONE_TRANSACTION },
  ],
  [
    "a transaction is mined that was sent before automine ended",
    [SEND, automine(false)],
    { number: "0x1", transactions: ONE_TRANSACTION },
  ],
  [
    "a block has the timestamp that was set before its transaction",
    [ask("evm_setNextBlockTimestamp", NOW + 1_000), SEND, ask("evm_setNextBlockTimestamp", NOW + 2_000)],
    { number: "0x1", timestamp: quantity(NOW + 1_000) },
  ],
  [
    "a transaction is gone with the snapshot before it",
    [ask("evm_snapshot"), SEND, ask("evm_revert", "0x0")],
    { number: "0x0" },
  ],
  [
    "a transaction behind a mined one is gone with a rollback of one block",
    [SEND, automine(false), ask("anvil_rollback", 1), ask("anvil_dropAllTransactions"), MINE],
    { number: "0x1", transactions: [] },
  ],
  [
    "what fails does not hold up the next",
    [
      ask("eth_sendTransaction", { ...TRANSFER, nonce: "0x99", gas: "0x1" }),
      ask("evm_setNextBlockTimestamp"),
      ask("evm_noSuchMethod"),
      automine(false),
      SEND,
      ask("evm_revert", "0x77"),
      MINE,
    ],
    { number: "0x1", transactions: ONE_TRANSACTION },
  ],
];
const EACH = pairs(ROWS, Object.entries(CONNECTIONS)).map(
  ([[fact, ...given], [name, open]]) => [fact, name, open, ...given] as const,
);

it.each(EACH)("%s (over %s)", async (_fact, _name, open, requests, head) => {
  const { together } = await open();
  await together(requests);
  expect((await together([ask("eth_getBlockByNumber", "latest", true)]))[0]).toMatchObject(head);
});

describe.each(Object.entries(CONNECTIONS))("over %s", (name, open) => {
  it("a signed transaction is mined before automine ends, and each has a block of its own", async () => {
    const { together } = await open();
    const signed = (await together(
      ["0x0", "0x1"].map((nonce) =>
        ask("eth_signTransaction", { ...TRANSFER, nonce, gas: "0x5208", gasPrice: "0x77359400" }),
      ),
    )) as string[];
    await together([...signed.map((raw) => ask("eth_sendRawTransaction", raw)), automine(false)]);
    expect((await together([ask("eth_blockNumber")]))[0]).toBe("0x2");
  });

  // The requests of a batch are served one after another.
  it.skipIf(name === "an HTTP batch")("a request that waits for a block lets those begin that mine it", async () => {
    const { together } = await open();
    const raw = (
      await together([
        ask("eth_signTransaction", { from: DAVE, to: BOB, nonce: "0x0", gas: "0x5208", gasPrice: "0x77359400" }),
      ])
    )[0];
    const requests = [
      automine(false),
      ask("eth_sendTransactionSync", TRANSFER),
      ask("eth_sendRawTransactionSync", raw),
      MINE,
      automine(true),
    ];
    const [, own, signed] = await together(requests);
    expect([own, signed]).toMatchObject([{ blockNumber: "0x1" }, { blockNumber: "0x1" }]);
  });
});

it("requests that only read do not wait for those that write", async () => {
  const { provider } = await aNode();
  const order: string[] = [];
  const sent = [MINE_LONG, automine(true), ask("eth_chainId")].map(({ method, params }) =>
    provider.send(method, params).then(() => order.push(method)),
  );
  await Promise.all(sent);
  expect(order).toEqual(["eth_chainId", "anvil_mine", "evm_setAutomine"]);
});

it("requests of other connections do not wait", async () => {
  const { node, plain } = await serve(await aNode());
  const order: string[] = [];
  // Longer than a request over HTTP takes.
  const mined = node.provider.send("anvil_mine", [quantity(5_000)]).then(() => order.push("the provider"));
  await plain.ask("evm_setAutomine", false);
  order.push("HTTP");
  await mined;
  expect(order).toEqual(["HTTP", "the provider"]);
});

describe("over a WebSocket", () => {
  const connect = async (url: string) => {
    const webSocket = new WebSocket(url.replace(/^http/, "ws"));
    await new Promise((resolve) => webSocket.once("open", resolve));
    return webSocket;
  };
  const texts = (batches: readonly (readonly Request[])[]): string[] =>
    batches.map((batch) => JSON.stringify(batch.map((request, id) => ({ jsonrpc: "2.0", id, ...request }))));

  it.runIf(isSlow)("a batch that writes has its turn as a whole, also if its answer is long", async () => {
    const { node, plain } = await serve(await aNode());
    const webSocket = await connect(plain.url);
    const answers: string[] = [];
    const all = new Promise<void>((resolve) => {
      webSocket.on("message", (data: Buffer) => {
        answers.push(data.toString());
        if (answers.length === 2) resolve();
      });
    });
    // An answer that is written in pieces: what stands behind it is served while it is written.
    const loop = ask("debug_traceCall", { from: ALICE, gas: quantity(200_000), data: "0x5b600056" }, "latest");
    for (const text of texts([[automine(false), SEND, loop, loop, loop, MINE], [automine(true)]])) webSocket.send(text);
    await all;
    webSocket.terminate();
    expect(answers[0]?.length).toBeGreaterThan(1_000_000);
    expect(await node.provider.send("eth_getBlockByNumber", ["latest", false])).toMatchObject({
      number: "0x1",
      transactions: [expect.any(String)],
    });
    expect(await node.provider.send("anvil_getAutomine")).toBe(true);
  });

  it("what a client sent before it went away happens all the same", async () => {
    const { node, plain } = await serve(await aNode());
    const webSocket = await connect(plain.url);
    const mined = new Promise<void>((resolve) => {
      node.onHeadChange(({ added }) => {
        if (added.some(({ header }) => header.number === 3n)) resolve();
      });
    });
    for (const [id, request] of [SEND, SEND, automine(false), SEND, MINE].entries()) {
      webSocket.send(JSON.stringify({ jsonrpc: "2.0", id, ...request }));
    }
    webSocket.close();
    await mined;
  });
});

it("requests that wait are answered when the node closes", async () => {
  const node = await aNode();
  const outcomes = Array.from({ length: 300 }, () =>
    node.provider.send("eth_sendTransaction", [TRANSFER]).then(
      () => "mined",
      (error: { readonly code: number }) => error.code,
    ),
  );
  const reads = node.provider.send("eth_chainId");
  await reads;
  await node.close();
  const ends = await Promise.all(outcomes);
  expect(ends).toContain(4900);
  expect(ends.filter((end) => end !== "mined" && end !== 4900)).toEqual([]);
});

if (isSlow) {
  it("hundreds of requests of all kinds that are sent at once all end", async () => {
    const node = await aNode();
    const story = await tellStory(node);
    const all = [...READING, ...WRITING].flatMap(([method, recordings]) =>
      recordings.map(({ params }) => ask(method, ...(typeof params === "function" ? params(story, "0x0") : params))),
    );
    // In another order, and in slow tests several times: the step is a prime.
    const count = isSlow ? 1_000 : all.length;
    const requests = Array.from({ length: count }, (_, index) => all[(index * 997) % all.length] ?? SEND);
    const ended = await Promise.allSettled(requests.map(({ method, params }) => node.provider.send(method, params)));
    expect(ended.length).toBe(count);
    expect(await node.provider.send("evm_mine")).toBe("0x0");
  });
}
