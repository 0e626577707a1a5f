// The library in a worker of Chromium beside the library in Node: fresh of both, in turn. And EthereumJS' VM in the same page.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { openBrowser } from "../test/explorer/browser.mjs";
import { summary } from "./measure.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const ROUNDS = 5;
const HTML = '<!doctype html><meta charset="utf-8"><title>bench</title>';
/** EthereumJS' VM, bundled as pages do. */
const PEER = `
import { createEthereumJsVm } from "/vm.js";
import { measureCalls } from "/program.mjs";
const { ask } = await createEthereumJsVm();
postMessage(await measureCalls(ask));
`;
const WORKER = `
import { measureAll } from "/program.mjs";
postMessage(await measureAll(() => import("/web/browser.js")));
`;

export const name = "in a browser";

export async function rows() {
  const files = new Map([
    ["/", HTML],
    ["/worker.mjs", WORKER],
    ["/peer.mjs", PEER],
    ["/vm.js", await bundledVm()],
    ["/program.mjs", readFileSync(at("browser-program.mjs"), "utf8")],
    ...readdirSync(at("../dist/web")).map((file) => [`/web/${file}`, readFileSync(at(`../dist/web/${file}`), "utf8")]),
  ]);
  const server = createServer(({ url }, response) => {
    const content = files.get(url);
    response.writeHead(content === undefined ? 404 : 200, {
      "content-type": url === "/" ? "text/html" : "text/javascript",
      // Each round loads everything again, and compiles it.
      "cache-control": "no-store",
    });
    response.end(content);
  });
  await new Promise((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const browser = await openBrowser();
  const found = { node: [], page: [], peer: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      found.node.push(JSON.parse(execFileSync(process.execPath, [at("browser-worker.mjs")], { encoding: "utf8" })));
      const address = `http://127.0.0.1:${server.address().port}/`;
      found.page.push(await inPage(browser, address, "/worker.mjs"));
      found.peer.push(await inPage(browser, address, "/peer.mjs"));
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
  return Object.fromEntries(
    Object.keys(found.node[0]).map((row) => {
      const [node, page, peer] = [found.node, found.page, found.peer].map((times) =>
        summary(times.map((each) => each[row])),
      );
      const beside = Number.isNaN(peer.medianMs)
        ? ""
        : `, ${(page.medianMs / peer.medianMs).toFixed(3)} of EthereumJS' ${peer.medianMs} ms`;
      return [
        row,
        { ...page, note: `${(page.medianMs / node.medianMs).toFixed(2)} of Node's ${node.medianMs} ms${beside}` },
      ];
    }),
  );
}

async function bundledVm() {
  const build = await rolldown({ input: at("ethereumjs-vm.mjs"), cwd: at(".."), platform: "browser" });
  const { output } = await build.generate({ format: "esm", minify: true });
  return output[0].code;
}

async function inPage(browser, address, program) {
  const page = await browser.context.newPage();
  try {
    await page.goto(address);
    return await page.evaluate(
      (path) =>
        new Promise((resolve, reject) => {
          const worker = new globalThis.Worker(path, { type: "module" });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        }),
      program,
    );
  } finally {
    await page.close();
  }
}
