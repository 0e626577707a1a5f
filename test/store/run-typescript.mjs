// Lets plain Node run the project's TypeScript: `node --import ./test/store/run-typescript.mjs program.ts`.
// For tests that need a process of their own to lock out or to kill. Types are dropped, not checked.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

// Node runs the hooks below on a thread of their own, which loads this file once more.
if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return nextLoad(url, context);
  const { default: typescript } = await import("typescript");
  const { outputText } = typescript.transpileModule(await readFile(new URL(url), "utf8"), {
    compilerOptions: { target: "ES2022", module: "ESNext", verbatimModuleSyntax: true },
  });
  return { format: "module", source: outputText, shortCircuit: true };
}
