#!/usr/bin/env node
// Adds to package-lock.json the optional packages for other platforms that `npm install` left out.
//
// npm writes only what it could look up. Where a registry mirror lacks builds for other systems, the lockfile ends up
// without them, and `npm ci` refuses it everywhere. Their versions are exact in the packages that ask for them, so the
// entries can be completed; systems they are not for never fetch them. Run it after `npm install`, with the folder as its
// argument where that is another one than the project's.
import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("package-lock.json", new URL(`../${process.argv[2] ?? "."}/`, import.meta.url));
const lock = JSON.parse(readFileSync(path, "utf8"));
const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** `os`, `cpu` and `libc` as the name of a platform package spells them, such as `@biomejs/cli-linux-arm64-musl`. */
function platformOf(name) {
  const parts = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => parts.includes(system));
  const cpu = PROCESSORS.filter((processor) => parts.includes(processor));
  if (os.length + cpu.length === 0) return undefined;
  const libc = name.includes("musl") ? ["musl"] : name.includes("gnu") ? ["glibc"] : [];
  return Object.fromEntries(Object.entries({ os, cpu, libc }).filter(([, words]) => words.length > 0));
}

let added = 0;
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] !== undefined || !/^\d/.test(version)) continue;
    const platform = platformOf(name);
    if (platform === undefined) continue;
    lock.packages[key] = { version, ...platform, ...(parent.dev ? { dev: true } : {}), optional: true };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages for other platforms added`);
