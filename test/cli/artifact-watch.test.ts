import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ArtifactWatch } from "../../src/cli/artifact-watch.ts";
import { AbiRegistry } from "../../src/explain/abi/registry.ts";
import { readBuild } from "../../src/explain/source/build.ts";
import { readBuildFile } from "../explain/stack/corpus.ts";

const build = readBuildFile("0.8.30-plain");
const { contracts } = readBuild(build.input, build.output);
const RUNTIME = contracts.find(({ name }) => name === "Vault")?.runtime?.template.bytes ?? new Uint8Array();
/** Runtime code of one byte, which is its own init code's number. */
const artifact = (name: string, code: string): string =>
  JSON.stringify({ contractName: name, abi: [], bytecode: `0x60${code}`, deployedBytecode: `0x${code}` });

let folder: string;
let abi: AbiRegistry;
let errors: unknown[];
let watch: ArtifactWatch;

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const nameOf = (code: number): string | undefined => abi.contractAt(undefined, Uint8Array.of(code))?.name;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "artifacts-"));
  abi = new AbiRegistry();
  errors = [];
  write("A.sol/A.json", artifact("A", "01"));
  watch = new ArtifactWatch(abi, [folder], (error) => errors.push(error));
  await watch.open();
  // The test looks itself.
  watch.stop();
});
afterEach(() => {
  watch.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("knows a contract that was built again, and still its earlier code", async () => {
  expect(nameOf(2)).toBeUndefined();
  write("A.sol/A.json", artifact("A rebuilt", "02"));
  await watch.look();
  expect([nameOf(1), nameOf(2)]).toEqual(["A", "A rebuilt"]);
});

it("knows the source of a contract of a new build", async () => {
  write("B.sol/B.json", artifact("B", "03"));
  write("build-info/one.json", JSON.stringify(build));
  await watch.look();
  expect(nameOf(3)).toBe("B");
  expect((await abi.builds.contracts()).findRuntime(RUNTIME)?.contract.name).toBe("Vault");
});

it("knows the contracts of the folder build-info by itself, and those of later builds", async () => {
  const builds = join(folder, "build-info");
  mkdirSync(builds);
  writeFileSync(join(builds, "one.json"), JSON.stringify({ input: build.input, output: build.output }));
  const registry = new AbiRegistry();
  const buildWatch = new ArtifactWatch(registry, [builds], (error) => errors.push(error));
  await buildWatch.open();
  buildWatch.stop();
  expect(registry.contractAt(undefined, RUNTIME)?.name).toBe("Vault");
  const { input, output } = readBuildFile("0.8.30-optimized");
  const other = readBuild(input, output).contracts.find(({ name }) => name === "Vault")?.runtime?.template.bytes;
  expect(registry.contractAt(undefined, other ?? new Uint8Array())).toBeUndefined();
  writeFileSync(join(builds, "two.json"), JSON.stringify({ input, output }));
  await buildWatch.look();
  expect(registry.contractAt(undefined, other ?? new Uint8Array())?.name).toBe("Vault");
  expect(errors).toEqual([]);
});

it("reads a file again that was not finished, without a word", async () => {
  write("C.sol/C.json", artifact("C", "04").slice(0, 30));
  await watch.look();
  write("C.sol/C.json", artifact("C", "04"));
  await watch.look();
  expect([nameOf(4), errors]).toEqual(["C", []]);
});

it("says once that a file stays unreadable, and goes on", async () => {
  write("C.sol/C.json", "{");
  for (let look = 0; look < 10; look++) await watch.look();
  expect(errors).toMatchObject([{ code: "FILE_NOT_READABLE" }]);
  write("C.sol/C.json", artifact("C", "04"));
  write("D.sol/D.json", artifact("D", "05"));
  await watch.look();
  expect([nameOf(4), nameOf(5)]).toEqual(["C", "D"]);
});

it("bears a folder that is deleted and built anew", async () => {
  rmSync(folder, { recursive: true });
  await watch.look();
  write("A.sol/A.json", artifact("A anew", "06"));
  await watch.look();
  expect([nameOf(6), errors]).toEqual(["A anew", []]);
});

it("looks by itself", async () => {
  await watch.open();
  write("E.sol/E.json", artifact("E", "07"));
  await expect.poll(() => nameOf(7)).toBe("E");
});

it("refuses a folder without contracts at the start", async () => {
  mkdirSync(join(folder, "empty"));
  const wrong = new ArtifactWatch(abi, [join(folder, "empty")], () => {});
  await expect(wrong.open()).rejects.toMatchObject({ code: "NO_ARTIFACTS" });
});
