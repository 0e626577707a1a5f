/** Whatever a chain or another site does to the page: it shows text, and lets nobody else in. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { Market } from "./demo-chain.mjs";
import { useExplorer } from "./explorer.ts";

const MARKUP = `<img src=x onerror=alert(1)><script>alert(2)</script><a href="javascript:alert(3)">`;
/** Escape codes of terminals, marks that turn the direction of text around, and zero width. */
const UNSEEN = "\u001b[31mred\u001b[0m \u202egnp.exe\u202c\u2066x\u2069 a\u200bb \u0000\u0007";
const TEXT = `${MARKUP}${UNSEEN}`;
const LONG = "A".repeat(20_000);
/** A name and an ABI of megabytes. */
const HUGE = `${MARKUP}${"B".repeat(3_000_000)}`;

/** An account that strangers gave tokens to. */
const LURED = "0x00000000000000000000000000000000000ffff2";

async function buildHostile(node: HindcastNode) {
  const market = await new Market(node).open();
  node.abi.add([
    { type: "function", name: `${MARKUP}`, inputs: [{ type: "uint256", name: UNSEEN }], outputs: [] },
    { type: "error", name: MARKUP, inputs: [] },
  ]);
  await market.ask("miner_setExtra", `0x${Buffer.from("<script>alert(4)</script>").toString("hex")}`);
  const stranger = await market.deploy("Stranger", TEXT);
  node.abi.add(market.contracts.Stranger.abi, { name: TEXT, address: Buffer.from(stranger.slice(2), "hex") });
  const huge = await market.deploy("Stranger", "huge");
  const method = { type: "function", name: HUGE, inputs: [{ type: "uint256", name: HUGE }], outputs: [] };
  node.abi.add([method], { name: HUGE, address: Buffer.from(huge.slice(2), "hex") });
  const said = await market.send("Stranger", stranger, "say", [TEXT]);
  const failed = await market.send("Stranger", stranger, "fail", [TEXT]);
  const long = await market.send("Stranger", stranger, "fail", [LONG]);
  for (const [name, kind] of [
    [TEXT, "Huge"],
    [`${LONG.slice(0, 300)}${TEXT}`, "Huge"],
    [TEXT, "Reverting"],
    [TEXT, "Endless"],
  ] as const) {
    const lure = await market.deploy("Lure", name, ["Huge", "Reverting", "Endless"].indexOf(kind));
    await market.send("Lure", lure, "drop", [LURED]);
  }
  return { stranger, huge, said, failed, long };
}

const explorer = useExplorer(buildHostile);

describe("what strangers write", () => {
  it.each([
    ["calls", () => `#/tx/${explorer.facts.said}`, "console.log"],
    ["events", () => `#/tx/${explorer.facts.said}?tab=events`, "Said("],
    ["failure", () => `#/tx/${explorer.facts.failed}`, /⟨U\+202E⟩/],
    ["gas", () => `#/tx/${explorer.facts.failed}?tab=gas`, "fail"],
    ["raw", () => `#/tx/${explorer.facts.said}?tab=raw`, "cumulativeGasUsed"],
    ["account", () => `#/address/${explorer.facts.stranger}`, "Decimals"],
    ["functions", () => `#/address/${explorer.facts.stranger}?tab=functions`, "symbol"],
    ["an account with names of megabytes", () => `#/address/${explorer.facts.huge}`, /3,000,0\d\d characters/],
    ["its functions", () => `#/address/${explorer.facts.huge}?tab=functions`, /3,000,0\d\d characters/],
    ["source", () => `#/address/${explorer.facts.stranger}?tab=source`, "pragma"],
    ["storage", () => `#/address/${explorer.facts.stranger}?tab=storage`, /^symbol/],
    ["tokens", () => `#/address/${LURED}?tab=tokens`, "≈0"],
    ["block", () => "#/block/2", "<script>alert(4)</script>"],
    ["chain", () => "#/", "Transactions"],
  ])("is text, and harmless: %s", async (_name, fragment, text) => {
    const { page, visit, see } = await explorer.open();
    await visit(fragment());
    await see(text);
    // Names come after the rows.
    await page.waitForLoadState("networkidle");
    expect(await page.locator("main img, main script, main a[href^='javascript']").count()).toBe(0);
    const shown: string = await page.locator("main").innerText();
    // Line ends and tabs are the page's own.
    expect(shown.match(/[\p{Cc}\p{Cf}]/gu)?.filter((character) => !"\n\t".includes(character)) ?? []).toEqual([]);
  });

  it("shows characters that are not seen by their names", async () => {
    const { visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.failed}`);
    await see(/⟨U\+202E⟩gnp\.exe/);
  });

  it("leaves tokens out whose balance cannot be read, and shows the others with names that are cut", async () => {
    const { page, visit, seeIn, seeCount } = await explorer.open();
    await visit(`#/address/${LURED}?tab=tokens`);
    const rows = "section[aria-label='Tokens of the account'] tbody tr";
    await seeCount(rows, 2);
    await seeIn(page.locator(rows).first(), /^A{60}… \([\d,]+ characters\)/);
    await seeIn(page.locator(rows).last(), /^<img src=x onerror=alert\(1\)>/);
  });

  it("is cut where it is long, and says so", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/tx/${explorer.facts.long}`);
    await see(/… \([\d,]+ characters\)/);
    expect((await page.locator("main").innerText()).length).toBeLessThan(20_000);
  });

  it("a link to a simulation of somebody else's runs nothing and puts text into fields alone", async () => {
    const { page, visit, see } = await explorer.open();
    const draft = { calls: [{ from: TEXT, to: MARKUP, value: MARKUP, data: 7 }, null], block: MARKUP, overrides: {} };
    await visit(`#/simulate?draft=${Buffer.from(JSON.stringify(draft)).toString("base64url")}`);
    await see("Call 1");
    await expect.poll(() => page.getByLabel("Block", { exact: true }).inputValue()).toBe(MARKUP);
    await visit("#/simulate?draft=%00not-base64");
    await see("Call 0");
  });
});

/** A page on another site: another name for this machine. */
async function anotherSite(body: (url: string) => string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(body(explorer.url));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://other.example:${port}/`, close: () => server.close() };
}

describe("another site", () => {
  it("cannot frame the page", async () => {
    const site = await anotherSite((url) => `<iframe src="${url}/"></iframe>`);
    const page = await explorer.bare();
    const refused: string[] = [];
    page.on("console", (message: { text(): string }) => refused.push(message.text()));
    await page.goto(site.url);
    await expect.poll(() => refused.join(" ")).toMatch(/frame-ancestors/);
    expect(await page.frames()[1]?.locator("#app").count()).toBe(0);
    await page.close();
    site.close();
  });

  it.each([
    ["post to the node", `{ method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}', mode: "no-cors" }`],
    [
      "post JSON to it",
      `{ method: "POST", headers: { "content-type": "application/json" }, body: '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}' }`,
    ],
    ["read it", "{}"],
  ])("cannot %s", async (_what, options) => {
    const site = await anotherSite(
      (url) =>
        `<script>fetch("${url}/", ${options}).then((r) => r.text()).then((text) => { document.title = "got " + text.length; }, () => { document.title = "refused"; });</script>`,
    );
    const before = explorer.node.head.header.number;
    const page = await explorer.bare();
    await page.goto(site.url);
    await expect.poll(() => page.title()).toMatch(/^refused$|^got 0$/);
    expect(explorer.node.head.header.number).toBe(before);
    await page.close();
    site.close();
  });

  it("cannot open a WebSocket to it", async () => {
    const site = await anotherSite(
      (url) =>
        `<script>const s = new WebSocket("${url.replace("http", "ws")}/"); s.onopen = () => { document.title = "open"; }; s.onerror = () => { document.title = "refused"; };</script>`,
    );
    const page = await explorer.bare();
    await page.goto(site.url);
    await expect.poll(() => page.title()).toBe("refused");
    await page.close();
    site.close();
  });
});
