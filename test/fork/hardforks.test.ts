/** By which source the hardforks of a fork are known, and what happens where none tells. */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { ALICE, aNode, BOB, NOW, quantity } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";

type Json = Record<string, unknown>;
type Answers = Record<string, (given: () => Promise<unknown>) => unknown>;

const CHAIN_ID = 4_242;
/** PUSH0, of Shanghai; BLOBBASEFEE, of Cancun; CLZ, of Osaka. */
const PROBES = {
  push0: encodeData(assemble("PUSH0 STOP")),
  blobBaseFee: encodeData(assemble("BLOBBASEFEE STOP")),
  clz: encodeData(assemble("1 CLZ STOP")),
};

const missing = (): never => {
  throw Object.assign(new Error("the method does not exist"), { code: -32601 });
};
/** A node that has no method about its hardforks. */
const SILENT: Answers = { debug_chainConfig: missing, eth_config: missing };
const NO_CONFIG: Answers = { debug_chainConfig: missing };

/** The node as an upstream that answers some methods otherwise. */
function saying(node: HindcastNode, answers: Answers): RemoteProvider {
  return {
    request: async ({ method, params }) => {
      const given = (): Promise<unknown> => node.provider.send(method, params ?? []);
      return answers[method]?.(given) ?? given();
    },
  };
}

async function aFork(
  upstream: NodeOptions,
  answers: Answers,
  options: NodeOptions & { blocks?: number; at?: number } = {},
) {
  const { blocks = 2, at, ...others } = options;
  const chain = await aNode({ chainId: CHAIN_ID, ...upstream });
  await chain.mine({ blocks });
  const fork = { provider: saying(chain, answers), cache: false, ...(at === undefined ? {} : { blockNumber: at }) };
  return aNode({ ...others, fork });
}

const configOf = (node: HindcastNode) => node.provider.send("debug_chainConfig", []) as Promise<Json>;
const hardforkOf = async (node: HindcastNode) =>
  ((await node.provider.send("anvil_nodeInfo", [])) as { hardFork: string }).hardFork;
const runs = (node: HindcastNode, code: string): Promise<boolean> =>
  node.provider.send("eth_call", [{ data: code, gas: quantity(100_000) }, "latest"]).then(
    () => true,
    () => false,
  );

describe("the hardforks of a fork", () => {
  it("are those of debug_chainConfig, which has all of them", async () => {
    const node = await aFork({ hardfork: "shanghai", hardforkAt: { prague: 1_000 } }, {});
    expect(node.fork).toMatchObject({ scheduleSource: "debug_chainConfig", warning: undefined });
    expect(await configOf(node)).toMatchObject({ shanghaiTime: 0, pragueTime: NOW + 1_000 });
  });

  it("are those of the given genesis before any that the other node tells", async () => {
    const config = { chainId: 1, shanghaiTime: 0, cancunTime: 5, terminalTotalDifficulty: 0 };
    const node = await aFork({}, {}, { genesis: { config } as never });
    expect(node.fork).toMatchObject({ scheduleSource: "genesis", warning: undefined });
    expect(await configOf(node)).toMatchObject({ chainId: CHAIN_ID, cancunTime: 5 });
  });

  it("may be given beside a hardfork of new blocks and a chain id", async () => {
    const config = { shanghaiTime: 0, terminalTotalDifficulty: 0 };
    const node = await aFork({}, {}, { genesis: { config } as never, hardfork: "osaka", chainId: 7 });
    await node.mine();
    expect(await hardforkOf(node)).toBe("osaka");
    expect(await node.provider.request({ method: "eth_chainId" })).toBe("0x7");
  });

  it.each(["cancun", "prague", "osaka", "bpo1", "bpo2", "amsterdam"])(
    "are those of eth_config (%s)",
    async (hardfork) => {
      const node = await aFork({ hardfork }, NO_CONFIG);
      expect(node.fork).toMatchObject({ scheduleSource: "eth_config", warning: undefined });
      expect(await hardforkOf(node)).toBe(hardfork);
      expect(await configOf(node)).toMatchObject({ [`${hardfork}Time`]: 0 });
      await node.mine();
    },
  );

  it("come at the times of eth_config", async () => {
    const upstream = { hardfork: "cancun", hardforkAt: { prague: 1_000, osaka: 2_000 } };
    const node = await aFork(upstream, NO_CONFIG);
    const at = { cancunTime: 0, pragueTime: NOW + 1_000, osakaTime: NOW + 2_000 };
    expect(await configOf(node)).toMatchObject(at);
    expect(await runs(node, PROBES.clz)).toBe(false);
    await node.provider.send("evm_setNextBlockTimestamp", [NOW + 2_000]);
    await node.mine();
    expect(await runs(node, PROBES.clz)).toBe(true);
    expect(await hardforkOf(node)).toBe("osaka");
  });

  it("are those of the header at a block before the one that eth_config calls current", async () => {
    const upstream = { hardfork: "shanghai", hardforkAt: { prague: 3 }, mining: "manual" } as const;
    const node = await aFork(upstream, NO_CONFIG, { blocks: 6, at: 1 });
    expect(node.fork).toMatchObject({ scheduleSource: "eth_config", warning: undefined });
    expect(await hardforkOf(node)).toBe("shanghai");
    expect(await configOf(node)).toMatchObject({ shanghaiTime: 0, pragueTime: NOW + 3 });
    expect((await configOf(node)).cancunTime).toBeUndefined();
  });

  it("are the one before where that header allows the current one too", async () => {
    const node = await aFork({ hardfork: "prague", hardforkAt: { osaka: 3 } }, NO_CONFIG, { blocks: 6, at: 1 });
    expect(await hardforkOf(node)).toBe("prague");
    expect(await configOf(node)).toMatchObject({ pragueTime: 0, osakaTime: NOW + 3 });
  });

  it.each<[string, (given: Json) => unknown]>([
    ["null", () => null],
    ["text", () => "osaka"],
    ["an empty object", () => ({})],
    ["another chain's", ({ current }) => ({ current: { ...(current as Json), chainId: "0x1" } })],
    ["a negative time", ({ current }) => ({ current: { ...(current as Json), activationTime: -1 } })],
    [
      "blob limits by which no fee can be computed",
      ({ current }) => ({
        current: { ...(current as Json), blobSchedule: { target: 1, max: 1, baseFeeUpdateFraction: 0 } },
      }),
    ],
    [
      "older rules than the header has",
      ({ current }) => ({
        current: { ...(current as Json), precompiles: { KZG: `0x${"0a".padStart(40, "0")}` }, systemContracts: {} },
      }),
    ],
  ])("are assumed with a warning where eth_config answers %s", async (_, told) => {
    const answers = {
      ...NO_CONFIG,
      eth_config: async (given: () => Promise<unknown>) => told((await given()) as Json),
    };
    const node = await aFork({ hardfork: "prague" }, answers);
    expect(node.fork?.scheduleSource).toBe("assumption");
    expect(node.fork?.warning).toContain("The hardforks of chain 4242 are not known: provider");
    expect(node.fork?.warning).toContain("osaka is assumed");
    expect(await hardforkOf(node)).toBe("osaka");
    await node.mine();
  });

  it.each<[string, unknown]>([
    ["text", "osaka"],
    [
      "blob limits by which no fee can be computed",
      { cancunTime: 0, blobSchedule: { cancun: { target: 1, max: 1, baseFeeUpdateFraction: 0 } } },
    ],
    ["a time that is no number", { cancunTime: "soon" }],
  ])("are those of eth_config where debug_chainConfig answers %s", async (_, config) => {
    const node = await aFork({ hardfork: "prague" }, { debug_chainConfig: () => config });
    expect(node.fork?.scheduleSource).toBe("eth_config");
    expect(await hardforkOf(node)).toBe("prague");
  });

  it.each(["shanghai", "cancun", "amsterdam"])("are shown by a header of %s where nobody tells", async (hardfork) => {
    const node = await aFork({ hardfork }, SILENT);
    expect(node.fork).toMatchObject({ scheduleSource: "header", warning: undefined });
    expect(await hardforkOf(node)).toBe(hardfork);
  });

  it.each(["london", "paris"])("are shown by an old header, or one of a development chain (%s)", async (hardfork) => {
    for (const upstream of [{ timestamp: 1_600_000_000, clock: () => 1_600_000_000 }, { chainId: 31_337 }]) {
      const node = await aFork({ hardfork, ...upstream }, SILENT);
      expect(node.fork).toMatchObject({ scheduleSource: "header", warning: undefined });
      expect(await hardforkOf(node)).toBe(hardfork);
    }
  });

  it.each(["berlin", "london", "paris"])(
    "are the newest, with a warning, if a new block has the header of %s",
    async (hardfork) => {
      const node = await aFork({ hardfork }, SILENT);
      expect(node.fork?.scheduleSource).toBe("assumption");
      expect(node.fork?.warning).toContain("osaka is assumed");
      for (const code of Object.values(PROBES)) expect(await runs(node, code)).toBe(true);
      const hash = await node.provider.request({
        method: "eth_sendTransaction",
        params: [{ from: ALICE, to: BOB, value: "0x1" }],
      });
      expect(await node.provider.send("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
    },
  );

  it("of new blocks are the named one, whatever is assumed", async () => {
    const node = await aFork({ hardfork: "london" }, SILENT, { hardfork: "shanghai" });
    await node.mine();
    expect(await hardforkOf(node)).toBe("shanghai");
    expect(await runs(node, PROBES.push0)).toBe(true);
    expect(await runs(node, PROBES.blobBaseFee)).toBe(false);
  });
});
