/**
 * `examples/simulate-before-signing` in a page: a node in a worker forks the chain of the page's provider, which answers late,
 * and proves what it reads. Ten swaps are simulated, then sent.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { buildDemo } from "../explorer/demo-chain.mjs";
import { textOf, useSite } from "./site.ts";

/** Milliseconds after which the page's provider asks the chain: those of a far node. */
const LATENCY_MS = 50;

/** Counts requests, and how often the page waited for one: those that are on their way together count once. */
const PAGE = `
import { createWorkerNode } from "/hindcast/worker.js";
import { simulate } from "/simulate.mjs";

export async function simulateAll(url, transactions) {
  const counts = { requests: 0, waits: 0, waiting: 0 };
  const provider = {
    async request({ method, params }) {
      counts.requests++;
      if (counts.waiting++ === 0) counts.waits++;
      try {
        await new Promise((resolve) => setTimeout(resolve, ${LATENCY_MS}));
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
        const { result, error } = await response.json();
        if (error !== undefined) throw Object.assign(new Error(error.message), error);
        return result;
      } finally {
        counts.waiting--;
      }
    },
  };
  const found = [];
  for (const transaction of transactions) {
    const worker = new Worker("/worker.js", { type: "module" });
    const node = await createWorkerNode(worker, { fork: { provider, verify: true } });
    Object.assign(counts, { requests: 0, waits: 0 });
    const start = performance.now();
    const answer = await simulate(node.provider, transaction);
    found.push({ ...answer, requests: counts.requests, waits: counts.waits, ms: performance.now() - start });
    await node.close();
  }
  return found;
}
`;

interface Foretold {
  readonly failure?: string;
  readonly assets: readonly unknown[];
  readonly requests: number;
  readonly waits: number;
  readonly ms: number;
}

const site = useSite({
  "/simulate.mjs": textOf("examples/simulate-before-signing/simulate.mjs"),
  "/worker.js": 'import "/hindcast/worker-program.js";',
  "/page.js": PAGE,
});

let chain: HindcastNode;
let url: string;
let demo: Awaited<ReturnType<typeof buildDemo>>;
beforeAll(async () => {
  chain = await createNode();
  demo = await buildDemo(chain);
  ({ url } = await chain.listen({ port: 0, allowedOrigins: ["*"] }));
});
afterAll(() => chain?.close());

it("ten swaps behind 50 ms, through a proxy and a router: what they will change, and nobody else is asked", async () => {
  const { market, alice, gold, silver, pool, router } = demo;
  const ether = 10n ** 18n;
  const swap = (zeroForOne: boolean, amount: bigint): object => ({
    from: alice,
    to: pool,
    data: market.data("Pool", "swap", zeroForOne, amount, 0n, alice),
  });
  const route = (hops: number, amount: bigint): object => ({
    from: alice,
    to: router,
    data: market.data(
      "Router",
      "route",
      Array.from({ length: hops }, (_, index) => ({
        pool,
        zeroForOne: index % 2 === 0,
        token: index % 2 === 0 ? gold : silver,
      })),
      amount,
      1n,
    ),
  });
  const swaps = [
    ...[1n, 2n, 20n].map((amount) => swap(true, amount * ether)),
    ...[1n, 5n].map((amount) => swap(false, amount * ether)),
    ...[1, 2, 3, 4, 5].map((hops) => route(hops, 3n * ether)),
  ];
  const { page, problems } = await site.open();
  const asked: string[] = [];
  page.on("request", (request: { url(): string }) => asked.push(new URL(request.url()).origin));
  const simulated = (await page.evaluate(
    `import("/page.js").then(({ simulateAll }) => simulateAll(${JSON.stringify(url)}, ${JSON.stringify(swaps)}))`,
  )) as readonly Foretold[];
  expect(problems).toEqual([]);
  expect(new Set(asked)).toEqual(new Set([site.url, new URL(url).origin]));
  console.log(
    simulated.map(({ requests, waits, ms }) => `${requests} requests, ${waits} waits, ${ms.toFixed(0)} ms`).join("\n"),
  );
  for (const [index, { failure, assets, waits }] of simulated.entries()) {
    expect(failure).toBeUndefined();
    const snapshot = await chain.provider.send("evm_snapshot", []);
    const hash = (await chain.provider.send("eth_sendTransaction", [swaps[index]])) as string;
    const changes = (await chain.provider.send("hindcast_stateChanges", [hash])) as { assets: unknown };
    await chain.provider.send("evm_revert", [snapshot]);
    expect(assets.length).toBeGreaterThan(1);
    expect(assets).toEqual(changes.assets);
    expect(waits).toBeLessThan(6);
  }
});
