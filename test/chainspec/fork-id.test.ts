/** Checksums that EIP-2124 (mainnet, by block) and EIP-6122 and geth's tests (by time) give. */
import { describe, expect, it } from "vitest";
import { forkIdHash } from "../../src/chainspec/fork-id.ts";
import type { ForkSchedule } from "../../src/chainspec/genesis/genesis.ts";
import { publicChain } from "../../src/chainspec/genesis/public-chains.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";

const MAINNET = {
  hash: decodeData("0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"),
  timestamp: 0n,
};
const SEPOLIA = {
  hash: decodeData("0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9"),
  timestamp: 1_633_267_481n,
};

function scheduleOf(id: bigint): ForkSchedule {
  const schedule = publicChain(id)?.schedule;
  if (schedule === undefined) throw new Error("no such chain");
  return schedule;
}

/** The schedule as it was when no later fork by block was known. */
function upToBlock(schedule: ForkSchedule, last: bigint): ForkSchedule {
  const known = Object.entries(schedule.blocks).filter(([, block]) => block <= last);
  const { daoForkBlock } = schedule;
  return {
    ...schedule,
    blocks: Object.fromEntries(known),
    daoForkBlock: daoForkBlock !== undefined && daoForkBlock <= last ? daoForkBlock : undefined,
  };
}

describe("the fork identifier", () => {
  it.each([
    [0n, "0xfc64ec04"],
    [1_150_000n, "0x97c2c34c"],
    [1_920_000n, "0x91d1f948"],
    [2_463_000n, "0x7a64da13"],
    [2_675_000n, "0x3edd5b10"],
    [4_370_000n, "0xa00bc324"],
    [7_280_000n, "0x668db0af"],
    [9_069_000n, "0x879d6e30"],
    [9_200_000n, "0xe029e991"],
    [12_244_000n, "0x0eb440f6"],
    [12_965_000n, "0xb715077d"],
    [13_773_000n, "0x20c327fc"],
    [15_050_000n, "0xf0afd0e3"],
  ])("of mainnet with its forks up to block %s is %s", (block, checksum) => {
    const schedule = upToBlock(scheduleOf(1n), block);
    expect(encodeData(forkIdHash(schedule, MAINNET, 1_681_338_454n))).toBe(checksum);
  });

  it.each([
    [1n, 1_681_338_454n, "0xf0afd0e3"],
    [1n, 1_681_338_455n, "0xdce96c2d"],
    [1n, 1_710_338_134n, "0xdce96c2d"],
    [1n, 1_710_338_135n, "0x9f3d2254"],
    [1n, 1_746_612_311n, "0xc376cf8b"],
    [11_155_111n, 1_677_557_087n, "0xb96cbd13"],
    [11_155_111n, 1_677_557_088n, "0xf7f9bc08"],
    [11_155_111n, 1_706_655_072n, "0x88cf81d9"],
  ])("of chain %s at %s seconds is %s", (id, time, checksum) => {
    expect(encodeData(forkIdHash(scheduleOf(id), id === 1n ? MAINNET : SEPOLIA, time))).toBe(checksum);
  });

  it("leaves out forks that the genesis block has, and counts those of one moment once", () => {
    const schedule = { ...scheduleOf(1n), blocks: { homestead: 0n }, daoForkBlock: undefined };
    const genesis = { hash: MAINNET.hash, timestamp: 10n };
    const at = (times: ForkSchedule["times"]): string => encodeData(forkIdHash({ ...schedule, times }, genesis, 30n));
    expect(at({ shanghai: 10n })).toBe("0xfc64ec04");
    expect(at({ shanghai: 10n, cancun: 20n, prague: 20n })).toBe(at({ cancun: 20n }));
    expect(at({ cancun: 20n, prague: 30n, osaka: 31n })).toBe(at({ cancun: 20n, prague: 30n }));
    expect(at({ cancun: 20n, prague: 30n })).not.toBe(at({ cancun: 20n }));
  });
});
