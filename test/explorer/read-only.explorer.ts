/** The explorer of a server with `explorer: "read-only"`, which is `--explorer-read-only`. */
import { expect, it } from "vitest";
import { buildDemo } from "./demo-chain.mjs";
import { useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo, { hardfork: "cancun" }, { explorer: "read-only" });

it("the pool's page shows what waits, has no form or button that changes it, and says why", async () => {
  const { page, visit, see, axe } = await explorer.open();
  const { market, alice, bob } = explorer.facts;
  await market.ask("evm_setAutomine", false);
  const hash = await market.ask("eth_sendTransaction", { from: alice, to: bob, value: "0x5" });
  await visit("#/pool");
  await page.waitForSelector(`.data a[href="#/tx/${hash}"]`);
  await see(/cannot be controlled from this page.*--explorer-read-only/);
  expect(await page.locator("main form").count()).toBe(0);
  expect(await page.locator("main button").count()).toBe(0);
  expect(await axe()).toEqual([]);
  await page.locator(`.data a[href="#/tx/${hash}"]`).click();
  await see("It waits for a block.");
  expect(await page.getByRole("button", { name: "Mine one" }).count()).toBe(0);
  await market.ask("evm_mine");
  await page.getByRole("tree").waitFor();
});

it("the functions of a contract can be called, not sent, and calls can be simulated", async () => {
  const { page, visit, see } = await explorer.open();
  await visit(`#/address/${explorer.facts.gold}?tab=functions`);
  await see(/can be called here, but not sent.*--explorer-read-only/);
  expect(await page.getByRole("button", { name: "Send" }).count()).toBe(0);
  const form = page.locator("form.function", { hasText: "totalSupply" });
  await form.getByRole("button", { name: "Call" }).click();
  await expect.poll(() => form.locator("output").innerText()).toMatch(/^\s*\d+/);
  await visit("#/simulate");
  await page.getByRole("button", { name: "Run" }).waitFor();
});
