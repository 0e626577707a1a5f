/**
 * Compiles the modules of `src/` one by one into `build/`, where Node loads them by itself. Vite takes longer to bring a module
 * to a worker, and what it imports is looked up by name with each use.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";
import { contentOf, writeInOneStep } from "../../.ci/write-files.mjs";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
const target = fileURLToPath(new URL("../../build/", import.meta.url));
const OPTIONS = { lang: "ts", typescript: { rewriteImportExtensions: "rewrite" } } as const;

export function setup(): void {
  for (const name of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const { code, errors } = transformSync(join(source, name), readFileSync(join(source, name), "utf8"), OPTIONS);
    if (errors[0] !== undefined) throw new Error(`src/${name}: ${errors[0].message}`);
    const path = join(target, name.replace(/ts$/, "js"));
    if (contentOf(path) !== code) writeInOneStep(path, code);
  }
  removeStrays();
}

/** Removes modules whose sources are gone: what still imports them must fail. */
function removeStrays(): void {
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    const [room = "", ...rest] = name.split(/[/\\]/);
    const isModule = name.endsWith(".js") && rest.length > 0 && room !== "explorer";
    if (isModule && !existsSync(join(source, name.replace(/js$/, "ts")))) rmSync(join(target, name), { force: true });
  }
}
