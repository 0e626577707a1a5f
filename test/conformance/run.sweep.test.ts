import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { sweep } from "../support/seed.ts";

const nowhere = join(tmpdir(), "hindcast-no-such-folder");

function conformance(...flags: readonly string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_config_")));
  return spawnSync(process.execPath, [fileURLToPath(new URL("run.mjs", import.meta.url)), ...flags], {
    encoding: "utf8",
    env: { ...env, HINDCAST_CONFORMANCE: nowhere },
  });
}

it("says so and ends well where the collection is not there", () => {
  const { status, stdout } = conformance();
  expect(stdout).toContain(`Skipped: there is no folder ${nowhere}`);
  expect(status).toBe(0);
});

const REFUSED: readonly (readonly [flags: readonly string[], text: string])[] = [
  [
    ["no-such-suite"],
    "Unknown suite no-such-suite. Known: rpc-compat, tracers, parity-schema, blockchain-tests, state-tests, eest, stack-traces.",
  ],
  [["--dir", "."], "--dir needs the name of one suite."],
  [["tracers", "rpc-compat", "--dir", "."], "--dir needs the name of one suite."],
  [["tracers", "--dir", nowhere], `There is no folder ${nowhere}.`],
  [["tracers", "--engine", "steam"], "Unknown engine steam. Known: wasm, ethereumjs."],
  [
    ["--engine", "wasm"],
    "--engine needs the names of suites that have a choice: tracers, blockchain-tests, state-tests, eest.",
  ],
  [
    ["tracers", "rpc-compat", "--engine", "wasm"],
    "--engine needs the names of suites that have a choice: tracers, blockchain-tests, state-tests, eest.",
  ],
  [["--every", "10"], "--every is for state-tests alone."],
  [["blockchain-tests", "--every", "10"], "--every is for state-tests alone."],
  [["state-tests", "--every", "0"], "--every needs a whole number from 1."],
];

it.each(sweep(REFUSED, (_, index) => index % 3 === 0))("refuses %j with exit code 2", (flags, text) => {
  const { status, stderr } = conformance(...flags);
  expect(stderr.trim()).toBe(text);
  expect(status).toBe(2);
});
