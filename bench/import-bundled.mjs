/** Imports a TypeScript module of this project as one bundled script, which runs faster than modules that are translated one by one. */
import { rmSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { withBuilt } from "../.ci/bundle.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {URL} source - the module's file
 * @returns what it exports
 */
export async function importBundled(source) {
  // Packages stay where they are.
  const external = (id) => !(id.startsWith(".") || isAbsolute(id));
  // In the project, from where packages are found.
  const file = new URL(`../dist/bench-${process.pid}-${basename(source.pathname)}.mjs`, import.meta.url);
  const build = await rolldown({
    input: fileURLToPath(source),
    platform: "node",
    external,
    plugins: [withBuilt(root)],
  });
  await build.write({ file: fileURLToPath(file), format: "esm", codeSplitting: false });
  await build.close();
  try {
    return await import(file);
  } finally {
    rmSync(file);
  }
}
