/** What Amsterdam changes for a project, against sums by hand. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aNode } from "../../../support/a-node.ts";
import { aProject } from "./a-project.ts";

const UINT = { name: "value", type: "uint256" };

describe("deployments", () => {
  it("cost what they cost when they are sent", async () => {
    const folder = await aProject({ Vault: { codeSize: 24_576 }, IVault: { codeSize: 0 } });
    const { deployments, hardforks } = await (await aNode()).hardforkReport(folder);
    expect(hardforks).toEqual(["osaka", "amsterdam"]);
    expect(deployments).toHaveLength(1);
    // As in the comparison of calls, with a zero byte of calldata more: 4 gas.
    expect(deployments[0]).toMatchObject({
      name: "Vault",
      codeSize: 24_576,
      initCodeSize: 7,
      isExact: true,
      problems: [],
      runs: [{ gas: { total: 4_971_740n } }, { gas: { total: 37_817_028n } }],
    });
  });

  it("are at least what the code costs, if the constructor needs arguments or fails", async () => {
    const initCode = "0x60006000fd0000";
    const folder = await aProject({
      Named: { codeSize: 24_576, constructorInputs: [UINT] },
      Failing: { codeSize: 24_576, initCode },
    });
    const { deployments } = await (await aNode()).hardforkReport(folder);
    expect(deployments.map(({ name, isExact }) => [name, isExact])).toEqual([
      ["Failing", false],
      ["Named", false],
    ]);
    for (const { runs } of deployments) expect(runs.map(({ gas }) => gas?.total)).toEqual([4_971_740n, 37_817_028n]);
  });

  it("that need more gas than a block has, or have too much code, are named with the reason", async () => {
    const folder = await aProject({
      // 1,530 a byte of state: 62.7 million.
      A: { codeSize: 40_960 },
      // A byte more than the limit of EIP-7954, and of EIP-170.
      B: { codeSize: 65_537 },
      C: { codeSize: 24_577 },
    });
    const { deployments } = await (await aNode()).hardforkReport(folder);
    expect(deployments.map(({ problems }) => problems)).toEqual([
      ["It needs 62,852,400 gas of a block, which has 60,000,000."],
      ["It cannot be deployed: max code size exceeded."],
      [],
    ]);
    expect(deployments.map(({ runs }) => runs.map(({ status }) => status))).toEqual([
      ["failed", "succeeded"],
      ["failed", "failed"],
      ["failed", "succeeded"],
    ]);
    const roomy = await (await aNode()).hardforkReport(folder, { blockGasLimit: 100_000_000n });
    expect(roomy.deployments[0]?.problems).toEqual([]);
  });

  it("that run for more than a transaction's gas are named, from Osaka on", async () => {
    // Expands memory to 95,000 words and a byte, which costs 3 a word and the square of the words by 512.
    const folder = await aProject({ Busy: { codeSize: 1, initCode: "0x6000622e63005360006000f3" } });
    const node = await aNode();
    const { deployments } = await node.hardforkReport(folder, { hardforks: ["london", "osaka"] });
    const words = 95_001n;
    const data = 53_000n + 4n * 4n + 8n * 16n;
    const [before, after] = [data, data + 2n].map((intrinsic) => intrinsic + 15n + 3n * words + (words * words) / 512n);
    expect(deployments[0]?.runs.map(({ gas }) => gas?.total)).toEqual([before, after]);
    const gas = after?.toLocaleString("en");
    expect(deployments[0]?.problems).toEqual([
      `It needs ${gas} gas without that for state, and a transaction has at most 16,777,216 (EIP-7825).`,
    ]);
    const { deployments: onAmsterdam } = await node.hardforkReport(folder);
    expect(onAmsterdam[0]?.problems).toEqual([
      "It cannot be deployed: out of gas. The call was at the cap of calls, 200,000,000 gas, at most 16,777,216 of it for execution (EIP-7825).",
    ]);
  });
});

describe("hard-coded gas", () => {
  it("lists the operations that it no longer pays for", async () => {
    const { gasConstants, gaps } = await (await aNode()).hardforkReport(await aProject({ Some: { codeSize: 1 } }));
    expect(gaps).toEqual([]);
    expect(gasConstants.map(({ gas, lost }) => [gas, lost.map(({ name }) => name)])).toEqual([
      [2_300n, []],
      [2_300n, []],
      // 9,000 and 2,600 for the access, before; 11,300 and 3,000 now: both are enough.
      [30_000n, ["write a new slot"]],
      [50_000n, ["write a new slot", "send ether to a new account", "create an empty contract"]],
      // Calls that must not write.
      [60_000n, []],
      [40_000n, []],
      [50_000n, ["write a new slot", "send ether to a new account", "create an empty contract"]],
      [25_000n, ["write a new slot"]],
      [100_000n, ["write a new slot", "send ether to a new account", "create an empty contract"]],
      [70_000n, []],
    ]);
    const slot = gasConstants[2]?.lost[0];
    // Two PUSH; 2,100 of the access and 20,000. On Amsterdam 10,000 of the write, and 97,920 for state.
    expect(slot?.prices).toEqual([22_106n, 6n + 2_100n + 10_000n + 97_920n]);
  });

  it("is not looked for without build files, which the report says", async () => {
    const folder = await aProject({ Some: { codeSize: 1 } }, { withBuild: false });
    const { gasConstants, gaps } = await (await aNode()).hardforkReport(folder);
    expect(gasConstants).toEqual([]);
    expect(gaps).toEqual([expect.stringContaining("There are no build files in a folder build-info")]);
  });

  it("is not looked for in build files without ASTs, which the report names", async () => {
    const folder = await aProject({ Some: { codeSize: 1 } });
    const path = join(folder, "build-info", "other.json");
    // As Foundry writes it without build_info = true.
    await writeFile(path, JSON.stringify({ id: "00", source_id_to_path: { 0: "src/A.sol" }, language: "Solidity" }));
    const { gasConstants, gaps } = await (await aNode()).hardforkReport(folder);
    expect(gasConstants.length).toBeGreaterThan(0);
    expect(gaps).toEqual([expect.stringContaining(`${path} has no ASTs, so hard-coded gas was not looked for.`)]);
  });

  it("of a stipend lists what it no longer pays for", async () => {
    const { gasConstants } = await (await aNode()).hardforkReport(await aProject({ Some: { codeSize: 1 } }), {
      hardforks: ["istanbul", "berlin"],
    });
    // EIP-2929: an account costs 2,600 at first, and 700 before; a slot 2,100, for which it is enough.
    const lost = gasConstants.find(({ gas }) => gas === 2_300n)?.lost.map(({ name }) => name);
    expect(lost).toEqual(["read a balance", "read the size of a contract's code", "call another contract"]);
  });
});
