import { describe, expect, it } from "vitest";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis/genesis.ts";
import { EIPS } from "../../src/chainspec/hardforks/eips.ts";
import { HARDFORKS, isBlobParameterOnly } from "../../src/chainspec/hardforks/hardforks.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, BOB, type Json, wordText } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { send } from "../support/contracts.ts";
import { isSlow } from "../support/seed.ts";
import { oneOfEachType } from "../support/signed-transactions.ts";

const SCHEDULE = {
  cancun: { target: 1, max: 2, baseFeeUpdateFraction: 3_338_477 },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  bpo1: { target: 9, max: 14, baseFeeUpdateFraction: 8_832_827 },
  bpo2: { target: 14, max: 21, baseFeeUpdateFraction: 13_739_630 },
  bpo3: { target: 21, max: 32, baseFeeUpdateFraction: 20_609_697 },
  bpo4: { target: 3, max: 4, baseFeeUpdateFraction: 5_007_716 },
  bpo5: { target: 2, max: 3, baseFeeUpdateFraction: 3_338_477 },
};

/** A chain whose hardforks by time begin every hundred seconds. */
const genesis = {
  config: {
    chainId: 7,
    ...Object.fromEntries(
      [
        "homestead",
        "eip150",
        "eip155",
        "eip158",
        "byzantium",
        "constantinople",
        "petersburg",
        "istanbul",
        "berlin",
        "london",
      ].map((name) => [`${name}Block`, 0]),
    ),
    terminalTotalDifficulty: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 100,
    osakaTime: 200,
    bpo1Time: 300,
    bpo2Time: 400,
    bpo3Time: 500,
    bpo4Time: 600,
    bpo5Time: 700,
    blobSchedule: SCHEDULE,
  },
  difficulty: "0x0",
  gasLimit: "0x1c9c380",
  alloc: { [ALICE]: { balance: "0xde0b6b3a7640000" } },
};
const at = (timestamp: bigint) => ({ number: 1n, timestamp, parentTotalDifficulty: 0n });

describe("hardforks that change the limits of blobs alone", () => {
  it("have Osaka's rules and this chain's limits", () => {
    const spec = new ChainSpec(parseGenesis(genesis));
    const { hardfork: _osaka, has: osakaHas, ...rules } = spec.rules("osaka");
    for (const hardfork of HARDFORKS.filter(isBlobParameterOnly)) {
      const { has, ...others } = spec.rules(hardfork);
      expect(others).toEqual({ ...rules, hardfork });
      expect(EIPS.filter((eip) => has(eip))).toEqual(EIPS.filter((eip) => osakaHas(eip)));
      const { target, max, baseFeeUpdateFraction } = SCHEDULE[hardfork as keyof typeof SCHEDULE];
      expect(spec.blobSchedule(hardfork)).toEqual({
        target: BigInt(target),
        max: BigInt(max),
        baseFeeUpdateFraction: BigInt(baseFeeUpdateFraction),
      });
    }
    expect(spec.blobSchedule("osaka").max).toBe(9n);
    expect(spec.blobSchedule("cancun").max).toBe(2n);
  });

  it("begin at the times that genesis.json names", () => {
    const spec = new ChainSpec(parseGenesis(genesis));
    expect([199n, 200n, 499n, 500n, 600n, 700n, 10_000n].map((time) => spec.hardforkAt(at(time)))).toEqual([
      "prague",
      "osaka",
      "bpo2",
      "bpo3",
      "bpo4",
      "bpo5",
      "bpo5",
    ]);
  });

  it("without a schedule of their own keep the one before them", () => {
    const { bpo3, bpo4, bpo5, ...blobSchedule } = SCHEDULE;
    const spec = new ChainSpec(parseGenesis({ ...genesis, config: { ...genesis.config, blobSchedule } }));
    expect(spec.blobSchedule("bpo5")).toEqual(spec.blobSchedule("bpo2"));
    expect(spec.blobSchedule("bpo5").max).toBe(21n);
  });

  it("carry a chain across them: each is shown as it is set, and runs Osaka's operations", async () => {
    const node = await aNode({ genesis, clock: () => 0, mining: "manual" });
    const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
    // CLZ of 1, from Osaka on.
    const counting = { from: ALICE, data: encodeData(assemble("1 CLZ 0 MSTORE 32 0 RETURN")) };
    for (const [index, hardfork] of (["osaka", "bpo1", "bpo2", "bpo3", "bpo4", "bpo5"] as const).entries()) {
      await node.mine({ timestamp: BigInt(200 + 100 * index) });
      const config = (await ask("eth_config")) as { current: Json };
      expect(config.current.blobSchedule).toEqual(SCHEDULE[hardfork]);
      expect(config.current.activationTime).toBe(200 + 100 * index);
      expect(await ask("eth_call", counting, "latest")).toBe(wordText(255));
    }
  });

  it.each(["bpo3", "bpo4", "bpo5"])("make development chains (%s)", async (hardfork) => {
    const node = await aNode({ hardfork });
    await send(node, { to: BOB, value: "0x5" });
    expect(node.head.transactions.map(({ type }) => type)).toEqual([2]);
    expect(node.head.header.excessBlobGas).toBe(0n);
    expect(await node.provider.request({ method: "eth_blobBaseFee" })).toBe("0x1");
    const info = await node.provider.request({ method: "anvil_nodeInfo" });
    expect(info.hardFork.toLowerCase()).toBe(hardfork);
  });

  if (isSlow) {
    it("make development chains that take blob transactions (bpo5)", async () => {
      const node = await aNode({ hardfork: "bpo5" });
      const { blob } = oneOfEachType(node, { nonce: 1 });
      await node.setNonce(decodeData(ALICE), 7n);
      await node.provider.send("eth_sendRawTransaction", [blob.serialized]);
      const { transactions, header } = node.head;
      expect(transactions.map(({ type }) => type)).toEqual([3]);
      expect(header.blobGasUsed).toBe(BigInt(blob.blobVersionedHashes?.length ?? 0) * 131_072n);
    });
  }
});
