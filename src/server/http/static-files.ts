/** Files of a page as they were built, by the path that a browser asks for. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "./http-server.ts";

/** Nothing from elsewhere, nothing inline, no frame around it, and no form or `<base>` that would lead away. */
const POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** A name with a hash of what the file holds. */
const HASHED = /-[\w-]{8}\.(?:js|css)$/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/**
 * Reads a page that runs in browsers: its `index.html` at `/`, the rest under `/assets/`. Empty without the folder.
 *
 * @param url - of the folder, with a slash at its end
 * @param edit - changes the text of `index.html`
 */
export async function readStaticFiles(
  url: URL,
  edit = (html: string): string => html,
): Promise<ReadonlyMap<string, Page>> {
  const folder = fileURLToPath(url);
  const names = await readdir(folder).catch(() => []);
  const pages = names.map(async (name): Promise<[string, Page]> => {
    const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    const isPage = name === "index.html";
    const path = isPage ? "/" : `/assets/${name}`;
    const body = isPage ? edit(await readFile(join(folder, name), "utf8")) : await readFile(join(folder, name));
    return [path, { contentType, body, policy: POLICY, isLasting: HASHED.test(name) }];
  });
  return new Map(await Promise.all(pages));
}
