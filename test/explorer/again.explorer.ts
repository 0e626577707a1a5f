/** What a reader does with a transaction: run it again, take it along, link to a call; and what forms say of failures. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { assemble } from "../support/assembler.ts";
import { buildDemo } from "./demo-chain.mjs";
import { saved, useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);
const runFile = promisify(execFile);

describe.each([1280, 390])("at %i pixels", (width) => {
  it("a custom error is decoded where a function is called or sent, and where it is simulated", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { gold, bob, market } = explorer.facts;
    const poor = market.accounts[8];
    await visit(`#/address/${gold}?tab=functions`);
    await page.getByLabel("Sender").selectOption(poor);
    const form = page.locator("form.function", { has: page.getByRole("heading", { name: "transfer", exact: true }) });
    await form.locator("input").first().fill(bob);
    await form.locator("input").last().fill("77");
    await form.getByRole("button", { name: "Call" }).click();
    await seeIn(form.locator("output"), /InsufficientBalance\(0x[0-9a-fA-F]+, 0, 77\)/);
    const draft = {
      calls: [{ from: poor, to: gold, value: "0", data: market.data("Token", "transfer", bob, 77n) }],
      block: "latest",
    };
    await visit(`#/simulate?draft=${Buffer.from(JSON.stringify(draft)).toString("base64url")}`);
    await page.getByRole("button", { name: "Run" }).click();
    await seeIn(".outcomes .pill", /^InsufficientBalance\(owner: 0x[0-9a-f]+, balance: 0, needed: 77\)/);
  });

  it("outputs stand on lines of their own, and what has no arguments is read at once", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    await visit(`#/address/${explorer.facts.gold}?tab=functions`);
    const form = (name: string) =>
      page.locator("form.function", { has: page.getByRole("heading", { name, exact: true }) });
    await seeIn(form("symbol").locator("output"), /^\s*"GLD"$/);
    await seeIn(form("decimals").locator("output"), /^\s*18$/);
    const address = `0x${width.toString(16).padStart(40, "0")}`;
    const code = Buffer.from(assemble("7 0 MSTORE 1 32 MSTORE 64 0 RETURN")).toString("hex");
    await explorer.facts.market.ask("anvil_setCode", address, `0x${code}`);
    const outputs = [
      { name: "total", type: "uint256" },
      { name: "", type: "bool" },
    ];
    const abi = [{ type: "function", name: "both", stateMutability: "view", inputs: [], outputs }];
    await explorer.facts.market.ask("hindcast_addArtifact", abi, { name: "Both", address });
    await visit(`#/address/${address}?tab=functions`);
    await form("both").locator("output .output-line").nth(1).waitFor();
    expect(await form("both").locator("output .output-line").allInnerTexts()).toEqual(["total: 7", "true"]);
  });

  it("a mined transaction is simulated again with everything editable, beside its own run", async () => {
    const { page, visit, see, seeIn } = await explorer.open({ width });
    const { failed, market, alice, gold } = explorer.facts;
    const tx = await market.ask("eth_getTransactionByHash", failed);
    await visit(`#/tx/${failed}`);
    await page.getByRole("link", { name: "simulate again" }).click();
    await expect.poll(() => page.getByLabel("From", { exact: true }).inputValue()).toBe(alice);
    expect(await page.getByLabel("Data", { exact: true }).inputValue()).toBe(tx.input);
    expect(await page.getByLabel("Gas", { exact: true }).inputValue()).toBe(String(BigInt(tx.gas)));
    expect(await page.getByLabel("Block", { exact: true }).inputValue()).toBe(String(BigInt(tx.blockNumber) - 1n));
    await page.getByRole("button", { name: "Run" }).click();
    await seeIn(page.locator(".outcomes section.panel", { hasText: "Call 0" }), /SlippageExceeded/);
    await seeIn(page.locator(".outcomes section.panel", { hasText: "As it was mined" }), /SlippageExceeded/);
    await page.getByLabel(/^least uint256/).fill("1");
    await page.getByRole("button", { name: "Override an account" }).click();
    await page.getByLabel("Account 0").fill(gold);
    await page.getByLabel("Its balance, in ETH").fill("2.5");
    await page.getByRole("button", { name: "Run" }).click();
    await seeIn(page.locator(".outcomes section.panel", { hasText: "Call 0" }), /succeeds/);
    await seeIn(page.locator(".outcomes section.panel", { hasText: "As it was mined" }), /SlippageExceeded/);
    await page.getByLabel("Its nonce").fill("many");
    await see(/many: expected a number such as 3 or 0x2a\./);
  });

  it("a call of the tree has a link that opens it", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: explorer.url });
    await visit(`#/tx/${explorer.facts.routed}`);
    await page.getByLabel("Search in the calls").fill("transferFrom");
    await page.keyboard.press("Enter");
    const chosen = page.getByLabel("The selected call");
    await seeIn(chosen, /Call [1-9]/);
    const title: string = await chosen.locator("h2").innerText();
    await chosen.getByRole("button", { name: "link: copy a link to this call" }).click();
    const link: string = await page.evaluate("navigator.clipboard.readText()");
    expect(link).toMatch(/\?call=\d+$/);
    await visit(link.slice(link.indexOf("#")));
    await seeIn(chosen, new RegExp(`^${/Call \d+/.exec(title)?.[0]}\\b`));
    await seeIn(".line.is-current", /transferFrom/);
  });

  it("is copied as commands that return what it returned, and saved as files", async () => {
    const { page, visit } = await explorer.open({ width });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: explorer.url });
    const { swap, market } = explorer.facts;
    await visit(`#/tx/${swap}?tab=raw`);
    const copied = async (name: string): Promise<string> => {
      await page.getByRole("button", { name }).click();
      return page.evaluate("navigator.clipboard.readText()");
    };
    const { stdout } = await runFile("sh", ["-c", await copied("curl: copy a command line")]);
    const { output } = await market.ask("trace_replayTransaction", swap, ["trace"]);
    expect(JSON.parse(stdout).result).toBe(output);
    const tx = await market.ask("eth_getTransactionByHash", swap);
    const cast = await copied("cast: copy a command of cast");
    expect(cast).toBe(
      `cast call --rpc-url ${explorer.url}/ --from ${tx.from} --gas-limit ${BigInt(tx.gas)} --block ${BigInt(tx.blockNumber) - 1n} ${tx.to} --data ${tx.input}`,
    );
    expect(await copied("viem: copy code for viem")).toContain(`data: "${tx.input}"`);
    const receipt = JSON.parse(await saved(page, () => page.getByRole("button", { name: "receipt.json" }).click()));
    expect(receipt.transactionHash).toBe(swap);
    const trace = JSON.parse(await saved(page, () => page.getByRole("button", { name: "trace.json" }).click()));
    expect(trace[0].function).toBe("swap");
  });
});
