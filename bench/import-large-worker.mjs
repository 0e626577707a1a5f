// The measured half of import-large.bench.mjs: `node import-large-worker.mjs FILE FOLDER` imports and prints figures.
import { readFileSync } from "node:fs";
import { createNode } from "../dist/index.js";

// As the maker's.
const OPTIONS = { timestamp: 1_700_000_000n, hardfork: "prague", mining: "manual" };

const [file, folder] = process.argv.slice(2);
await importIt();

async function importIt() {
  const node = await createNode({ ...OPTIONS, dataDir: folder });
  const bytes = readFileSync(file);
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  await node.importChain(bytes);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const figures = { blocks: 0, transactions: 0, gas: 0 };
  const last = node.head.header.number;
  for (let number = 1n; number <= last; number++) {
    const block = node.getBlock(number);
    figures.blocks++;
    figures.transactions += block.transactions.length;
    figures.gas += Number(block.header.gasUsed);
  }
  await node.close();
  console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000, ...figures, peakMegabytes }));
}
