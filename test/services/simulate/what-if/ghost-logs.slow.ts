import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { bytesToBigInt } from "../../../../src/primitives/bytes/bytes.ts";
import { ALICE, aNode, BOB, serve, wordText } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { deploy } from "../../../support/contracts.ts";

const BLOCKS = 1_000;
const CALLS = 8;

/** Stores the number it is called with at the slot of that number, and logs it if the divisor divides it. */
const logging = (divisor: number) =>
  assemble(`
    0 CALLDATALOAD DUP1 DUP1 SSTORE
    DUP1 0 MSTORE ${divisor} SWAP1 MOD @end JUMPI
    32 0 LOG0
    end: STOP
  `);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it("finds the ghost logs of 1,000 blocks of a fork, as a calculation has them, in bounded memory", async () => {
  const origin = await aNode();
  const contract = await deploy(origin, logging(2));
  await origin.provider.request({ method: "evm_setAutomine", params: [false] });
  const first = origin.head.header.number + 1n;
  for (let block = 0; block < BLOCKS; block++) {
    for (let call = 0; call < CALLS; call++) {
      const from = call % 2 === 0 ? ALICE : BOB;
      const params = [{ from, to: contract, data: wordText(block * CALLS + call), gas: "0x186a0" }] as const;
      await origin.provider.request({ method: "eth_sendTransaction", params });
    }
    await origin.mine();
  }
  const node = await aNode({ fork: { url: (await serve(origin)).url } });
  const last = first + BigInt(BLOCKS) - 1n;

  const numbers: { readonly recorded: number[]; readonly changed: number[] } = { recorded: [], changed: [] };
  const heaps: number[] = [];
  let totals: unknown;
  const start = process.cpuUsage();
  for await (const block of node.eachReplayedBlock({ blocks: [first, last], code: { [contract]: logging(3) } })) {
    for (const { logs } of block.transactions) {
      numbers.recorded.push(...logs[0].map(({ data }) => Number(bytesToBigInt(data))));
      numbers.changed.push(...logs[1].map(({ data }) => Number(bytesToBigInt(data))));
    }
    if ((block.number - first) % 250n === 249n) heaps.push(heapBytes());
    totals = block.totals;
  }
  const { user, system } = process.cpuUsage(start);
  console.log(`${BLOCKS} blocks of ${CALLS} transactions: ${Math.round((user + system) / 1_000)} ms of the processor`);
  console.log(`heap after each quarter: ${heaps.map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`).join(", ")}`);

  const all = Array.from({ length: BLOCKS * CALLS }, (_, number) => number);
  const inOrder = (list: readonly number[]): number[] => [...list].sort((left, right) => left - right);
  expect(inOrder(numbers.recorded)).toEqual(all.filter((number) => number % 2 === 0 && number % 3 !== 0));
  expect(inOrder(numbers.changed)).toEqual(all.filter((number) => number % 3 === 0 && number % 2 !== 0));
  expect(totals).toMatchObject({ blocks: BLOCKS, transactions: BLOCKS * CALLS, refused: 0 });
  // What the fork has read stays in its cache, which has bounds of its own.
  expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(32 * 2 ** 20);
});
