import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { expect, it } from "vitest";

it("tests and the programs that they start find the folder that goes with the run", () => {
  expect(basename(tmpdir())).toMatch(/^hc-/);
  const program = 'process.stdout.write(require("node:os").tmpdir())';
  expect(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" })).toBe(tmpdir());
});
