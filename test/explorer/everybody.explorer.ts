/** The explorer for everybody: by screen readers, in both schemes, on narrow pages, and without a mouse. */
import { expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { COLOUR_RULES, changeForm } from "./accessibility.ts";
import { buildDemo } from "./demo-chain.mjs";
import { type OpenPage, useExplorer } from "./explorer.ts";

async function buildWithSideBlock(node: HindcastNode) {
  const demo = await buildDemo(node);
  const { market } = demo;
  await market.ask("evm_mine");
  const { hash: side } = await market.ask("eth_getBlockByNumber", "latest", false);
  await market.ask("anvil_reorg", 1, []);
  return { ...demo, side };
}

const explorer = useExplorer(buildWithSideBlock);

/** Each page with a text that shows it is there. */
const PAGES: readonly (readonly [name: string, fragment: () => string, text: string | RegExp])[] = [
  ["chain", () => "#/", "Router"],
  ["block", () => `#/block/${BigInt(explorer.facts.manyBlock)}`, "Transactions 12"],
  ["header", () => `#/block/${BigInt(explorer.facts.manyBlock)}?tab=header`, "parentHash"],
  ["trace of a block", () => `#/block/${BigInt(explorer.facts.manyBlock)}?tab=trace`, /^call$/],
  ["contracts of a name", () => "#/named/Token", "Contracts named Token"],
  ["calls", () => `#/tx/${explorer.facts.routed}`, "transferFrom"],
  ["failure", () => `#/tx/${explorer.facts.failed}`, /^if \(amountOut/],
  ["changes", () => `#/tx/${explorer.facts.routed}?tab=changes`, "Slots of storage"],
  ["events", () => `#/tx/${explorer.facts.routed}?tab=events`, /^Routed/],
  ["gas", () => `#/tx/${explorer.facts.routed}?tab=gas`, "Router.route"],
  ["steps", () => `#/tx/${explorer.facts.failed}?tab=steps&step=700`, "Operation"],
  ["raw", () => `#/tx/${explorer.facts.routed}?tab=raw`, /cumulativeGasUsed/],
  ["activity", () => `#/address/${explorer.facts.gold}`, "mint"],
  ["code", () => `#/address/${explorer.facts.pool}?tab=code`, "PUSH1"],
  ["storage", () => `#/address/${explorer.facts.gold}?tab=storage`, /^totalSupply$/],
  ["calls of an account", () => `#/address/${explorer.facts.gold}?tab=calls`, "transferFrom"],
  ["tokens", () => `#/address/${explorer.facts.alice}?tab=tokens`, "Deed"],
  ["source", () => `#/address/${explorer.facts.gold}?tab=source`, "pragma"],
  ["two transactions", () => `#/compare/${explorer.facts.swap}/${explorer.facts.failed}`, /^if \(amountOut/],
  ["functions", () => `#/address/${explorer.facts.gold}?tab=functions`, "balanceOf"],
  ["simulate", () => "#/simulate", "On which state"],
  ["what if", () => `#/what-if/${explorer.facts.failed}`, "Block and code"],
  ["all transactions", () => "#/transactions", "mint"],
  ["all accounts", () => "#/accounts", "Router"],
  ["node", () => "#/node", "Development accounts"],
  ["events of an account", () => `#/address/${explorer.facts.gold}?tab=events`, /^Transfer/],
  ["side block", () => `#/block/${explorer.facts.side}`, "not in the chain"],
  ["a second transaction to compare with", () => `#/compare/${explorer.facts.swap}`, "Hash of the other transaction"],
  ["no such block", () => "#/block/99999999", /cannot be shown/],
  ["no such transaction", () => `#/tx/0x${"12".repeat(32)}`, /cannot be shown/],
  ["no such account", () => "#/address/0x12", /cannot be shown/],
  ["no such page", () => "#/nothing", /cannot be shown/],
  ["pool", () => "#/pool", "No transactions are waiting."],
];

/** What is wrong with a page that is shown: by axe in both schemes, and by its layout on a narrow page. */
async function wrongWith({ page, axe }: OpenPage) {
  const light = await axe();
  // The width stays, as does each element with its name and role: only colours can be worse.
  await changeForm(page, "dark", 1360);
  const dark = await axe({ rules: COLOUR_RULES });
  // No script of the explorer asks for the width: a page that is resized is one that was loaded so.
  await changeForm(page, "dark", 360);
  const tooWide: number = await page.evaluate(
    "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
  );
  // By hand: the code runs in the page. The row of links and that of tabs scroll to the one that has the focus.
  const unreachable: string[] = await page.evaluate(
    `[...document.querySelectorAll("main *")].filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const isLarger = (overflow, size, room) => /auto|scroll/.test(overflow) && size > room + 1;
      const scrolls = isLarger(overflowX, element.scrollWidth, element.clientWidth) ||
        isLarger(overflowY, element.scrollHeight, element.clientHeight);
      return scrolls && element.tabIndex < 0 && element.querySelector("a, button, input, [tabindex='0']") === null;
    }).map((element) => element.outerHTML.slice(0, 100))`,
  );
  return { light, dark, tooWide, unreachable };
}

it.each(PAGES)(
  "axe finds nothing in either scheme, and 360 pixels need no scrolling to the side, nor a mouse for what scrolls: %s",
  async (_name, fragment, text) => {
    const open = await explorer.open();
    await open.visit(fragment());
    await open.see(text);
    expect(await wrongWith(open)).toEqual({ light: [], dark: [], tooWide: 0, unreachable: [] });
  },
);

it("finds what is wrong in the dark scheme only, and on narrow pages only", async () => {
  const open = await explorer.open();
  await open.visit("#/node");
  await open.see("Development accounts");
  await open.page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(\`
      @media (prefers-color-scheme: dark) { main h1 { color: #333 !important; } }
      @media (max-width: 400px) { main { min-width: 500px; } main h1 { width: 2em; overflow: auto; white-space: nowrap; } }
    \`);
    document.adoptedStyleSheets.push(sheet);
  }`);
  const { light, dark, tooWide, unreachable } = await wrongWith(open);
  expect(light).toEqual([]);
  expect(dark).toEqual([expect.stringMatching(/^color-contrast: .*<h1/)]);
  expect(tooWide).toBeGreaterThan(100);
  expect(unreachable).toEqual([expect.stringMatching(/^<h1/)]);
});

it("goes by keys alone from the chain to a step of a transaction and back", async () => {
  const { page, visit, seeIn } = await explorer.open();
  await visit("#/");
  await page.locator(".transactions li").first().waitFor();
  const focused = (): Promise<string> => page.evaluate("document.activeElement.textContent");
  await page.keyboard.press("Tab");
  expect(await focused()).toMatch(/Skip to content/);
  await page.keyboard.press("Enter");
  for (let presses = 0; presses < 200 && !(await focused()).startsWith(explorer.facts.failed.slice(0, 8)); presses++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("tree").waitFor();
  await page.getByRole("tab", { name: /^Calls/ }).focus();
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press("ArrowRight");
  await seeIn(page.getByRole("tab", { selected: true }), /^Steps$/);
  await page.getByRole("listbox", { name: "Steps" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForURL("**step=1");
  await page.goBack();
  await page.locator(".blocks").waitFor();
});
