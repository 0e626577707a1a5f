// The library in a worker of Chromium beside the library in Node, with its compiled secp256k1 and without: fresh of all, in
// turn. And in the same page EthereumJS' VM, and Tevm, which is installed on first use.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { openBrowser } from "../test/explorer/browser.mjs";
import { summary } from "./measure.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const ROUNDS = 5;
/** Tevm is slow: it has fewer rounds, of a tenth of the requests each. */
const TEVM_ROUNDS = 3;
const HTML = '<!doctype html><meta charset="utf-8"><title>bench</title>';
/** EthereumJS' VM, bundled as pages do. */
const PEER = `
import { createEthereumJsVm } from "/vm.js";
import { measureCalls } from "/program.mjs";
const { ask } = await createEthereumJsVm();
postMessage(await measureCalls(ask));
`;
const TEVM = `
import { measureAll } from "/program.mjs";
const lacks = ["trace_callMany of 5 calls", "trace_transaction"];
postMessage(await measureAll(() => import("/tevm.js"), { lacks, share: 0.1 }));
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
    ["/tevm.mjs", TEVM],
    ["/tevm.js", await bundledTevm()],
    ["/vm.js", await bundled("ethereumjs-vm.mjs")],
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
  const found = { node: [], plain: [], page: [], vm: [], tevm: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      found.node.push(inNode());
      found.plain.push(inNode("--no-addons"));
      const address = `http://127.0.0.1:${server.address().port}/`;
      found.page.push(await inPage(browser, address, "/worker.mjs"));
      found.vm.push(await inPage(browser, address, "/peer.mjs"));
      if (round < TEVM_ROUNDS) found.tevm.push(await inPage(browser, address, "/tevm.mjs"));
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
  return Object.fromEntries(
    Object.keys(found.node[0]).map((row) => {
      const [node, plain, page, vm, tevm] = [found.node, found.plain, found.page, found.vm, found.tevm].map((times) =>
        summary(times.map((each) => each[row])),
      );
      const notes = [
        `${(page.medianMs / node.medianMs).toFixed(2)} of Node's ${node.medianMs} ms`,
        `${(page.medianMs / plain.medianMs).toFixed(2)} of the ${plain.medianMs} ms of Node without addons`,
        ...besides(page, vm, "EthereumJS' VM"),
        ...besides(page, tevm, "Tevm"),
      ];
      return [row, { ...page, note: notes.join(", ") }];
    }),
  );
}

/** A peer that has the row, and how the page's time compares with its own. */
function besides(page, peer, name) {
  if (Number.isNaN(peer.medianMs)) return [`no such row of ${name}`];
  return [`${(page.medianMs / peer.medianMs).toFixed(4)} of the ${peer.medianMs} ms of ${name}`];
}

async function bundledTevm() {
  const cwd = at("peers/tevm");
  if (!existsSync(`${cwd}/node_modules`))
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd, stdio: "inherit" });
  return bundled("peers/tevm/in-page.mjs");
}

/** A program and its packages in one file, as for pages. */
async function bundled(path) {
  // Tevm names it for threads, which it does not start in pages.
  const external = ["node:worker_threads"];
  const build = await rolldown({ input: at(path), cwd: at(".."), platform: "browser", external });
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false });
  return output[0].code;
}

function inNode(...flags) {
  return JSON.parse(execFileSync(process.execPath, [...flags, at("browser-worker.mjs")], { encoding: "utf8" }));
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
