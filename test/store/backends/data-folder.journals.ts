/** The run without native addons is one: `npm run test:journals`. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createNode } from "../../../src/index.ts";
import { aFolder } from "../../support/a-folder.ts";

it("LevelDB cannot be loaded, here and in the processes of tests, and a new data folder has a journal", async () => {
  const binding = createRequire(import.meta.url).resolve("classic-level/binding.js");
  const load = `try { require(${JSON.stringify(binding)}) } catch ({ code }) { console.log(code) }`;
  expect(() => createRequire(import.meta.url)(binding)).toThrow("loading addons is disabled");
  expect(execFileSync(process.execPath, ["--eval", load], { encoding: "utf8" })).toBe("ERR_DLOPEN_DISABLED\n");
  const dataDir = await aFolder();
  const node = await createNode({ dataDir });
  await node.close();
  expect(readdirSync(join(dataDir, "chain")).sort()).toEqual(["journal-a", "journal-b"]);
});
