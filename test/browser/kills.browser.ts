/** Workers, pages, renderers and browsers that end while a node in them mines: what was acknowledged is there again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { openFirefox } from "./conformance/firefox.mjs";
import { BROWSERS } from "./site.ts";
import { type Page, useStoringSite, within } from "./stored-chains.ts";

/** How often each browser's ends are tried; `CAMPAIGN_KILLS=200` for the long run. */
const KILLS = Number(process.env.CAMPAIGN_KILLS ?? 8);

describe.each(BROWSERS)("in %s", (browser) => {
  const site = useStoringSite(browser);
  /** The browser that is killed, with its profile. */
  const profile = mkdtempSync(join(tmpdir(), "hindcast-firefox-"));
  let own: Awaited<ReturnType<typeof openFirefox>> | undefined;
  afterAll(async () => {
    await own?.close();
    rmSync(profile, { recursive: true, force: true });
  });

  async function newPage(): Promise<Page> {
    if (browser === "firefox") own ??= await openFirefox({ profile });
    return (await site.open(own?.context)).page;
  }

  /** What ends a worker; a page is left behind by the first two. */
  const ends: readonly ((page: Page) => Promise<unknown>)[] = [
    async (page) => page.evaluate("globalThis.worker.terminate()"),
    async (page) => page.reload(),
    async (page) => page.close(),
    browser === "chromium" ? crash : kill,
  ];

  async function crash(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent("crash");
    // It is never answered.
    void session.send("Page.crash").catch(() => undefined);
    await crashed;
    await page.close().catch(() => undefined);
  }

  async function kill(): Promise<void> {
    await own?.kill();
    own = undefined;
  }

  it(`all acknowledged blocks are there after each of ${KILLS} ends while mining`, async () => {
    let acknowledged = 0;
    let page = await newPage();
    for (let round = 0; round < KILLS; round++) {
      const told: number[] = [];
      let failure: unknown;
      page.on("console", (message: { text(): string }) => {
        const number = Number(message.text());
        if (Number.isNaN(number)) failure = new Error(message.text());
        else told.push(number);
      });
      // Nothing waits for its end: the driver of Firefox would hold the page, and with it the folder, after a reload.
      await within(
        page,
        `globalThis.worker = newWorker();
        const { createWorkerNode } = await import("/hindcast/worker.js");
        void (async () => {
          const node = await createWorkerNode(globalThis.worker, { dataDir: "killed", accounts: 2, timestamp: 1700000000 });
          console.log(await checked(node));
          await mine(node, 1e6, (number) => console.log(number));
        })().catch(({ message }) => console.log(message));`,
      );
      const patience = 2 + ((round * 7) % 20);
      while (told.length <= patience) {
        if (failure !== undefined) throw failure;
        await delay(5);
      }
      expect(told[0], `round ${round}`).toBeGreaterThanOrEqual(acknowledged);
      await ends[round % ends.length]?.(page);
      acknowledged = told.at(-1) ?? 0;
      page.removeAllListeners("console");
      if (round % ends.length >= 2) page = await newPage();
      await page.waitForFunction("globalThis.isReady === true");
    }
    const head = await within(page, 'return checked(await open("killed"));');
    expect(head).toBeGreaterThanOrEqual(acknowledged);
    console.log(`${browser}: ${KILLS} ends, ${head} blocks`);
    await page.close();
  });
});
