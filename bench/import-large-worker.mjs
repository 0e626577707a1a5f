// The two halves of import-large.bench.mjs, each in a process of its own: making the chain's file, and importing it.
//
// Of ten transactions of a block six are transfers, three are token transfers to new holders, and one calls a contract
// that stores, hashes and logs.
import { openSync, readFileSync, writeSync } from "node:fs";
import { encodeFunctionData } from "viem";
import { createNode } from "../dist/index.js";
import { aNode } from "./chains.mjs";

const BLOCKS = Number(process.env.HINDCAST_BENCH_BLOCKS ?? 10_000);
const TRANSACTIONS = 10;
const OPTIONS = { timestamp: 1_700_000_000n, hardfork: "prague", mining: "manual" };

const { contracts } = JSON.parse(readFileSync(new URL("./peers/contracts.json", import.meta.url), "utf8"));
const data = (name, functionName, ...args) => encodeFunctionData({ abi: contracts[name].abi, functionName, args });

const [task, file, folder] = process.argv.slice(2);
if (task === "make") await make();
else await importIt();

async function make() {
  const { node, ask, from, to } = await aNode(OPTIONS);
  const deployed = [];
  for (const name of ["Token", "Work"]) {
    const hash = await ask("eth_sendTransaction", { from, data: contracts[name].bytecode, gas: "0x1000000" });
    await node.mine();
    deployed.push((await ask("eth_getTransactionReceipt", hash)).contractAddress);
  }
  const [token, work] = deployed;
  for (let block = 0; block < BLOCKS; block++) {
    for (let index = 0; index < TRANSACTIONS; index++) {
      await ask("eth_sendTransaction", {
        from,
        ...transaction(block * TRANSACTIONS + index, index, { to, token, work }),
      });
    }
    await node.mine();
  }
  const output = openSync(file, "w");
  for (const piece of node.exportChain()) writeSync(output, piece);
  await node.close();
}

function transaction(number, index, { to, token, work }) {
  if (index < 6) return { to, value: "0x1", gas: "0x5208" };
  if (index < 9) {
    const holder = `0x${(0x1000_0000 + number).toString(16).padStart(40, "0")}`;
    return { to: token, data: data("Token", "transfer", holder, 1n), gas: "0x20000" };
  }
  if (number % 2 === 0) return { to: work, data: data("Work", "storeCold", BigInt(number), 2n), gas: "0x30000" };
  return { to: work, data: data("Work", "noteMany", 4n), gas: "0x30000" };
}

async function importIt() {
  const node = await createNode({ ...OPTIONS, dataDir: folder });
  const bytes = readFileSync(file);
  const start = performance.now();
  await node.importChain(bytes);
  const ms = performance.now() - start;
  const figures = { blocks: 0, transactions: 0, gas: 0 };
  const last = node.head.header.number;
  for (let number = 1n; number <= last; number++) {
    const block = node.getBlock(number);
    figures.blocks++;
    figures.transactions += block.transactions.length;
    figures.gas += Number(block.header.gasUsed);
  }
  await node.close();
  console.log(JSON.stringify({ ms, ...figures, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
}
