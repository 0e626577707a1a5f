import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { expect, it, onTestFinished } from "vitest";
import { withBuilt } from "../../.ci/bundle.mjs";
import { VERSION } from "../../src/node/version.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

it("is that of package.json, also in a bundle that is nowhere near it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hindcast-version-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const input = join(project, "src/node/version.ts");
  const build = await rolldown({ input, platform: "node", plugins: [withBuilt(project)] });
  const file = join(folder, "version.mjs");
  await build.write({ file, format: "esm" });
  await build.close();

  const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };
  const bundled = (await import(pathToFileURL(file).href)) as { VERSION: string };
  expect([VERSION, bundled.VERSION]).toEqual([version, version]);
});
