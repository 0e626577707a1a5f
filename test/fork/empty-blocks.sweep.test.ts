/** Blocks without transactions above a fork: all that their system calls read was fetched when the fork was opened. */
import { describe, expect, it } from "vitest";
import type { EngineName } from "../../src/evm/engine.ts";
import { bigIntToFixedBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { aNode, NOW, wordText } from "../support/a-node.ts";
import { anUpstream, UpstreamFailure } from "../support/an-upstream.ts";
import { onEngine } from "../support/per-engine.ts";
import { sweep } from "../support/seed.ts";

const ALL = ["paris", "shanghai", "cancun", "prague", "osaka", "amsterdam"];
/** In default tests the oldest, the newest, and those whose system calls are the first of their kind. */
const HARDFORKS = sweep(ALL, (name) => name !== "shanghai" && name !== "osaka");
const ENGINES = ["wasm", "ethereumjs"] as const;
/** Those whose blocks overwrite slots by system calls. */
const OVERWRITES: ReadonlySet<string> = new Set(["cancun", "prague", "osaka", "amsterdam"]);
const BEACON_ROOTS = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";

/** An upstream of a hardfork, and a function that opens forks of its newest block, which share a cache. */
async function anUpstreamAt(hardfork: string) {
  const chain = await aNode({ hardfork });
  await chain.mine({ blocks: 5 });
  const upstream = await anUpstream(chain.provider as RemoteProvider);
  const blockHash = encodeData(chain.head.hash);
  const cache = { folder: await aFolder() };
  const open = (fork: object, options: object = {}) =>
    aNode({ clock: () => NOW, ...options, fork: { url: upstream.url, cache, blockHash, retries: 0, ...fork } });
  const goAway = (): void => {
    upstream.forget();
    upstream.rules.answer = () => {
      throw new UpstreamFailure(-32000, "gone");
    };
  };
  const comeBack = (): void => {
    delete upstream.rules.answer;
  };
  return { chain, upstream, open, goAway, comeBack };
}

/** In default tests both engines have the newest hardfork, and share the others. */
const hardforksOf = (engine: EngineName): readonly string[] =>
  sweep(HARDFORKS, (name, index) => name === "amsterdam" || index % ENGINES.length === ENGINES.indexOf(engine));

describe.each(ENGINES)("an empty block (%s)", (engine) => {
  const it = onEngine(engine);
  const hardforks = hardforksOf(engine);

  it.each(hardforks)("is mined while the upstream is away (%s)", async (hardfork) => {
    const { chain, upstream, open, goAway } = await anUpstreamAt(hardfork);
    const fork = await open({}, { engine });
    const other = await open({ cache: false }, { engine });
    await other.provider.send("evm_mine", []);
    goAway();
    await fork.provider.send("evm_mine", []);
    await fork.provider.send("evm_mine", []);
    expect(fork.head.header.number).toBe(chain.head.header.number + 2n);
    // The access list of Amsterdam depends on the values before.
    if (hardfork === "amsterdam") return;
    expect(upstream.calls).toEqual([]);
    expect(fork.getBlock(other.head.header.number)?.header).toEqual(other.head.header);
  });

  it.each(hardforks.flatMap((hardfork) => [false, true].map((verify) => [hardfork, verify] as const)))(
    "is mined offline after a fork was opened and closed (%s, verify: %s)",
    async (hardfork, verify) => {
      const { chain, open, goAway } = await anUpstreamAt(hardfork);
      await (await open({ verify })).close();
      goAway();
      const fork = await open({ verify, offline: true }, { engine });
      await fork.provider.send("evm_mine", []);
      expect(fork.head.header.number).toBe(chain.head.header.number + 1n);
    },
  );

  it.each(hardforks)("is mined while the upstream is away, with verify (%s)", async (hardfork) => {
    const { chain, open, goAway, comeBack } = await anUpstreamAt(hardfork);
    const errors: unknown[] = [];
    const fork = await open({ verify: true }, { engine, onError: (error: unknown) => errors.push(error) });
    const other = await open({ verify: true, cache: false }, { engine });
    await other.provider.send("evm_mine", []);
    goAway();
    await fork.provider.send("evm_mine", []);
    await fork.provider.send("evm_mine", []);
    expect(fork.head.header.number).toBe(chain.head.header.number + 2n);
    const lacksProofs = {
      code: expect.stringMatching(/^REMOTE_/),
      message: expect.stringMatching(/^Block 6 and those after it/),
    };
    // Before Cancun a block without transactions changes nothing.
    expect(errors).toEqual(OVERWRITES.has(hardfork) ? [expect.objectContaining(lacksProofs)] : []);
    comeBack();
    await fork.provider.send("anvil_rollback", [2]);
    await fork.provider.send("evm_mine", []);
    expect(fork.head.header).toEqual(other.head.header);
  });

  it("of a later hardfork than the pinned block's is mined while the upstream is away", async () => {
    const { chain, open, goAway } = await anUpstreamAt("shanghai");
    const fork = await open({}, { engine, hardfork: "osaka" });
    goAway();
    await fork.provider.send("evm_mine", []);
    expect(fork.head.header.number).toBe(chain.head.header.number + 1n);
  });
});

it("keeps the slots of another code at the address of the beacon roots", async () => {
  const { chain, open } = await anUpstreamAt("cancun");
  const timestamp = chain.head.header.timestamp + 100n;
  const slot = encodeData(bigIntToFixedBytes(timestamp % 8191n, 32));
  await chain.provider.send("anvil_setCode", [BEACON_ROOTS, "0x00"]);
  await chain.provider.send("anvil_setStorageAt", [BEACON_ROOTS, slot, wordText(7)]);
  await chain.mine({ blocks: 1 });
  const fork = await open({ blockHash: encodeData(chain.head.hash) });
  await fork.provider.send("evm_setNextBlockTimestamp", [Number(timestamp)]);
  await fork.provider.send("evm_mine", []);
  expect(fork.head.header.timestamp).toBe(timestamp);
  expect(await fork.provider.send("eth_getStorageAt", [BEACON_ROOTS, slot, "latest"])).toBe(wordText(7));
});
