import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Extent, runCompiled } from "../../src/cli/compiled-script.ts";

/** A script in a folder of its own that names its file, asks Node and its neighbour, and computes. */
function aScript(
  text = "exports.answer = () => [require('node:path').basename(__filename), 6 * 7];",
  secondsOfDate = 1_700_000_000,
): { readonly file: string; readonly cache: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "compiled-script-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "script.cjs");
  writeFileSync(file, text);
  utimesSync(file, secondsOfDate, secondsOfDate);
  return { file, cache: join(folder, "compiled", "of-this-node"), folder };
}

function answerOf({ exports }: { readonly exports: unknown }): unknown {
  return (exports as { answer(): unknown }).answer();
}

it("runs a script of which nothing is cached", () => {
  const { file, cache } = aScript();
  expect(answerOf(runCompiled(file, cache))).toEqual(["script.cjs", 42]);
  expect(existsSync(cache)).toBe(false);
});

it("keeps what was compiled, whole and once, and runs the script with it", () => {
  const { file, cache, folder } = aScript();
  const first = runCompiled(file, cache);
  answerOf(first);
  first.keep(Extent.start);
  const code = readFileSync(cache);
  expect(code.length).toBeGreaterThan(100);
  expect(readdirSync(join(folder, "compiled"))).toEqual(["of-this-node"]);

  rmSync(cache);
  first.keep(Extent.start);
  expect(existsSync(cache)).toBe(false);

  writeFileSync(cache, code);
  const second = runCompiled(file, cache);
  expect(answerOf(second)).toEqual(["script.cjs", 42]);
  second.keep(Extent.start);
  expect(readFileSync(cache)).toEqual(code);
});

it("keeps more once more has been called, and never less", () => {
  const { file, cache } = aScript("exports.answer = () => [require('node:path').basename(__filename), 6 * 7];");
  const first = runCompiled(file, cache);
  first.keep(Extent.start);
  const ofStart = readFileSync(cache);
  answerOf(first);
  first.keep(Extent.requests);
  const ofRequests = readFileSync(cache);
  expect(ofRequests.length).toBeGreaterThan(ofStart.length);

  const second = runCompiled(file, cache);
  expect(answerOf(second)).toEqual(["script.cjs", 42]);
  second.keep(Extent.start);
  second.keep(Extent.requests);
  expect(readFileSync(cache)).toEqual(ofRequests);

  writeFileSync(cache, ofStart);
  const third = runCompiled(file, cache);
  answerOf(third);
  third.keep(Extent.start);
  expect(readFileSync(cache)).toEqual(ofStart);
  third.keep(Extent.requests);
  expect(readFileSync(cache).length).toBeGreaterThan(ofStart.length);
});

it("takes nothing that was cached of another text, half written or broken, and keeps anew", () => {
  const { file, cache } = aScript();
  runCompiled(file, cache).keep(Extent.start);
  const code = readFileSync(cache);
  const other = aScript("exports.answer = () => [require('node:path').basename(__filename), 6 + 7];", 1_700_000_001);
  runCompiled(other.file, other.cache).keep(Extent.start);
  for (const unfit of [
    readFileSync(other.cache),
    code.subarray(0, code.length / 2),
    Buffer.alloc(0),
    Buffer.from("x"),
  ]) {
    writeFileSync(cache, unfit);
    const run = runCompiled(file, cache);
    expect(answerOf(run)).toEqual(["script.cjs", 42]);
    run.keep(Extent.start);
    const anew = readFileSync(cache);
    expect(anew).not.toEqual(unfit);
    runCompiled(file, cache).keep(Extent.start);
    expect(readFileSync(cache)).toEqual(anew);
  }
});

it("runs where nothing can be cache", () => {
  const { file } = aScript();
  const run = runCompiled(file, join(file, "no-folder", "of-this-node"));
  run.keep(Extent.start);
  expect(answerOf(run)).toEqual(["script.cjs", 42]);
});

it("lets the script import modules", async () => {
  const { file, cache, folder } = aScript(
    "exports.answer = () => importModule('file://' + __dirname + '/neighbour.mjs');",
  );
  writeFileSync(join(folder, "neighbour.mjs"), "export const name = 'neighbour';");
  runCompiled(file, cache).keep(Extent.start);
  expect(await answerOf(runCompiled(file, cache))).toMatchObject({ name: "neighbour" });
});

it("throws what the script throws, and where it cannot be read", () => {
  const { file, cache, folder } = aScript("throw new RangeError('as it likes');");
  expect(() => runCompiled(file, cache)).toThrow(RangeError);
  expect(() => runCompiled(join(folder, "none.cjs"), cache)).toThrow(/ENOENT/);
});
