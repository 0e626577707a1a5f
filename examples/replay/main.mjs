// console.log put into a contract that is deployed: its old transactions run again on a fork, with another artifact.
import { readFileSync } from "node:fs";
import { createNode } from "hindcast";
import { deployLedger } from "./ledger.mjs";

// A chain with a contract that has two immutables and a linked library. It stands for a public one.
const chain = await createNode({ hardfork: "cancun" });
const { ledger, deposits } = await deployLedger(chain);
const { url } = await chain.listen({ port: 0 });

// The same contract with lines of console.log, as Foundry or Hardhat has compiled it. Nobody deploys it: its immutables and
// the library's address are taken over from the deployed code.
const artifact = JSON.parse(readFileSync(new URL("LoggedLedger.json", import.meta.url), "utf8"));
const fork = await createNode({ fork: { url, cache: false } });
for (const transaction of deposits) {
  const { transactions } = await fork.replay({ transaction, code: { [ledger]: artifact } });
  for (const { text } of transactions[0].console[1]) console.log(text);
}

// And all blocks since then with it: the events that the new code would have written, and what printing costs.
const { totals } = await fork.replay({ blocks: [3n, fork.head.header.number], code: { [ledger]: artifact } });
const [lost, found] = totals.differentLogs;
console.log(`${lost} logs less, ${found} more, for ${totals.gasUsed[1] - totals.gasUsed[0]} gas`);
await fork.close();
await chain.close();
