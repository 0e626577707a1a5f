/** There and back: a chain that leaves a branch for another and returns is the chain that never left. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Block, encodeBlock } from "../../../src/chainspec/header/block.ts";
import { type Backend, openBackend } from "../../../src/node/backend.ts";
import { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, BOB, CAROL, NOW, quantity, wordText } from "../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../support/contracts.ts";

const ACCOUNTS = [ALICE, BOB, CAROL] as const;

const step = fc.record({
  kind: fc.constantFrom("transfer", "log", "log", "empty", "uncle", "create"),
  from: fc.nat({ max: 2 }),
  to: fc.nat({ max: 2 }),
  topic: fc.nat({ max: 3 }),
});
const branch = fc.array(step, { minLength: 1, maxLength: 6 });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Mines a block for each step. */
async function live(node: HindcastNode, emitter: string, steps: readonly Step[]): Promise<void> {
  for (const { kind, from, to, topic } of steps) {
    const sender = { from: ACCOUNTS[from] };
    if (kind === "transfer") await send(node, { ...sender, to: ACCOUNTS[to], value: quantity(topic + 1) });
    if (kind === "log") await send(node, { ...sender, to: emitter, data: logCall([topic, to]), gas: quantity(60_000) });
    // Init code that stores a word, logs nothing and leaves one byte of code.
    if (kind === "create")
      await send(node, { ...sender, data: "0x6001600055600160005360016000f3", gas: quantity(150_000) });
    const hasParent = node.head.header.number > 1n && node.head.header.difficulty > 0n;
    if (kind === "uncle" && hasParent) {
      const side = await node.mineSideBlock({ coinbase: decodeData(addressText(0xe0 + topic)) });
      await node.mine({ uncles: [side.header] });
    } else if (kind === "empty" || kind === "uncle") await node.mine();
  }
}

/** Everything that can be asked of the canonical chain, by number, hash, address and topic. */
async function tellAll(backend: Backend, node: HindcastNode, emitter: string): Promise<Record<string, unknown>> {
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
  const told: Record<string, unknown> = {
    head: encodeData(backend.chain.head.hash),
    stateRoot: encodeData(backend.chain.headStateId),
    logs: await ask("eth_getLogs", { fromBlock: "earliest" }),
    byAddress: await ask("eth_getLogs", { fromBlock: "earliest", address: emitter }),
    traces: await ask("trace_filter", {}),
    beyond: await ask("eth_getBlockByNumber", quantity(node.head.header.number + 1n), false),
  };
  for (let topic = 0; topic < 4; topic++) {
    told[`topic ${topic}`] = await ask("eth_getLogs", { fromBlock: "earliest", topics: [wordText(topic)] });
    told[`second topic ${topic}`] = await ask("eth_getLogs", {
      fromBlock: "earliest",
      topics: [null, wordText(topic)],
    });
  }
  for (const account of ACCOUNTS) {
    told[`traces of ${account}`] = await ask("trace_filter", { fromAddress: [account] });
    told[`to ${account}`] = await ask("trace_filter", { toAddress: [account] });
    told[`balance of ${account}`] = await ask("eth_getBalance", account, "latest");
  }
  for (let number = 0n; number <= node.head.header.number; number++) {
    const block = (await ask("eth_getBlockByNumber", quantity(number), true)) as { transactions: { hash: string }[] };
    told[`block ${number}`] = block;
    told[`receipts ${number}`] = await ask("eth_getBlockReceipts", quantity(number));
    for (const { hash } of block.transactions) {
      told[`transaction ${hash}`] = await ask("eth_getTransactionByHash", hash);
      told[`receipt ${hash}`] = await ask("eth_getTransactionReceipt", hash);
      told[`trace ${hash}`] = await ask("trace_transaction", hash);
    }
  }
  return told;
}

/** A node that mines with each transaction, with the emitter deployed in its first block. */
async function aBackend(hardfork: string) {
  // Time stands still: a branch is the same wherever it is told, but for what its own steps say.
  const backend = await openBackend({ hardfork, clock: () => NOW });
  const node = new HindcastNode(backend, {});
  return { backend, node, emitter: await deploy(node, EMITTER) };
}

it.each(["london", "osaka"])(
  "a reorg away and back leaves chain, state, logs and indexes as they were (%s)",
  async (hardfork) => {
    await fc.assert(
      fc.asyncProperty(branch, branch, fc.nat({ max: 5 }), async (first, second, deep) => {
        const { backend, node, emitter } = await aBackend(hardfork);
        await using _closing = node;
        await live(node, emitter, first);
        const before = await tellAll(backend, node, emitter);
        const there = node.head;
        const depth = Math.min(deep + 1, Number(there.header.number) - 1);
        const leftHashes = new Set(Object.keys(before).filter((key) => key.startsWith("transaction ")));
        backend.pool.clear();
        await backend.writer.setHead(backend.context.control.history.blockAtDepth(depth));
        backend.pool.clear();
        await live(node, emitter, second);
        const away = await tellAll(backend, node, emitter);
        // Steps that say the same make the same blocks: that is no reorg.
        fc.pre(away.head !== before.head);
        // Only what is on the branch is found: no index entry of the other has stayed.
        await expectScanned(away, node);
        await backend.writer.setHead(there);
        backend.pool.clear();
        expect(await tellAll(backend, node, emitter)).toEqual(before);
        for (const key of Object.keys(away).filter((name) => name.startsWith("receipt 0x"))) {
          if (leftHashes.has(key.replace("receipt", "transaction"))) continue;
          const asked = node.provider.request({
            method: "eth_getTransactionReceipt",
            params: [key.slice(8) as `0x${string}`],
          });
          expect(await asked).toBeNull();
        }
      }),
      { numRuns: 4 },
    );
  },
  30_000,
);

/** Answers through the indexes equal what the blocks say one by one. */
async function expectScanned(told: Readonly<Record<string, unknown>>, node: HindcastNode): Promise<void> {
  const receipts: { logs: unknown[] }[] = [];
  const traces: unknown[] = [];
  for (let number = 0n; number <= node.head.header.number; number++) {
    receipts.push(...(told[`receipts ${number}`] as { logs: unknown[] }[]));
    traces.push(...((await node.provider.request({ method: "trace_block", params: [quantity(number)] })) as unknown[]));
  }
  expect(told.logs).toEqual(receipts.flatMap(({ logs }) => logs));
  expect(told.traces).toEqual(traces);
}

it("a branch imported over another and back by weight answers as a chain that knew no other", async () => {
  await fc.assert(
    fc.asyncProperty(branch, branch, async (light, heavy) => {
      const one = await aBackend("london");
      await using _first = one.node;
      const two = await aBackend("london");
      await using _second = two.node;
      const both = await aBackend("london");
      await using _third = both.node;
      await live(one.node, one.emitter, light);
      await two.node.mine({ timestamp: BigInt(NOW + 90) });
      await live(two.node, two.emitter, heavy);
      await two.node.mine({ blocks: 7 });
      for (const { node } of [one, two])
        for (const block of blocksAfterFirst(node)) await both.node.importBlock(encodeBlock(block));
      expect(await tellAll(both.backend, both.node, both.emitter)).toEqual(
        await tellAll(two.backend, two.node, two.emitter),
      );
    }),
    { numRuns: 3 },
  );
});

function blocksAfterFirst(node: HindcastNode): Block[] {
  const blocks: Block[] = [];
  for (let number = 2n; number <= node.head.header.number; number++) {
    const block = node.getBlock(number);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}
