#!/usr/bin/env node
// Compiles src/ into dist/ and bundles that into dist/bundle/, when a source is newer than the last build. Says nothing
// unless the compiler or the bundler complains. Types are written, not checked: `npm run check` does that, and a start
// from a fresh clone does not wait for it.
//
//   node .ci/build-if-needed.mjs [--force]
//
// Safe to start several times at once: one builds, the others wait for it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBundle } from "./bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "src");
const output = join(root, "dist");
const stamp = join(output, ".tsbuildinfo");
const bundle = join(output, "bundle");
const lock = join(root, "node_modules", ".hindcast-build-lock");
/** What a build follows from, beside the sources. */
const INPUTS = ["tsconfig.json", "tsconfig.build.json", "package-lock.json", ".ci/bundle.mjs"];
/** A build takes seconds; an older lock belongs to a process that was killed. */
const LOCK_LIFETIME_MS = 120_000;

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

const modifiedAt = (path) => statSync(path).mtimeMs;

function isFresh() {
  if (!existsSync(stamp) || !existsSync(bundle)) return false;
  const inputs = [...filesBelow(source), ...INPUTS.map((name) => join(root, name))];
  return Math.max(...inputs.map(modifiedAt)) <= modifiedAt(stamp) && strays().length === 0;
}

/** What the compiler wrote from a source that is gone. */
function strays() {
  return filesBelow(output).filter((path) => {
    if (path.startsWith(bundle)) return false;
    const match = /^(.*)\.(?:js|d\.ts)$/.exec(relative(output, path));
    return match !== null && !existsSync(join(source, `${match[1]}.ts`));
  });
}

async function build() {
  // The compiler's own program, not its launcher: no shell, no look-up in PATH.
  const compiler = createRequire(import.meta.url).resolve("typescript/lib/tsc.js");
  const startedAt = new Date();
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--noCheck"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) {
    return failed(stdout);
  }
  for (const path of strays()) rmSync(path);
  try {
    await writeBundle(root);
  } catch (error) {
    return failed(`${error instanceof Error ? error.stack : error}\n`);
  }
  // Written only when something changed; the date of the last look is what counts here.
  utimesSync(stamp, startedAt, startedAt);
  return 0;
}

function failed(why) {
  // Without its stamp the next build starts over instead of trusting half a result.
  rmSync(stamp, { force: true });
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

async function main() {
  const force = process.argv.includes("--force");
  if (!force && isFresh()) return 0;
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  try {
    if (force) rmSync(stamp, { force: true });
    return isFresh() ? 0 : await build();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

process.exitCode = await main();
