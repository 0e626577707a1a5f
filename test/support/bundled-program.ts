/** Programs of tests in one file each: a process that compiles hundreds of modules first takes four times as long to begin. */
import { basename, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { projectFolder } from "./build-once.ts";

/**
 * Bundles a program with all that it imports but packages, into `build/`, where it finds what modules read beside themselves.
 * Not for those that make nodes, which read `package.json`: they can load the bundle that users run.
 *
 * @returns path of the file to start
 */
export async function bundleProgram(program: URL): Promise<string> {
  const build = await rolldown({
    input: fileURLToPath(program),
    platform: "node",
    // Packages stay where they are.
    external: (id) => !(id.startsWith(".") || isAbsolute(id)),
  });
  const file = join(projectFolder, "build", basename(program.pathname).replace(/ts$/, "js"));
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
  return file;
}
