#!/usr/bin/env node
// Bundles src/ into dist/bundle/, when a source is newer than the last build. Says nothing unless the bundler or the
// compiler complains.
//
//   node .ci/build-if-needed.mjs [--whole] [--force]
//
// With --whole the compiler writes modules and types into dist/, too: a package needs the types, benchmarks and documents
// look into modules. Without, a start from a fresh clone waits for a second instead of ten.
//
// Safe to start several times at once: one builds, the others wait for it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
if (!existsSync(join(root, "node_modules", "rolldown"))) {
  process.stderr.write("The packages that Hindcast is built with are not installed. Run `npm ci` first.\n");
  process.exit(1);
}
// Only now: they need those packages.
const { buildFiles } = await import("./built-files.mjs");
const { writeBundle } = await import("./bundle.mjs");
const { buildCores } = await import("./core.mjs");
const source = join(root, "src");
const output = join(root, "dist");
const stamp = join(output, ".tsbuildinfo");
const bundleStamp = join(output, ".bundled");
const bundle = join(output, "bundle");
const types = join(output, "types");
const lock = join(root, "node_modules", ".hindcast-build-lock");
/** What a build follows from, beside the sources. */
const INPUTS = [
  "tsconfig.json",
  "tsconfig.build.json",
  "package-lock.json",
  ".ci/browser.mjs",
  ".ci/built-files.mjs",
  ".ci/bundle.mjs",
  ".ci/core.mjs",
  ".ci/core-facts.mjs",
  ".ci/declarations.mjs",
  ".ci/entries.mjs",
  ".ci/explorer.mjs",
  ".ci/write-files.mjs",
];
/** A build takes seconds; an older lock belongs to a process that was killed without a chance to give it back. */
const LOCK_LIFETIME_MS = 120_000;

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

const modifiedAt = (path) => statSync(path).mtimeMs;

const isWhole = process.argv.includes("--whole");

function isFresh() {
  const stamps = isWhole ? [bundleStamp, stamp] : [bundleStamp];
  if (!existsSync(bundle) || !stamps.every(existsSync)) return false;
  const sources = filesBelow(source).filter((path) => /\.(?:tsx?|css|html|svg)$/.test(path));
  const inputs = [...sources, ...INPUTS.map((name) => join(root, name))];
  return (
    Math.max(...inputs.map(modifiedAt)) <= Math.min(...stamps.map(modifiedAt)) && !(isWhole && strays().length > 0)
  );
}

/** Compiler output of deleted sources. */
function strays() {
  return filesBelow(output).filter((path) => {
    if (path.startsWith(bundle) || path.startsWith(types)) return false;
    const match = /^(.*)\.(?:js|d\.ts)$/.exec(relative(output, path));
    return match !== null && !existsSync(join(source, `${match[1]}.ts`));
  });
}

async function build() {
  const startedAt = new Date();
  await buildCores();
  const complaint = isWhole ? compile(startedAt) : "";
  if (complaint !== "") return failed(complaint);
  try {
    await writeBundle(root);
    if (isWhole) await (await import("./declarations.mjs")).writeDeclarations(root);
    // For the modules that the compiler wrote.
    if (isWhole) await buildFiles(root);
  } catch (error) {
    return failed(`${error instanceof Error ? error.stack : error}\n`);
  }
  writeFileSync(bundleStamp, "");
  utimesSync(bundleStamp, startedAt, startedAt);
  return 0;
}

/** Gives what the compiler complains of. */
function compile(startedAt) {
  // The compiler's own program, not its launcher: no shell, no look-up in PATH.
  const compiler = createRequire(import.meta.url).resolve("typescript/lib/tsc.js");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
    cwd: root,
    encoding: "utf8",
  });
  // One that is killed says nothing.
  if (status !== 0) return stdout === "" ? "The compiler was ended. " : stdout;
  for (const path of strays()) rmSync(path);
  // Written only when something changed; the date of the last look is what counts here.
  utimesSync(stamp, startedAt, startedAt);
  return "";
}

function failed(why) {
  // Without its stamp the next build starts over instead of trusting half a result.
  for (const path of [stamp, bundleStamp]) rmSync(path, { force: true });
  process.stderr.write(`${why}The build failed.\n`);
  return 1;
}

function takeLock() {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (existsSync(lock) && Date.now() - modifiedAt(lock) > LOCK_LIFETIME_MS) rmSync(lock, { recursive: true });
    return false;
  }
}

/** Ctrl-C: the next build need not wait for this one. */
function giveUp() {
  failed("Interrupted. ");
  rmSync(lock, { recursive: true, force: true });
  process.exit(130);
}

async function main() {
  const force = process.argv.includes("--force");
  if (!force && isFresh()) return 0;
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, giveUp);
  try {
    // Somebody who waits in front of a terminal is not left to wonder.
    if (process.stderr.isTTY) process.stderr.write(`Building Hindcast${isWhole ? " and its types" : ""} …\n`);
    if (force) for (const path of [stamp, bundleStamp]) rmSync(path, { force: true });
    return isFresh() ? 0 : await build();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

process.exitCode = await main();
