import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runKept } from "../../src/cli/kept-script.ts";

/** A script in a folder of its own that names its file, asks Node and its neighbour, and computes. */
function aScript(
  text = "exports.answer = () => [require('node:path').basename(__filename), 6 * 7];",
  secondsOfDate = 1_700_000_000,
): { readonly file: string; readonly kept: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "kept-script-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "script.cjs");
  writeFileSync(file, text);
  utimesSync(file, secondsOfDate, secondsOfDate);
  return { file, kept: join(folder, "compiled", "of-this-node"), folder };
}

function answerOf({ exports }: { readonly exports: unknown }): unknown {
  return (exports as { answer(): unknown }).answer();
}

it("runs a script that nothing is kept of", () => {
  const { file, kept } = aScript();
  expect(answerOf(runKept(file, kept))).toEqual(["script.cjs", 42]);
  expect(existsSync(kept)).toBe(false);
});

it("keeps what was compiled, whole and once, and runs the script with it", () => {
  const { file, kept, folder } = aScript();
  const first = runKept(file, kept);
  answerOf(first);
  first.keep();
  const code = readFileSync(kept);
  expect(code.length).toBeGreaterThan(100);
  expect(readdirSync(join(folder, "compiled"))).toEqual(["of-this-node"]);

  rmSync(kept);
  first.keep();
  expect(existsSync(kept)).toBe(false);

  writeFileSync(kept, code);
  const second = runKept(file, kept);
  expect(answerOf(second)).toEqual(["script.cjs", 42]);
  second.keep();
  expect(readFileSync(kept)).toEqual(code);
});

it("takes nothing that was kept of another text, half written or broken, and keeps anew", () => {
  const { file, kept } = aScript();
  runKept(file, kept).keep();
  const code = readFileSync(kept);
  const other = aScript("exports.answer = () => [require('node:path').basename(__filename), 6 + 7];", 1_700_000_001);
  runKept(other.file, other.kept).keep();
  for (const unfit of [
    readFileSync(other.kept),
    code.subarray(0, code.length / 2),
    Buffer.alloc(0),
    Buffer.from("x"),
  ]) {
    writeFileSync(kept, unfit);
    const run = runKept(file, kept);
    expect(answerOf(run)).toEqual(["script.cjs", 42]);
    run.keep();
    const anew = readFileSync(kept);
    expect(anew).not.toEqual(unfit);
    runKept(file, kept).keep();
    expect(readFileSync(kept)).toEqual(anew);
  }
});

it("runs where nothing can be kept", () => {
  const { file } = aScript();
  const run = runKept(file, join(file, "no-folder", "of-this-node"));
  run.keep();
  expect(answerOf(run)).toEqual(["script.cjs", 42]);
});

it("lets the script import modules", async () => {
  const { file, kept, folder } = aScript(
    "exports.answer = () => importModule('file://' + __dirname + '/neighbour.mjs');",
  );
  writeFileSync(join(folder, "neighbour.mjs"), "export const name = 'neighbour';");
  runKept(file, kept).keep();
  expect(await answerOf(runKept(file, kept))).toMatchObject({ name: "neighbour" });
});

it("throws what the script throws, and where it cannot be read", () => {
  const { file, kept, folder } = aScript("throw new RangeError('as it likes');");
  expect(() => runKept(file, kept)).toThrow(RangeError);
  expect(() => runKept(join(folder, "none.cjs"), kept)).toThrow(/ENOENT/);
});
