/** A node, a browser, and pages of the explorer that fail the test for whatever goes wrong in them. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { ListenOptions, NodeOptions } from "../../src/node/options/options.ts";
import { type AxeOptions, findProblems } from "./accessibility.ts";
import { openBrowser } from "./browser.mjs";

/** What the driver's pages have, as far as it is used; its package is not installed when the project is checked. */
// biome-ignore lint/suspicious/noExplicitAny: the driver's types are not there
type Driver = any;

/** The longest that a test waits for anything on a page, also on a machine that is busy. */
const WAIT_MS = 300_000;

export interface OpenPage {
  readonly page: Driver;
  /** Goes to an address of the explorer and waits until its head is known. */
  visit(fragment: string): Promise<void>;
  /** Waits until the page shows a text. */
  see(text: string | RegExp): Promise<void>;
  /**
   * Waits until an element shows all these texts, each of which may be composed of several elements.
   *
   * @param where - a locator, or a selector, of which the first element is taken
   */
  seeIn(where: Driver, ...texts: readonly RegExp[]): Promise<void>;
  /** Waits until this many elements match a selector. */
  seeCount(selector: string, expected: number): Promise<void>;
  /** What axe-core finds: each problem with the first element that has it. */
  axe(options?: AxeOptions): Promise<readonly string[]>;
}

export interface Explorer<Facts> {
  readonly node: HindcastNode;
  readonly url: string;
  readonly facts: Facts;
  /** @param options - of the driver's pages, beside the usual */
  open(options?: { readonly width?: number; readonly scheme?: "light" | "dark" }): Promise<OpenPage>;
  /** A page of the browser for another site, whose errors are its own. */
  bare(): Promise<Driver>;
}

/**
 * Served for the tests of a file or group. Console errors, failed requests and broken policies of any page fail its test.
 *
 * @param options - of the node, or what makes them
 * @param listen - of the server
 */
export function useExplorer<Facts>(
  build: (node: HindcastNode) => Promise<Facts>,
  options: NodeOptions | (() => Promise<NodeOptions>) = { hardfork: "cancun" },
  listen: ListenOptions = {},
): Explorer<Facts> {
  const problems: string[] = [];
  const pages: Driver[] = [];
  let browser: Driver;
  const explorer: { -readonly [Member in keyof Explorer<Facts>]: Explorer<Facts>[Member] } = {
    node: undefined as never,
    url: "",
    facts: undefined as never,
    bare: () => browser.context.newPage(),
    async open({ width = 1360, scheme = "light" } = {}) {
      const page = await browser.context.newPage();
      pages.push(page);
      watch(page, problems);
      page.setDefaultTimeout(WAIT_MS);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      return openPage(page, explorer.url);
    },
  };
  beforeAll(async () => {
    browser = await openBrowser();
    explorer.node = await createNode(typeof options === "function" ? await options() : options);
    explorer.facts = await build(explorer.node);
    explorer.url = (await explorer.node.listen({ port: 0, ...listen })).url;
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await explorer.node?.close();
  });
  return explorer;
}

/** Reads what a click has the browser save. */
export async function saved(page: Driver, click: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent("download");
  await click();
  return readFileSync(await (await download).path(), "utf8");
}

export function watch(page: Driver, problems: string[]): void {
  page.on("pageerror", (error: Error) => problems.push(`error: ${error.stack}`));
  page.on("console", (message: Driver) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request: Driver) => {
    // A page that is left or closed does not wait for its answers.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(`request: ${request.url()}`);
  });
  page.on("response", (response: Driver) => {
    if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
  });
  page.on("dialog", (dialog: Driver) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

export function openPage(page: Driver, url: string): OpenPage {
  return {
    page,
    async visit(fragment) {
      // Another fragment alone would not load the page anew; a new page is blank already.
      if (page.url() !== "about:blank") await page.goto("about:blank");
      await page.goto(`${url}/${fragment}`);
      await page.waitForSelector(".head-state .pulse");
    },
    see: (text) => page.getByText(text).first().waitFor({ state: "visible" }),
    async seeIn(where, ...texts) {
      const element = typeof where === "string" ? page.locator(where).first() : where;
      for (const text of texts) await expect.poll(() => element.innerText()).toMatch(text);
    },
    seeCount: (selector, expected) => expect.poll(() => page.locator(selector).count()).toBe(expected),
    axe: (options) => findProblems(page, options),
  };
}
