/** The explorer's pages in a browser, by what a person sees and clicks. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildDemo, reorganize } from "./demo-chain.mjs";
import { saved, useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);

describe("the chain's page", () => {
  it("lists the newest blocks first, and their transactions by function and contract", async () => {
    const { page, visit, seeIn, seeCount } = await explorer.open();
    await visit("#/");
    const head = Number(explorer.node.head.header.number);
    const numbers = (): Promise<string[]> => page.locator(".blocks .number").allInnerTexts();
    await expect.poll(async () => (await numbers()).slice(0, 3).map(Number)).toEqual([head, head - 1, head - 2]);
    await seeIn(".blocks tbody tr", /12 tx/);
    await seeCount(".transactions li.is-failed", 2);
    await seeIn(".transactions li:has-text('route')", /Router/);
  });

  it("shows a block as soon as it is mined", async () => {
    const { page, visit, seeIn } = await explorer.open();
    await visit("#/");
    await page.waitForSelector(".blocks tbody tr");
    const hash = await explorer.facts.market.ask("eth_sendTransaction", {
      from: explorer.facts.alice,
      to: explorer.facts.bob,
      value: "0x1",
    });
    await page.waitForSelector(`.transactions a[href="#/tx/${hash}"]`);
    await seeIn(".blocks .number", new RegExp(`^${explorer.node.head.header.number}$`));
  });

  it("marks the blocks of a reorg that happens meanwhile, which stay reachable", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    await visit("#/");
    const lost = `0x${Buffer.from(explorer.node.head.hash).toString("hex")}`;
    await page.waitForSelector(`tr[data-block="${lost}"]`);
    await reorganize(explorer.facts.market);
    await seeIn(`tr.has-left[data-block="${lost}"]`, /left the chain/);
    await page.locator(".forks circle.has-left").first().waitFor({ state: "attached" });
    await page.locator(`tr[data-block="${lost}"] .number a`).click();
    await see("not in the chain");
    await seeIn(".whole-hash code", new RegExp(`^${lost}$`));
  });

  it("gives its table as CSV and as JSON", async () => {
    const { page, visit } = await explorer.open();
    await visit("#/");
    await page.waitForSelector(".blocks tbody tr");
    const csv = await saved(page, () => page.getByRole("button", { name: "CSV" }).first().click());
    const [header, first] = csv.split("\r\n");
    expect(header).toBe("number,hash,parentHash,isCanonical,timestamp,miner,gasUsed,gasLimit,transactionCount");
    expect(first).toMatch(/^\d+,0x[0-9a-f]{64},/);
    const rows = JSON.parse(await saved(page, () => page.getByRole("button", { name: "JSON" }).first().click()));
    expect(rows[0]).toMatchObject({ number: Number(first?.split(",")[0]), hash: first?.split(",")[1] });
    expect(Object.keys(rows[0]).join()).toBe(header);
  });
});

it("loads at most 60 KB, compressed, until the first rows show: files and answers", async () => {
  const { page } = await explorer.open();
  // biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
  const responses: any[] = [];
  page.on("response", (response: unknown) => responses.push(response));
  await page.goto(`${explorer.url}/`);
  await page.locator(".blocks tbody tr").first().waitFor();
  await page.locator(".transactions li").first().waitFor();
  const all = await Promise.all(
    responses.slice().map(async (response) => gzipSync((await response.body()) as Buffer).length),
  );
  expect(all.length).toBeGreaterThan(5);
  expect(all.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60 * 1024);
});

it("moves nothing for a reader who wants less motion", async () => {
  const { page, visit } = await explorer.open();
  await visit("#/");
  await page.locator(".blocks tbody tr").first().waitFor();
  await explorer.facts.market.ask("evm_mine");
  await page.locator(".blocks tr.is-new").first().waitFor();
  // By hand: the code runs in the page.
  expect(await page.evaluate("document.getAnimations().length")).toBe(0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await explorer.facts.market.ask("evm_mine");
  await expect.poll(() => page.evaluate("document.getAnimations().length")).toBeGreaterThan(0);
});

describe("the search", () => {
  it.each([
    ["a number", () => "3", /^Block 3/],
    ["a hash of a transaction", () => explorer.facts.routed, /^Router\.route/],
    ["a hash of a block", () => `0x${Buffer.from(explorer.node.head.hash).toString("hex")}`, /^Block \d+/],
    ["an address", () => explorer.facts.gold, /^Token/],
  ])("finds %s by keys alone", async (_what, query, title) => {
    const { page, visit } = await explorer.open();
    await visit("#/");
    await page.keyboard.press("/");
    await page.keyboard.type(query());
    await page.keyboard.press("Enter");
    await page.locator("h1", { hasText: title }).waitFor();
  });

  it("says that it found nothing", async () => {
    const { page, visit, see } = await explorer.open();
    await visit("#/");
    await page.keyboard.press("/");
    await page.keyboard.type(`0x${"12".repeat(32)}`);
    await page.keyboard.press("Enter");
    await see("The node knows neither a transaction nor a block with this hash.");
  });

  it("finds an address by a label of the user's", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/address/${explorer.facts.bob}`);
    await page.getByLabel("Your label for this address").fill("Treasury");
    await visit("#/");
    await see("Treasury");
    await page.keyboard.press("/");
    await page.keyboard.type("treas");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/#/address/${explorer.facts.bob}`);
  });
});

describe("the search for a contract's name", () => {
  it("goes to the only one of that name", async () => {
    const { page, visit } = await explorer.open();
    await visit("#/");
    await page.keyboard.press("/");
    await page.keyboard.type("router");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/#/address/${explorer.facts.router}`);
  });

  it("lists all of them where there are several, and says where there is none", async () => {
    const { page, visit, see } = await explorer.open();
    await visit("#/named/Token");
    const addresses = (): Promise<string[]> => page.locator("ul.plain a").allInnerTexts();
    const tokens = [explorer.facts.gold, explorer.facts.silver].sort();
    await expect.poll(async () => (await addresses()).sort()).toEqual(tokens);
    await visit("#/named/Nothing");
    await see(/^None\./);
  });
});

describe("the block's page", () => {
  it("traces the whole block, each call with its transaction", async () => {
    const { page, visit, seeCount } = await explorer.open();
    await visit(`#/block/${BigInt(explorer.facts.manyBlock)}?tab=trace`);
    await seeCount(".trace-row", 12);
    await page.getByRole("list", { name: "Calls of the block" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/#/tx/0x*");
  });

  it("lists its transactions and leads to its neighbours", async () => {
    const { page, visit, see } = await explorer.open();
    const number = Number(explorer.node.head.header.number);
    await visit(`#/block/${number - 1}`);
    await see(`Block ${number - 1}`);
    await page.getByRole("link", { name: "next →" }).click();
    await see(`Block ${number}`);
    await page.getByRole("link", { name: "← parent" }).click();
    await see(`Block ${number - 1}`);
    await page.getByRole("tab", { name: "Header" }).click();
    await see("parentHash");
  });

  it("says that there is no such block", async () => {
    const { visit, see } = await explorer.open();
    await visit("#/block/999999");
    await see("The node has no such block.");
  });
});

describe("the pool's page", () => {
  it("shows what waits, drops it and mines it", async () => {
    const { page, visit, see } = await explorer.open();
    const { market, alice, bob } = explorer.facts;
    await visit("#/pool");
    await page.getByRole("button", { name: "Switch off" }).click();
    await see("Transactions wait until a block is mined.");
    const send = () => market.ask("eth_sendTransaction", { from: alice, to: bob, value: "0x5" });
    const dropped = await send();
    await page.waitForSelector(`a[href="#/tx/${dropped}"]`);
    await page.getByRole("button", { name: "Drop" }).click();
    await see("No transactions are waiting.");
    const mined = await send();
    await page.waitForSelector(`a[href="#/tx/${mined}"]`);
    await page.getByRole("button", { name: "Mine", exact: true }).click();
    await see("No transactions are waiting.");
    expect((await market.ask("eth_getTransactionReceipt", mined)).status).toBe("0x1");
    await page.getByRole("button", { name: "Switch on" }).click();
    await see("Each transaction is mined at once.");
  });

  it("says what a transaction waits for", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    const { market } = explorer.facts;
    const from = market.accounts[7];
    const hash = await market.ask("eth_sendTransaction", { from, to: from, nonce: "0x3" });
    await visit("#/pool");
    await seeIn(`.data tr:has(a[href="#/tx/${hash}"])`, /^waits for an earlier nonce/);
    await page.getByRole("button", { name: "Drop" }).click();
    await see("No transactions are waiting.");
  });

  it("sets the time of the next block, which then is mined with it", async () => {
    const { page, visit, see } = await explorer.open();
    await visit("#/pool");
    await page.getByLabel("Date and time, in UTC").fill("2031-05-06T07:08:09");
    await page.getByRole("button", { name: "Set" }).click();
    await see("Done.");
    await page.getByRole("button", { name: "Mine", exact: true }).click();
    await see("2031-05-06 07:08:09 UTC");
  });

  it("keeps what is typed while it looks for changes", async () => {
    const { page, visit } = await explorer.open();
    await visit("#/pool");
    await page.getByLabel("Blocks", { exact: true }).fill("7");
    for (let looks = 0; looks < 2; looks++)
      await page.waitForResponse((response: { request(): { postData(): string | null } }) =>
        response.request().postData()?.includes("txpool_content"),
      );
    await explorer.facts.market.ask("evm_mine");
    await page.locator(".head-state", { hasText: String(explorer.node.head.header.number) }).waitFor();
    expect(await page.getByLabel("Blocks", { exact: true }).inputValue()).toBe("7");
  });

  it("takes a snapshot and goes back to it", async () => {
    const { page, visit, see } = await explorer.open();
    await visit("#/pool");
    const before = explorer.node.head.header.number;
    await page.getByRole("button", { name: "Take" }).click();
    await see(/^Snapshot 0x/);
    await page.getByLabel("Blocks", { exact: true }).fill("3");
    await page.getByRole("button", { name: "Mine", exact: true }).click();
    await see(`Head ${Number(before) + 3}`);
    await page.getByRole("button", { name: "Go back" }).click();
    await see(`Head ${Number(before)}`);
    expect(explorer.node.head.header.number).toBe(before);
  });
});

describe("the form for reorgs", () => {
  it("replaces the last blocks, whose transactions wait again", async () => {
    const { page, visit, see } = await explorer.open();
    const { market, alice, bob } = explorer.facts;
    const kept = await market.ask("eth_getBlockByNumber", "latest", false);
    const hash = await market.ask("eth_sendTransaction", { from: alice, to: bob, value: "0x6" });
    await market.ask("evm_mine");
    const lost = await market.ask("eth_getBlockByNumber", "latest", false);
    await visit("#/pool");
    await see(`Head ${Number(lost.number)}`);
    const form = page.getByRole("form", { name: "Reorg" });
    await form.getByLabel("Blocks to be replaced by empty ones").fill("2");
    await form.getByRole("button", { name: "Replace" }).click();
    await form.getByText("Done.").waitFor();
    await page.waitForSelector(`.data a[href="#/tx/${hash}"]`);
    const head = await market.ask("eth_getBlockByNumber", "latest", false);
    expect([head.number, head.transactions]).toEqual([lost.number, []]);
    expect(head.hash).not.toBe(lost.hash);
    const parent = await market.ask("eth_getBlockByHash", head.parentHash, false);
    expect([parent.parentHash, parent.transactions]).toEqual([kept.hash, []]);
    await page.getByRole("form", { name: "Mine" }).getByRole("button", { name: "Mine" }).click();
    await see("No transactions are waiting.");
    expect((await market.ask("eth_getTransactionReceipt", hash)).status).toBe("0x1");
  });

  it("says why it refuses", async () => {
    const { page, visit } = await explorer.open();
    await visit("#/pool");
    const form = page.getByRole("form", { name: "Reorg" });
    const before = explorer.node.head.header.number;
    await form.getByLabel("Blocks to be replaced by empty ones").fill("100000");
    await form.getByRole("button", { name: "Replace" }).click();
    await form.locator("output", { hasText: /\w{4,}/ }).waitFor();
    expect(await form.locator("output").innerText()).not.toBe("Done.");
    expect(explorer.node.head.header.number).toBe(before);
  });
});
