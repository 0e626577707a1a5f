/** The explorer's page of an account, by what a person sees and clicks. */
import { describe, expect, it } from "vitest";
import { assemble } from "../support/assembler.ts";
import { buildDemo } from "./demo-chain.mjs";
import { saved, useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);

describe("the account's page", () => {
  it("shows a token with its name, and everything that touched it", async () => {
    const { visit, see, seeIn } = await explorer.open();
    await visit(`#/address/${explorer.facts.gold}`);
    await see("Gold (GLD)");
    await see("51,000");
    await seeIn(".transactions", /route/);
  });

  it("calls and sends its functions by forms", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    const { gold, pool, bob } = explorer.facts;
    await visit(`#/address/${gold}?tab=functions`);
    const balance = page.locator("form.function", { has: page.getByRole("heading", { name: "balanceOf" }) });
    await balance.locator("input").fill(pool);
    await balance.getByRole("button", { name: "Call" }).click();
    await see(/^ ?50\d{21}$|^ ?49\d{21}$/);
    await balance.locator("input").fill("0x12");
    await balance.getByRole("button", { name: "Call" }).click();
    await see(/expected an address\./);
    const mint = page.locator("form.function", { has: page.getByRole("heading", { name: "mint" }) });
    await mint.locator("input").first().fill(bob);
    await mint.locator("input").last().fill("7");
    await mint.getByRole("button", { name: "Send" }).click();
    await mint.getByRole("link", { name: "Transaction" }).click();
    await seeIn("h1", /^Token\.mint\s+success$/);
  });

  it("sends ether with a function that takes it, with lists and structs as JSON", async () => {
    const { page, visit } = await explorer.open();
    const { router, pool, gold, market } = explorer.facts;
    await visit(`#/address/${router}?tab=functions`);
    const route = page.locator("form.function", { has: page.getByRole("heading", { name: "route" }) });
    await route.getByLabel(/^hops/).fill(`[{"pool": "${pool}", "zeroForOne": true, "token": "${gold}"}]`);
    await route.getByLabel(/^amountIn/).fill("1000");
    await route.getByLabel(/^least/).fill("1");
    await route.getByLabel("Value, in ETH").fill("0.25");
    await route.getByRole("button", { name: "Send" }).click();
    const href: string = await route.getByRole("link", { name: "Transaction" }).getAttribute("href");
    const tx = await market.ask("eth_getTransactionByHash", href.slice("#/tx/".length));
    expect(BigInt(tx.value)).toBe(25n * 10n ** 16n);
  });

  it("offers to read what changes nothing, and not to send it", async () => {
    const { page, visit } = await explorer.open();
    await visit(`#/address/${explorer.facts.gold}?tab=functions`);
    const supply = page.locator("form.function", { has: page.getByRole("heading", { name: "totalSupply" }) });
    await supply.getByRole("button", { name: "Call" }).waitFor();
    expect(await supply.getByRole("button", { name: "Send" }).count()).toBe(0);
  });

  it("names the variables of its storage, a proxy's by the contract behind it", async () => {
    const { visit, see, seeIn } = await explorer.open();
    const { gold, silver, pool } = explorer.facts;
    await visit(`#/address/${gold}?tab=storage`);
    await see(/^totalSupply$/);
    const slots = "section[aria-label='Slots'] tbody";
    await seeIn(slots, /^balanceOf\[0x[0-9a-fA-F]{40}\]\s+[\d,]+\s+uint256/m, /^symbol\s+"GLD"\s+string\s+1$/m);
    await visit(`#/address/${pool}?tab=storage`);
    await see(/^contract Token$/);
    await seeIn(slots, new RegExp(gold, "i"), new RegExp(silver, "i"));
  });

  it("finds the variables of its storage by name", async () => {
    const { page, visit, seeCount, seeIn } = await explorer.open();
    await visit(`#/address/${explorer.facts.gold}?tab=storage`);
    await page.getByLabel("Search the variables and slots").fill("SYMB");
    await seeCount("section[aria-label='Slots'] tbody tr", 1);
    await seeIn("section[aria-label='Slots'] tbody tr", /^symbol\s+"GLD"/);
  });

  it("lists calls from and to it, inner ones too, and leads to their transactions", async () => {
    const { page, visit, seeIn } = await explorer.open();
    const { gold, routed } = explorer.facts;
    await visit(`#/address/${gold}?tab=calls`);
    const inner = page.locator(".trace-row", { has: page.locator(`a[href="#/tx/${routed}"]`) });
    await expect.poll(() => inner.count()).toBeGreaterThan(1);
    await seeIn(inner.first(), /Router\s+→\s+Token\s+transferFrom/);
  });

  it("shows the source of its contract, of a long file only what is seen", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    await visit(`#/address/${explorer.facts.gold}?tab=source`);
    await see("src/Market.sol");
    await page.getByRole("listbox", { name: "Source" }).focus();
    await page.keyboard.press("ArrowDown");
    await seeIn(".source-row.is-current", /^2\s+pragma solidity/);
    expect(await page.locator(".source-row").count()).toBeLessThan(100);
  });

  it("lists storage and code", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/address/${explorer.facts.logic}?tab=code`);
    await see("PUSH1");
    await visit(`#/address/${explorer.facts.pool}?tab=storage`);
    await page.waitForSelector("table.data tbody tr");
    await page.getByLabel("Slot", { exact: true }).fill("2");
    await page.getByRole("button", { name: "Read" }).click();
    await see(/^0x0{40,}[1-9a-f]/);
  });
});

/** Slot of a proxy's implementation (EIP-1967). */
const IMPLEMENTATION = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
/** A proxy by EIP-1967 that no compiler made. */
const PROXY_CODE = assemble(`
  CALLDATASIZE 0 0 CALLDATACOPY 0 0 CALLDATASIZE 0 ${IMPLEMENTATION} SLOAD GAS DELEGATECALL POP
  RETURNDATASIZE 0 0 RETURNDATACOPY RETURNDATASIZE 0 RETURN`);
const UNKNOWN_PROXY = "0x00000000000000000000000000000000000ffff1";

describe("the forms of a proxy", () => {
  it("read and write through it, by the functions of its implementation", async () => {
    const { page, visit, seeIn } = await explorer.open();
    const { pool, logic, market } = explorer.facts;
    await visit(`#/address/${pool}?tab=functions`);
    await seeIn("h1", /^Proxy\s+contract$/);
    const form = (name: string) =>
      page.locator("form.function", { has: page.getByRole("heading", { name, exact: true }) });
    const reserve = BigInt(await market.ask("eth_call", { to: pool, data: market.data("Pool", "reserve0") }, "latest"));
    expect(reserve).toBeGreaterThan(0n);
    await form("reserve0").getByRole("button", { name: "Call" }).click();
    await seeIn(form("reserve0").locator("output"), new RegExp(`^ ?${reserve}$`));
    await form("initialize")
      .getByLabel(/^first/)
      .fill(explorer.facts.silver);
    await form("initialize")
      .getByLabel(/^second/)
      .fill(explorer.facts.gold);
    await form("initialize").getByRole("button", { name: "Send" }).click();
    await form("initialize").getByRole("link", { name: "Transaction" }).waitFor();
    const token = async (at: string): Promise<string> =>
      `0x${(await market.ask("eth_call", { to: at, data: market.data("Pool", "token0") }, "latest")).slice(-40)}`;
    expect(await token(pool)).toBe(explorer.facts.silver);
    expect(BigInt(await token(logic))).toBe(0n);
  });

  it("are there where only the implementation is known", async () => {
    const { page, visit, seeIn } = await explorer.open();
    const { gold, market } = explorer.facts;
    await market.ask("anvil_setCode", UNKNOWN_PROXY, `0x${Buffer.from(PROXY_CODE).toString("hex")}`);
    await market.ask("anvil_setStorageAt", UNKNOWN_PROXY, IMPLEMENTATION, `0x${gold.slice(2).padStart(64, "0")}`);
    await visit(`#/address/${UNKNOWN_PROXY}?tab=functions`);
    await seeIn("h1", /^Contract\s+contract$/);
    const decimals = page.locator("form.function", { has: page.getByRole("heading", { name: "decimals" }) });
    await decimals.getByRole("button", { name: "Call" }).click();
    await seeIn(decimals.locator("output"), /^ ?18$/);
  });
});

describe("the tokens of an account", () => {
  it("are listed with name, decimals, balance and ids: ERC-20, ERC-721 and ERC-1155", async () => {
    const { page, visit } = await explorer.open();
    const { alice, market, gold } = explorer.facts;
    await visit(`#/address/${alice}?tab=tokens`);
    const rows = async (): Promise<string[][]> =>
      (await page.locator("section[aria-label='Tokens of the account'] tbody tr").allInnerTexts()).map((row: string) =>
        row.split("\t").map((cell) => cell.trim()),
      );
    await expect
      .poll(async () => (await rows()).map(([name, , ...cells]) => [name, ...cells]))
      .toEqual([
        ["Gold", "ERC-20", expect.stringMatching(/^962\.\d+ GLD$/), "18", ""],
        ["Silver", "ERC-20", expect.stringMatching(/^1,009\.\d+ SLV$/), "18", ""],
        ["no name", "ERC-1155", "6", "", "8"],
        ["no name", "ERC-1155", "5", "", "7"],
        ["Deed", "ERC-721", "1 DEED", "", "3"],
      ]);
    const call = { to: gold, data: market.data("Token", "balanceOf", alice) };
    const balance = BigInt(await market.ask("eth_call", call, "latest"));
    await page.locator(`section[aria-label='Tokens of the account'] td[title='${balance}']`).waitFor();
  });

  it("are not there once they were given away, and lead to their contracts", async () => {
    const { page, visit, see, seeCount } = await explorer.open();
    const { alice, bob, deed, market } = explorer.facts;
    const rows = "section[aria-label='Tokens of the account'] tbody tr";
    const carol = market.accounts[5];
    await visit(`#/address/${carol}?tab=tokens`);
    await see("The account has no tokens.");
    await market.send("Deed", deed, "mint", [carol, 77n]);
    await seeCount(rows, 1);
    await market.send("Deed", deed, "transferFrom", [carol, bob, 77n], { from: carol });
    await see("The account has no tokens.");
    await visit(`#/address/${alice}?tab=tokens`);
    await page.locator(rows, { hasText: "Deed" }).getByRole("link").click();
    await page.waitForURL(`**/#/address/${deed}`);
  });

  it("are saved as CSV", async () => {
    const { page, visit } = await explorer.open();
    await visit(`#/address/${explorer.facts.alice}?tab=tokens`);
    const csv = await saved(page, () => page.getByRole("button", { name: "CSV" }).click());
    const [header, ...rows] = csv.split("\r\n");
    expect(header).toBe("token,standard,name,symbol,decimals,balance,id");
    expect(rows).toContain(`${explorer.facts.deed},ERC-721,Deed,DEED,0,1,3`);
  });
});
