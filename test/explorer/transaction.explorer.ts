/** The explorer's page of a transaction and of an account, by what a person sees and clicks. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildDemo } from "./demo-chain.mjs";
import { useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);

describe("the calls of a transaction", () => {
  it("stand in a tree with names, what each changed, and what was undone", async () => {
    const { page, visit, see, text } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}`);
    await see("route");
    expect(await text("h1")).toMatch(/^Router\.route\s+success$/);
    const tree: string = await page.getByRole("tree").innerText();
    expect(tree).toMatch(/Token\.\s*transferFrom/);
    expect(tree).toMatch(/delegatecall/);
    expect(tree).toMatch(/balanceOf\[0xf39Fd6…2266\] 990,000,000,000,000,000,000 → 965,000,000,000,000,000,000/);
    expect(tree).toMatch(/900,000,000,000,000,000,000 → 875,000,000,000,000,000,000/);
    expect(tree).toMatch(/SlippageExceeded\(/);
    expect(await page.locator(".line-change.is-undone").count()).toBeGreaterThan(0);
  });

  it("are walked, folded and unfolded by arrows", async () => {
    const { page, visit } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}`);
    const tree = page.getByRole("tree");
    await tree.waitFor();
    const rows = page.getByRole("treeitem");
    const all = await rows.count();
    await tree.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    expect(await rows.count()).toBeLessThan(all);
    expect(await page.locator(".line.is-current").getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowRight");
    expect(await rows.count()).toBe(all);
    await page.keyboard.press("End");
    expect(await page.locator(".line.is-current").innerText()).toMatch(/failed/);
    await page.keyboard.press("ArrowLeft");
    expect(await page.locator(".line.is-current").innerText()).toMatch(/Proxy\.\s*swap/);
    expect(await page.getByLabel("The chosen call").innerText()).toMatch(/Call 0/);
  });

  it("are searched: Enter goes from one to the next", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}`);
    await page.getByLabel("Search in the calls").fill("Skipped");
    await see("3 found");
    await page.keyboard.press("Enter");
    expect(await page.locator(".line.is-current").innerText()).toMatch(/Skipped/);
  });

  it("show what contracts print", async () => {
    const { visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.swap}`);
    await see(/^amount out/);
  });
});

describe("a failed transaction", () => {
  it("opens with the reason and the line that failed, and leads to the step", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}`);
    await see("if (amountOut < least) revert SlippageExceeded(amountOut, least);");
    const card: string = await page.getByLabel("Why it failed").innerText();
    expect(card).toMatch(/^SlippageExceeded\(/);
    expect(card).toMatch(/Pool\.swap src\/Market\.sol:\d+/);
    await page.getByRole("link", { name: "Open the step that failed" }).click();
    await page.waitForSelector(".machine .op");
    expect(await page.locator(".machine b.op").innerText()).toBe("REVERT");
    expect(await page.locator(".source-line.is-current").innerText()).toMatch(/revert SlippageExceeded/);
  });
});

describe("the steps", () => {
  it("go forward and back by keys, with the machine of each", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}?tab=steps`);
    await see("Step 0");
    await page.getByRole("listbox", { name: "Steps" }).focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
    await see("Step 1");
    expect(await page.locator(".step.is-current").innerText()).toMatch(/^1\s+0002\s+PUSH1/);
    await page.keyboard.press("End");
    await page.locator(".machine b.op", { hasText: /^REVERT$/ }).waitFor();
    expect(page.url()).toMatch(/step=\d{3,}$/);
  });

  it("are found by opcode, with the stack that the operation meets", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}?tab=steps`);
    await see("Step 0");
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await page.locator(".machine b.op", { hasText: /^SSTORE$/ }).waitFor();
    const stack: string = await page.locator(".words").first().innerText();
    expect(stack.split("\n").length).toBeGreaterThan(2);
  });
});

describe("changes", () => {
  it("are named: variables with the line that wrote them, and tokens by account", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.swap}?tab=changes`);
    await see("Variables");
    const variables: string = await page.locator("section[aria-label='Changed variables']").innerText();
    expect(variables).toMatch(/balanceOf\[0x[0-9a-fA-F]{40}\]/);
    expect(variables).toMatch(/Market\.sol:\d+/);
    const tokens: string = await page.locator("section[aria-label='Tokens that moved']").innerText();
    expect(tokens).toMatch(/erc20\s+-10{19}/);
  });
});

describe("gas", () => {
  it("is drawn by call; a call can be made as wide as the page, by keys too", async () => {
    const { page, visit } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}?tab=gas`);
    const boxes = page.locator(".flame-box");
    await boxes.first().waitFor();
    const all = await boxes.count();
    await page
      .getByRole("button", { name: /^Proxy\.swap: / })
      .nth(1)
      .focus();
    await page.keyboard.press("Enter");
    expect(await boxes.count()).toBeLessThan(all);
    await page.getByRole("button", { name: "Whole transaction" }).click();
    expect(await boxes.count()).toBe(all);
  });

  it("is drawn and listed by function and line, which add up to the whole", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.swap}?tab=gas`);
    await page.getByRole("button", { name: "By function and line" }).click();
    await see("Gas by function");
    await page
      .getByRole("button", { name: /^Pool\.swap.*gas$/ })
      .first()
      .waitFor();
    const profile = (await explorer.node.provider.send("hindcast_gasProfile", [explorer.facts.swap])) as {
      lines: { file: string | null; line: number; gas: number }[];
      gasUsed: number;
    };
    const dearest = profile.lines.find(({ file }) => file !== null);
    const first: string = await page.locator("section[aria-label='Gas by line'] tbody tr").first().innerText();
    expect(first.replaceAll(",", "").split(/\s+/).slice(0, 2)).toEqual([
      `${dearest?.file}:${dearest?.line}`,
      String(dearest?.gas),
    ]);
    expect(await page.locator(".flame-facts").innerText()).toContain(
      `${profile.gasUsed.toLocaleString("en")} gas were used`,
    );
  });

  it("is saved as a profile that speedscope reads: every call opens and closes in order", async () => {
    const { page, visit } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}?tab=gas`);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "speedscope" }).click();
    const profile = JSON.parse(readFileSync(await (await download).path(), "utf8"));
    const [{ events, endValue }] = profile.profiles;
    const open: number[] = [];
    let last = 0;
    for (const { type, frame, at } of events) {
      expect(at).toBeGreaterThanOrEqual(last);
      last = at;
      if (type === "O") open.push(frame);
      else expect(open.pop()).toBe(frame);
    }
    expect(open).toEqual([]);
    expect(last).toBe(endValue);
    expect(profile.shared.frames[0].name).toBe("Router.route");
  });
});

describe("the other tabs", () => {
  it("show net changes, events with topics, and the raw receipt", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}?tab=changes`);
    await see("Ether moved by calls");
    expect(await page.locator("section.panel", { hasText: "Ether moved by calls" }).innerText()).toMatch(/−0\.5 ETH/);
    await page.getByRole("tab", { name: /^Events/ }).click();
    await see(/^Routed\(/);
    await page.getByRole("tab", { name: "Raw" }).click();
    await see(/"cumulativeGasUsed"/);
  });

  it("lists the events in the order of the receipt's logs", async () => {
    const { page, visit, see } = await explorer.open();
    const { routed, market } = explorer.facts;
    await visit(`#/tx/${routed}?tab=events`);
    await see(/^Routed\(/);
    // By hand: the code runs in the page.
    const listed: string[] = await page.evaluate(
      "Array.from(document.querySelectorAll('.events > li:not(.is-undone) a.hash'), (link) => link.title)",
    );
    const { logs } = await market.ask("eth_getTransactionReceipt", routed);
    expect(logs.length).toBeGreaterThan(5);
    expect(listed).toEqual(logs.map(({ address }: { address: string }) => address));
  });

  it("shows the input decoded, argument by argument", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.swap}?tab=raw`);
    await see("swap(bool,uint256,uint256,address)");
    const rows: string[] = await page.locator("section[aria-label='Arguments'] tbody tr").allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/))).toEqual([
      [expect.any(String), "bool", "true"],
      [expect.any(String), "uint256", "10,000,000,000,000,000,000"],
      [expect.any(String), "uint256", "0"],
      [expect.any(String), "address", explorer.facts.alice],
    ]);
  });

  it("two transactions stand beside each other", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/compare/${explorer.facts.swap}`);
    await page.getByLabel("Hash of the other one").fill(explorer.facts.failed);
    await page.keyboard.press("Enter");
    await see("failed");
    expect(await page.locator("h1").allInnerTexts()).toEqual([
      expect.stringMatching(/success/),
      expect.stringMatching(/failed/),
    ]);
  });
});

describe("the account's page", () => {
  it("shows a token with its name, and everything that touched it", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/address/${explorer.facts.gold}`);
    await see("Gold (GLD)");
    await see("51,000");
    expect(await page.locator(".transactions").innerText()).toMatch(/route/);
  });

  it("calls and sends its functions by forms", async () => {
    const { page, visit, see } = await explorer.open();
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
    await see(/^Token\.mint|mint/);
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
    await route.getByRole("link", { name: "Transaction" }).waitFor();
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
    const { page, visit, see } = await explorer.open();
    const { gold, silver, pool } = explorer.facts;
    await visit(`#/address/${gold}?tab=storage`);
    await see(/^totalSupply$/);
    const rows: string[] = await page.locator("section[aria-label='Slots'] tbody tr").allInnerTexts();
    expect(rows.some((row) => /^balanceOf\[0x[0-9a-fA-F]{40}\]\s+[\d,]+\s+uint256/.test(row))).toBe(true);
    expect(rows.some((row) => /^symbol\s+"GLD"\s+string\s+1$/.test(row))).toBe(true);
    await visit(`#/address/${pool}?tab=storage`);
    await see(/^contract Token$/);
    const slots: string = await page.locator("section[aria-label='Slots']").innerText();
    for (const token of [gold, silver]) expect(slots.toLowerCase()).toContain(token);
  });

  it("lists calls from and to it, inner ones too, and leads to their transactions", async () => {
    const { page, visit } = await explorer.open();
    const { gold, routed } = explorer.facts;
    await visit(`#/address/${gold}?tab=calls`);
    await page.locator(".trace-row", { hasText: "transferFrom" }).first().waitFor();
    const inner = page.locator(".trace-row", { has: page.locator(`a[href="#/tx/${routed}"]`) });
    expect(await inner.count()).toBeGreaterThan(1);
    expect(await inner.first().innerText()).toMatch(/Router\s+→\s+Token\s+transferFrom/);
  });

  it("shows the source of its contract, of a long file only what is seen", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/address/${explorer.facts.gold}?tab=source`);
    await see("src/Market.sol");
    await page.getByRole("listbox", { name: "Source" }).focus();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".source-row.is-current").innerText()).toMatch(/^2\s+pragma solidity/);
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
