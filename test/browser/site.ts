/** A site with the bundle for browsers, and a browser that opens its pages. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { bundleForBrowsers } from "../../.ci/browser.mjs";
import { openBrowser } from "../explorer/browser.mjs";
import { projectFolder } from "../support/build-once.ts";
import { firefox, openFirefox } from "./conformance/firefox.mjs";

/** What the driver's pages have, as far as it is used; its package is not installed when the project is checked. */
// biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
type Driver = any;

/** The longest that a test waits for anything in a page, also on a machine that is busy. */
const WAIT_MS = 300_000;

/** The strictest policy with which WebAssembly can be compiled. Firefox reports icons that may not be asked for. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' ws: http:; img-src 'self'";

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Hindcast</title><script type="module" src="/main.js"></script>';

/** Notes what a strict policy refuses, and has the library at hand. */
const MAIN = `
globalThis.refused = [];
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => refused.push(violatedDirective + " " + blockedURI));
globalThis.load = (name) => import("/hindcast/" + name);
globalThis.isReady = true;
`;

export interface Site {
  readonly url: string;
  /** Files beside the bundle, by path; programs of a test. */
  readonly files: Map<string, string>;
  /** An open page with \`load\`, and what goes wrong in it; in a context of a browser, if another one than the site's. */
  open(context?: Driver): Promise<{ readonly page: Driver; readonly problems: string[] }>;
}

export type BrowserName = "chromium" | "firefox";

/** The browsers of this machine. */
export const BROWSERS: readonly BrowserName[] = firefox === undefined ? ["chromium"] : ["chromium", "firefox"];
if (firefox === undefined) console.warn("Tests of browsers run in Chromium alone: there is no Firefox.");

/** How the site of a test differs: its browser, default Chromium, and programs that are bundled as entries, paths by name. */
export interface SiteOptions {
  readonly browser?: BrowserName;
  readonly programs?: Readonly<Record<string, string>>;
}

/** One site for the tests of a file. */
export function useSite(files: Readonly<Record<string, string>> = {}, options: SiteOptions = {}): Site {
  let server: Server;
  let browser: Driver;
  const site: { -readonly [Member in keyof Site]: Site[Member] } = {
    url: "",
    files: new Map(Object.entries({ "/": PAGE, "/main.js": MAIN, ...files })),
    async open(context = browser.context) {
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS);
      const problems: string[] = [];
      page.on("pageerror", (error: Error) => problems.push(`error: ${error.stack}`));
      page.on("console", (message: Driver) => {
        if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
      });
      page.on("response", (response: Driver) => {
        if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
      });
      await page.goto(site.url);
      await page.waitForFunction("globalThis.isReady === true");
      return { page, problems };
    },
  };
  beforeAll(async () => {
    const { browser: name = "chromium", programs = {} } = options;
    const inputs = Object.entries(programs).map(([entry, path]) => [entry, join(projectFolder, path)]);
    const chunks = await bundleForBrowsers(projectFolder, Object.fromEntries(inputs));
    for (const { fileName, code } of chunks) site.files.set(`/hindcast/${fileName}`, code);
    server = createServer((request, response) => {
      const path = request.url ?? "/";
      const content = site.files.get(path);
      if (content === undefined) {
        response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
        return;
      }
      const type = path === "/" ? "text/html" : "text/javascript";
      response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "content-security-policy": POLICY });
      response.end(content);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await (name === "firefox" ? openFirefox() : openBrowser());
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    await new Promise((resolve) => void server?.close(resolve));
  });
  return site;
}

/** The text of a file of the project. */
export const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
