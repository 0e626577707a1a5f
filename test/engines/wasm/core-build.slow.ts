/** The core is made of its sources and nothing else: whoever builds it gets the same bytes. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { compileCore, exportsFile } from "../../../.ci/core.mjs";
import { readBuilt } from "../../../src/primitives/platform/built-files.ts";

const compiler = new URL("../../../.ci/core.mjs", import.meta.url);

it("two builds of the core give the same bytes, which are those that run", async () => {
  const { binary: here, types } = await compileCore("engine");
  const script = `
    const { compileCore } = await import(${JSON.stringify(compiler.href)});
    process.stdout.write((await compileCore("engine")).binary.toString("base64"));
  `;
  const options = { encoding: "utf8", cwd: fileURLToPath(new URL("../../..", compiler)), maxBuffer: 2 ** 26 } as const;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], options);
  expect(status).toBe(0);
  const running = Buffer.from(readBuilt("engine-core.wasm")).toString("base64");
  expect([here.toString("base64"), stdout]).toEqual([running, running]);
  expect(readFileSync(exportsFile("engine"), "utf8")).toBe(types);
});

it("the cases of the run loop are one jump table, for which the numbers of records must follow the opcodes", async () => {
  const { text } = await compileCore("engine", { text: true });
  const tables = [...(text ?? "").matchAll(/\bbr_table\b(.*)/g)].map(
    ([, targets = ""]) => targets.trim().split(" ").length,
  );
  expect(Math.max(...tables)).toBeGreaterThan(256);
});
