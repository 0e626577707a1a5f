/** Files that a coverage report has, by default and by patterns. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { CoveredFiles } from "../../../src/explain/coverage/covered-files.ts";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { aFolder } from "../../support/a-folder.ts";
import { senderOf } from "../stack/corpus.ts";

interface BuildJson {
  readonly input: unknown;
  readonly output: { readonly contracts: Readonly<Record<string, Readonly<Record<string, CounterJson>>>> };
}
interface CounterJson {
  readonly evm: { readonly bytecode: { readonly object: string } };
}

/** The build of fixtures/solidity-coverage/ as if its source had another path. */
async function buildAt(path: string): Promise<BuildJson> {
  const file = new URL("../../../fixtures/solidity-coverage/0.8.30-plain.json.br", import.meta.url);
  const text = brotliDecompressSync(await readFile(file)).toString("utf8");
  return JSON.parse(text.replaceAll("src/Counter.sol", path)) as BuildJson;
}

async function deploy(node: HindcastNode, { output }: BuildJson, path: string): Promise<void> {
  node.coverage.start();
  const data = `0x${output.contracts[path]?.Counter?.evm.bytecode.object}${"3".padStart(64, "0")}`;
  const hash = await node.provider.send("eth_sendTransaction", [{ from: senderOf(node), gas: "0x4c4b40", data }]);
  expect(await node.provider.send("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
}

const linesOf = async (node: HindcastNode, files?: CoveredFiles): Promise<Record<string, boolean>> => {
  const report = await node.coverage.report(files);
  return Object.fromEntries(report.files.map(({ path, lines }) => [path, lines.some(({ times }) => times > 0)]));
};

describe("the files of a coverage report", () => {
  it.each([
    ["contracts/Counter.sol", true],
    ["src/lib/Counter.sol", true],
    ["libraries/Counter.sol", true],
    ["lib/solmate/src/Counter.sol", false],
    ["@scope/name/Counter.sol", false],
    ["node_modules/solady/src/Counter.sol", false],
    ["../../node_modules/solady/src/Counter.sol", false],
  ])("are the project's own by default: %s (%s)", async (path, isOwn) => {
    await using node = await createNode();
    const build = await buildAt(path);
    node.abi.addBuild(build.input, build.output);
    await deploy(node, build, path);
    expect(await linesOf(node)).toEqual(isOwn ? { [path]: true } : {});
    expect(await linesOf(node, { include: [/./] })).toEqual({ [path]: true });
    const since = await node.coverage.since(new Map(), { include: [path] });
    expect(since.files.map((file) => file.path)).toEqual([path]);
  });

  it("are those of the project in a build of Hardhat 3, which knows what is of a package", async () => {
    const folder = await aFolder();
    await mkdir(join(folder, "build-info"));
    const [own, foreign] = ["project/contracts/Counter.sol", "npm/solmate@6.8.0/src/Counter.sol"];
    for (const path of [own, foreign]) {
      const { input, output } = await buildAt(path);
      const name = join(folder, "build-info", path === own ? "own" : "foreign");
      await writeFile(`${name}.json`, JSON.stringify({ input, userSourceNameMap: { "a.sol": "project/a.sol" } }));
      await writeFile(`${name}.output.json`, JSON.stringify({ output }));
    }
    await using node = await createNode({ artifacts: folder });
    await deploy(node, await buildAt(own), own);
    expect(await linesOf(node)).toEqual({ "contracts/Counter.sol": true });
    const all = Object.keys(await linesOf(node, { include: ["contracts", "solmate"] }));
    expect(all).toEqual(["contracts/Counter.sol", "solmate/src/Counter.sol"]);
  });

  it("are selected by files, folders and expressions", async () => {
    await using node = await createNode();
    const paths = ["contracts/Counter.sol", "contracts/mocks/Counter.sol", "contractsToo/Counter.sol"];
    const builds = await Promise.all(paths.map(buildAt));
    for (const { input, output } of builds) node.abi.addBuild(input, output);
    node.coverage.start();
    const selected = async (files: CoveredFiles): Promise<string[]> => Object.keys(await linesOf(node, files));
    expect(await selected({})).toEqual(paths);
    expect(await selected({ include: ["contracts"] })).toEqual(paths.slice(0, 2));
    expect(await selected({ include: ["contracts/"], exclude: ["contracts/mocks"] })).toEqual(paths.slice(0, 1));
    expect(await selected({ exclude: [/mocks/] })).toEqual([paths[0], paths[2]]);
    expect(await selected({ include: ["contracts/Counter.sol"] })).toEqual(paths.slice(0, 1));
    expect(await selected({ include: [] })).toEqual([]);
  });

  it.each<[unknown, string]>([
    [{ include: "contracts" }, "files.include: expected"],
    [{ exclude: [5] }, "files.exclude[0]: expected a path or a RegExp, got 5"],
    [{ only: [] }, "files: unknown member"],
  ])("are refused where they are none: %j", async (files, words) => {
    await using node = await createNode();
    node.coverage.start();
    await expect(node.coverage.report(files as never)).rejects.toMatchObject({
      code: "INVALID_PARAMS",
      message: expect.stringContaining(words),
    });
  });
});
