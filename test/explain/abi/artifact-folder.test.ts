/** A build folder that a compiler writes to while it is used. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { FrameKind } from "../../../src/evm/frames.ts";
import { artifactFolder } from "../../../src/explain/abi/artifact-folder.ts";
import { AbiRegistry } from "../../../src/explain/abi/registry.ts";
import { readBuild } from "../../../src/explain/source/build.ts";
import { aFolder } from "../../support/a-folder.ts";
import { readBuildFile } from "../stack/corpus.ts";

const build = readBuildFile("0.8.30-plain");
const runtimeOf = ({ input, output }: ReturnType<typeof readBuildFile>): Uint8Array =>
  readBuild(input, output).contracts.find(({ name }) => name === "Vault")?.runtime?.template.bytes ?? new Uint8Array();
const RUNTIME = runtimeOf(build);
const OTHER_BUILD = readBuildFile("0.8.30-optimized");
/** Runtime code of one byte, which is its own init code's number. */
const artifact = (name: string, code: string): string =>
  JSON.stringify({ contractName: name, abi: [], bytecode: `0x60${code}`, deployedBytecode: `0x${code}` });

let folder: string;
let abi: AbiRegistry;

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const nameOf = async (code: number): Promise<string | undefined> => {
  await abi.refresh();
  return abi.contractAt(undefined, Uint8Array.of(code))?.name;
};
const sourceOf = async (bytes: Uint8Array): Promise<string | undefined> =>
  (await abi.builds.contractsOf([{ bytes, isCreation: false }])).findRuntime(bytes)?.contract.name;

beforeEach(async () => {
  folder = await aFolder();
  abi = new AbiRegistry();
  write("build-info/first.json", "{}");
  write("A.sol/A.json", artifact("A", "01"));
  await abi.addArtifacts(folder);
});

it("knows a contract that was built again, and still its earlier code", async () => {
  expect(await nameOf(2)).toBeUndefined();
  write("A.sol/A.json", artifact("A rebuilt", "02"));
  expect([await nameOf(1), await nameOf(2)]).toEqual(["A", "A rebuilt"]);
});

it("knows the source of a contract of a new build", async () => {
  expect(await sourceOf(RUNTIME)).toBeUndefined();
  write("B.sol/B.json", artifact("B", "03"));
  write("build-info/one.json", JSON.stringify(build));
  expect(await nameOf(3)).toBe("B");
  expect(await sourceOf(RUNTIME)).toBe("Vault");
});

it("knows the source of a contract whose build was replaced since", async () => {
  write("build-info/one.json", JSON.stringify(build));
  expect(await sourceOf(RUNTIME)).toBe("Vault");
  rmSync(join(folder, "build-info/one.json"));
  write("build-info/two.json", JSON.stringify(OTHER_BUILD));
  expect(await sourceOf(runtimeOf(OTHER_BUILD))).toBe("Vault");
  expect(await sourceOf(RUNTIME)).toBe("Vault");
});

it("knows the contracts of the folder build-info by itself, and those of later builds", async () => {
  const builds = join(await aFolder(), "build-info");
  mkdirSync(builds);
  writeFileSync(join(builds, "one.json"), JSON.stringify(build));
  const registry = new AbiRegistry();
  await registry.addArtifacts(builds);
  expect(registry.contractAt(undefined, RUNTIME)?.name).toBe("Vault");
  expect(registry.contractAt(undefined, runtimeOf(OTHER_BUILD))).toBeUndefined();
  writeFileSync(join(builds, "two.json"), JSON.stringify(OTHER_BUILD));
  await registry.refresh();
  expect(registry.contractAt(undefined, runtimeOf(OTHER_BUILD))?.name).toBe("Vault");
  expect(registry.builds.gaps).toEqual([]);
});

it("reads a file again that was not finished, and says that it cannot be read until then", async () => {
  write("C.sol/C.json", artifact("C", "04").slice(0, 30));
  expect([await nameOf(4), await nameOf(1)]).toEqual([undefined, "A"]);
  expect(abi.builds.gaps.join()).toContain(join(folder, "C.sol/C.json"));
  write("C.sol/C.json", artifact("C", "04"));
  expect(await nameOf(4)).toBe("C");
  expect(abi.builds.gaps.join()).not.toContain("C.json");
});

it("bears a folder that is deleted and built anew", async () => {
  rmSync(folder, { recursive: true });
  expect(await nameOf(1)).toBe("A");
  expect(abi.builds.gaps.join()).toContain(folder);
  write("A.sol/A.json", artifact("A anew", "06"));
  expect(await nameOf(6)).toBe("A anew");
});

it("sees by the time of build-info that a build has changed, once the files are older than a compiler's run", async () => {
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const age = (): void => {
    for (const path of ["A.sol/A.json", "A.sol", "build-info/first.json", "build-info", ""]) {
      utimesSync(join(folder, path), anHourAgo, anHourAgo);
    }
  };
  age();
  expect(await nameOf(1)).toBe("A");
  write("A.sol/A.json", artifact("A rebuilt", "07"));
  expect(await nameOf(7)).toBeUndefined();
  write("build-info/second.json", "{}");
  expect(await nameOf(7)).toBe("A rebuilt");
});

it("is one for all registries of a process, and read when it is first needed", async () => {
  const other = new AbiRegistry();
  other.useArtifacts(join(folder, "later"));
  expect([other.isEmpty, other.builds.isEmpty]).toEqual([false, true]);
  write("later/L.sol/L.json", artifact("L", "08"));
  const second = new AbiRegistry();
  second.useArtifacts(`${folder}/./later`);
  await second.refresh();
  expect(second.contractAt(undefined, Uint8Array.of(8))).toBe(other.contractAt(undefined, Uint8Array.of(8)));
  expect(other.contractAt(undefined, Uint8Array.of(8))?.name).toBe("L");
});

it("is read at once where an error's member is read while others wait for the folder", async () => {
  write("build-info/one.json", JSON.stringify(build));
  write("D.sol/D.json", artifact("D", "09"));
  const frame = { kind: FrameKind.call, code: RUNTIME, input: new Uint8Array() } as const;
  const waiting = [abi.refresh(), abi.builds.contractsIn([frame])] as const;
  const found = abi.builds.contractsInAtOnce([frame]).findRuntime(RUNTIME)?.contract;
  expect([found?.name, abi.contractAt(undefined, Uint8Array.of(9))?.name]).toEqual(["Vault", "D"]);
  await waiting[0];
  expect((await waiting[1]).findRuntime(RUNTIME)?.contract).toBe(found);
  expect(artifactFolder(folder).artifacts.map(({ name }) => name)).toEqual(["A", "D"]);
});

it("reads nothing before something is asked for, and one build of several", async () => {
  write("build-info/one.json", JSON.stringify(build));
  write("build-info/broken.json", '{ "input": ');
  const { artifacts } = artifactFolder(folder);
  expect(artifacts.map(({ name }) => name)).toEqual(["A"]);
  await expect(sourceOf(RUNTIME)).rejects.toMatchObject({ code: "FILE_NOT_READABLE" });
  rmSync(join(folder, "build-info/broken.json"));
  expect(await sourceOf(RUNTIME)).toBe("Vault");
});

it("refuses a folder without contracts", async () => {
  mkdirSync(join(folder, "empty"));
  await expect(abi.addArtifacts(join(folder, "empty"))).rejects.toMatchObject({ code: "NO_ARTIFACTS" });
});
