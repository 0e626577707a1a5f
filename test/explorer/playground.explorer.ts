/** The playground from its files, in a folder of a site that is reached for nothing else: a whole tour, and what goes wrong. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writePlayground } from "../../.ci/explorer.mjs";
import { createNode } from "../../src/node/create-node.ts";
import { projectFolder } from "../support/build-once.ts";
import { openBrowser } from "./browser.mjs";
import { readMarket } from "./demo-chain.mjs";
import { type OpenPage, openPage, watch } from "./explorer.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};
const PLACE = "/a/folder/";

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const problems: string[] = [];
/** Addresses of requests to anything but the site. */
const elsewhere: string[] = [];
let folder: string;
let server: Server;
let url: string;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hindcast-playground-"));
  await writePlayground(projectFolder, join(folder, "site"));
  server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "").replace(PLACE, "");
    const file = join(folder, "site", path === "" ? "index.html" : path);
    const type = TYPES[extname(file)];
    const isThere = type !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    response.writeHead(isThere ? 200 : 404, { "content-type": type ?? "text/plain" });
    response.end(isThere ? readFileSync(file) : "");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PLACE}`;
  browser = await openBrowser();
});
afterEach(() => expect([problems.splice(0), elsewhere.splice(0)]).toEqual([[], []]));
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page of the playground, at a fragment. */
async function open(fragment = "", of: Browser = browser): Promise<OpenPage> {
  const page = await of.context.newPage();
  watch(page, problems);
  page.on("request", (request: { url(): string }) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("blob:")) elsewhere.push(request.url());
  });
  await page.goto(url + fragment);
  await page.waitForSelector(".head-state .pulse");
  return openPage(page, url.slice(0, -1));
}

type Page = OpenPage["page"];

const form = (page: Page, name: string): Page => page.getByRole("form", { name });
const functionForm = (page: Page, name: string): Page =>
  page.locator("form.function", { has: page.getByRole("heading", { name, exact: true }) });
const ask = (page: Page, method: string, params: readonly unknown[] = []): Promise<unknown> =>
  page.evaluate(`hindcast.request(${JSON.stringify({ method, params })})`);
const hashAt = async (page: Page, block: string): Promise<string> =>
  ((await ask(page, "eth_getBlockByNumber", [block, false])) as { hash: string }).hash;

/** Deploys the token of the example, and opens its functions. */
async function deployToken(page: Page): Promise<void> {
  const deploy = form(page, "Deploy a contract");
  await deploy.getByLabel("Name has").fill("token");
  await deploy.getByLabel(/^name_/).fill("Gold");
  await deploy.getByLabel(/^symbol_/).fill("GLD");
  await deploy.getByRole("button", { name: "Deploy" }).click();
  await page.waitForURL(/#\/address\/0x[0-9a-f]{40}\?tab=functions$/);
}

it("artifacts, a deployment, calls, a failure with its line, a reorg, and a link with the same chain", async () => {
  const { page, see, seeIn } = await open();
  await see("Playground");
  await page.getByRole("button", { name: "take the example" }).click();
  await deployToken(page);
  const token = /0x[0-9a-f]{40}/.exec(page.url())?.[0] ?? "";
  await seeIn(functionForm(page, "symbol").locator("output"), /^\s*"GLD"$/);

  const [, other] = (await ask(page, "eth_accounts")) as string[];
  const mint = functionForm(page, "mint");
  await mint.getByLabel(/^to/).fill(other);
  await mint.getByLabel(/^value/).fill("7");
  await mint.getByRole("button", { name: "Send" }).click();
  await seeIn(mint.locator("output"), /was sent/);

  const transfer = functionForm(page, "transfer");
  await transfer.getByLabel(/^to/).fill(other);
  await transfer.getByLabel(/^value/).fill("8");
  await transfer.getByRole("button", { name: "Call" }).click();
  await seeIn(transfer.locator("output"), /InsufficientBalance/, /src\/Market\.sol:\d+/, /revert InsufficientBalance/);

  const before = await hashAt(page, "latest");
  await page.goto(`${url}#/pool`);
  await form(page, "Reorg").getByRole("button").click();
  await expect.poll(() => hashAt(page, "latest")).not.toBe(before);

  await page.goto(`${url}#/start`);
  const share = form(page, "Share as a link");
  await share.getByRole("button", { name: "Make a link" }).click();
  const link = await share.getByRole("textbox").inputValue();
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a\/folder\/#chain=[\w-]+$/);

  const second = await openBrowser();
  try {
    const theirs = await open(link.slice(url.length), second);
    expect(theirs.page.url()).toBe(`${url}#/`);
    for (const block of ["0x0", "0x1", "0x2"]) expect(await hashAt(theirs.page, block)).toBe(await hashAt(page, block));
    expect(await ask(theirs.page, "eth_getCode", [token, "latest"])).toBe(
      await ask(page, "eth_getCode", [token, "latest"]),
    );
  } finally {
    await second.close();
  }
});

it("a folder of artifacts is dropped, and one of its contracts is deployed from a file that was saved", async () => {
  const out = join(folder, "out", "Market.sol");
  mkdirSync(out, { recursive: true });
  const { contracts } = readMarket().output;
  for (const [name, { abi, evm }] of Object.entries<{ abi: unknown; evm: { bytecode: object } }>(
    contracts["src/Market.sol"],
  ))
    writeFileSync(join(out, `${name}.json`), JSON.stringify({ abi, bytecode: evm.bytecode }));
  writeFileSync(join(out, "notes.txt"), "no artifact");
  const { page, see } = await open();
  await see("Deploy a contract");
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(folder, "out")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
  await see(/^\d files were added\.$/);
  expect(await page.getByText("notes.txt").count()).toBe(0);
  await deployToken(page);
  const head = await hashAt(page, "latest");

  await page.goto(`${url}#/start`);
  const download = page.waitForEvent("download");
  await form(page, "Save as a file").getByRole("button", { name: "Save" }).click();
  const file = await (await download).path();
  const theirs = await open();
  const opening = form(theirs.page, "Open a file");
  await opening.locator("input").setInputFiles(file);
  await opening.getByRole("button", { name: "Open" }).click();
  await theirs.see("The chain was opened.");
  expect(await hashAt(theirs.page, "latest")).toBe(head);
  const node = await createNode();
  try {
    await node.loadState(readFileSync(file));
    expect(((await node.provider.send("eth_getBlockByNumber", ["latest", false])) as { hash: string }).hash).toBe(head);
  } finally {
    await node.close();
  }
});

it("bytecode is deployed as it is, and what fails says why", async () => {
  const { page, seeIn } = await open();
  const bytecode = form(page, "Deploy bytecode");
  await bytecode.getByRole("textbox").fill("0x123");
  await bytecode.getByRole("button").click();
  await seeIn(bytecode, /even number of hex digits/);
  await bytecode.getByRole("textbox").fill("60006000fd");
  await bytecode.getByRole("button").click();
  await seeIn(bytecode, /revert/);
  // Returns a single STOP.
  await bytecode.getByRole("textbox").fill("0x6001600081600b8239f300");
  await bytecode.getByRole("button").click();
  await page.waitForURL(/#\/address\/0x[0-9a-f]{40}/);
});

/** Counts its calls. The third one fails as an assertion does. */
const FAILS_AT_THE_THIRD = "0x5f54600101805f55600314600f57005b634e487b7160e01b5f52600160045260245ffd";
const ITS_ABI = ["step", "rest"].map((name) => ({
  type: "function",
  name,
  inputs: [],
  outputs: [],
  stateMutability: name === "step" ? "nonpayable" : "view",
}));

it("a contract is fuzzed on a copy of the chain: the shortest sequence that fails, or that none was found", async () => {
  const { page, see, seeIn } = await open();
  const address = `0x${"00".repeat(18)}f022`;
  const fuzzing = form(page, "Fuzz a contract");
  await fuzzing.getByLabel(/^Address/).fill(address);
  await fuzzing.getByRole("button", { name: "Search" }).click();
  await seeIn(fuzzing, /does not know the ABI/);
  await ask(page, "hardhat_setCode", [address, FAILS_AT_THE_THIRD]);
  await ask(page, "hindcast_addArtifact", [ITS_ABI, { name: "Steps", address }]);
  const head = await hashAt(page, "latest");

  await fuzzing.getByLabel(/^Seconds/).fill("20");
  await fuzzing.getByRole("button", { name: "Search" }).click();
  await seeIn(fuzzing, /after 3 calls/, /1\. Steps\.step\(\)/, /3\. Steps\.step\(\)/, /A test of it/);
  expect(await fuzzing.getByText("4. Steps").count()).toBe(0);
  expect(await hashAt(page, "latest")).toBe(head);

  await ask(page, "hardhat_setCode", [address, "0x5f54600101805f5500"]);
  await fuzzing.getByLabel(/^Seconds/).fill("1");
  await fuzzing.getByLabel(/^Seed/).fill("7");
  await fuzzing.getByRole("button", { name: "Search" }).click();
  await see(/Nothing failed in .* sequences .* \(seed 7\)/);

  await fuzzing.getByLabel(/^Seconds/).fill("60");
  await fuzzing.getByRole("button", { name: "Search" }).click();
  await fuzzing.getByRole("button", { name: "Stop" }).click();
  await see("The search was stopped.");
});

describe("a stranger's link or file", () => {
  const linkOf = (bytes: Uint8Array): string => `#chain=${Buffer.from(bytes).toString("base64url")}`;
  it.each([
    ["is cut off", "#chain=H4sIA", /cut off|damaged/],
    ["has other characters", "#chain=<img src=x onerror=alert(1)>", /cut off or changed/],
    ["is damaged", linkOf(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8])), /damaged/],
    ["is no state file", linkOf(gzipSync("[]")), /cannot be opened/],
    ["unpacks to much more than it should", linkOf(gzipSync(Buffer.alloc(20_000_000))), /more than 16 MiB/],
    ["is too long", `#chain=${"A".repeat(64_001)}`, /more than 64000 characters/],
  ])("that %s is refused in words, and the page goes on with a chain of its own", async (_what, fragment, message) => {
    const { page, see } = await open(fragment);
    await see("The link was not opened");
    await see(message);
    expect(page.url()).toBe(`${url}#/start`);
    expect(await ask(page, "eth_blockNumber")).toBe("0x0");
  });

  it("that is no chain leaves the chain as it is", async () => {
    const { page, see } = await open();
    await ask(page, "evm_mine");
    const opening = form(page, "Open a file");
    await opening.locator("input").setInputFiles({ name: "x.gz", mimeType: "x/y", buffer: Buffer.from("no chain") });
    await opening.getByRole("button", { name: "Open" }).click();
    await see(/no state file|not a state file|JSON/i);
    expect(await ask(page, "eth_blockNumber")).toBe("0x1");
  });
});

it("a chain is forked from a node that allows it, and a fork is not shared", async () => {
  const upstream = await createNode();
  try {
    const [from, to] = (await upstream.provider.send("eth_accounts", [])) as string[];
    for (let block = 0; block < 3; block++)
      await upstream.provider.send("eth_sendTransaction", [{ from, to, value: "0x1" }]);
    const { url: address } = await upstream.listen({ port: 0, allowedOrigins: ["*"] });
    const { page, see } = await open();
    await form(page, "Fork a chain")
      .getByLabel(/^Address/)
      .fill(address);
    await form(page, "Fork a chain")
      .getByLabel(/^Block/)
      .fill("2");
    await form(page, "Fork a chain").getByRole("button").click();
    await see("The chain is a fork.");
    const second = (await upstream.provider.send("eth_getBlockByNumber", ["0x2", false])) as { hash: string };
    expect(await hashAt(page, "latest")).toBe(second.hash);
    await form(page, "Share as a link").getByRole("button").click();
    await see(/is a fork of another/);
    expect(new Set(elsewhere.splice(0).map((each) => new URL(each).origin))).toEqual(
      new Set([new URL(address).origin]),
    );
  } finally {
    await upstream.close();
  }
});

it.each([
  ["light", 1280],
  ["dark", 390],
] as const)("in %s at %i pixels it fits, and axe finds nothing", async (colorScheme, width) => {
  const { page, see, axe } = await open();
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 900 });
  await page.getByRole("button", { name: "take the example" }).click();
  await see("Contract, of 10");
  expect(await axe()).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
});
