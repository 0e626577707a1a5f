/** Chains that a browser keeps: a node in a worker with a data folder in the origin's private file system. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openPrivateBrowser } from "../explorer/browser.mjs";
import { useSite } from "./site.ts";

/** How often a worker, a tab, a page or a renderer ends while it mines; `CAMPAIGN_KILLS=200` for the long run. */
const KILLS = Number(process.env.CAMPAIGN_KILLS ?? 8);

const MINER = `
import { createWorkerNode } from "/hindcast/worker.js";
export const newWorker = () => new Worker("/worker.js", { type: "module" });
export const open = (dataDir, options = {}) => createWorkerNode(newWorker(), { dataDir, accounts: 2, timestamp: 1700000000, ...options });
export const ask = ({ provider }, method, ...params) => provider.request({ method, params });

// Stores 32 bytes and logs them.
const LOGS = "0x7f" + "ab".repeat(32) + "60005260206000a06001600055";

/** Sends transactions with a log each, one after the other, and tells each block that was acknowledged. */
export async function mine(node, count, tell = () => {}) {
  const [from] = await ask(node, "eth_accounts");
  for (let sent = 0; sent < count; sent++) {
    const hash = await ask(node, "eth_sendTransaction", { from, data: LOGS, gas: "0x30000" });
    const { blockNumber } = await ask(node, "eth_getTransactionReceipt", hash);
    tell(Number(blockNumber));
  }
}

/** The number of the head, once every block below it is there with its log, and one more can be mined. */
export async function checked(node) {
  const head = Number(await ask(node, "eth_blockNumber"));
  const logs = await ask(node, "eth_getLogs", { fromBlock: "0x0", toBlock: "latest" });
  const blocks = new Set(logs.map(({ blockNumber }) => Number(blockNumber)));
  let transactions = 0;
  for (let number = 1; number <= head; number++) {
    const block = await ask(node, "eth_getBlockByNumber", "0x" + number.toString(16), false);
    if (block === null) throw new Error("block " + number + " of " + head + " is missing");
    if (block.transactions.length > 0 && !blocks.has(number)) throw new Error("the log of block " + number + " is missing");
    transactions += block.transactions.length;
  }
  if (transactions !== logs.length) throw new Error(transactions + " transactions, and " + logs.length + " logs");
  await ask(node, "evm_mine");
  if (Number(await ask(node, "eth_blockNumber")) !== head + 1) throw new Error("no block can be mined");
  return head;
}
`;
/** Hands ports from the tab that has a node to those that want one. */
const BROKER = `
let holder;
const waiting = [];
addEventListener("connect", ({ ports: [tab] }) => {
  tab.onmessage = ({ data, ports }) => {
    if (data === "offer") holder = tab;
    else if (data === "want") waiting.push(tab), holder.postMessage("want");
    else waiting.shift().postMessage("port", ports);
  };
});
`;
const site = useSite(
  { "/broker.js": BROKER, "/worker.js": 'import "/hindcast/worker-program.js";', "/miner.js": MINER },
  { programs: { "file-suite": "test/browser/file-suite.ts" } },
);

type Page = Awaited<ReturnType<typeof site.open>>["page"];
const within = (page: Page, body: string): Promise<unknown> =>
  page.evaluate(
    `(async () => { const { open, ask, mine, checked, newWorker } = await import("/miner.js"); ${body} })()`,
  );

it("files of a browser do what a journal needs", async () => {
  const { page, problems } = await site.open();
  const faults = await page.evaluate(`new Promise((resolve) => {
    const worker = new Worker("/hindcast/file-suite.js", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve([message]);
    worker.postMessage("start");
  })`);
  expect(faults).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

describe("a chain that a browser keeps", () => {
  it("is there after its node was closed, and after its page was left", async () => {
    const { page, problems } = await site.open();
    const first = await within(
      page,
      `const node = await open("kept/chain");
      await mine(node, 5);
      const block = await ask(node, "eth_getBlockByNumber", "latest", true);
      await node.close();
      const again = await open("kept/chain");
      const same = await ask(again, "eth_getBlockByNumber", "latest", true);
      await mine(again, 5);
      return [JSON.stringify(block) === JSON.stringify(same), await ask(again, "eth_blockNumber")];`,
    );
    expect(first).toEqual([true, "0xa"]);
    await page.reload();
    await page.waitForFunction("globalThis.isReady === true");
    expect(await within(page, 'return checked(await open("kept/chain"));')).toBe(10);
    expect(problems).toEqual([]);
    expect(await page.evaluate("refused")).toEqual([]);
    await page.close();
  });

  it("is refused if it was made with other options, and unchanged", async () => {
    const { page } = await site.open();
    const answer = await within(
      page,
      `await (await open("mismatch")).close();
      const code = await open("mismatch", { chainId: 7 }).catch((error) => error.code);
      const node = await open("mismatch");
      const head = await ask(node, "eth_blockNumber");
      await node.close();
      return [code, head];`,
    );
    expect(answer).toEqual(["DATA_DIR_MISMATCH", "0x0"]);
    await page.close();
  });

  it("is in use by one tab at a time; a second one gets an error that says so, and is connected by a port", async () => {
    const [{ page: one }, { page: other }] = [await site.open(), await site.open()];
    await within(one, 'globalThis.node = await open("shared"); await mine(globalThis.node, 2);');
    const refusal = await within(other, 'return open("shared").catch(({ code, message }) => [code, message]);');
    expect(refusal).toEqual(["DATA_DIR_LOCKED", expect.stringContaining("another tab or worker of this site")]);
    expect((refusal as string[])[1]).toContain("node.port()");
    await within(
      one,
      `const { port } = new SharedWorker("/broker.js");
      port.onmessage = () => { const own = globalThis.node.port(); port.postMessage("port", [own]); };
      port.postMessage("offer");`,
    );
    const mined = await within(
      other,
      `const { connectNode } = await import("/hindcast/worker.js");
      const { port } = new SharedWorker("/broker.js");
      const received = new Promise((resolve) => { port.onmessage = ({ ports }) => resolve(ports[0]); });
      port.postMessage("want");
      const provider = connectNode(await received);
      await mine({ provider }, 1);
      return ask({ provider }, "eth_blockNumber");`,
    );
    expect(mined).toBe("0x3");
    await within(one, "await globalThis.node.close();");
    expect(await within(other, 'return checked(await open("shared"));')).toBe(3);
    await one.close();
    await other.close();
  });

  it("tells damage in the middle of its journal, and cuts an incomplete record off", async () => {
    const { page } = await site.open();
    const answer = await within(
      page,
      `const node = await open("damaged");
      await mine(node, 3);
      await node.close();
      const root = await navigator.storage.getDirectory();
      const folder = await (await root.getDirectoryHandle("damaged")).getDirectoryHandle("chain");
      const handle = await folder.getFileHandle("journal-a");
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      const write = async (content) => {
        const stream = await handle.createWritable();
        await stream.write(content);
        await stream.close();
      };
      await write(bytes.slice(0, -7));
      const notices = [];
      const cut = await open("damaged", { onNotice: (notice) => notices.push(notice) });
      const head = await ask(cut, "eth_blockNumber");
      await cut.close();
      const flipped = bytes.slice();
      flipped[bytes.length >> 1] ^= 1;
      await write(flipped);
      const error = await open("damaged").catch(({ code, message }) => [code, message]);
      return [head, notices.length, notices[0], ...error];`,
    );
    expect(answer).toEqual([
      "0x3",
      1,
      expect.stringContaining("incomplete record"),
      "STORE_CORRUPT",
      expect.stringContaining("journal-a"),
    ]);
    await page.close();
  });

  it("loses nothing that was acknowledged when the quota is used up", async () => {
    const { page } = await site.open();
    const session = await page.context().newCDPSession(page);
    const used = (await page.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")) as number;
    const { origin } = new URL(site.url);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: used + 3_000_000 });
    const outcome = (await within(
      page,
      `const node = await open("full");
      let acknowledged = 0;
      const error = await mine(node, 5000, (number) => { acknowledged = number; }).catch(({ code, message }) => ({ code, message }));
      const head = Number(await ask(node, "eth_blockNumber"));
      await node.close().catch(() => undefined);
      return { acknowledged, error, head };`,
    )) as { acknowledged: number; error: { code: number; message: string }; head: number };
    expect(outcome.error?.message).toContain("could not write a batch");
    expect(outcome.acknowledged).toBeGreaterThan(10);
    expect(outcome.head).toBe(outcome.acknowledged);
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    expect(await within(page, 'return checked(await open("full"));')).toBe(outcome.acknowledged);
    await page.close();
  });
});

describe("a chain in a private window", () => {
  it("loses nothing that was acknowledged when short writes say that the quota is used up", async () => {
    const browser = await openPrivateBrowser();
    const { page } = await site.open(browser.context);
    const session = await browser.context.newCDPSession(page);
    const { origin } = new URL(site.url);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 600_000 });
    const outcome = (await within(
      page,
      `const node = await open("private");
      let acknowledged = 0;
      const error = await mine(node, 5000, (number) => { acknowledged = number; }).catch(({ code, message }) => ({ code, message }));
      await node.close().catch(() => undefined);
      return { acknowledged, error };`,
    )) as { acknowledged: number; error: { message: string } };
    expect(outcome.error?.message).toContain("could not write a batch");
    expect(outcome.acknowledged).toBeGreaterThan(10);
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    expect(await within(page, 'return checked(await open("private"));')).toBe(outcome.acknowledged);
    await browser.close();
  });
});

it(`all acknowledged blocks are there after each of ${KILLS} ends while mining`, async () => {
  const ends: readonly ((page: Page) => Promise<unknown>)[] = [
    async (page) => page.evaluate("globalThis.worker.terminate()"),
    async (page) => page.reload(),
    async (page) => page.close(),
    async (page) => {
      const session = await page.context().newCDPSession(page);
      const crashed = page.waitForEvent("crash");
      // It is never answered.
      void session.send("Page.crash").catch(() => undefined);
      await crashed;
    },
  ];
  let acknowledged = 0;
  let { page } = await site.open();
  for (let round = 0; round < KILLS; round++) {
    const told: number[] = [];
    let failure: unknown;
    page.on("console", (message: { text(): string }) => told.push(Number(message.text())));
    void within(
      page,
      `globalThis.worker = newWorker();
      const { createWorkerNode } = await import("/hindcast/worker.js");
      const node = await createWorkerNode(globalThis.worker, { dataDir: "killed", accounts: 2, timestamp: 1700000000 });
      console.log(await checked(node));
      await mine(node, 1e6, (number) => console.log(number));`,
    ).catch((error) => {
      failure = error;
    });
    const patience = 2 + ((round * 7) % 20);
    while (told.length <= patience) {
      if (failure !== undefined) throw failure;
      await delay(5);
    }
    expect(told[0], `round ${round}`).toBeGreaterThanOrEqual(acknowledged);
    await ends[round % ends.length]?.(page);
    acknowledged = told.at(-1) ?? 0;
    page.removeAllListeners("console");
    const isGone = round % ends.length >= 2;
    if (isGone) {
      await page.close().catch(() => undefined);
      page = (await site.open()).page;
    }
    await page.waitForFunction("globalThis.isReady === true");
  }
  const head = await within(page, 'return checked(await open("killed"));');
  expect(head).toBeGreaterThanOrEqual(acknowledged);
  await page.close();
});
