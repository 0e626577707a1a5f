#!/usr/bin/env node
// Takes the pictures of docs/explorer/ and prints how long the pages take, from a build:
//
//   npm run build && node test/explorer/screenshots.mjs [--times | --pages]
//
// With --times it takes no pictures. With --pages it takes the twelve main pages instead, whole, in both schemes and widths,
// into build/explorer-pages/, for people to look at after a run of CI.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createNode } from "../../dist/bundle/index.js";
import { openBrowser } from "./browser.mjs";
import { buildDemo, Market, reorganize } from "./demo-chain.mjs";
import { smallerPng } from "./smaller-png.mjs";

const folder = fileURLToPath(new URL("../../docs/explorer/", import.meta.url));
const pagesFolder = fileURLToPath(new URL("../../build/explorer-pages/", import.meta.url));
const SIZE = { width: 1240, height: 760 };
const WIDTHS = [1280, 390];
const ROUNDS = 10;

/** Name, address, and what has to be seen. */
function picturesOf(demo) {
  return [
    ["chain", "#/", ".blocks .has-left"],
    ["block", "#/block/latest", ".tx-line"],
    ["trace", "#/block/latest?tab=trace", ".trace-row .fn"],
    ["calls", `#/tx/${demo.routed}`, ".line"],
    ["failure", `#/tx/${demo.failed}`, ".stack-trace pre"],
    ["changes", `#/tx/${demo.routed}?tab=changes`, "[aria-label='Changed variables']"],
    ["events", `#/tx/${demo.routed}?tab=events`, ".events"],
    ["gas", `#/tx/${demo.routed}?tab=gas`, ".flame-box"],
    ["gas-lines", `#/tx/${demo.routed}?tab=gas`, "[aria-label='Gas by line']"],
    ["steps", `#/tx/${demo.failed}?tab=steps&step=1300`, ".machine .words code"],
    ["raw", `#/tx/${demo.routed}?tab=raw`, "[aria-label='Arguments']"],
    ["compare", `#/compare/${demo.swap}/${demo.failed}`, ".stack-trace pre"],
    ["activity", `#/address/${demo.gold}`, ".transactions b"],
    ["account-calls", `#/address/${demo.gold}?tab=calls`, ".trace-row .fn"],
    ["tokens", `#/address/${demo.alice}?tab=tokens`, "[aria-label='Tokens of the account'] tbody tr"],
    ["source", `#/address/${demo.gold}?tab=source`, ".source-row"],
    ["code", `#/address/${demo.gold}?tab=code`, ".step"],
    ["storage", `#/address/${demo.gold}?tab=storage`, ".variable"],
    ["functions", `#/address/${demo.gold}?tab=functions`, ".function"],
    ["what-if", `#/what-if/${demo.failed}`, ".fields"],
    ["simulate", demo.simulation, ".outcomes .flat-calls"],
    ["pool", "#/pool", "[aria-label='Waiting transactions'] tbody tr"],
  ];
}

/** Name, address, and what has to be seen, of the main pages. */
function mainPagesOf(demo) {
  return [
    ["chain", "#/", ".transactions b"],
    ["block", `#/block/${BigInt(demo.manyBlock)}`, ".tx-line"],
    ["transactions", "#/transactions", ".tx-line .what, .transactions b, tbody tr"],
    ["accounts", "#/accounts", "tbody tr"],
    ["transaction", `#/tx/${demo.routed}`, ".transfer"],
    ["failure", `#/tx/${demo.failed}`, ".stack-trace pre"],
    ["gas", `#/tx/${demo.routed}?tab=gas`, ".flame-box"],
    ["steps", `#/tx/${demo.failed}?tab=steps&step=1300`, ".machine .words code"],
    ["account", `#/address/${demo.gold}`, ".transactions b, .tx-line, tbody tr"],
    ["functions", `#/address/${demo.gold}?tab=functions`, ".function"],
    ["what-if", `#/what-if/${demo.failed}`, ".fields"],
    ["node", "#/node", "[aria-label='Development accounts'] tbody tr"],
  ];
}

async function takeMainPages(page, url, demo) {
  mkdirSync(pagesFolder, { recursive: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const [name, fragment, selector] of mainPagesOf(demo)) {
        await page.goto("about:blank");
        await page.goto(`${url}/${fragment}`);
        await page.locator(selector).first().waitFor();
        if (name === "what-if") await runWhatIf(page);
        await page.waitForLoadState("networkidle");
        await page.evaluate("scrollTo(0, 0)");
        const path = join(pagesFolder, `${name}-${width}-${colorScheme}.png`);
        writeFileSync(path, await page.screenshot({ fullPage: true }));
        console.log(path);
      }
    }
  }
}

async function runWhatIf(page) {
  await page.getByLabel(/^least uint256/).fill("1");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("heading", { name: "As it was mined" }).waitFor();
}

/** A link to a simulation of two calls. */
function simulationOf({ market, gold, pool, alice, bob }) {
  const calls = [
    { from: alice, to: gold, value: "0", data: market.data("Token", "transfer", bob, 10n ** 18n) },
    { from: alice, to: pool, value: "0", data: market.data("Pool", "swap", true, 10n ** 18n, 0n, bob) },
  ];
  return `#/simulate?draft=${Buffer.from(JSON.stringify({ calls, block: "latest", overrides: "" })).toString("base64url")}`;
}

async function takePictures(page, url, demo) {
  mkdirSync(folder, { recursive: true });
  for (const [name, fragment, selector] of picturesOf({ ...demo, simulation: simulationOf(demo) })) {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto("about:blank");
      await page.goto(`${url}/${fragment}`);
      if (name === "chain" && colorScheme === "light") {
        await page.waitForSelector(".blocks tr");
        await reorganize(demo.market);
      }
      if (name === "gas-lines") await page.getByRole("button", { name: "By function and line" }).click();
      if (name === "pool" && colorScheme === "light") await sendToPool(demo);
      if (name === "what-if") await runWhatIf(page);
      if (name === "simulate") await page.getByRole("button", { name: "Run" }).click();
      await page.waitForSelector(name === "chain" && colorScheme === "dark" ? ".blocks .is-beside" : selector);
      await page.waitForTimeout(300);
      const path = join(folder, `${name}-${colorScheme}.png`);
      writeFileSync(path, smallerPng(await page.screenshot({ fullPage: ["simulate", "what-if"].includes(name) })));
      console.log(path);
    }
  }
}

/** Transactions that wait, one of them for an earlier nonce. */
async function sendToPool({ market, gold, alice, bob }) {
  await market.ask("evm_setAutomine", false);
  await market.send("Token", gold, "transfer", [bob, 10n ** 18n]);
  const [, , carol] = market.accounts;
  const nonce = Number(await market.ask("eth_getTransactionCount", carol, "latest"));
  for (const after of [0, 2]) {
    const tx = { from: carol, to: alice, value: "0x16345785d8a0000", nonce: `0x${(nonce + after).toString(16)}` };
    await market.ask("eth_sendTransaction", tx);
  }
}

/** Medians from navigationStart on, in a browser that has been there before. */
async function measure(context, url, market, worker) {
  const steps = await market.send("Worker", worker, "loop", [4_000n], { gas: "0xbebc200" });
  const calls = await market.send("Worker", worker, "fan", [49n]);
  for (const [what, fragment, selector] of [
    ["first page usable", "#/", ".transactions li"],
    ["a transaction of 50 calls", `#/tx/${calls}`, "[role=treeitem]"],
    ["the step view of 200,000 steps", `#/tx/${steps}?tab=steps&step=150000`, ".machine .words"],
  ]) {
    const times = [];
    for (let round = 0; round <= ROUNDS; round++) times.push(await timeOf(context, `${url}/${fragment}`, selector));
    // The first one is not warm.
    const sorted = times.slice(1).sort((left, right) => left - right);
    console.log(`${what}: median ${sorted[ROUNDS / 2].toFixed(0)} ms of ${ROUNDS}, at first ${times[0].toFixed(0)} ms`);
  }
}

async function timeOf(context, url, selector) {
  const page = await context.newPage();
  await page.addInitScript((wanted) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector(wanted) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        document.documentElement.dataset.usableAt = String(performance.now());
      });
    }).observe(document, { childList: true, subtree: true });
  }, selector);
  await page.goto(url);
  const root = page.locator("html[data-usable-at]");
  await root.waitFor({ state: "attached" });
  const time = Number(await root.getAttribute("data-usable-at"));
  await page.close();
  return time;
}

const node = await createNode({ hardfork: "cancun", gasLimit: 400_000_000n });
const demo = await buildDemo(node);
const { url } = await node.listen({ port: 0 });
const { context, close } = await openBrowser();
try {
  const page = await context.newPage();
  if (process.argv.includes("--pages")) await takeMainPages(page, url, demo);
  else {
    await page.setViewportSize(SIZE);
    if (!process.argv.includes("--times")) await takePictures(page, url, demo);
    await node.provider.send("evm_setAutomine", [true]);
    await measure(context, url, await new Market(node).open(), demo.worker);
  }
} finally {
  await close();
  await node.close();
}
