/** The explorer's page of a transaction, by what a person sees and clicks. */
import { describe, expect, it } from "vitest";
import { buildDemo } from "./demo-chain.mjs";
import { saved, useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);

const shownNumber = (value: number | undefined): string => (value ?? Number.NaN).toLocaleString("en");

describe("the calls of a transaction", () => {
  it("stand in a tree with names, what each changed, and what was undone", async () => {
    const { page, visit, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}`);
    await seeIn("h1", /^Router\.route\s+success$/);
    await seeIn(
      page.getByRole("tree"),
      /Token\.\s*transferFrom/,
      /delegatecall/,
      /balanceOf\[0xf39Fd6…2266\] 990,000,000,000,000,000,000 → 965,000,000,000,000,000,000/,
      /900,000,000,000,000,000,000 → 875,000,000,000,000,000,000/,
      /SlippageExceeded\(/,
    );
    await page.locator(".line-change.is-undone").first().waitFor();
  });

  it("are walked, folded and unfolded by arrows", async () => {
    const { page, visit, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}`);
    const tree = page.getByRole("tree");
    await tree.waitFor();
    const rows = page.getByRole("treeitem");
    const all = await rows.count();
    await tree.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => rows.count()).toBeLessThan(all);
    await page.locator(".line.is-current[aria-expanded=false]").waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => rows.count()).toBe(all);
    await page.keyboard.press("End");
    await seeIn(".line.is-current", /failed/);
    await page.keyboard.press("ArrowLeft");
    await seeIn(".line.is-current", /Proxy\.\s*swap/);
    await seeIn(page.getByLabel("The selected call"), /Call 0/);
  });

  it("are searched: Enter goes from one to the next", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}`);
    await page.getByLabel("Search in the calls").fill("Skipped");
    await see("3 found");
    await page.keyboard.press("Enter");
    await seeIn(".line.is-current", /Skipped/);
  });

  it("show what contracts print", async () => {
    const { visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.swap}`);
    await see(/^amount out/);
  });
});

describe("a failed transaction", () => {
  it("opens with the reason and the line that failed, and leads to the step", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}`);
    await see("if (amountOut < least) revert SlippageExceeded(amountOut, least);");
    const card = page.getByLabel("Why it failed");
    await seeIn(card, /^SlippageExceeded\(/, /Pool\.swap src\/Market\.sol:\d+/);
    await page.getByRole("link", { name: "Open the step that failed" }).click();
    await seeIn(".machine b.op", /^REVERT$/);
    await seeIn(".source-line.is-current", /revert SlippageExceeded/);
  });
});

describe("the steps", () => {
  it("go forward and back by keys, with the machine of each", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}?tab=steps`);
    await see("Step 0");
    await page.getByRole("listbox", { name: "Steps" }).focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
    await see("Step 1");
    await seeIn(".step.is-current", /^1\s+0002\s+PUSH1/);
    await page.keyboard.press("End");
    await page.locator(".machine b.op", { hasText: /^REVERT$/ }).waitFor();
    await page.waitForURL(/step=\d{3,}$/);
  });

  it("are found by opcode, with the stack that the operation meets", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}?tab=steps`);
    await see("Step 0");
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await seeIn(".machine b.op", /^SSTORE$/);
    await seeIn(".words", /.+\n.+\n.+/);
  });
});

describe("changes", () => {
  it("are named: variables with the line that wrote them, and tokens by account", async () => {
    const { visit, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.swap}?tab=changes`);
    await seeIn("section[aria-label='Changed variables']", /balanceOf\[0x[0-9a-fA-F]{40}\]/, /Market\.sol:\d+/);
    await seeIn("section[aria-label='Tokens that moved']", /erc20\s+-10{19}/);
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
    await expect.poll(() => boxes.count()).toBeLessThan(all);
    await page.getByRole("button", { name: "Whole transaction" }).click();
    await expect.poll(() => boxes.count()).toBe(all);
  });

  it("is drawn and listed by function and line, which add up to the whole", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
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
    const line = `${dearest?.file}:${dearest?.line}`;
    await seeIn(
      "section[aria-label='Gas by line'] tbody tr",
      new RegExp(`^${line}\\s+${shownNumber(dearest?.gas)}\\s`),
    );
    await seeIn(".flame-facts", new RegExp(`${shownNumber(profile.gasUsed)} gas were used`));
  });

  it("is saved as a profile that speedscope reads: every call opens and closes in order", async () => {
    const { page, visit } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}?tab=gas`);
    const profile = JSON.parse(await saved(page, () => page.getByRole("button", { name: "speedscope" }).click()));
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
    const { page, visit, see, seeIn } = await explorer.open();
    await visit(`#/tx/${explorer.facts.routed}?tab=changes`);
    await see("Ether moved by calls");
    await seeIn("section.panel:has-text('Ether moved by calls')", /−0\.5 ETH/);
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
    const listed = (): Promise<string[]> =>
      page.evaluate(
        "Array.from(document.querySelectorAll('.events > li:not(.is-undone) a.hash'), (link) => link.title)",
      );
    const { logs } = await market.ask("eth_getTransactionReceipt", routed);
    expect(logs.length).toBeGreaterThan(5);
    await expect.poll(listed).toEqual(logs.map(({ address }: { address: string }) => address));
  });

  it("shows the input decoded, argument by argument", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.swap}?tab=raw`);
    await see("swap(bool,uint256,uint256,address)");
    const rows = (): Promise<string[]> => page.locator("section[aria-label='Arguments'] tbody tr").allInnerTexts();
    await expect
      .poll(async () => (await rows()).map((row) => row.split(/\s+/)))
      .toEqual([
        [expect.any(String), "bool", "true"],
        [expect.any(String), "uint256", "10,000,000,000,000,000,000"],
        [expect.any(String), "uint256", "0"],
        [expect.any(String), "address", explorer.facts.alice],
      ]);
  });

  it("two transactions stand beside each other", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/compare/${explorer.facts.swap}`);
    await page.getByLabel("Hash of the other transaction").fill(explorer.facts.failed);
    await page.keyboard.press("Enter");
    await see("failed");
    const titles = (): Promise<string[]> => page.locator("h1").allInnerTexts();
    await expect.poll(titles).toEqual([expect.stringMatching(/success/), expect.stringMatching(/failed/)]);
  });
});
