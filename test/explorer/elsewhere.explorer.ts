/** The same pages on other chains: one before the Merge, a fork of another node, and a data folder that is opened again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { buildDemo, Market, readMarket } from "./demo-chain.mjs";
import { useExplorer } from "./explorer.ts";

describe("a chain before the Merge", () => {
  const explorer = useExplorer(
    async (node) => {
      const [from, to] = (await node.provider.send("eth_accounts", [])) as string[];
      await node.mine();
      const uncle = await node.mineSideBlock();
      await node.provider.send("eth_sendTransaction", [{ from, to, value: "0x1" }]);
      await node.mine({ uncles: [uncle.header] });
      return { number: Number(node.head.header.number), to };
    },
    { hardfork: "london", mining: "manual" },
  );

  it("has uncles, and rewards for them and for the block", async () => {
    const { page, visit, see, seeCount } = await explorer.open();
    await visit(`#/block/${explorer.facts.number}`);
    await see("2.0625 ETH, and 1.75 ETH for uncles");
    await page.getByRole("tab", { name: "Uncles 1" }).click();
    await seeCount("ul.plain a", 1);
  });

  it.each(["light", "dark"] as const)("axe finds nothing on the page of uncles and rewards, %s", async (scheme) => {
    const { visit, see, axe } = await explorer.open({ scheme });
    await visit(`#/block/${explorer.facts.number}?tab=uncles`);
    await see(/uncle/i);
    expect(await axe()).toEqual([]);
  });

  it("has rewards in the trace of a block, after the calls", async () => {
    const { page, visit } = await explorer.open();
    await visit(`#/block/${explorer.facts.number}?tab=trace`);
    const kinds = (): Promise<string[]> => page.locator(".trace-kind").allInnerTexts();
    await expect.poll(kinds).toEqual(["call", "block reward", "uncle reward"]);
  });
});

/** The market's pages, from data that came from elsewhere. */
function itShowsTheMarket(explorer: ReturnType<typeof useExplorer<Awaited<ReturnType<typeof buildDemo>>>>): void {
  it("shows blocks and a transaction of the old chain, with its calls, changes, gas and steps", async () => {
    const { page, visit, see } = await explorer.open();
    const { routed, manyBlock } = explorer.facts;
    await visit(`#/block/${BigInt(manyBlock)}`);
    await see("Transactions 12");
    await visit(`#/tx/${routed}`);
    await page.locator("h1", { hasText: /^Router\.route/ }).waitFor();
    await see("transferFrom");
    await visit(`#/tx/${routed}?tab=changes`);
    await see("Slots of storage");
    await visit(`#/tx/${routed}?tab=gas`);
    await page.locator(".flame-box").first().waitFor();
    await visit(`#/tx/${routed}?tab=steps`);
    await see("Step 0");
  });

  it("shows an account and takes a new transaction", async () => {
    const { visit, see } = await explorer.open();
    const { gold, alice, bob } = explorer.facts;
    await visit(`#/address/${gold}`);
    await see("Gold (GLD)");
    const hash = await explorer.node.provider.send("eth_sendTransaction", [{ from: alice, to: bob, value: "0x1" }]);
    await visit(`#/tx/${hash}`);
    await see("success");
  });
}

describe("a fork of another node", () => {
  let origin: HindcastNode;
  const facts = {} as Awaited<ReturnType<typeof buildDemo>>;
  const provider = {
    async request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
      if (origin === undefined) {
        origin = await createNode({ hardfork: "cancun" });
        Object.assign(facts, await buildDemo(origin));
      }
      return origin.provider.request(asked as never);
    },
  };
  const explorer = useExplorer(
    async (node) => {
      node.abi.addBuild(readMarket());
      return facts;
    },
    { fork: { provider }, hardfork: "cancun" },
  );
  afterAll(() => origin?.close());

  itShowsTheMarket(explorer);

  it("searches what touched an account in its own blocks alone, and says so", async () => {
    const { visit, see, seeIn, seeCount } = await explorer.open();
    const { gold, bob, routed, alice } = explorer.facts;
    const first = Number(origin.head.header.number) + 1;
    const dave = "0x00000000000000000000000000000000000ffff3";
    const where = `in the blocks from ${first} on, which this node mined itself`;
    await visit(`#/address/${gold}`);
    await see(`No transaction involves this account ${where}.`);
    await visit(`#/address/${gold}?tab=calls`);
    await see(`No call involves this account ${where}.`);
    await visit(`#/address/${alice}?tab=tokens`);
    await see(`were logged ${where}.`);
    await see("The account has no tokens.");
    const market = await new Market(explorer.node).open();
    const through = await market.send("Token", gold, "transfer", [dave, 5n * 10n ** 18n]);
    await visit(`#/address/${gold}`);
    await see(`Activity ${where}`);
    await seeIn(".transactions", /transfer/);
    await seeCount(".transactions li", 1);
    await visit(`#/address/${gold}?tab=calls`);
    await see(`Calls ${where}`);
    await seeCount(`.trace-row:has(a[href="#/tx/${through}"])`, 1);
    await seeCount(".trace-row", 1);
    expect(routed).not.toBe(through);
    await visit(`#/address/${dave}?tab=tokens`);
    await seeIn("section[aria-label='Tokens of the account'] tbody", /^Gold\s+\S+\s+ERC-20\s+5 GLD\s+18/);
    await visit(`#/address/${bob}?tab=tokens`);
    await see("The account has no tokens.");
  });

  it.each([1280, 390])(
    "searches a bounded range of earlier blocks for events and calls at a click, at %i pixels",
    async (width) => {
      const { page, visit, see, seeIn } = await explorer.open({ width });
      const { items, deed } = explorer.facts;
      const first = Number(origin.head.header.number) + 1;
      await visit(`#/address/${items}?tab=events`);
      await see(`The account has logged no events in the blocks from ${first} on, which this node mined itself.`);
      await page.getByRole("button", { name: `Earlier: ${first} blocks of the other chain` }).click();
      await seeIn(".events", /TransferBatch/, /TransferSingle/);
      await see("Events in the blocks from 0 on");
      expect(await page.getByRole("button", { name: /^Earlier/ }).count()).toBe(0);
      await visit(`#/address/${deed}?tab=calls`);
      await see(`No call involves this account in the blocks from ${first} on, which this node mined itself.`);
      await page.getByRole("button", { name: "Earlier: 25 blocks of the other chain" }).click();
      await see(`Calls in the blocks from ${first - 25} on`);
      await seeIn(".trace-row", /./);
      const rest = page.getByRole("button", { name: `Earlier: ${first - 25} blocks of the other chain` });
      await rest.click();
      await see("Calls in the blocks from 0 on");
    },
  );

  it("says that it cannot search its accounts by a contract's name", async () => {
    const { visit, see } = await explorer.open();
    await visit("#/named/Token");
    await see("Contracts cannot be listed");
  });
});

describe("a data folder that is opened again", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "hindcast-explorer-"));
  const facts = {} as Awaited<ReturnType<typeof buildDemo>>;
  const explorer = useExplorer(
    async (node) => {
      node.abi.addBuild(readMarket());
      return facts;
    },
    async () => {
      const first = await createNode({ hardfork: "cancun", dataDir });
      Object.assign(facts, await buildDemo(first));
      await first.close();
      return { hardfork: "cancun", dataDir };
    },
  );
  afterAll(() => rmSync(dataDir, { recursive: true }));

  itShowsTheMarket(explorer);
});

describe("a node that follows another one", () => {
  const token = "a token of the tests";
  let writer: HindcastNode;
  const explorer = useExplorer(
    async () => ({}),
    async () => {
      writer = await createNode({ share: { token } });
      const { url } = await writer.listen({ port: 0 });
      return { follow: { url, token } };
    },
  );
  afterAll(() => writer?.close());

  it("its page says so, names the writer, and still opens when that one is gone", async () => {
    const { visit, see, seeIn, axe } = await explorer.open();
    await writer.mine();
    await visit("#/node");
    await seeIn(
      "section.panel:has(h2:text-is('Shared chain'))",
      /Role\s+reader/,
      /Behind\s+0/,
      /http:\/\/127\.0\.0\.1:\d+/,
    );
    await see("with each transaction");
    expect(await axe()).toEqual([]);
    await writer.close();
    await visit("#/node");
    await seeIn("section.panel:has(h2:text-is('Shared chain'))", /does not answer/);
    await seeIn("section.panel:has(h2:text-is('Development accounts'))", /None\./);
  });
});
