import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FileCoverage } from "../../src/explain/coverage/file-coverage.ts";
import { CoverageParts } from "../../src/testing/coverage-parts.ts";
import { aFolder } from "../support/a-folder.ts";

/** A process that is certainly alive, and one that certainly is not. */
const [ALIVE, DEAD] = [process.pid, 2 ** 30];

const file = (path: string, ...lines: readonly (readonly [line: number, times: number])[]): FileCoverage => ({
  path,
  lines: lines.map(([line, times]) => ({ line, times })),
  functions: [],
  branches: [],
});

it("sums up what several test files covered", async () => {
  const path = join(await aFolder(), "sum", "lcov.info");
  new CoverageParts(path, ALIVE).add("one", [file("A.sol", [1, 2], [2, 0])]);
  new CoverageParts(path, ALIVE).add("two", [file("A.sol", [1, 1], [2, 5]), file("B.sol", [7, 1])]);
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/SF:A\.sol\n[\s\S]*DA:1,3\nDA:2,5\n[\s\S]*SF:B\.sol\n[\s\S]*DA:7,1\n/);
});

it("replaces the part of a test file that runs again, and forgets runs that have ended", async () => {
  const path = join(await aFolder(), "lcov.info");
  new CoverageParts(path, DEAD).add("three", [file("A.sol", [9, 9])]);
  new CoverageParts(path, ALIVE).add("one", [file("A.sol", [1, 2])]);
  new CoverageParts(path, ALIVE).add("one", [file("A.sol", [1, 4])]);
  const text = readFileSync(path, "utf8");
  expect(text).toContain("DA:1,4\n");
  expect(text).not.toContain("DA:9");
});

it("writes istanbul's JSON where the path says so", async () => {
  const path = join(await aFolder(), "coverage-final.json");
  new CoverageParts(path, ALIVE).add("one", [file("A.sol", [1, 2])]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ "A.sol": { path: "A.sol", s: { 0: 2 } } });
});
