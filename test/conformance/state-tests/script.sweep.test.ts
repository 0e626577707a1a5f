import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { aFolder } from "../../support/a-folder.ts";
import { isSlow, sweep } from "../../support/seed.ts";
import { readResult } from "../verdict.mjs";
import { anEntry, BOB, transferred } from "./hand-made.ts";

const script = fileURLToPath(new URL("../state-tests.mjs", import.meta.url));
const fromSource = new URL("from-source.mjs", import.meta.url).href;

function stateTests(...flags: readonly string[]) {
  const args = ["--import", fromSource, script, "--jobs", "2", ...flags];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

const right = () => anEntry({ network: "Berlin", after: transferred(false) });
const wrong = async () => ({
  ...(await anEntry({ network: "Paris", after: (state) => state.put(BOB, { balance: 1n }) })),
  name: "wrong",
});

/** A folder with a file of these lines. */
async function folderOf(...lines: readonly unknown[]): Promise<string> {
  const dir = await aFolder();
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  await writeFile(join(dir, "made.ndjson"), texts.join("\n"));
  return dir;
}

describe("state-tests.mjs", () => {
  it.runIf(isSlow)("names what fails, counts, and ends with 1", async () => {
    const { status, stdout } = stateTests("--dir", await folderOf(await right(), await wrong(), await right()));
    expect(stdout).toMatch(/^FAIL made\/wrong\/Paris\/d0g0v0: state root: got 0x\w{64}, expected 0x\w{64}$/m);
    expect(stdout).toContain("Berlin: 2 passed, 0 failed\n");
    expect(stdout).toContain("Paris: 0 passed, 1 failed\n");
    expect(readResult(stdout)).toEqual({ passed: 2, failed: 1, failures: ["made/wrong/Paris/d0g0v0"] });
    expect(status).toBe(1);
  });

  if (isSlow) {
    it("ends with 0 when all pass, and with 1 when there is nothing to run", async () => {
      const dir = await folderOf(await right(), await wrong());
      expect(stateTests("--dir", dir, "--only", "Berlin")).toMatchObject({
        stdout: "Berlin: 1 passed, 0 failed\n1 passed, 0 failed\n",
        status: 0,
      });
      expect(stateTests("--dir", await aFolder())).toMatchObject({ stdout: "0 passed, 0 failed\n", status: 1 });
    });
  }

  it("cannot run what it cannot read, and says where", async () => {
    const { status, stderr } = stateTests("--dir", await folderOf(await right(), '{"name":"cut off"'));
    expect(stderr).toContain('state-tests could not run: a worker ended with 1 in made: {"name":"cut off"');
    expect(status).toBe(2);
  });

  const REFUSED = [
    [],
    ["--dir", ".", "--engine", "steam"],
    ["--dir", ".", "--every", "0"],
    ["--dir", ".", "--jobs", "x"],
  ];

  it.each(sweep(REFUSED, (_, index) => index === 1))("refuses the flags %j %j %j %j", (...flags) => {
    const { status, stderr } = stateTests(...flags.filter((flag) => flag !== undefined));
    expect(stderr).toMatch(/^usage: node state-tests\.mjs --dir DIR /);
    expect(status).toBe(2);
  });
});
