/** For tests of what users run: makes sure that `dist/` is the build of the present sources. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { once } from "../../src/primitives/once.ts";

const root = new URL("../../", import.meta.url);

/** Folder of the project. */
export const projectFolder: string = fileURLToPath(root);

/** The program behind the `hindcast` command, to be run with `process.execPath`. */
export const cliPath: string = fileURLToPath(new URL("dist/bundle/hindcast.js", root));

/** Each worker looks once. */
const built = once(() => {
  const script = fileURLToPath(new URL(".ci/build-if-needed.mjs", root));
  // Flags that tests give to Node are not for the bundler.
  const env = { ...process.env, NODE_OPTIONS: undefined };
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8", env });
  if (status !== 0) throw new Error(`The build failed:\n${stderr}`);
  return {};
});

/**
 * Builds if a source has changed since the last build; several test files may ask at the same time.
 *
 * @throws {Error} with the compiler's words if the sources do not compile
 */
export function buildOnce(): void {
  built();
}
