/** Firefox, where Debian's is installed: by WebDriver BiDi, since Playwright drives only a Firefox of its own. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** What the driver puts aside in a profile. */
const BACKUPS = ["prefs.js.puppeteer", "user.js.puppeteer"];
const PATHS = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** Path of the browser; undefined where there is none. */
export const firefox = PATHS.find((path) => existsSync(path));

/**
 * Starts it. The driver was installed with those of the explorer's tests.
 *
 * @param {{ profile?: string, preferences?: Readonly<Record<string, unknown>> }} [options] - a folder with its profile,
 * default a new one; what differs from its settings
 */
export async function openFirefox({ profile, preferences } = {}) {
  const require = createRequire(new URL("../../explorer/package.json", import.meta.url));
  const { default: puppeteer } = await import(require.resolve("puppeteer-core"));
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: firefox,
    headless: true,
    ...(profile && { userDataDir: profile }),
    ...(preferences && { extraPrefsFirefox: preferences }),
  });
  return {
    context: { newPage: () => browser.newPage() },
    close: () => browser.close(),
    /** Ends its processes at once, as the system does when it has no memory. */
    async kill() {
      await new Promise((resolve) => browser.process().once("exit", resolve).kill("SIGKILL"));
      // The driver then puts back the settings that the profile had.
      while (profile !== undefined && BACKUPS.some((name) => existsSync(join(profile, name)))) await delay(20);
    },
  };
}
