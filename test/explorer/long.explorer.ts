/** Long things: many steps, many calls, many transactions in a block. Only what is seen is in the page. */
import { expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { assemble } from "../support/assembler.ts";
import { Market } from "./demo-chain.mjs";
import { type OpenPage, useExplorer } from "./explorer.ts";

/** Of seven steps each. */
const LOOPS = 450_000;
const ROUNDS = 4_000n;
const CALLS = 10_000n;
const TRANSACTIONS = 500;
const GAS = "0xbebc200";

async function buildLong(node: HindcastNode) {
  const market = await new Market(node).open();
  const worker = await market.deploy("Worker");
  const steps = await market.send("Worker", worker, "loop", [ROUNDS], { gas: GAS });
  const calls = await market.send("Worker", worker, "fan", [CALLS], { gas: GAS });
  const code = assemble(`${LOOPS} again: 1 SWAP1 SUB DUP1 @again JUMPI 7 5 SSTORE`);
  const longest = await market.ask("eth_sendTransaction", {
    from: market.accounts[0],
    data: `0x${Buffer.from(code).toString("hex")}`,
    gas: GAS,
  });
  await market.ask("evm_setAutomine", false);
  const [from, to] = market.accounts;
  for (let count = 0; count < TRANSACTIONS; count++)
    await market.ask("eth_sendTransaction", { from, to, value: "0x1", gas: "0x5208" });
  await market.ask("evm_mine");
  const block = Number(node.head.header.number);
  await market.ask("evm_setAutomine", true);
  return { market, worker, steps, calls, longest, block };
}

const explorer = useExplorer(buildLong, { hardfork: "cancun", gasLimit: 400_000_000n });

it("a transaction of 200,000 steps opens at any of them, and holds few rows", async () => {
  const { page, visit, see } = await explorer.open();
  await visit(`#/tx/${explorer.facts.steps}?tab=steps&step=200000`);
  await see("Step 200,000");
  await page.locator("#step-200000 .op").waitFor();
  expect(await page.locator(".step").count()).toBeLessThan(150);
  await page.getByRole("listbox", { name: "Steps" }).focus();
  await page.keyboard.press("End");
  await page.locator(".machine b.op", { hasText: /^(STOP|RETURN)$/ }).waitFor();
});

it("a transaction of three million steps, which are not all kept, opens at any of them and is searched", async () => {
  const { page, visit, seeIn } = await explorer.open();
  await visit(`#/tx/${explorer.facts.longest}?tab=steps&step=2500000`);
  await page.getByText("of 3,150,00").waitFor();
  await page.locator("#step-2500000 .op").waitFor();
  expect(await page.locator(".step").count()).toBeLessThan(150);
  await page.getByLabel("Opcode to look for").selectOption("SSTORE");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.locator(".machine b.op", { hasText: /^SSTORE$/ }).waitFor();
  const stack = (): Promise<string[]> => page.locator(".words").first().locator("code").allInnerTexts();
  await expect.poll(async () => (await stack()).slice(0, 2)).toEqual(["0x5", "0x7"]);
  await page.getByRole("tab", { name: /^Changes/ }).click();
  await seeIn("section[aria-label='Changed slots'] tbody tr", /5\s+0\s+7$/);
});

it("a tree of 10,000 calls is walked to its end, and holds few rows", async () => {
  const { page, visit, see } = await explorer.open();
  await visit(`#/tx/${explorer.facts.calls}`);
  await see("Calls 10001");
  await page.getByText(/loading the others/).waitFor({ state: "detached" });
  await page.getByRole("tree").focus();
  await page.keyboard.press("End");
  await page.locator("#row-c10000").waitFor();
  expect(await page.getByRole("treeitem").count()).toBeLessThan(100);
});

it("a transaction of many calls shows its first ones before the others are there, and has a link to a late one", async () => {
  const { page, visit, see, seeIn } = await explorer.open();
  const { calls } = explorer.facts;
  // Held back, as over a slow connection, until the first calls are shown.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/", async (route: OpenPage["page"]) => {
    if (/"hindcast_getCalls".*"from":2000/.test(route.request().postData() ?? "")) await held;
    await route.continue();
  });
  await visit(`#/tx/${calls}?call=9000`);
  await see(/^The first 100 of 10,001 calls; loading the others/);
  await page.getByRole("treeitem").first().waitFor();
  release();
  await seeIn(page.getByLabel("The selected call"), /^Call 9000\b/);
});

it("what a transaction of 3,000 calls loads and draws first is at most three times that of one of 30", async () => {
  const { worker, market } = explorer.facts;
  const first = async (count: bigint) => {
    const hash = await market.send("Worker", worker, "fan", [count], { gas: GAS });
    const { page, visit } = await explorer.open();
    const bodies: Promise<{ readonly length: number }>[] = [];
    page.on("response", (response: OpenPage["page"]) => bodies.push(response.body()));
    // The first calls alone come before the tree shows; the others are held back for good.
    await page.route("**/", async (route: OpenPage["page"]) => {
      if (!/"count":2000/.test(route.request().postData() ?? "")) await route.continue();
    });
    await visit(`#/tx/${hash}`);
    await page.getByRole("treeitem").first().waitFor();
    const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
    return { bytes, elements: (await page.locator("*").count()) as number };
  };
  const [few, many] = [await first(29n), await first(2_999n)];
  expect(many.bytes).toBeLessThan(few.bytes * 3);
  expect(many.elements).toBeLessThan(few.elements * 3);
});

it("long work shows for how long it goes on, and can be stopped", async () => {
  const { page, visit, see } = await explorer.open();
  // Held back for good, as if the node needed minutes.
  await page.route("**/", async (route: OpenPage["page"]) => {
    if (!(route.request().postData() ?? "").includes('"hindcast_stateChanges"')) await route.continue();
  });
  await visit(`#/tx/${explorer.facts.steps}?tab=changes`);
  await see(/^Finding the names of variables… [1-9]\d* s/);
  await page.getByRole("button", { name: "Stop" }).click();
  await see("It was stopped.");
  await see("Slots of storage");
});

it("a block of 500 transactions lists the last of them, and holds few rows", async () => {
  const { page, visit, see } = await explorer.open();
  await visit(`#/block/${explorer.facts.block}`);
  await see("Transactions 500");
  await page.getByLabel("Transactions of the block").evaluate((list: { scrollTop: number; scrollHeight: number }) => {
    list.scrollTop = list.scrollHeight;
  });
  await page.locator(".tx-line .index", { hasText: /^499$/ }).waitFor();
  expect(await page.locator(".tx-line").count()).toBeLessThan(80);
});
