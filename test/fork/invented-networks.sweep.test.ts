/**
 * Forks of invented networks, which upgrade at, before and after the pinned block: what a fork runs follows from the
 * header, and from what the node tells, whatever our tables say of a public chain with the same id.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { RemoteHistory } from "../../src/chain/read/remote-history.ts";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import type { Block } from "../../src/chainspec/header/block.ts";
import type { Header } from "../../src/chainspec/header/header.ts";
import { forkRules } from "../../src/node/fork/fork-schedule.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { decodeHeaderJson } from "../../src/remote/decode/block.ts";
import { openRemoteChain } from "../../src/remote/open-remote-chain.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { NOW, openNode } from "../support/a-node.ts";
import { sweep } from "../support/seed.ts";

type Telling = "debug_chainConfig" | "eth_config" | "nothing";
type Pinned = "before" | "at" | "after";

/** Each hardfork from London on with the one before it. */
const UPGRADES = [
  ["berlin", "london"],
  ["london", "arrowGlacier"],
  ["arrowGlacier", "grayGlacier"],
  ["grayGlacier", "paris"],
  ["paris", "shanghai"],
  ["shanghai", "cancun"],
  ["cancun", "prague"],
  ["prague", "osaka"],
  ["osaka", "bpo1"],
  ["bpo1", "bpo2"],
  ["bpo2", "amsterdam"],
] as const;
/** The numbers, or seconds after the genesis block, at which a network upgrades. */
const UPGRADE = 3;
const BY_NUMBER: ReadonlySet<string> = new Set(["london", "arrowGlacier", "grayGlacier", "paris"]);
/** Hardforks that a header alone shows, on a chain with Ethereum's headers; of the others osaka is the newest stable one. */
const SHOWN: Readonly<Record<string, string>> = {
  london: "london",
  arrowGlacier: "london",
  grayGlacier: "london",
  paris: "paris",
  shanghai: "shanghai",
  cancun: "cancun",
  amsterdam: "amsterdam",
};
/** Hardforks by time from Cancun on, which eth_config tells (EIP-7910). */
const TOLD: ReadonlySet<string> = new Set(["cancun", "prague", "osaka", "bpo1", "bpo2", "amsterdam"]);
/** A chain without a table, one of development nodes, and those of Ethereum, Sepolia, OP Mainnet and Polygon. */
const CHAIN_IDS = [4_242, 31_337, 1, 11_155_111, 10, 137];
/** Chains whose headers may lack members of their hardfork. */
const OWN_HEADERS: ReadonlySet<number> = new Set([4_242, 137]);
/** Arbitrum One, Gnosis and BNB Smart Chain, whose hardforks by time are in our tables. */
const OWN_RULES = [42_161, 100, 56];
/** Seconds; a time at which all of these have Prague or a later hardfork. */
const LATE = 1_780_000_000;

const CASES = [
  ...UPGRADES.flatMap(([older, newer]) =>
    CHAIN_IDS.flatMap((chainId) =>
      (["debug_chainConfig", "eth_config", "nothing"] as const).map(
        (telling) => [newer, chainId, telling, older] as const,
      ),
    ),
  ),
  ...UPGRADES.filter(([older]) => !BY_NUMBER.has(older) && older !== "berlin").flatMap(([older, newer]) =>
    OWN_RULES.flatMap((chainId) =>
      (["debug_chainConfig", "eth_config"] as const).map((telling) => [newer, chainId, telling, older] as const),
    ),
  ),
];

function telling(node: HindcastNode, told: Telling): RemoteProvider {
  const provider = node.provider as RemoteProvider;
  return {
    request: (call) => {
      const isConfig = call.method === "debug_chainConfig" || call.method === "eth_config";
      if (isConfig && call.method !== told)
        throw Object.assign(new Error("the method does not exist"), { code: -32601 });
      return provider.request(call);
    },
  };
}

interface Seen {
  readonly pinned: string;
  readonly next: string;
  readonly isWarned: boolean;
}

/** The hardforks of the pinned block and of the next one, and whether a warning says that they are assumed. */
async function seen(provider: RemoteProvider, blockNumber: bigint): Promise<Seen> {
  const remote = await openRemoteChain({ provider, cache: false, blockNumber });
  const header = decodeHeaderJson(remote.pin.json);
  const { genesis, warning } = await forkRules(remote, header, undefined);
  const spec = new ChainSpec(genesis);
  const parentTotalDifficulty = new RemoteHistory(remote, spec).totalDifficultyBefore(header);
  const at = (blocks: bigint): string => {
    const [number, timestamp] = [header.number + blocks, header.timestamp + blocks];
    return spec.hardforkAt({ number, timestamp, parentTotalDifficulty });
  };
  await remote.close();
  return { pinned: at(0n), next: at(1n), isWarned: warning !== undefined };
}

function expected(own: string, newer: string, chainId: number, told: Telling): Seen {
  if (told === "debug_chainConfig" || (told === "eth_config" && TOLD.has(newer))) {
    return { pinned: own, next: newer, isWarned: false };
  }
  const isShown = SHOWN[own] === own || (SHOWN[own] !== undefined && !OWN_HEADERS.has(chainId));
  const isOlder = ["london", "arrowGlacier", "grayGlacier", "paris"].includes(own);
  const pinned = isShown && !(isOlder && OWN_HEADERS.has(chainId)) ? (SHOWN[own] as string) : "osaka";
  return { pinned, next: pinned, isWarned: pinned === "osaka" };
}

/** In default tests each upgrade, each chain and each way of telling is in one at least. */
describe.each(sweep(CASES, (_, index) => index % 16 === 6))(
  "a network that upgrades to %s, with the id %i, whose node tells %s",
  (newer, chainId, told, older) => {
    const start = OWN_RULES.includes(chainId) ? LATE : NOW;
    let network: HindcastNode;
    beforeAll(async () => {
      network = await openNetwork({ hardfork: older, chainId, hardforkAt: { [newer]: UPGRADE } }, start);
    });
    afterAll(() => network.close());

    it.each<Pinned>(["before", "at", "after"])("is run by its own rules at a block %s the upgrade", async (pinned) => {
      const isBefore = (header: Header): boolean =>
        BY_NUMBER.has(newer) ? header.number < UPGRADE : header.timestamp < start + UPGRADE;
      let first = 0;
      while (isBefore(((await network.getBlock(BigInt(first))) as Block).header)) first++;
      const number = BigInt(first + { before: -1, at: 0, after: 1 }[pinned]);
      const own = pinned === "before" ? older : newer;
      // No header of Berlin tells it from older hardforks, which are no subject here.
      if (own === "berlin" && (told !== "debug_chainConfig" || chainId === 137)) return;
      expect(await seen(telling(network, told), number)).toEqual(expected(own, newer, chainId, told));
    });
  },
);

describe.each([
  ["debug_chainConfig", async () => ({ chainId: 42_161, homesteadBlock: 0, londonBlock: 0, arbitrum: {} })],
  ["debug_chainConfig", async () => ({ chainId: 42_161, londonBlock: 0, shanghaiBlock: 0, cancunBlock: 0, bor: {} })],
  ["eth_config", async () => ({ current: null, next: null, last: null })],
] as const)("a chain with rules of its own whose %s has hardforks under other names", (method, config) => {
  it("is run by our table", async () => {
    const network = await openNetwork({ hardfork: "prague", chainId: 42_161 }, LATE);
    onTestFinished(() => network.close());
    const own = telling(network, "nothing");
    const provider: RemoteProvider = {
      request: async (call) => {
        if (call.method === method) return config();
        const answer = (await own.request(call)) as Record<string, unknown> | null;
        if (!call.method.startsWith("eth_getBlockBy") || answer === null) return answer;
        return Object.fromEntries(Object.entries(answer).filter(([name]) => !NEWER_MEMBERS.has(name)));
      },
    };
    expect(await seen(provider, 2n)).toEqual({ pinned: "prague", next: "prague", isWarned: false });
  });
});

/** Members of headers that those of such chains do not have. */
const NEWER_MEMBERS: ReadonlySet<string> = new Set([
  ...["withdrawalsRoot", "withdrawals", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot", "requestsHash"],
]);

/** @param start - seconds */
async function openNetwork(options: NodeOptions, start: number): Promise<HindcastNode> {
  const network = await openNode({ timestamp: start, clock: () => start, mining: "manual", ...options });
  await network.mine({ blocks: 6 });
  return network;
}
