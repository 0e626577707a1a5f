/** The explorer's page of simulations: what it shows, and that the code that it offers shows the same. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { buildDemo } from "./demo-chain.mjs";
import { type OpenPage, useExplorer } from "./explorer.ts";

const explorer = useExplorer(buildDemo);
const runFile = promisify(execFile);
const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

type Page = OpenPage["page"];
type Results = readonly { readonly trace: readonly { readonly error?: string }[] }[];

/** What the node answers to the request that a click makes the page send. */
async function shownResults(page: Page, click: () => Promise<void>): Promise<Results> {
  const response = page.waitForResponse((each: Page) => each.request().postData()?.includes('"trace_callMany"'));
  await click();
  return ((await (await response).json()) as { readonly result: Results }).result;
}

/** Copies both snippets, runs them as they are, the second one also through the compiler, and reads what they print. */
async function answersOfSnippets(page: Page): Promise<{ readonly curl: Results; readonly viem: Results }> {
  const copied = async (name: string): Promise<string> => {
    // By hand: the code runs in the page.
    const read = (): Promise<string> => page.evaluate("navigator.clipboard.readText()");
    await page.evaluate('navigator.clipboard.writeText("")');
    await page.getByRole("button", { name }).click();
    await expect.poll(read).not.toBe("");
    return read();
  };
  const curl = await runFile("sh", ["-c", await copied("curl: copy a command line")]);
  const folder = mkdtempSync(join(tmpdir(), "hc-snippet-"));
  try {
    const text = await copied("viem: copy code for viem");
    symlinkSync(packages, join(folder, "node_modules"), "junction");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const name of ["simulate.mjs", "simulate.ts"]) writeFileSync(join(folder, name), text);
    const strict = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    await runFile(process.execPath, [join(packages, "typescript/bin/tsc"), ...strict, "simulate.ts"], { cwd: folder });
    const viem = await runFile(process.execPath, ["simulate.mjs"], { cwd: folder });
    return { curl: JSON.parse(curl.stdout).result, viem: JSON.parse(viem.stdout) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the simulation's page", () => {
  it("runs a call that is composed by the contract's form, and mines nothing", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    const { gold, alice, bob } = explorer.facts;
    const before = explorer.node.head.header.number;
    await visit("#/simulate");
    await page.getByLabel("From", { exact: true }).fill(alice);
    await page.getByLabel("To", { exact: true }).fill(gold);
    await page.getByLabel("Function").selectOption("transfer(address,uint256)");
    await page.getByLabel(/^to address/).fill(bob);
    await page.getByLabel(/^value uint256/).fill("1000000000000000000");
    await page.getByRole("button", { name: "Run" }).click();
    await see("succeeds");
    await seeIn(".flat-calls", /Token\.\s*transfer/);
    await seeIn(".outcomes table", /slot/);
    expect(explorer.node.head.header.number).toBe(before);
    const link = page.url();
    await visit(link.slice(link.indexOf("#")));
    await expect.poll(() => page.getByLabel("From", { exact: true }).inputValue()).toBe(alice);
    await page.waitForLoadState("networkidle");
    expect(await page.locator(".outcomes").innerText()).toBe("");
  });

  it("runs calls on top of each other, after any block and with overrides, and copies them as curl and as viem", async () => {
    const { page, visit, seeIn } = await explorer.open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: explorer.url });
    const { gold, bob, market } = explorer.facts;
    const poor = "0x00000000000000000000000000000000000ffff4";
    const calls = ["mint", "transfer"].map((name, index) => ({
      from: index === 0 ? bob : poor,
      to: gold,
      value: "0",
      data: market.data("Token", name, index === 0 ? poor : bob, 5n),
    }));
    await visit("#/simulate");
    for (const [index, { from, to, data }] of calls.entries()) {
      if (index > 0) await page.getByRole("button", { name: "Add a call" }).click();
      const form = page.locator("form section.panel").nth(index);
      await form.getByLabel("From").fill(from);
      await form.getByLabel(/^To/).fill(to);
      await form.getByLabel("Data", { exact: true }).fill(data);
    }
    await page.getByLabel("Block", { exact: true }).fill("latest");
    await page.locator(".overrides summary").click();
    await page.getByLabel("State overrides, as JSON by address").fill(`{"${poor}":{"nonce":"0x9"}}`);
    const shown = await shownResults(page, () => page.getByRole("button", { name: "Run" }).click());
    const second = page.locator(".outcomes section.panel", { hasText: "Call 1" });
    await seeIn(second, /succeeds/, /nonce\s+9\s+10/);
    const results = await answersOfSnippets(page);
    expect(results.curl).toEqual(shown);
    expect(results.viem).toEqual(shown);
    expect(shown.map(({ trace }) => trace[0]?.error)).toEqual([undefined, undefined]);
    // Alone, the second call has nothing to transfer.
    await page.getByRole("button", { name: "Remove" }).first().click();
    const reverted = await shownResults(page, () => page.getByRole("button", { name: "Run" }).click());
    await seeIn(".outcomes section.panel .pill", /^InsufficientBalance\(/);
    expect(reverted.map(({ trace }) => trace[0]?.error)).toEqual(["Reverted"]);
    expect(await answersOfSnippets(page)).toEqual({ curl: reverted, viem: reverted });
  });

  it("shows what a refused sequence was refused for", async () => {
    const { page, visit, see } = await explorer.open();
    await visit("#/simulate");
    await page.getByLabel("Value, in ETH").fill("much");
    await page.getByRole("button", { name: "Run" }).click();
    await see("much: expected an amount of ether such as 1 or 0.5.");
  });
});
