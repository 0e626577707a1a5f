/** A node in a page of a browser, and in a worker of one. */
import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { bytesToHex } from "../../src/primitives/validation/loose.ts";
import { COUNTER, ECHO, LOOP } from "../support/contracts.ts";
import { WELL_FORMED } from "../support/precompile-calls.ts";
import { oneOfEachType } from "../support/signed-transactions.ts";
import { everyday, forked, transactions } from "./programs.mjs";
import { textOf, useSite } from "./site.ts";

const WORKER = 'import "/hindcast/worker-program.js";';
const site = useSite({ "/programs.mjs": textOf("test/browser/programs.mjs"), "/worker.js": WORKER });

const inputs = {
  calls: [...WELL_FORMED].map(([address, digits]) => [address, `0x${digits}`] as const),
  counter: bytesToHex(COUNTER),
  echo: bytesToHex(ECHO),
  loop: bytesToHex(LOOP),
};

/** Runs an expression in a page, which must be left without complaints. */
async function run(body: string): Promise<unknown> {
  const { page, problems } = await site.open();
  const source = `(async () => { const inputs = ${JSON.stringify(inputs)}; ${body} })()`;
  const result: unknown = await page.evaluate(source);
  expect(problems).toEqual([]);
  expect(await page.evaluate("refused")).toEqual([]);
  await page.close();
  return result;
}

const LIBRARY = `
const { createNode } = await load("browser.js");
const { everyday, forked, transactions } = await import("/programs.mjs");
`;
const IN_A_WORKER = `
const { createWorkerNode, connectNode } = await load("worker.js");
const newWorker = () => new Worker("/worker.js", { type: "module" });
`;

describe("a node in a page", () => {
  it("answers as one in Node: transactions, traces, precompiles, proofs, subscriptions, state files", async () => {
    const here = JSON.parse(JSON.stringify(await everyday(createNode, inputs)));
    expect(await run(`${LIBRARY} return JSON.parse(JSON.stringify(await everyday(createNode, inputs)));`)).toEqual(
      here,
    );
  });

  it("takes transactions of all types, and verifies the proofs of blobs", async () => {
    const node = await createNode();
    const signed = Object.values(oneOfEachType(node)).map(({ serialized }) => serialized);
    await node.close();
    const here = JSON.parse(JSON.stringify(await transactions(createNode, { signed })));
    expect(here.receipts).toHaveLength(7);
    const there = await run(`${LIBRARY} return transactions(createNode, ${JSON.stringify({ signed })});`);
    expect(there).toEqual(here);
  });

  it("forks any EIP-1193 provider, and proves what it reads", async () => {
    const here = await forked(createNode, inputs);
    expect(await run(`${LIBRARY} return forked(createNode, inputs);`)).toBe(here);
  });

  it.each([undefined, 256])(
    "answers 400 calls at once, although a page has room for a hundred WebAssembly memories (limit %s)",
    async (concurrentExecutions) => {
      const limits = JSON.stringify({ concurrentExecutions });
      const answers = await run(`${LIBRARY}
        const node = await createNode({ limits: ${limits} });
        const params = [{ to: "0x" + "00".repeat(18) + "ec40", data: "0x12" }, "latest"];
        const asked = Array.from({ length: 400 }, () => node.provider.request({ method: "eth_call", params }));
        const answers = await Promise.all(asked);
        await node.close();
        return answers.every((answer) => answer === "0x");
      `);
      expect(answers).toBe(true);
    },
  );

  it("shares its WebAssembly memories with other nodes of its page, idle and busy ones", async () => {
    const answers = await run(`${LIBRARY}
      const nodes = [];
      for (let count = 0; count < 12; count++) nodes.push(await createNode());
      const params = [{ to: "0x" + "00".repeat(18) + "ec40", data: "0x12" }, "latest"];
      const ask = (node) => Promise.all(Array.from({ length: 16 }, () => node.provider.request({ method: "eth_call", params })));
      const answers = [];
      for (const node of nodes) answers.push(...(await ask(node)));
      answers.push(...(await Promise.all(nodes.map(ask))).flat());
      for (const node of nodes) await node.close();
      return [answers.length, answers.every((answer) => answer === "0x")];
    `);
    expect(answers).toEqual([2 * 12 * 16, true]);
  });

  it("stops a JavaScript tracer that does not end, and traces again", async () => {
    const [failed, traced] = (await run(`${LIBRARY}
      const node = await createNode();
      const { provider } = node;
      const [from] = await provider.request({ method: "eth_accounts", params: [] });
      const to = "0x" + "00".repeat(18) + "c0de";
      await provider.request({ method: "hardhat_setCode", params: [to, inputs.counter] });
      const trace = (step) => provider.request({ method: "debug_traceCall", params: [{ from, to }, "latest",
        { tracer: "{step: function() {" + step + "}, fault: function() {}, result: function() { return 7 }}" }] });
      const failed = await trace("for (;;);").catch(({ code, message }) => [code, message]);
      return [failed, await trace("")];
    `)) as [[number, string], unknown];
    expect(failed).toEqual([-32005, expect.stringContaining("ran longer than 250 ms")]);
    expect(traced).toBe(7);
  });

  it("stays responsive while code runs that does not end", async () => {
    const [ticks, code] = (await run(`${LIBRARY}
      const node = await createNode({ limits: { callTimeoutMs: 500 } });
      const to = "0x" + "00".repeat(18) + "c0de";
      await node.provider.request({ method: "hardhat_setCode", params: [to, inputs.loop] });
      let ticks = 0;
      const timer = setInterval(() => ticks++, 5);
      const code = await node.provider.request({ method: "eth_call", params: [{ to, gas: "0x2faf080" }, "latest"] }).catch((error) => error.code);
      clearInterval(timer);
      return [ticks, code];
    `)) as [number, number];
    expect(code).toBeLessThan(0);
    expect(ticks).toBeGreaterThan(1);
  });

  it.each([
    ["engine", { engine: "ethereumjs" }, "one engine"],
    ["artifacts", { artifacts: "out" }, "no folders"],
    ["listen", { listen: { port: 0 } }, "There is no option listen"],
    ["a folder", { dataDir: "chain" }, "createWorkerNode of hindcast/worker"],
    ["a folder of a fork's cache", { fork: { url: "http://127.0.0.1:1", cache: { folder: "x" } } }, "in memory"],
    ["a socket file", { fork: { url: "/tmp/geth.ipc" } }, "no socket files"],
  ])("refuses in words what a browser cannot have: %s", async (_, options, words) => {
    const message = await run(`${LIBRARY}
      return createNode(${JSON.stringify(options)}).then(() => "made", (error) => error.message);`);
    expect(message).toContain(words);
  });

  it("has no server", async () => {
    const code = await run(`${LIBRARY}
      const node = await createNode();
      return node.listen().catch((error) => error.code);`);
    expect(code).toBe("UNSUPPORTED");
  });
});

describe("a node in a worker", () => {
  it("answers requests that were sent before it was there, with codes and data of errors", async () => {
    const [chainId, head, error, after] = (await run(`${IN_A_WORKER}
      const node = await createWorkerNode(newWorker(), { chainId: 7n });
      const { provider } = node;
      const [from] = await provider.request({ method: "eth_accounts", params: [] });
      const heads = [];
      provider.on("message", ({ data }) => heads.push(data.result.number));
      await provider.request({ method: "eth_subscribe", params: ["newHeads"] });
      await provider.request({ method: "evm_mine", params: [] });
      while (heads.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const to = "0x" + "00".repeat(18) + "c0de";
      await provider.request({ method: "hardhat_setCode", params: [to, "0x60aa60005260206000fd"] });
      const error = await provider.request({ method: "eth_call", params: [{ from, to }, "latest"] })
        .catch((thrown) => ({ isError: thrown instanceof Error, code: thrown.code, data: thrown.data }));
      const chainId = await provider.send("eth_chainId");
      await node.close();
      const after = await provider.request({ method: "eth_chainId" }).catch((thrown) => thrown.code);
      return [chainId, heads[0], error, after];
    `)) as [string, string, unknown, number];
    expect(chainId).toBe("0x7");
    expect(head).toBe("0x1");
    expect(error).toEqual({ isError: true, code: 3, data: `0x${"00".repeat(31)}aa` });
    expect(after).toBe(4900);
  });

  it("says why it could not be made", async () => {
    const failed = await run(`${IN_A_WORKER}
      const tried = [{ hardfork: "atlantis" }, { accounts: -1 }].map((options) =>
        createWorkerNode(newWorker(), options).catch(({ code, message }) => [code, message]));
      return Promise.all(tried);`);
    expect(failed).toEqual([
      [expect.any(String), expect.stringContaining("atlantis")],
      ["INVALID_OPTION", expect.stringContaining("accounts")],
    ]);
  });

  it("forks a provider of its page", async () => {
    const here = await forked(createNode, inputs);
    const answer = await run(`${LIBRARY} ${IN_A_WORKER}
      const open = async (options) => options.fork === undefined ? createNode(options) : createWorkerNode(newWorker(), options);
      return forked(open, inputs);`);
    expect(answer).toBe(here);
  });

  it("serves further ports, each with its own subscriptions", async () => {
    const counts = await run(`${IN_A_WORKER}
      const node = await createWorkerNode(newWorker());
      const [first, second] = [node.port(), node.port()].map(connectNode);
      const counts = [0, 0];
      first.on("message", () => counts[0]++);
      second.on("message", () => counts[1]++);
      await first.request({ method: "eth_subscribe", params: ["newHeads"] });
      await second.request({ method: "evm_mine", params: [] });
      await first.request({ method: "evm_mine", params: [] });
      await first.request({ method: "eth_blockNumber", params: [] });
      await new Promise((resolve) => setTimeout(resolve, 50));
      second.close();
      const closed = await second.request({ method: "eth_chainId" }).catch(({ code }) => code);
      const open = await first.request({ method: "eth_blockNumber" });
      await node.close();
      return [...counts, closed, open];
    `);
    expect(counts).toEqual([2, 0, 4900, "0x2"]);
  });
});

it("a service worker, which may not load parts on demand, is refused in words", async () => {
  site.files.set(
    "/service.js",
    `import { createNode } from "/hindcast/browser.js";
    addEventListener("message", ({ source }) =>
      createNode().then(() => source.postMessage("created"), ({ code, message }) => source.postMessage([code, message])));`,
  );
  const answer = await run(`
    const answered = new Promise((resolve) => navigator.serviceWorker.addEventListener("message", ({ data }) => resolve(data)));
    await navigator.serviceWorker.register("/service.js", { type: "module", scope: "/never/" });
    navigator.serviceWorker.startMessages();
    const [{ installing, waiting, active }] = await navigator.serviceWorker.getRegistrations();
    (installing ?? waiting ?? active).postMessage("start");
    const data = await answered;
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
    return data;
  `);
  expect(answer).toEqual(["UNSUPPORTED", expect.stringMatching(/service worker.*offscreen document.*connectNode/)]);
});
