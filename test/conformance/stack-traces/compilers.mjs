// The compilers of the suite: installed on first use in a folder of their own, run in child processes.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./compilers/", import.meta.url));
export const VERSIONS = ["0.5.17", "0.6.3", "0.6.12", "0.7.6", "0.8.10", "0.8.30"];

/** plain: without optimizer; opt: with 200 runs; ir: the same by way of Yul, which 0.8.10 and later do. */
export const MODES = ["plain", "opt", "ir"];

export function hasMode(version, mode) {
  return mode !== "ir" || version.startsWith("0.8.");
}

/** `require` in the folder of the compilers, which are installed where they are not. */
export function openCompilers() {
  if (!existsSync(join(folder, "node_modules"))) {
    console.log("installing Solidity compilers …");
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  }
  return createRequire(join(folder, "package.json"));
}

/** True for a case that a compiler's version is for. */
export function takesVersion({ solc, versionRange = "*" }, version, { satisfies }) {
  return satisfies(version, solc) && satisfies(version, versionRange);
}

/** Names a set of sources. */
export function sourcesKey(sources) {
  return createHash("sha256").update(JSON.stringify(sources)).digest("hex");
}

/** Compiles the sources of all cases in another process: an object of `{ input, output }` by their keys. */
export function compileCases(casesPath, version, mode) {
  const stamp = createHash("sha256").update(readFileSync(casesPath)).digest("hex").slice(0, 16);
  const cache = join(tmpdir(), "hindcast-stack-traces");
  mkdirSync(cache, { recursive: true });
  const path = join(cache, `${stamp}-${version}-${mode}.json`);
  if (!existsSync(path)) {
    const script = fileURLToPath(new URL("./compile.mjs", import.meta.url));
    // V8 spends more on optimizing a compiler than these sources take.
    const args = ["--liftoff-only", script, casesPath, version, mode, path];
    const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (status !== 0) throw new Error(`solc ${version} (${mode}) could not compile the cases`);
  }
  return JSON.parse(readFileSync(path, "utf8"));
}
