#!/usr/bin/env node
// Prints what a user downloads and installs: the package itself, and the packages it brings along. With --check it fails beyond
// the budget.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("../", import.meta.url));
const npm = (...args) =>
  execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
/**
 * Most bytes that a user downloads and installs, and most packages. A change that needs more says why, and raises them. Of what is
 * downloaded 1.4 MB are the files for browsers, a third of them the setup of KZG, which a page loads when it needs it.
 */
const BUDGET = { packed: 4_220_000, installed: 60_000_000, packages: 70 };
/** Most bytes, compressed, that a page loads until a node in it answers: what `hindcast/browser` imports at once. */
const MOST_IN_A_PAGE = 365_000;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

/** Packages inside a package are counted by themselves. */
const nested = /(?:^|\/)node_modules(?:\/|$)/;

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !nested.test(relative(folder, entry.parentPath ?? entry.path)))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

function readWeb(name) {
  return readFileSync(join(root, "dist/web", name));
}

/** The files that one of dist/web/ imports before it runs, and itself. */
function firstFiles(entry) {
  const found = new Set([entry]);
  for (const name of found) {
    const imports = readWeb(name)
      .toString()
      .matchAll(/(?<![\w$.])(?:import|from)\s*["'`]\.\/([^"'`]+)["'`]/g);
    for (const [, imported] of imports) found.add(imported);
  }
  return [...found];
}

const [pack] = JSON.parse(npm("pack", "--dry-run", "--json"));
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const sizes = Object.entries(packages)
  .filter(([folder, { dev }]) => folder !== "" && dev !== true && existsSync(join(root, folder)))
  .map(([folder]) => ({ folder, bytes: bytesBelow(join(root, folder)) }));
sizes.sort((left, right) => right.bytes - left.bytes);

console.log(
  `package: ${kilobytes(pack.size)} packed, ${kilobytes(pack.unpackedSize)} unpacked, ${pack.entryCount} files`,
);
const dependencies = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`installed with it: ${sizes.length} packages, ${kilobytes(dependencies)}`);
for (const { folder, bytes } of sizes.slice(0, 10)) console.log(`  ${kilobytes(bytes).padStart(9)}  ${folder}`);

const inPage = firstFiles("browser.js").reduce((sum, name) => sum + gzipSync(readWeb(name), { level: 9 }).length, 0);
console.log(`in a page at first: ${kilobytes(inPage)} compressed`);

if (process.argv.includes("--check")) {
  if (inPage > MOST_IN_A_PAGE) {
    console.error(
      `Beyond the budget: a page loads ${inPage} bytes, at most ${MOST_IN_A_PAGE} are allowed (.ci/size.mjs).`,
    );
    process.exitCode = 1;
  }
  const measured = { packed: pack.size, installed: pack.unpackedSize + dependencies, packages: sizes.length };
  for (const [name, most] of Object.entries(BUDGET)) {
    if (measured[name] <= most) continue;
    console.error(`Beyond the budget: ${name} is ${measured[name]}, at most ${most} is allowed (.ci/size.mjs).`);
    process.exitCode = 1;
  }
}
