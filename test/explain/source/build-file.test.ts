/** Build files that are read in parts. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBuild } from "../../../src/explain/source/build.ts";
import { BuildFile, sourceCache } from "../../../src/explain/source/build-file.ts";
import { userPaths } from "../../../src/explain/source/user-paths.ts";
import { atOnce } from "../../../src/primitives/platform/turns.ts";
import { aFolder } from "../../support/a-folder.ts";
import { readBuildFile } from "../stack/corpus.ts";

const { input, output } = readBuildFile("0.8.30-plain");

async function aBuildFile(files: Readonly<Record<string, unknown>>): Promise<BuildFile> {
  const folder = join(await aFolder(), "build-info");
  await mkdir(folder);
  for (const [name, value] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(value));
  return new BuildFile(join(folder, "one.json"), "", sourceCache());
}

describe.each([
  ["one file", { "one.json": { id: "1", input, output } }],
  ["two files", { "one.json": { id: "1", input }, "one.output.json": { output } }],
])("a build in %s", (_name, files) => {
  it("has the contracts that the whole of it has", async () => {
    const file = await aBuildFile(files);
    const whole = readBuild(input, output);
    expect(atOnce(file.loadWhere(() => true)).contracts.map(({ name }) => name)).toEqual(
      whole.contracts.map(({ name }) => name),
    );
    const codes = atOnce(file.codes());
    for (const { name, path, runtime } of whole.contracts) {
      if (runtime === undefined) continue;
      const [found] = codes.runtime(runtime.template.bytes)?.candidates ?? [];
      if (found === undefined) throw new Error(`${name} is not found`);
      const [loaded] = atOnce(file.load(found.owner)).contracts;
      expect([loaded?.name, loaded?.path]).toEqual([name, path]);
      const ranges = [...(loaded?.runtime?.instructions ?? [])].map(([pc, { range }]) => [
        pc,
        range?.start,
        range?.end,
      ]);
      expect(ranges).toEqual([...runtime.instructions].map(([pc, { range }]) => [pc, range?.start, range?.end]));
    }
    expect(atOnce(file.gaps())).toEqual([]);
  });

  it("gives the compiler's documents of one contract, from which it can be read again", async () => {
    const file = await aBuildFile(files);
    const contract = atOnce(file.loadWhere(() => true)).contracts.find(({ name }) => name === "Vault");
    const [owner] =
      atOnce(file.codes()).runtime(contract?.runtime?.template.bytes ?? new Uint8Array())?.candidates ?? [];
    if (owner === undefined) throw new Error("Vault is not found");
    const documents = await atOnce(file.load(owner.owner)).documents();
    const [again] = readBuild(documents.input, documents.output).contracts;
    expect(again?.name).toBe("Vault");
    expect(again?.lineage.map(({ name }) => name)).toEqual(contract?.lineage.map(({ name }) => name));
    expect(documents.input).toMatchObject({ language: "Solidity" });
  });
});

it("says that a file lacks the compiler's output", async () => {
  const file = await aBuildFile({ "one.json": { id: "1", source_id_to_path: {}, output: null } });
  expect(atOnce(file.gaps())).toEqual([expect.stringContaining("has no input or output of the compiler.")]);
  expect(atOnce(file.loadWhere(() => true)).contracts).toEqual([]);
});

it("names sources as Hardhat's user does", async () => {
  const source = (content: string): object => ({ content });
  const file = await aBuildFile({
    "one.json": {
      userSourceNameMap: { "contracts/A.sol": "project/contracts/A.sol" },
      input: {
        sources: {
          "project/contracts/A.sol": source("contract A {}"),
          "npm/@s/n@1.2.3/B.sol": source("contract B {}"),
        },
      },
    },
    "one.output.json": {
      output: {
        sources: {
          "project/contracts/A.sol": {
            id: 0,
            ast: { nodes: [{ nodeType: "ImportDirective", absolutePath: "npm/@s/n@1.2.3/B.sol" }] },
          },
          "npm/@s/n@1.2.3/B.sol": { id: 1, ast: { nodes: [] } },
        },
        contracts: {
          "project/contracts/A.sol": { A: { abi: [], evm: { deployedBytecode: { object: "6001600255" } } } },
        },
      },
    },
  });
  const [match] = atOnce(file.codes()).runtime(Uint8Array.from([0x60, 1, 0x60, 2, 0x55]))?.candidates ?? [];
  if (match === undefined) throw new Error("A is not found");
  const [contract] = atOnce(file.load(match.owner)).contracts;
  expect(contract?.path).toBe("contracts/A.sol");
  expect(contract?.runtime?.files.map(({ path }) => path)).toEqual(["contracts/A.sol", "@s/n/B.sol"]);
});

it("keeps the compiler's paths of two versions of a package apart, and those of other builds", () => {
  const paths = ["npm/n@1.0.0/A.sol", "npm/n@2.0.0/A.sol", "npm/n@2.0.0/B.sol", "project/src/C.sol"];
  const ofUser = userPaths(paths, { "src/C.sol": "project/src/C.sol" });
  expect(paths.map(ofUser)).toEqual(["npm/n@1.0.0/A.sol", "npm/n@2.0.0/A.sol", "n/B.sol", "src/C.sol"]);
  expect(paths.map(userPaths(paths, {}))).toEqual(paths);
});
