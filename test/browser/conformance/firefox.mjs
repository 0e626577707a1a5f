/** Firefox, where Debian's is installed: by WebDriver BiDi, since Playwright drives only a Firefox of its own. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const PATHS = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** Path of the browser; undefined where there is none. */
export const firefox = PATHS.find((path) => existsSync(path));

/** Starts it with a profile of its own. The driver was installed with those of the explorer's tests. */
export async function openFirefox() {
  const require = createRequire(new URL("../../explorer/package.json", import.meta.url));
  const { default: puppeteer } = await import(require.resolve("puppeteer-core"));
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
  return { context: { newPage: () => browser.newPage() }, close: () => browser.close() };
}
