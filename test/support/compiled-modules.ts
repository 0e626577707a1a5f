/**
 * Compiles the modules of `src/` one by one into `build/`, where Node loads them by itself. Vite takes longer to bring a module
 * to a worker, and what it imports is looked up by name with each use.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "rolldown/utils";
import { contentOf, writeInOneStep } from "../../.ci/write-files.mjs";
import { setup as buildFiles } from "./built-files.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
const target = fileURLToPath(new URL("../../build/", import.meta.url));
const OPTIONS = { lang: "ts", typescript: { rewriteImportExtensions: "rewrite" } } as const;

/** Beside what {@link buildFiles} does, which waits for threads as well: until both are done no test begins. */
export async function setup(): Promise<void> {
  const names = readdirSync(source, { recursive: true, encoding: "utf8" });
  await Promise.all([buildFiles(), ...names.filter((name) => name.endsWith(".ts")).map(compile)]);
  removeStrays();
}

async function compile(name: string): Promise<void> {
  const path = join(source, name);
  const { code, errors } = await transform(path, readFileSync(path, "utf8"), OPTIONS);
  if (errors[0] !== undefined) throw new Error(`src/${name}: ${errors[0].message}`);
  const compiled = join(target, name.replace(/ts$/, "js"));
  if (contentOf(compiled) !== code) writeInOneStep(compiled, code);
}

/** Removes modules whose sources are gone: what still imports them must fail. */
function removeStrays(): void {
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    const [room = "", ...rest] = name.split(/[/\\]/);
    const isModule = name.endsWith(".js") && rest.length > 0 && room !== "explorer";
    if (isModule && !existsSync(join(source, name.replace(/js$/, "ts")))) rmSync(join(target, name), { force: true });
  }
}
