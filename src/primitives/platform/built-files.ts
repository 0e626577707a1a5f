/** Files that are built and not imported: WebAssembly, the program of threads, the explorer. */
import { createRequire } from "node:module";
import { readBytes, stampOf } from "./files.ts";

/** The address of this module unless it is in a bundle: from its sources, or compiled file by file. */
const AS_MODULE = /\/primitives\/platform\/built-files\.[jt]s$/;

/**
 * The address of a built file. A bundle has them beside itself; modules that are not bundled find them in `build/` of the
 * project, where tests put them.
 */
export function builtFile(path: string): URL {
  const here = import.meta.url;
  return new URL(AS_MODULE.test(here) ? `../../../build/${path}` : `./${path}`, here);
}

/** Whether a file was built: a program may have this library in a bundle of its own, without them. */
export const isBuilt = (path: string): boolean => stampOf(builtFile(path)) !== undefined;

/** The version in `package.json`. The build of a bundle puts it in the place of the call. */
export const packageVersion = (): string => {
  const { version } = createRequire(import.meta.url)("../../../package.json");
  return version as string;
};

/** The bytes of a built file. In a bundle the bytes of WebAssembly stand in place of the call: see `.ci/bundle.mjs`. */
export const readBuilt = (path: string): Uint8Array => readBytes(builtFile(path));
