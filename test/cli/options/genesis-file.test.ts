import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { genesisWarnings, readGenesisFile } from "../../../src/cli/options/genesis-file.ts";
import { aFolder } from "../../support/a-folder.ts";

async function reading(content: string): Promise<unknown> {
  const folder = await aFolder();
  await writeFile(join(folder, "genesis.json"), content);
  return readGenesisFile(join(folder, "genesis.json"));
}

it("keeps every digit of a bare number that a double cannot hold", async () => {
  expect(
    await reading('{"config":{"chainId":1152921504606846977},"a":[1152921504606846977,9007199254740993]}'),
  ).toEqual({
    config: { chainId: "1152921504606846977" },
    a: ["1152921504606846977", "9007199254740993"],
  });
});

it("leaves everything else as JSON has it", async () => {
  const text =
    '{"n":31337,"f":1.1234567890123456789,"e":1e20,"t":"a \\"1152921504606846977\\" b","neg":-5,"x":[null,true]}';
  expect(await reading(text)).toEqual(JSON.parse(text));
});

it("refuses what is no JSON, naming file and reason", async () => {
  await expect(reading("{")).rejects.toMatchObject({ code: "INVALID_GENESIS" });
  await expect(reading("{")).rejects.toThrow(/genesis\.json is not JSON/);
});

describe("genesisWarnings", () => {
  it("names hardforks that are nearly known, and times in milliseconds", () => {
    const config = { chainId: 5, londonBlok: 0, canyonTime: 5, osakatime: 0, shanghaiTime: 1_700_000_000_000 };
    expect(genesisWarnings({ config, timestamp: "0x18bcfe56800", alloc: {} })).toEqual([
      "config.londonBlok has no effect. Did you mean londonBlock?",
      "config.canyonTime has no effect. Did you mean cancunTime?",
      "timestamp: 0x18bcfe56800 seems to be in milliseconds, but is taken as seconds.",
      "config.shanghaiTime: 1700000000000 seems to be in milliseconds, but is taken as seconds.",
    ]);
  });

  it("has nothing about geth's own members, and others that are unlike them", () => {
    const config = {
      ...{ chainId: 1, eip150Block: 0, eip155Block: 0, eip158Block: 0, eip150Hash: "0x0", daoForkSupport: true },
      ...{ terminalTotalDifficulty: 0, terminalTotalDifficultyPassed: true, ethash: {}, clique: { period: 5 } },
      ...{ shanghaiTime: 1_700_000_000, cancunTime: 0, bpo1Time: 0, amsterdamTime: 5, blobSchedule: {} },
      ...{ optimism: {}, regolithTime: 0, bedrockBlock: 0, ramanujanBlock: 0, contractSizeLimit: 1 },
    };
    expect(genesisWarnings({ config, timestamp: "1700000000" })).toEqual([]);
    expect(genesisWarnings({ alloc: {} })).toEqual([]);
  });
});
