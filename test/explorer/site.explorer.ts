/** The documentation's site, as `npm run docs:site` builds it: on a phone and on a desk, in both colour schemes. */
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFolder } from "../support/build-once.ts";
import {
  type AxeOptions,
  COLOUR_RULES,
  changeForm,
  findProblems,
  LAYOUT_RULES,
  PICTURE_RULES,
} from "./accessibility.ts";
import { openBrowser } from "./browser.mjs";

const SITE = join(projectFolder, "site", "dist");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
/** The text of a page: the same elements in each scheme and width. What is around it changes with the width. */
const TEXT = ".vp-doc";

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
  // biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
  let page: any;
  let failures: string[] = [];

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
    page = await browser.context.newPage();
    page.on("pageerror", (error: Error) => failures.push(String(error)));
    // biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
    page.on("response", (response: any) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Widths and schemes change on a page that is loaded: only its style sheets, and the class of the scheme, follow them. */
  async function look(name: string): Promise<readonly string[]> {
    failures = [];
    await changeForm(page, "light", 1280);
    await page.goto(`${address}/${name}`, { waitUntil: "load" });
    // The site's script has taken over the page, or all of the playground is loaded.
    if (name.startsWith("playground/")) await page.waitForLoadState("networkidle");
    else await page.waitForFunction("document.querySelector('#app')?.__vue_app__ !== undefined");
    await addOverflow();
    await addProblems("light", {});
    await changeForm(page, "dark", 390);
    await page.waitForFunction(
      "document.querySelector('.Layout') === null || document.documentElement.matches('.dark')",
    );
    await addOverflow();
    await addProblems("dark", { rules: [...COLOUR_RULES, ...PICTURE_RULES, ...LAYOUT_RULES] });
    // Narrow pages have other means to get around, which the wide page hid from the rules.
    await addProblems("narrow", { outside: TEXT, but: COLOUR_RULES });
    return failures;
  }

  async function addOverflow() {
    const [width, overflow] = await page.evaluate("[innerWidth, document.documentElement.scrollWidth - innerWidth]");
    if (overflow > 0) failures.push(`${width}: ${overflow} pixels too wide`);
  }

  async function addProblems(form: string, options: AxeOptions) {
    const problems = await findProblems(page, { ...options, severe: true });
    failures.push(...problems.map((problem) => `${form}: ${problem}`));
  }

  it.each(PAGES)("%s fits a phone and a desk, and axe finds nothing severe", async (name) => {
    expect(await look(name)).toEqual([]);
  });

  it("finds what is wrong in the dark scheme only, and on a phone only", async () => {
    const style = `
      .dark .vp-doc h1 { color: #333 !important; }
      @media (min-width: 401px) { .nameless { display: none; } }
      @media (max-width: 400px) { .vp-doc { min-width: 500px; } }`;
    await page.addInitScript(`addEventListener("DOMContentLoaded", () =>
      document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(`<style>${style}</style><button class="nameless"></button>`)}))`);
    expect(await look("CONTRIBUTING.html")).toEqual([
      expect.stringMatching(/^390: \d+ pixels too wide/),
      expect.stringMatching(/^dark: color-contrast: .*<h1/),
      expect.stringMatching(/^narrow: button-name: .*nameless/),
    ]);
  });
});
