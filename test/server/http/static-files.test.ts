import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { readStaticFiles } from "../../../src/server/http/static-files.ts";
import { aFolder } from "../../support/a-folder.ts";

it("serves a page at the root and its files beside it, of which those with a hash in their name last", async () => {
  const folder = join(await aFolder(), "page");
  await mkdir(folder);
  const names = ["index.html", "main-a1B2_c-4.js", "style-01234567.css", "main-01234567.js.map", "logo.svg", "main.js"];
  for (const name of names) await writeFile(join(folder, name), `<${name}>`);
  const url = new URL(`${pathToFileURL(folder).href}/`);
  const files = await readStaticFiles(url, (html) => html.toUpperCase());
  const shown = [...files].map(([path, { contentType, body, isLasting }]) => [
    path,
    [contentType, `${body}`, isLasting],
  ]);
  expect(Object.fromEntries(shown)).toEqual({
    "/": ["text/html; charset=utf-8", "<INDEX.HTML>", false],
    "/assets/main-a1B2_c-4.js": ["text/javascript; charset=utf-8", "<main-a1B2_c-4.js>", true],
    "/assets/style-01234567.css": ["text/css; charset=utf-8", "<style-01234567.css>", true],
    "/assets/main-01234567.js.map": ["application/octet-stream", "<main-01234567.js.map>", false],
    "/assets/logo.svg": ["image/svg+xml", "<logo.svg>", false],
    "/assets/main.js": ["text/javascript; charset=utf-8", "<main.js>", false],
  });
});

it("serves nothing where there is no folder", async () => {
  expect(await readStaticFiles(pathToFileURL(join(await aFolder(), "none", "/")))).toEqual(new Map());
});
