/** The page that runs a mined transaction again with something changed, beside its own run. */
import { encodeAbiParameters, keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { deployLedger, readLedger } from "../services/simulate/what-if/ledger.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { buildDemo } from "./demo-chain.mjs";
import { type OpenPage, useExplorer } from "./explorer.ts";

const build = readLedger("optimized");
const FEE_TAKEN = keccak256(toHex("FeeTaken(address,uint256)"));
const CONSOLE = "000000000000000000636f6e736f6c652e6c6f67";
const MARKUP = `<img src=x onerror=alert(1)>\u202egnp`;

async function buildHistory(node: HindcastNode) {
  const demo = await buildDemo(node);
  node.abi.addBuild(build.input, build.output);
  const ledger = await deployLedger(node, build);
  const deposited = await ledger.deposit(BOB, 4_000n);
  return { ...demo, ledger: ledger.address, deposited };
}

const explorer = useExplorer(buildHistory);

const fileOf = (name: string, value: unknown) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(value)),
});

const run = (page: OpenPage["page"]): Promise<void> => page.getByRole("button", { name: "Run", exact: true }).click();
const panel = (page: OpenPage["page"], title: string) =>
  page.locator(".outcomes section.panel", { has: page.getByRole("heading", { name: title, exact: true }) });

describe.each([1280, 390])("at %i pixels", (width) => {
  it("other input turns a failure into a success, with both runs and the values that differ", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { failed, market, gold, alice } = explorer.facts;
    await visit(`#/tx/${failed}`);
    await page.getByRole("link", { name: "what if" }).click();
    await expect.poll(() => page.getByLabel("From", { exact: true }).inputValue()).toBe(alice);
    const { gas, input } = await market.ask("eth_getTransactionByHash", failed);
    expect(await page.getByLabel("Gas", { exact: true }).inputValue()).toBe(String(BigInt(gas)));
    expect(await page.getByLabel("Data", { exact: true }).inputValue()).toBe(input);
    await page.getByLabel(/^least uint256/).fill("1");
    await run(page);
    await seeIn(panel(page, "As it was mined"), /SlippageExceeded/);
    await seeIn(panel(page, "What if"), /succeeded/, /Events that only this run has/, /Transfer\(from: 0x/);
    const rows = panel(page, "Values that differ after it");
    await seeIn(rows, /Token\s+balanceOf\[0x[0-9a-fA-F]{40}\]/);
    expect(await rows.locator(`a[href="#/address/${gold}"]`).count()).toBeGreaterThan(0);
  });

  it("an artifact with console.log prints in the run of a deployed contract, whose immutables it takes over", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { deposited, ledger } = explorer.facts;
    await visit(`#/what-if/${deposited}`);
    await page.getByRole("button", { name: "Other code for a contract" }).click();
    await expect.poll(() => page.getByLabel("Contract 0").inputValue()).toBe(ledger);
    await page.getByLabel("An artifact's file").setInputFiles(fileOf("LoggedLedger.json", build.logged));
    await expect.poll(() => page.getByLabel(/^Its code/).inputValue()).toMatch(/^\{"deployedBytecode"/);
    await run(page);
    // 25 per mille of 4,000.
    await seeIn(panel(page, "What if"), /fee of 100/, /owner 0xf39F/, /\+[\d,]+/, new RegExp(FEE_TAKEN));
    expect(await panel(page, "As it was mined").innerText()).not.toMatch(/fee of 100|Events/);
    await seeIn(panel(page, "Values that differ after it"), /balance changes by/);
  });

  it("other code, sender, value and gas are what runs; what is not changed stays", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    await visit(`#/what-if/${explorer.facts.deposited}`);
    await page.getByLabel("Value, in ETH").fill("0.000000000000008");
    await page.getByLabel("From", { exact: true }).fill(ALICE);
    await run(page);
    await seeIn(
      panel(page, "Values that differ after it"),
      new RegExp(`balances\\[${ALICE}\\]\\s+0\\s+7,800`, "i"),
      new RegExp(`balances\\[${BOB}\\]\\s+3,900\\s+0`, "i"),
    );
    await page.getByLabel("Gas", { exact: true }).fill("22000");
    await run(page);
    await seeIn(panel(page, "What if"), /out of gas/i);
    await page.getByLabel("Gas", { exact: true }).fill("");
    await page.getByRole("button", { name: "Other code for a contract" }).click();
    await page.getByLabel(/^Its code/).fill("0x60006000fd");
    await run(page);
    await seeIn(panel(page, "What if"), /revert/i);
  });

  it("runs at the end of another block, on what its transactions have left", async () => {
    const { page, visit, see, seeIn } = await explorer.open({ width });
    const { deposited } = explorer.facts;
    await visit(`#/what-if/${deposited}`);
    await page.getByLabel("At the end of block").fill("latest");
    await run(page);
    await seeIn(panel(page, "As it was mined"), /succeeded/);
    await seeIn(panel(page, "What if"), /succeeded/, /Deposited\(from: 0x/);
    await seeIn(panel(page, "Values that differ after it"), /3,900\s+7,800/);
    await page.getByLabel("At the end of block").fill("99999999");
    await run(page);
    await see("The replay was refused");
  });

  it("what is not valid is refused in words", async () => {
    const { page, visit, see } = await explorer.open({ width });
    await visit(`#/what-if/${explorer.facts.deposited}`);
    await page.getByRole("button", { name: "Other code for a contract" }).click();
    await page.getByLabel("An artifact's file").setInputFiles(fileOf(`${MARKUP}.json`, { abi: [] }));
    await see(/⟨U\+202E⟩gnp.*It has no deployedBytecode: choose the artifact of one contract\./);
    await page.getByLabel(/^Its code/).fill("{");
    await run(page);
    await see(/^Other code: /);
    await page.getByLabel(/^Its code/).fill("0xzz");
    await run(page);
    await see(/hindcast_replay|expected/);
    await page.getByRole("button", { name: "Remove the code" }).click();
    await page.getByLabel("Gas", { exact: true }).fill("many");
    await run(page);
    await see(/many: expected a number of gas/);
    await visit(`#/what-if/0x${"12".repeat(32)}`);
    await see("This transaction cannot be replayed");
  });
});

describe.each(["light", "dark"] as const)("in the %s scheme", (scheme) => {
  it("what other code prints is text, axe finds nothing, and no page is wider than it is", async () => {
    const { page, visit, see, axe } = await explorer.open({ scheme, width: 390 });
    await visit(`#/what-if/${explorer.facts.deposited}`);
    await page.getByRole("button", { name: "Other code for a contract" }).click();
    await page.getByLabel(/^Its code/).fill(printing(MARKUP));
    await run(page);
    await see(/<img src=x onerror=alert\(1\)>⟨U\+202E⟩gnp/);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await axe()).toEqual([]);
    const [needed, given]: [number, number] = await page.evaluate(
      "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
    );
    expect(needed).toBeLessThanOrEqual(given);
  });
});

/** Code that calls `console.log(string)`: its own end is the call data. */
function printing(text: string): string {
  const data = `41304fac${encodeAbiParameters([{ type: "string" }], [text]).slice(2)}`;
  const length = (data.length / 2).toString(16).padStart(4, "0");
  // CODECOPY of what follows, STATICCALL of the console with it, STOP.
  const copy = `61${length}61OFFS600039`;
  const call = `6000600061${length}600073${CONSOLE}5afa5000`;
  const offset = ((copy.length + call.length) / 2).toString(16).padStart(4, "0");
  return `0x${copy.replace("OFFS", offset)}${call}${data}`;
}
