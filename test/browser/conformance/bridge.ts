/** A server in front of a worker of a browser's page: the suites' own scripts ask it, as they would ask a node. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";
import { type BrowserName, useSite } from "../site.ts";

/** Runs tasks of the program, and gives their answers as text. */
const PAGE = `
const waiting = new Map();
const worker = new Worker("/hindcast/conformance.js", { type: "module" });
worker.onmessage = ({ data: { id, text, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) resolve(text);
  else reject(new Error(error));
};
globalThis.run = (task, text) =>
  new Promise((resolve, reject) => {
    const id = Math.random();
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, task, text });
  });
`;

export interface Bridge {
  /** Address to which a body of JSON-RPC is posted, or to \`/trace\` a fixture of tracers. */
  readonly url: string;
  /** What went wrong in the page beside tasks. */
  readonly problems: readonly string[];
  /** Runs a task of the program. @throws {Error} with the stack of what it threw */
  run(task: string, value: unknown): Promise<unknown>;
}

/** One worker of one page for the tests of a group. */
export function useBridge(browser: BrowserName): Bridge {
  const site = useSite(
    { "/bridge.js": PAGE },
    { browser, programs: { conformance: "test/browser/conformance/program.mjs" } },
  );
  let server: Server;
  let evaluate: (call: readonly [task: string, json: string]) => Promise<string>;
  const bridge: { -readonly [Member in keyof Bridge]: Bridge[Member] } = {
    url: "",
    problems: [],
    run: async (task, value) => JSON.parse(await runText(task, JSON.stringify(value))),
  };
  const runText = (task: string, json: string): Promise<string> => evaluate([task, json]);
  beforeAll(async () => {
    const { page, problems } = await site.open();
    await page.evaluate('import("/bridge.js").then(() => undefined)');
    // An argument: as part of a program, the text would be compiled.
    evaluate = (call) =>
      // biome-ignore lint/suspicious/noExplicitAny: it runs in the page, which has other globals
      page.evaluate(([task, json]: readonly string[]) => (globalThis as any).run(task, json), call);
    bridge.problems = problems;
    server = createServer(async (request, response) => {
      try {
        response.end(await runText(request.url === "/trace" ? "trace" : "post", await text(request)));
      } catch (error) {
        response.writeHead(500).end((error as Error).message);
      }
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    bridge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return bridge;
}
