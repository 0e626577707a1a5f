/** A program of others that bundles the package with Vite, as its exports name the files. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { writeBrowserBundle } from "../../.ci/browser.mjs";
import { useSite } from "./site.ts";

const MAIN = `
import { createWorkerNode } from "hindcast/worker";
import { createNode } from "hindcast/browser";
const worker = new Worker(new URL("./node-worker.js", import.meta.url), { type: "module" });
const [inWorker, own] = await Promise.all([createWorkerNode(worker), createNode({ chainId: 7 })]);
const ask = ({ provider }, method, ...params) => provider.request({ method, params });
const [from, to] = await ask(own, "eth_accounts");
const hash = await ask(own, "eth_sendTransaction", { from, to, value: "0x1" });
const tracer = "{step: function() {}, fault: function() {}, result: function() { return 7 }}";
globalThis.result = [
  await ask(inWorker, "eth_chainId"),
  await ask(own, "eth_chainId"),
  await ask(own, "debug_traceTransaction", hash, { tracer }),
];
`;

const project = mkdtempSync(join(tmpdir(), "hindcast-consumer-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));
const site = useSite();

it("bundles without warnings, and runs", async () => {
  const hindcast = join(project, "node_modules/hindcast");
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(hindcast, { recursive: true });
  cpSync("package.json", join(hindcast, "package.json"));
  await writeBrowserBundle(process.cwd(), join(hindcast, "dist/web"));
  writeFileSync(join(project, "src/main.js"), MAIN);
  writeFileSync(join(project, "src/node-worker.js"), 'import "hindcast/worker-program";\n');
  writeFileSync(join(project, "index.html"), '<script type="module" src="/src/main.js"></script>');
  // Vitest brings it along.
  const vite = createRequire(createRequire(import.meta.url).resolve("vitest/package.json")).resolve("vite");
  const { build } = await import(pathToFileURL(vite).href);
  const warnings: string[] = [];
  const warn = (text: string): number => warnings.push(text);
  await build({
    root: project,
    configFile: false,
    build: { target: "es2022", chunkSizeWarningLimit: 5_000 },
    customLogger: {
      info() {},
      warn,
      warnOnce: warn,
      error: warn,
      clearScreen() {},
      hasErrorLogged: () => false,
      hasWarned: false,
    },
  });
  // How long the bundler took says nothing of what it bundles.
  expect(warnings.filter((text) => !text.includes("PLUGIN_TIMINGS"))).toEqual([]);
  const output = join(project, "dist/assets");
  for (const name of readdirSync(output)) site.files.set(`/assets/${name}`, readFileSync(join(output, name), "utf8"));
  const [, script = ""] =
    /src="(\/assets\/[^"]+\.js)"/.exec(readFileSync(join(project, "dist/index.html"), "utf8")) ?? [];
  const { page, problems } = await site.open();
  await page.evaluate(`import(${JSON.stringify(script)})`);
  await page.waitForFunction("globalThis.result !== undefined");
  expect(await page.evaluate("result")).toEqual(["0x7a69", "0x7", 7]);
  expect(problems).toEqual([]);
  expect(await page.evaluate("refused")).toEqual([]);
});
