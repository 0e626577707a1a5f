// The first rounds of one row of call.bench.mjs, in a process that has answered nothing else: `node call-worker.mjs LABEL`.
import { summary } from "./measure.mjs";
import { callRows } from "./peers/call-rows.mjs";
import { furnish } from "./peers/chain.mjs";
import { IN_PROCESS, startInProcess } from "./peers/in-process.mjs";

const ROUNDS = 20;

const row = callRows.find(({ label }) => label === process.argv[2]);
const node = await furnish(await startInProcess(IN_PROCESS));
const times = [];
for (let round = 0; round < ROUNDS; round++) {
  const request = row.request(node, undefined, round);
  const start = performance.now();
  await node.ask(...request);
  times.push(performance.now() - start);
}
await node.stop();
console.log(JSON.stringify(summary(times)));
