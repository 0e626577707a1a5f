/** The explorer's lists and small pages: all transactions, all accounts, the node, keys, charts, and narrow tables. */
import { afterAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { openTestUpstream, type TestUpstream, UpstreamFailure } from "../support/an-upstream.ts";
import { buildDemo } from "./demo-chain.mjs";
import { saved, useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);
const WIDTHS = [1280, 390];

describe.each(WIDTHS)("at %i pixels", (width) => {
  it("all transactions are listed page by page, and filtered by text and outcome", async () => {
    const { page, visit, see, seeCount } = await explorer.open({ width });
    const { market, failed, routed, gold } = explorer.facts;
    const total = await Promise.all(
      Array.from({ length: Number(explorer.node.head.header.number) + 1 }, (_, number) =>
        market.ask("eth_getBlockTransactionCountByNumber", `0x${number.toString(16)}`),
      ),
    );
    const count = total.reduce((sum: number, each: string) => sum + Number(each), 0);
    await visit("#/transactions");
    await page.locator(".transactions li").first().waitFor();
    while ((await page.getByRole("button", { name: "Older transactions" }).count()) > 0) {
      const before: number = await page.locator(".transactions li").count();
      await page.getByRole("button", { name: "Older transactions" }).click();
      await expect.poll(() => page.locator(".transactions li").count()).toBeGreaterThan(before);
      await page.getByText(/Searching/).waitFor({ state: "detached" });
    }
    await seeCount(".transactions li", count);
    await see(`Of the ${count} that are loaded.`);
    await page.getByLabel("Outcome").selectOption("failed");
    await seeCount(".transactions li:not(.is-failed)", 0);
    await page.locator(`.transactions a[href="#/tx/${failed}"]`).waitFor();
    await page.getByLabel("Outcome").selectOption("all");
    await page.getByLabel("Account, function or hash").fill(routed);
    await seeCount(".transactions li", 1);
    await page.getByLabel("Account, function or hash").fill("Router");
    await seeCount(".transactions li", 2);
    await page.getByLabel("Account, function or hash").fill(gold);
    await page.getByRole("link", { name: "All of this account, from the index" }).click();
    await page.waitForURL(`**/#/address/${gold}`);
  });

  it("all accounts are listed with names, and filtered", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { pool } = explorer.facts;
    await visit("#/accounts");
    await page.locator("table.data tbody tr").first().waitFor();
    await page.getByLabel("Kind").selectOption("contracts");
    await page.getByLabel("Address or name").fill("proxy");
    await expect.poll(() => page.locator("table.data tbody tr").count()).toBe(1);
    await seeIn("table.data tbody tr", /^Proxy\s+0 ETH\s+1\s+contract/);
    const csv = await saved(page, () => page.getByRole("button", { name: "CSV" }).click());
    expect(csv.split("\r\n")[1]).toBe(`${pool},Proxy,0,1,true`);
    await page.locator("table.data tbody tr a").click();
    await page.waitForURL(`**/#/address/${pool}`);
  });

  it("the node's page shows version, dialect, hardfork, limits and accounts", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { alice, market } = explorer.facts;
    const { clientVersion, hardFork, dialect } = await market.ask("hindcast_nodeInfo");
    await visit("#/node");
    await seeIn(
      ".facts",
      new RegExp(clientVersion.replace(/[.+]/g, "\\$&")),
      new RegExp(hardFork),
      new RegExp(dialect),
      /with each transaction/,
    );
    await page.locator(`a[href="#/address/${alice}"]`).first().waitFor();
    await seeIn("[aria-label='Development accounts'] tbody tr", /^Account 0\s+0x[0-9a-f]{6}….{4}\s/);
  });

  it.each([
    ["node", "[aria-label='Development accounts']"],
    ["accounts", ".scroll:has(table)"],
  ])("no column is cut: %s", async (name, selector) => {
    const { page, visit } = await explorer.open({ width });
    await visit(`#/${name}`);
    const table = page.locator(selector).first();
    await table.locator("tbody tr").first().waitFor();
    const [needed, given] = await table.evaluate((element: { scrollWidth: number; clientWidth: number }) => [
      element.scrollWidth,
      element.clientWidth,
    ]);
    expect(needed).toBeLessThanOrEqual(given);
  });

  it("a row of a block's transactions draws nothing over its amount", async () => {
    const { page, visit } = await explorer.open({ width });
    await visit(`#/block/${BigInt(explorer.facts.manyBlock)}`);
    const row = page.locator(".tx-line", { hasText: "0.1 ETH" }).first();
    const [way, amount] = [await row.locator(".way").boundingBox(), await row.locator(".amount").boundingBox()];
    expect(way.x + way.width).toBeLessThanOrEqual(amount.x);
    // By hand: the code runs in the page. What is too long for its column is cut, not drawn over the next one.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.tx-line .way')).overflowX")).toBe("hidden");
  });

  it("the pending block says so, shows what would fail, and has neither a hash nor a next block", async () => {
    const { page, visit, seeIn, seeCount } = await explorer.open({ width });
    const { market, gold, bob, alice } = explorer.facts;
    await market.ask("evm_setAutomine", false);
    const poor = market.accounts[6];
    const failing = await market.send("Token", gold, "transfer", [bob, 1n], { from: poor });
    await market.ask("eth_sendTransaction", { from: alice, to: bob, value: "0x1" });
    await visit("#/block/pending");
    await seeIn("h1", new RegExp(`^Pending block ${Number(explorer.node.head.header.number) + 1}`));
    await seeCount(".tx-line .status", 2);
    const dots = page.locator(".tx-line .status");
    const labels = await Promise.all([0, 1].map((at) => dots.nth(at).getAttribute("aria-label")));
    expect(labels.toSorted()).toEqual(["would fail", "would succeed"]);
    await page.locator(`.tx-line.is-failed a[href="#/tx/${failing}"]`).waitFor();
    expect(await page.locator("header.page-head .copy").count()).toBe(0);
    expect(await page.getByRole("link", { name: "next →" }).count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toMatch(/null/);
    await market.ask("evm_mine");
    await market.ask("evm_setAutomine", true);
    await visit("#/block/latest");
    await seeIn("h1", /^Block /);
    expect(await page.getByRole("link", { name: "next →" }).count()).toBe(0);
    await page.getByRole("link", { name: "← parent" }).click();
    await page.getByRole("link", { name: "next →" }).waitFor();
  });

  it("blocks are drawn with their gas and base fees, and a block with its transactions", async () => {
    const { page, visit } = await explorer.open({ width });
    await visit("#/");
    await page.getByRole("img", { name: /^Gas used and base fee of blocks \d+ to \d+$/ }).waitFor();
    expect(await page.locator(".chart-bar").count()).toBeGreaterThan(10);
    await visit(`#/block/${BigInt(explorer.facts.manyBlock)}`);
    const bar = page.getByRole("img", { name: "Gas of the 12 transactions" });
    await bar.locator("rect").nth(3).click();
    await page.waitForURL("**/#/tx/0x*");
  });
});

it("keys: ? shows the list of keys, and Home and End lead to the ends of every list", async () => {
  const { page, visit } = await explorer.open();
  await visit(`#/block/${BigInt(explorer.facts.manyBlock)}`);
  await page.locator(".tx-line").first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
  await page.getByRole("list", { name: "Transactions of the block" }).focus();
  await page.keyboard.press("End");
  await page.locator(".tx-line.is-current .index", { hasText: /^11$/ }).waitFor();
  await page.keyboard.press("Home");
  await page.locator(".tx-line.is-current .index", { hasText: /^0$/ }).waitFor();
});

describe.each([
  ["a token whose name is long", () => explorer.facts.alice, "tokens", "Tokens of the account"],
  ["variables that were written", () => explorer.facts.routed, "changes", "Changed variables"],
] as const)("a table with %s", (_what, of, tab, label) => {
  it.each([1280, 390])("stays in view at %i pixels", async (width) => {
    const { page, visit } = await explorer.open({ width });
    const { market, alice } = explorer.facts;
    const long = await market.deploy("Token", "A token with a name that goes on and on".repeat(4), "LONGEST");
    await market.send("Token", long, "mint", [alice, 7n]);
    await visit(tab === "tokens" ? `#/address/${of()}?tab=${tab}` : `#/tx/${of()}?tab=${tab}`);
    const table = page.getByLabel(label);
    await table.locator("tbody tr").first().waitFor();
    const [needed, given]: [number, number] = await table.evaluate(
      (section: { scrollWidth: number; clientWidth: number }) => [section.scrollWidth, section.clientWidth],
    );
    expect(needed).toBeLessThanOrEqual(given);
  });
});

describe("a transaction that the node cannot run again", () => {
  let origin: HindcastNode;
  let upstream: TestUpstream;
  const facts = {} as Awaited<ReturnType<typeof buildDemo>>;
  /** An upstream without old states, as most are. */
  const fork = useExplorer(
    async () => facts,
    async () => {
      origin = await createNode({ hardfork: "cancun" });
      Object.assign(facts, await buildDemo(origin));
      const newest = [
        `0x${origin.head.header.number.toString(16)}`,
        `0x${Buffer.from(origin.head.hash).toString("hex")}`,
      ];
      upstream = await openTestUpstream(origin.provider as never, {
        answer: ({ method, params }, ask) => {
          const last = params.at(-1) as string | { readonly blockHash?: string };
          const block = typeof last === "object" ? (last.blockHash ?? "") : last;
          if (
            block !== "latest" &&
            !newest.includes(block) &&
            /^eth_(get(Balance|Code|StorageAt|TransactionCount|Proof)|call)$/.test(method)
          )
            throw new UpstreamFailure(-32000, "missing trie node");
          return ask();
        },
      });
      return { fork: { url: upstream.url }, hardfork: "cancun" };
    },
  );
  afterAll(async () => {
    await upstream?.close();
    await origin?.close();
  });

  it.each(WIDTHS)("is shown from its receipt, and its tabs say why they are empty, at %i pixels", async (width) => {
    const { page, visit, see, seeIn } = await fork.open({ width });
    const { swap, failed, gold } = facts;
    await visit(`#/tx/${swap}`);
    await seeIn("h1", /success/);
    await seeIn(".facts", /Fee\s+0\.\d+ ETH/);
    await see("The node cannot run this transaction again");
    await page.getByRole("tab", { name: /^Events \d/ }).click();
    await seeIn(".events", /Transfer\(from: 0x/);
    expect(await page.locator(`.events a[href="#/address/${gold}"]`).count()).toBeGreaterThan(0);
    await page.getByRole("tab", { name: "Raw" }).click();
    await see(/"cumulativeGasUsed"/);
    await visit(`#/tx/${failed}`);
    await seeIn(page.getByLabel("Why it failed"), /cannot run it again/);
  });
});
