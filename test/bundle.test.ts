/** The files of the package, as `npm run build` makes them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildOnce, projectFolder } from "./support/build-once.ts";

it("the library's large file has no import(), for which loaders such as tsx would rewrite all of it", async () => {
  buildOnce();
  const folder = join(projectFolder, "dist/bundle");
  const [library, ...others] = readdirSync(folder).filter((name) => /^library-.*\.js$/.test(name));
  expect(others).toEqual([]);
  expect(readFileSync(join(folder, `${library}`), "utf8")).not.toMatch(/(?<![\w$.#])import\(/);
  // The method and its schemas are in a file that is loaded when it is called.
  const { createNode } = (await import(join(folder, "index.js"))) as typeof import("../src/index.ts");
  await using node = await createNode();
  expect(await node.provider.send("evm_snapshot")).toBe("0x0");
});
