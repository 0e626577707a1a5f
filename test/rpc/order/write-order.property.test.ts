/**
 * Programs sent without waiting have the effects, answers and notifications of the same programs awaited request by
 * request; and whatever is sent, waited for, closed or aborted, every request is answered.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { ALICE, addressText, BOB, NOW, openNode, quantity, serve } from "../../support/a-node.ts";
import { runs } from "../../support/seed.ts";
import type { Request } from "./connections.ts";

const ask = (method: string, ...params: unknown[]): Request => ({ method, params });
const small = fc.integer({ min: 1, max: 9 });
const sender = fc.constantFrom(ALICE, BOB, addressText(0x55));

/** Requests that write; some fail, depending on those before. */
const write: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(sender, small)
      .map(([from, value]) => ask("eth_sendTransaction", { from, to: BOB, value: quantity(value), gas: "0x5208" })),
  },
  { weight: 2, arbitrary: fc.constant(ask("evm_mine")) },
  { weight: 2, arbitrary: fc.boolean().map((enabled) => ask("evm_setAutomine", enabled)) },
  { weight: 1, arbitrary: fc.tuple(sender, small).map(([of, n]) => ask("anvil_setNonce", of, quantity(n))) },
  {
    weight: 1,
    arbitrary: fc.tuple(sender, small).map(([of, n]) => ask("anvil_setBalance", of, quantity(BigInt(n) * 10n ** 16n))),
  },
  { weight: 1, arbitrary: small.map((n) => ask("evm_setNextBlockTimestamp", NOW + 100 * n)) },
  { weight: 1, arbitrary: small.map((n) => ask("anvil_setNextBlockBaseFeePerGas", quantity(n * 100_000_000))) },
  { weight: 1, arbitrary: fc.constant(ask("anvil_impersonateAccount", addressText(0x55))) },
  { weight: 1, arbitrary: fc.constant(ask("anvil_dropAllTransactions")) },
  { weight: 1, arbitrary: fc.constant(ask("evm_snapshot")) },
  { weight: 1, arbitrary: fc.nat(2).map((id) => ask("evm_revert", quantity(id))) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }).map((n) => ask("anvil_reorg", n, [])) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }).map((n) => ask("anvil_rollback", n)) },
  { weight: 1, arbitrary: fc.constant(ask("eth_subscribe", "newHeads")) },
  { weight: 1, arbitrary: fc.constant(ask("eth_sendTransaction", { from: ALICE, nonce: "wrong" })) },
);
/** Requests that wait for a block that may never come: 30 milliseconds at most. */
const wait: fc.Arbitrary<Request> = sender.map((from) =>
  ask("eth_sendTransactionSync", { from, to: BOB, gas: "0x5208" }, 30),
);
const read = fc.constantFrom(ask("eth_chainId"), ask("eth_getBalance", BOB), ask("eth_call", { to: BOB }), ask("no"));
const anything = fc.oneof({ weight: 8, arbitrary: write }, { weight: 2, arbitrary: wait }, read);

/** A request's answer: random ids are told apart by their order alone. */
const answerOf = async (sent: Promise<unknown>, { method }: Request): Promise<unknown> => {
  try {
    const result = await sent;
    return method === "eth_subscribe" ? "subscribed" : result;
  } catch (error) {
    return (error as Error).message;
  }
};

interface Run {
  readonly answers: readonly unknown[];
  readonly heads: readonly unknown[];
  readonly chain: unknown;
}

async function run(send: (node: HindcastNode) => Promise<readonly unknown[]>): Promise<Run> {
  await using node = await openNode();
  const { provider } = node;
  const heads: unknown[] = [];
  provider.on("message", (message) => heads.push((message as { data: { result: unknown } }).data.result));
  const answers = await send(node);
  // Messages are held for one turn after a subscription's answer.
  await new Promise((resolve) => setTimeout(resolve));
  const chain = await Promise.all([
    provider.send("eth_getBlockByNumber", ["latest", true]),
    provider.send("debug_dumpBlock", ["latest"]),
    provider.send("txpool_content"),
    provider.send("anvil_getAutomine"),
  ]);
  return { answers, heads, chain };
}

it("what is sent without waiting has the effects of what is awaited one by one", async () => {
  const program = fc.array(write, { minLength: 2, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(program, async (requests) => {
      const one = async ({ provider }: HindcastNode, request: Request): Promise<unknown> =>
        answerOf(provider.send(request.method, request.params), request);
      const together = await run((node) => Promise.all(requests.map((request) => one(node, request))));
      const awaited = await run(async (node) => {
        const answers: unknown[] = [];
        for (const request of requests) answers.push(await one(node, request));
        return answers;
      });
      expect(together).toEqual(awaited);
    }),
    { numRuns: runs(200) },
  );
});

it("every request is answered, whatever waits, and although connections and the node close", async () => {
  const closing = fc.constantFrom("the connection", "the node", "nothing");
  await fc.assert(
    fc.asyncProperty(
      fc.array(anything, { minLength: 1, maxLength: 25 }),
      fc.array(anything, { minLength: 1, maxLength: 25 }),
      fc.array(fc.array(anything, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
      closing,
      async (own, overSocket, batches, closes) => {
        await using node = await openNode();
        const { plain } = await serve(node);
        const webSocket = new WebSocket(plain.url.replace(/^http/, "ws"));
        await new Promise((resolve) => webSocket.once("open", resolve));
        const closed = new Promise<void>((resolve) => webSocket.once("close", () => resolve()));
        let left = overSocket.length + batches.length;
        const answered = new Promise<void>((resolve) => {
          webSocket.on("message", (data: Buffer) => {
            const message = JSON.parse(data.toString()) as { readonly method?: string };
            if (message.method === undefined && --left === 0) resolve();
          });
        });
        const sent = Promise.allSettled(own.map(({ method, params }) => node.provider.send(method, params)));
        const text = (request: Request, id: number) => ({ jsonrpc: "2.0", id, ...request });
        for (const [id, request] of overSocket.entries()) webSocket.send(JSON.stringify(text(request, id)));
        for (const batch of batches) webSocket.send(JSON.stringify(batch.map(text)));
        if (closes === "the connection") webSocket.close();
        // After the socket's requests have come, as a rule.
        if (closes === "the node") await plain.ask("eth_chainId").then(() => node.close());
        await Promise.all([sent, Promise.race([answered, closed])]);
        webSocket.terminate();
        // Nothing is left that later requests would wait for.
        if (closes !== "the node") expect(await node.provider.send("evm_mine")).toBe("0x0");
      },
    ),
    { numRuns: runs(200) },
  );
});
