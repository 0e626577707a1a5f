#!/usr/bin/env node
// Prints what a user downloads and installs: the package itself, and the packages it brings along. With --check it fails beyond
// the budget.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const npm = (...args) =>
  execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
/** Most bytes that a user downloads and installs, and most packages. A change that needs more says why, and raises them. */
const BUDGET = { packed: 2_800_000, installed: 60_000_000, packages: 70 };
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

/** Packages inside a package are counted by themselves. */
const nested = /(?:^|\/)node_modules(?:\/|$)/;

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !nested.test(relative(folder, entry.parentPath ?? entry.path)))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
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

if (process.argv.includes("--check")) {
  const measured = { packed: pack.size, installed: pack.unpackedSize + dependencies, packages: sizes.length };
  for (const [name, most] of Object.entries(BUDGET)) {
    if (measured[name] <= most) continue;
    console.error(`Beyond the budget: ${name} is ${measured[name]}, at most ${most} is allowed (.ci/size.mjs).`);
    process.exitCode = 1;
  }
}
