// Lets a script that loads modules of `dist/` have those of `src/` instead, for tests that build nothing:
// `node --import ./test/conformance/state-tests/from-source.mjs script.mjs`. Its worker processes inherit it.
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";
import "../../store/run-typescript.mjs";

if (isMainThread) register(import.meta.url);

const built = new URL("../../../dist/", import.meta.url).href;
const sources = new URL("../../../src/", import.meta.url).href;

export async function resolve(specifier, context, nextResolve) {
  if (!specifier.startsWith(built)) return nextResolve(specifier, context);
  return nextResolve(sources + specifier.slice(built.length).replace(/\.js$/, ".ts"), context);
}
