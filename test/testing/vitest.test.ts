import { createPublicClient, custom } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useHindcast } from "../../src/testing/vitest.ts";

const chain = useHindcast({ accounts: 2 });
// Before any hook has run.
const client = createPublicClient({ transport: custom(chain.provider) });

async function transfer(): Promise<void> {
  const [from, to] = await chain.provider.request({ method: "eth_accounts" });
  await chain.provider.request({ method: "eth_sendTransaction", params: [{ from, to, value: "0x1" }] } as never);
}

const head = async (): Promise<unknown> => chain.provider.request({ method: "eth_blockNumber" });

it.each<[unknown, string]>([
  [null, "Options are an object, not null."],
  ["london", 'Options are an object, not "london".'],
  [{ listen: 8545 }, "The option listen is not valid: 8545. It must be true, false or { port, host }."],
  [{ isolation: "never" }, 'The option isolation is not valid: "never". It must be one of "test", "file".'],
  [{ coverage: "" }, 'The option coverage is not valid: "". It must be true, false or the path of a file.'],
  [{ gasReport: 1 }, "The option gasReport is not valid: 1. It must be true, false or the path of a file."],
  [{ gasreport: true }, "There is no option gasreport. Did you mean gasReport?"],
  [{ accounts: "ten" }, 'The option accounts is not valid: "ten".'],
])("refuses options that are none: %j", (options, words) => {
  expect(() => useHindcast(options as never)).toThrow(words);
});

describe("a chain put back after each test", () => {
  it.each([1, 2])("begins where it was before the test (%i)", async () => {
    expect(await head()).toBe("0x0");
    await transfer();
    chain.node.time.increase(1_000n);
    chain.node.setMiningMode("manual");
    await transfer();
    expect(await head()).toBe("0x1");
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(1n);
  });

  it("holds neither waiting transactions nor settings of the test before", async () => {
    expect(chain.node.miningMode).toBe("auto");
    expect(await chain.provider.request({ method: "txpool_status" })).toEqual({ pending: "0x0", queued: "0x0" });
  });

  it("has no address unless it listens", () => {
    expect(() => chain.url).toThrow("has an address only with { listen: true }");
  });
});

describe("what beforeAll and beforeEach do", () => {
  beforeAll(async () => {
    await chain.node.mine({ blocks: 3 });
  });

  beforeEach(async () => {
    await chain.node.mine();
  });

  it.each([1, 2])("is there in each test, once (%i)", async () => {
    expect(await head()).toBe("0x4");
    await transfer();
  });
});

describe("a chain of a group", () => {
  const own = useHindcast({ isolation: "file", chainId: 5, listen: true });

  it("goes on from test to test with the isolation of a file", async () => {
    await own.node.mine();
    expect(own.node.chainId).toBe(5n);
  });

  it("is another one than the file's, and answers at its address", async () => {
    expect(own.node).not.toBe(chain.node);
    const response = await fetch(own.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    });
    expect(await response.json()).toMatchObject({ result: "0x1" });
    const page = await fetch(own.url, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain('<div id="app">');
  });
});

describe("a provider that is used early", () => {
  const seen: unknown[] = [];
  const listener = (message: unknown): void => void seen.push(message);
  const late = useHindcast({ isolation: "file" });
  const early = late.provider.request({ method: "eth_subscribe", params: ["newHeads"] } as never);
  late.provider.on("message", listener);

  it("has its requests answered and its listeners called", async () => {
    expect(await early).toMatch(/^0x/);
    // The answer is on its way before the notification.
    await late.node.mine();
    await expect.poll(() => seen.length, { interval: 5 }).toBe(1);
    late.provider.removeListener("message", listener);
    await late.node.mine();
    expect(seen).toHaveLength(1);
  });
});

const collected = (() => {
  try {
    return chain.node;
  } catch (error) {
    return error;
  }
})();

it("outside hooks and tests there is no node", () => {
  expect(String(collected)).toContain("in hooks and tests only");
});
