/** A page that stays open: what it shows after a restart, a revert, new blocks, and "back". */
import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { buildDemo } from "./demo-chain.mjs";
import { type OpenPage, useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);

type Page = OpenPage["page"];

const numbersOn = async (page: Page): Promise<number[]> =>
  (await page.locator(".blocks .number").allInnerTexts()).map((text: string) => Number(text.replace(/\D/g, "")));

/** Counts the requests of a method that a page sends. */
function countRequests(page: Page, method: string): () => number {
  let count = 0;
  page.on("request", (request: Page) => {
    count += (request.postData() ?? "").split(`"${method}"`).length - 1;
  });
  return () => count;
}

describe.each([1280, 390])("a node that is started again, %i pixels wide", (width) => {
  it("leaves no block of the old chain in the list, and pages opened meanwhile load by themselves", async () => {
    const first = await createNode({ hardfork: "cancun" });
    const { url } = await first.listen({ port: 0 });
    await first.mine({ blocks: 30 });
    const page = await explorer.bare();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${url}/#/`);
    await page.locator(".blocks .number", { hasText: /^30$/ }).waitFor();
    await first.close();
    await page.locator(".head-state.is-off").waitFor();
    // Its code is loaded already, its data are not.
    await page.locator(".blocks .number a").first().click();
    await page.getByText("The node does not answer.").first().waitFor();
    expect(await page.locator("h1").count()).toBe(1);
    await page.goto(`${url}/#/`).catch(() => undefined);
    const second = await createNode({ hardfork: "cancun", timestamp: 1_700_000_000n });
    await second.mine({ blocks: 2 });
    await second.listen({ port: Number(new URL(url).port) });
    await page.goto(`${url}/#/`);
    await expect.poll(() => numbersOn(page)).toEqual([2, 1, 0]);
    await second.close();
    await page.close();
  });

  it("is shown by a page that stayed where it was", async () => {
    const first = await createNode({ hardfork: "cancun" });
    const { url } = await first.listen({ port: 0 });
    await first.mine({ blocks: 30 });
    const page = await explorer.bare();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${url}/#/`);
    await page.locator(".blocks .number", { hasText: /^30$/ }).waitFor();
    await first.close();
    await page.locator(".head-state.is-off").waitFor();
    const second = await createNode({ hardfork: "cancun", timestamp: 1_700_000_000n });
    await second.mine({ blocks: 40 });
    await second.listen({ port: Number(new URL(url).port) });
    await page.locator(".blocks .number", { hasText: /^40$/ }).waitFor();
    expect(await page.locator(".blocks .has-left").count()).toBe(0);
    expect(new Set(await numbersOn(page)).size).toBe(25);
    await second.close();
    await page.close();
  });
});

it("a revert takes the blocks above it off the list", async () => {
  const { page, visit } = await explorer.open();
  const { market } = explorer.facts;
  const before = Number(explorer.node.head.header.number);
  const snapshot = await market.ask("evm_snapshot");
  await market.ask("anvil_mine", "0x1e");
  await visit("#/");
  await expect.poll(async () => (await numbersOn(page))[0]).toBe(before + 30);
  await market.ask("evm_revert", snapshot);
  await expect.poll(async () => (await numbersOn(page))[0]).toBe(before);
  expect(await page.locator(".blocks .has-left").count()).toBe(0);
});

it("a page that stays open for 10,000 blocks has as much memory and as many rows as after 4,000", async () => {
  const node = await createNode({ hardfork: "cancun" });
  const { url } = await node.listen({ port: 0 });
  const page = await explorer.bare();
  await page.goto(`${url}/#/`);
  await page.locator(".blocks tbody tr").first().waitFor();
  const devtools = await page.context().newCDPSession(page);
  const after = async (blocks: number) => {
    for (let head = Number(node.head.header.number); head < blocks; head = Number(node.head.header.number)) {
      await node.mine({ blocks: Math.min(100, blocks - head) });
      await page.locator(".head-state a", { hasText: grouped(Number(node.head.header.number)) }).waitFor();
      await expect.poll(async () => (await numbersOn(page))[0]).toBe(Number(node.head.header.number));
    }
    for (let times = 0; times < 3; times++) await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    return { bytes: usedSize as number, elements: (await page.locator("*").count()) as number };
  };
  const [early, late] = [await after(4_000), await after(10_000)];
  // The browser's own caches are full by then. 80 bytes a block are about the hash of one that is not forgotten.
  expect(late.bytes - early.bytes).toBeLessThan(500_000);
  expect(late.elements).toBe(early.elements);
  await page.close();
  await node.close();
});

const grouped = (value: number): string => String(value).replace(/\d(?=(\d{3})+$)/g, "$&,");

describe("an open transaction", () => {
  it("is loaded once, and again when its block leaves the chain", async () => {
    const { page, visit, seeIn } = await explorer.open();
    const { market, alice, bob } = explorer.facts;
    const hash = await market.ask("eth_sendTransaction", { from: alice, to: bob, value: "0x7" });
    const calls = countRequests(page, "hindcast_getCalls");
    const headers = countRequests(page, "eth_getHeaderByNumber");
    await visit(`#/tx/${hash}`);
    await seeIn(".facts", /1 confirmation/);
    expect(calls()).toBe(1);
    for (const count of [2, 3, 4]) {
      await market.ask("evm_mine");
      await seeIn(".facts", new RegExp(`${count} confirmations`));
    }
    expect(calls()).toBe(1);
    expect(headers()).toBeGreaterThan(3);
    await market.ask("anvil_reorg", 4, []);
    await seeIn("h1", /waiting/);
    await market.ask("evm_mine");
    await seeIn("h1", /success/);
    expect(calls()).toBeGreaterThan(1);
  });

  it("asks for nothing while its page is hidden, and for what it missed when it is shown", async () => {
    const { page, visit, seeIn } = await explorer.open();
    const { market, routed } = explorer.facts;
    await visit(`#/tx/${routed}`);
    await page.getByRole("tree").waitFor();
    await page.waitForLoadState("networkidle");
    // By hand: the code runs in the page.
    const setVisibility = (state: string): Promise<void> =>
      page.evaluate(
        `Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
         document.dispatchEvent(new Event("visibilitychange"))`,
      );
    await setVisibility("hidden");
    let requests = 0;
    page.on("request", () => {
      requests++;
    });
    const head = Number(explorer.node.head.header.number);
    for (let blocks = 0; blocks < 3; blocks++) await market.ask("evm_mine");
    // Longer than it takes a visible page to ask.
    await page.waitForTimeout(2_500);
    expect(requests).toBe(0);
    await setVisibility("visible");
    await seeIn(".head-state", new RegExp(`^${head + 3}`));
  });
});

describe.each([1280, 390])("back, %i pixels wide", (width) => {
  it("leads to the blocks that were loaded, and to where they were scrolled", async () => {
    const { page, visit, seeCount } = await explorer.open({ width });
    await explorer.facts.market.ask("anvil_mine", "0x46");
    await visit("#/");
    await page.locator(".blocks tbody tr").first().waitFor();
    const rows = page.locator(".blocks tbody tr");
    for (let pages = 0; pages < 2; pages++) {
      const before: number = await rows.count();
      await page.getByRole("button", { name: "Older blocks" }).click();
      await expect.poll(() => rows.count()).toBeGreaterThan(before);
    }
    const count: number = await rows.count();
    const link = rows.nth(60).locator(".number a");
    await link.scrollIntoViewIfNeeded();
    const top = (): Promise<number> => page.evaluate("Math.round(scrollY)");
    const before = await top();
    expect(before).toBeGreaterThan(300);
    await link.click();
    await page.locator("h1", { hasText: /^Block / }).waitFor();
    await expect.poll(top).toBe(0);
    await page.goBack();
    await seeCount(".blocks tbody tr", count);
    await expect.poll(top).toBe(before);
  });
});

it("names each page in the browser's title, unknown ones too, with a heading", async () => {
  const { page, visit, see } = await explorer.open();
  const { swap, failed } = explorer.facts;
  await visit(`#/compare/${swap}/${failed}`);
  await expect.poll(() => page.title()).toBe(`${cut(swap)} and ${cut(failed)} · Hindcast`);
  await visit(`#/compare/${swap}`);
  await expect.poll(() => page.title()).toBe(`Compare ${cut(swap)} · Hindcast`);
  for (const fragment of ["#/nothing", "#/block/99999999", `#/tx/0x${"12".repeat(32)}`, "#/address/0x12"]) {
    await visit(fragment);
    await see(/cannot be shown/);
    await expect.poll(() => page.title()).toMatch(/cannot be shown · Hindcast$/);
    expect(await page.locator("h1").count()).toBe(1);
  }
});

const cut = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-4)}`;
