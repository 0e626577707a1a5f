// Makes the file of import-large.bench.mjs: `node import-large-maker.mjs FILE`.
//
// Of ten transactions of a block six are transfers, three are token transfers to new holders, and one calls a contract
// that stores, hashes and logs.
import { closeSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { encodeFunctionData } from "viem";
import { aNode } from "./chains.mjs";

const BLOCKS = Number(process.env.HINDCAST_BENCH_BLOCKS ?? 10_000);
const TRANSACTIONS = 10;
const OPTIONS = { timestamp: 1_700_000_000n, hardfork: "prague", mining: "manual" };

const { contracts } = JSON.parse(readFileSync(new URL("./peers/contracts.json", import.meta.url), "utf8"));
const data = (name, functionName, ...args) => encodeFunctionData({ abi: contracts[name].abi, functionName, args });

await make(process.argv[2]);

async function make(file) {
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
  // Whole or not at all: the file is kept for later runs.
  const part = `${file}.${process.pid}`;
  const output = openSync(part, "w");
  for (const piece of node.exportChain()) writeSync(output, piece);
  closeSync(output);
  renameSync(part, file);
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
