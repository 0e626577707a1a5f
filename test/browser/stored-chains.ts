/** Programs of pages that keep chains: for the tests of data folders in browsers. */
import { type BrowserName, type Site, useSite } from "./site.ts";

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

/** Mines until a request fails: the last block that was acknowledged, the error, and the head after it. */
export async function mineUntilFull(dataDir) {
  const node = await open(dataDir);
  let acknowledged = 0;
  const error = await mine(node, 5000, (number) => { acknowledged = number; }).catch(({ code, message }) => ({ code, message }));
  const head = Number(await ask(node, "eth_blockNumber"));
  await node.close().catch(() => undefined);
  return { acknowledged, error, head };
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

/** A site whose pages mine in data folders. */
export function useStoringSite(browser: BrowserName): Site {
  return useSite(
    { "/broker.js": BROKER, "/worker.js": 'import "/hindcast/worker-program.js";', "/miner.js": MINER },
    { browser, programs: { "file-suite": "test/browser/file-suite.ts" } },
  );
}

export type Page = Awaited<ReturnType<Site["open"]>>["page"];

/** Runs statements in a page that have the functions of the miner. */
export const within = (page: Page, body: string): Promise<unknown> =>
  page.evaluate(
    `(async () => { const { open, ask, mine, mineUntilFull, checked, newWorker } = await import("/miner.js"); ${body} })()`,
  );
