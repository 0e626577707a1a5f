// Lets plain Node run the project's TypeScript: `node --import ./test/store/run-typescript.mjs program.ts`.
// For tests that need a process of their own to lock out or to kill. Types are dropped, not checked.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

// Node runs the hooks below on a thread of their own, which loads this file once more.
if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return nextLoad(url, context);
  const { transformSync } = await import("rolldown/utils");
  const path = fileURLToPath(url);
  const { code, errors } = transformSync(path, await readFile(path, "utf8"), { lang: "ts" });
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  return { format: "module", source: code, shortCircuit: true };
}
