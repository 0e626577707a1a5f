// Lets plain Node run the project's TypeScript: `node --import ./test/store/run-typescript.mjs program.ts`.
// For tests that need a process of their own to lock out or to kill. Types are dropped, not checked. What was made of a
// source is kept by the source's hash: a test that starts forty processes would wait for the compiler forty times.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

const KEPT = fileURLToPath(new URL("../../node_modules/.cache/hindcast-run-typescript/", import.meta.url));

// Node runs the hooks below on a thread of their own, which loads this file once more.
if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return nextLoad(url, context);
  const text = await readFile(new URL(url), "utf8");
  const kept = `${KEPT}${createHash("sha256").update(text).digest("hex")}.js`;
  const source = await readFile(kept, "utf8").catch(() => compile(text, kept));
  return { format: "module", source, shortCircuit: true };
}

async function compile(text, kept) {
  const { default: typescript } = await import("typescript");
  const { outputText } = typescript.transpileModule(text, {
    compilerOptions: { target: "ES2022", module: "ESNext", verbatimModuleSyntax: true },
  });
  // Under another name first: processes that start together must not read each other's half of a file.
  const draft = `${kept}.${process.pid}`;
  await mkdir(KEPT, { recursive: true });
  await writeFile(draft, outputText);
  await rename(draft, kept);
  return outputText;
}
