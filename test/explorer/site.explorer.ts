/** The documentation's site, as `npm run docs:site` builds it: on a phone and on a desk, in both colour schemes. */
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFolder } from "../support/build-once.ts";
import { axeSource, openBrowser } from "./browser.mjs";

const SITE = join(projectFolder, "site", "dist");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
/** What axe calls the impact of findings that keep people from using a page. */
const SEVERE = new Set(["moderate", "serious", "critical"]);

/** Pages written by hand; those of the API are made in one form, of which two stand for all. */
const PAGES = !existsSync(SITE)
  ? []
  : readdirSync(SITE, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".html") && !/^(?:404|api\/.*\/)/.test(name))
      .concat("api/hindcast/classes/HindcastNode.html", "api/hindcast/interfaces/NodeOptions.html")
      .sort();

if (PAGES.length === 0) console.warn("The site is not looked at: npm run docs:site builds it.");

describe.skipIf(PAGES.length === 0)("the site", () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let server: Server;
  let address: string;

  beforeAll(async () => {
    browser = await openBrowser();
    server = createServer((request, response) => {
      const file = join(SITE, new URL(request.url ?? "/", "http://site").pathname);
      const isThere = file.startsWith(SITE) && existsSync(file) && statSync(file).isFile();
      response.writeHead(isThere ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      if (isThere) createReadStream(file).pipe(response);
      else response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it.each(PAGES)("%s fits a phone and a desk, and axe finds nothing severe", async (name) => {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
    const page: any = await browser.context.newPage();
    const failures: string[] = [];
    page.on("pageerror", (error: Error) => failures.push(String(error)));
    // biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
    page.on("response", (response: any) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
    });
    for (const [width, colorScheme] of [
      [390, "dark"],
      [1280, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto(`${address}/${name}`, { waitUntil: "networkidle" });
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (overflow > 0) failures.push(`${width}: ${overflow} pixels too wide`);
      await page.evaluate(axeSource());
      const { violations } = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
      for (const { id, help, impact, nodes } of violations) {
        if (SEVERE.has(impact)) failures.push(`${width}: ${id}: ${help}: ${nodes[0]?.html}`);
      }
    }
    await page.close();
    expect(failures).toEqual([]);
  });
});
