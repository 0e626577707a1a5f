#!/usr/bin/env node
// Makes a release of what is committed:
//
//   node .ci/release.mjs VERSION             sets the version, dates the changelog, commits, tags, packs; prints the checksum
//   node .ci/release.mjs VERSION --dry-run   says what it would do, and packs into a folder of its own; changes nothing
//   node .ci/release.mjs --check VERSION     fails unless package.json and the changelog are those of this version
//
// Run `.ci/run` and `npm run installs` before it. Publishing is left to .github/workflows/release.yml, which runs for the tag.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const words = process.argv.slice(2);
const version = words.find((word) => !word.startsWith("--"));
const isDry = words.includes("--dry-run");

const run = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: "utf8" }).trim();
const read = (name) => readFileSync(join(root, name), "utf8");

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

/** Larger, equal or smaller than zero, by the numbers of two versions. */
function compare(left, right) {
  const [first, second] = [left, right].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  return first[0] - second[0] || first[1] - second[1] || first[2] - second[2];
}

/** The changelog with what is unreleased under the version and the day. */
function dated(changelog) {
  const day = new Date().toISOString().slice(0, 10);
  return changelog.replace("\n## Unreleased\n", `\n## ${version} - ${day}\n`);
}

if (version === undefined || !/^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/.test(version))
  fail("Name a version: node .ci/release.mjs 0.2.0 [--dry-run]");
const present = JSON.parse(read("package.json")).version;
if (words.includes("--check")) {
  if (present !== version) fail(`package.json has version ${present}, not ${version}.`);
  if (!read("CHANGELOG.md").includes(`\n## ${version} - `)) fail(`CHANGELOG.md has no section of ${version}.`);
  process.exit(0);
}
if (run("git", "status", "--porcelain") !== "")
  fail("Commit or remove what `git status` lists: a release is what is committed.");
if (run("git", "tag", "--list", `v${version}`) !== "") fail(`The tag v${version} is there already.`);
if (compare(version, present) < 0) fail(`${version} is older than ${present}, which package.json has.`);
const changelog = read("CHANGELOG.md");
if (!changelog.includes("\n## Unreleased\n"))
  fail("CHANGELOG.md has no section `## Unreleased`: there is nothing to release.");

if (isDry) {
  console.log(`Would set version ${present} to ${version}, date the changelog, commit and tag v${version}.`);
} else {
  run("npm", "version", version, "--no-git-tag-version", "--allow-same-version");
  writeFileSync(join(root, "CHANGELOG.md"), dated(changelog));
  run(
    "git",
    "commit",
    "--quiet",
    "--message",
    `release: ${version}`,
    "package.json",
    "package-lock.json",
    "CHANGELOG.md",
  );
  run("git", "tag", "--annotate", `v${version}`, "--message", version);
}
const folder = mkdtempSync(join(tmpdir(), "hindcast-release-"));
const [packed] = JSON.parse(run("npm", "pack", "--json", "--pack-destination", folder));
const file = join(folder, packed.filename);
console.log(`${file}\n${packed.entryCount} files, ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`);
console.log(`sha256 ${createHash("sha256").update(readFileSync(file)).digest("hex")}`);
if (!isDry) console.log(`Push the commit and the tag: git push origin HEAD v${version}`);
