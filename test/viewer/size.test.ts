/** What a browser loads before it shows the first rows. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../build/explorer/", import.meta.url));
/** Bytes, compressed. */
const MOST_BYTES = 60_000;

it("is at most 60 kB compressed, and it is the page, its style and one script", () => {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/\/assets\/([^"]+)/g)].map(([, name]) => name as string);
  const script = readFileSync(join(folder, named.find((name) => name.endsWith(".js")) as string), "utf8");
  // What the script imports at once, not what it loads on demand.
  const imported = [...script.matchAll(/from\s*["']\.\/([^"']+)["']/g)].map(([, name]) => name as string);
  const files = ["index.html", ...named, ...imported];
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  expect(bytes).toBeGreaterThan(5_000);
});

it("holds nothing that would need a weaker policy", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".js"))) {
    const script = readFileSync(join(folder, name), "utf8");
    expect(script).not.toMatch(/\beval\(|new Function\(|dangerouslySetInnerHTML\s*:/);
  }
});
