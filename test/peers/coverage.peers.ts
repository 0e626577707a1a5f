/**
 * Coverage beside Hardhat 3's report and solidity-coverage: OpenZeppelin's ERC-20 and Uniswap v2's pair from npm,
 * unoptimised, with the same transactions in each tool.
 */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openNode } from "../support/a-node.ts";
import { installPeers } from "../support/peers.mjs";
import { type CountedLines, compareLines, type LineDifference, readLcov } from "./coverage-lines.ts";
import { canRunHardhat3, HARDHAT_3, runHardhat } from "./hardhat.ts";

const SHARED = ["@openzeppelin/contracts@5.4.0", "@uniswap/v2-core@1.0.1", "solc@0.8.30", "solc5@npm:solc@0.5.16"];
const WITH_HARDHAT_3 = [...HARDHAT_3, "@nomicfoundation/hardhat-node-test-runner@3", "ethers@6"];
const WITH_HARDHAT_2 = ["hardhat@2.29.1", "solidity-coverage@0.8.17", "ethers@6"];
/** The files of OpenZeppelin's ERC-20. */
const ERC20 = [
  ...["token/ERC20/ERC20.sol", "token/ERC20/IERC20.sol", "token/ERC20/extensions/IERC20Metadata.sol"],
  ...["utils/Context.sol", "interfaces/draft-IERC6093.sol"],
];
/** Most lines that may differ, of those that are compared. */
const MOST_DIFFERENCES = 0.02;

interface Project {
  readonly folder: string;
  readonly hardhat: (...flags: readonly string[]) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** The contracts are copied out of their packages, because tools do not report the coverage of packages. */
async function openProject(version: 2 | 3): Promise<Project> {
  const packages = version === 2 ? WITH_HARDHAT_2 : WITH_HARDHAT_3;
  const { folder, remove } = await installPeers([...SHARED, ...packages]);
  await cp(fileURLToPath(new URL("../../fixtures/projects/coverage", import.meta.url)), folder, { recursive: true });
  for (const path of ERC20) {
    const target = join(folder, "contracts/openzeppelin", path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(folder, "node_modules/@openzeppelin/contracts", path), target);
  }
  await cp(join(folder, "node_modules/@uniswap/v2-core/contracts"), join(folder, "contracts/uniswap"), {
    recursive: true,
    filter: (path) => !path.includes("contracts/test"),
  });
  const type = version === 2 ? "commonjs" : "module";
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type }));
  const hardhat = (...flags: readonly string[]): Promise<string> => runHardhat(version, folder, flags);
  return { folder, hardhat, remove };
}

interface Artifact {
  readonly contractName: string;
  readonly abi: unknown;
  readonly bytecode: string;
}

async function readArtifacts(folder: string): Promise<ReadonlyMap<string, Artifact>> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".json"));
  const texts = await Promise.all(
    paths.filter((path) => !path.includes("build-info")).map((path) => readFile(join(folder, path), "utf8")),
  );
  const artifacts = texts.map((text) => JSON.parse(text) as Artifact);
  return new Map(artifacts.map((artifact) => [artifact.contractName, artifact]));
}

/** Runs the same transactions on our node, with the codes that Hardhat 3 compiled, which no tool has changed. */
async function ourCoverage({ folder }: Project): Promise<CountedLines> {
  const { tellStory } = (await import(pathToFileURL(join(folder, "story.mjs")).href)) as {
    tellStory: (request: (method: string, params: unknown[]) => Promise<unknown>, artifact: unknown) => Promise<void>;
  };
  const node = await openNode();
  try {
    const artifacts = await readArtifacts(join(folder, "artifacts"));
    await node.abi.addArtifacts(join(folder, "artifacts"));
    node.coverage.start();
    const request = (method: string, params: unknown[]): Promise<unknown> => node.provider.send(method, params);
    await tellStory(request, async (name: string) => artifacts.get(name));
    return readLcov((await node.coverage.report({ include: [/./] })).toLcov());
  } finally {
    await node.close();
  }
}

/** Lines of these texts differ between us and a tool, for the reason that is the name. */
type Reasons = Readonly<Record<string, (difference: LineDifference) => boolean>>;

function reasonsOf(differences: readonly LineDifference[], reasons: Reasons): readonly string[] {
  return differences.map((difference) => {
    const found = Object.entries(reasons).find(([, holds]) => holds(difference));
    return found?.[0] ?? `no reason: ${JSON.stringify(difference)}`;
  });
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]));
}

describe.skipIf(!canRunHardhat3)("coverage of OpenZeppelin's ERC-20 and Uniswap v2's pair", () => {
  let [hardhat3, hardhat2]: (Project | undefined)[] = [];
  let ours: CountedLines;
  let textOf: (path: string, line: number) => string;
  beforeAll(async () => {
    hardhat3 = await openProject(3);
    hardhat2 = await openProject(2);
    await hardhat3.hardhat("--config", "hardhat3.config.mjs", "build");
    ours = await ourCoverage(hardhat3);
    const { folder } = hardhat3;
    const texts = new Map<string, readonly string[]>();
    for (const path of ours.keys()) texts.set(path, (await readFile(join(folder, path), "utf8")).split("\n"));
    textOf = (path, line) => texts.get(path)?.[line - 1]?.trim() ?? "";
  });
  afterAll(async () => {
    await hardhat3?.remove();
    await hardhat2?.remove();
  });

  it("hits the lines that Hardhat 3 hits", async () => {
    await hardhat3?.hardhat("--config", "hardhat3.config.mjs", "test", "nodejs", "--coverage");
    const theirs = readLcov(await readFile(join(hardhat3?.folder ?? "", "coverage/lcov.info"), "utf8"));
    const isHit = (times: number | undefined): boolean => times !== undefined && times > 0;
    const { counted, differences } = compareLines(ours, theirs, (left, right) => isHit(left) === isHit(right), textOf);
    const both = differences.filter((each) => each.ours !== undefined && each.theirs !== undefined);
    const onlyOne = differences.filter((each) => !both.includes(each));
    expect(both.length / (counted - onlyOne.length)).toBeLessThanOrEqual(MOST_DIFFERENCES);
    const names = reasonsOf(differences, {
      "its report takes a line with two statements for not hit if one of them did not run": ({ text }) =>
        text.startsWith("if (data.length > 0) IUniswapV2Callee"),
      "ours counts a block that only limits a scope": ({ text }) => text.startsWith("{ //"),
      "its report counts the placeholder of a modifier": ({ text }) => text === "_;",
      "its report counts lines inside assembly": ({ text }) => text.includes(":= c"),
      "its report counts every line of a statement of several lines": ({ at }) =>
        /UniswapV2ERC20\.sol:(?:3[0-7]|8[4-9])$/.test(at),
      "its report counts declarations of events, and the constructor's head": ({ at }) =>
        /UniswapV2Pair\.sol:(?:49|5\d|61)$/.test(at),
    });
    expect(tally(names)).toMatchInlineSnapshot(`
      {
        "its report counts declarations of events, and the constructor's head": 12,
        "its report counts every line of a statement of several lines": 14,
        "its report counts lines inside assembly": 2,
        "its report counts the placeholder of a modifier": 1,
        "its report takes a line with two statements for not hit if one of them did not run": 1,
        "ours counts a block that only limits a scope": 2,
      }
    `);
  });

  it("counts as solidity-coverage does", async () => {
    await hardhat2?.hardhat("--config", "hardhat2.config.cjs", "coverage");
    const lcov = await readFile(join(hardhat2?.folder ?? "", "coverage/lcov.info"), "utf8");
    const { counted, differences } = compareLines(ours, readLcov(lcov), (left, right) => left === right, textOf);
    expect(differences.length / counted).toBeLessThanOrEqual(MOST_DIFFERENCES);
    const names = reasonsOf(differences, {
      "ours counts each test of a loop's condition, it counts the loop": ({ text }) => text.startsWith("while ("),
      "ours counts the `if` of an `else if`": ({ text }) => text.startsWith("} else if ("),
      "it counts the placeholder of a modifier": ({ text }) => text === "_;",
    });
    expect([counted, tally(names)]).toMatchInlineSnapshot(`
      [
        220,
        {
          "it counts the placeholder of a modifier": 1,
          "ours counts each test of a loop's condition, it counts the loop": 1,
          "ours counts the \`if\` of an \`else if\`": 2,
        },
      ]
    `);
  });
});
