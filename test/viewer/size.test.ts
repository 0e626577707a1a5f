/** How large the explorer is, and what its scripts do without. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../build/explorer/", import.meta.url));
/** Bytes, compressed: of what a browser loads before it shows the first rows, and of all files. */
const MOST_AT_FIRST = 45_000;
const MOST_IN_ALL = 70_000;

const compressed = (name: string): number => gzipSync(readFileSync(join(folder, name))).length;

it("is at most 45 kB compressed at first, and the page names all files that this takes", () => {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/\/assets\/([^"]+)/g)].map(([, name]) => name as string);
  for (const name of named.filter((file) => file.endsWith(".js"))) {
    const script = readFileSync(join(folder, name), "utf8");
    // What a script imports at once, not what it loads on demand.
    const imported = [...script.matchAll(/from\s*["'`]\.\/([^"'`]+)["'`]/g)].map(([, file]) => file);
    expect(named).toEqual(expect.arrayContaining(imported));
  }
  const bytes = ["index.html", ...named].reduce((sum, name) => sum + compressed(name), 0);
  expect(bytes).toBeLessThan(MOST_AT_FIRST);
  expect(bytes).toBeGreaterThan(5_000);
});

it("is at most 70 kB compressed in all", () => {
  const bytes = readdirSync(folder).reduce((sum, name) => sum + compressed(name), 0);
  expect(bytes).toBeLessThan(MOST_IN_ALL);
});

it("holds nothing that would need a weaker policy", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".js"))) {
    const script = readFileSync(join(folder, name), "utf8");
    expect(script).not.toMatch(/\beval\(|new Function\(|dangerouslySetInnerHTML\s*:/);
  }
});
