// One request of scaling-lists.bench.mjs at each length, in a process of its own: `scaling-lists-worker.mjs LABEL`. Sends
// the length and the milliseconds of processor time after each run, so that what was measured stays if it is ended.
import { aNode } from "./chains.mjs";
import { CHANGES_CHAIN, LENGTHS, REQUESTS } from "./scaling-lists-requests.mjs";

/** Each length once in each round, so that the longest is not left out for the sake of further runs of the others. */
const ROUNDS = 3;
const GAS = 10n ** 12n;
const OPTIONS = {
  hardfork: "osaka",
  gasLimit: GAS,
  maxRequestValues: 10_000_000,
  limits: {
    ...{ callGasLimit: GAS, callTimeoutMs: 600_000, traceTimeoutMs: 600_000 },
    ...{ stateFileValues: 20_000_000, minedBlocks: 1_000_000 },
  },
};

const label = process.argv[2];
const shared = CHANGES_CHAIN.test(label) ? undefined : await aNode(OPTIONS);
for (let round = 0; round < ROUNDS; round++) {
  for (const length of LENGTHS) process.send({ length, ms: await measureOnce(length) });
}
await shared?.node.close();
process.disconnect();

/** Milliseconds of processor time of all threads. */
async function measureOnce(length) {
  const chain = shared ?? (await aNode(OPTIONS));
  const request = REQUESTS[label](length, { from: chain.from, to: chain.to, value: "0x1" });
  const before = process.cpuUsage();
  await chain.ask(...request);
  const { user, system } = process.cpuUsage(before);
  if (chain !== shared) await chain.node.close();
  return (user + system) / 1000;
}
