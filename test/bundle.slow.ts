/** The files of the package, as `npm run build` makes them. */
import { spawnSync } from "node:child_process";
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

it("the command requires no package before it is used, since those of an engine that is not used take a fifth of a start", () => {
  buildOnce();
  const bundle = join(projectFolder, "dist/bundle");
  const required = readFileSync(join(bundle, "command.cjs"), "utf8").match(/require\("@noble\/curves[^"]*"\)/g) ?? [];
  expect(required.length).toBeGreaterThan(0);
  // Asked for its version the command runs all that a start runs before it reads its flags.
  const program = `process.argv.push("hindcast", "--version"); process.once("exit", () => console.error(JSON.stringify(
    Object.keys(require.cache).filter((path) => path.includes("node_modules")))));
    import(${JSON.stringify(join(bundle, "hindcast.js"))});`;
  const { stderr, stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8", timeout: 60_000 });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
  expect(JSON.parse(stderr)).toEqual([]);
});
