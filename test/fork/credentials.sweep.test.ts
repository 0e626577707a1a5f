/** The URL and the headers of an upstream node contain keys: none of them is in a log, an error, an answer or a file. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { aNodeRun, type NodeRun } from "../cli/a-run.ts";
import { READING, type Recording, WRITING } from "../rpc/recorded-requests.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, aNode, BOB } from "../support/a-node.ts";
import { post } from "../support/post.ts";
import { isSlow, sweep } from "../support/seed.ts";

const USER = "some-user-name";
const PASSWORD = "p4ss-w0rd";
const KEYS = ["k3y-in-the-path", "k3y-in-the-query", "t0ken-in-a-header"] as const;
const [IN_PATH, IN_QUERY, IN_HEADER] = KEYS;
const SECRETS = [...KEYS, USER, PASSWORD, Buffer.from(`${USER}:${PASSWORD}`).toString("base64")];

interface Repeating {
  readonly url: string;
  /** Whether each answer is an error with all that the request had. */
  repeats: boolean;
  /** Requests that had every secret. */
  seen: number;
}

const sent = ({ url, headers }: IncomingMessage): string => JSON.stringify({ url, headers });

/** An upstream node that can answer with the credentials that it was sent. */
async function anUpstream(chain: HindcastNode): Promise<Repeating> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if ([IN_PATH, IN_QUERY, IN_HEADER].every((key) => sent(request).includes(key))) upstream.seen++;
    const answer = async ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
      const head = { jsonrpc: "2.0", id };
      if (upstream.repeats)
        return { ...head, error: { code: -32000, message: `no: ${sent(request)}`, data: sent(request) } };
      return chain.provider.send(method, params).then(
        (result) => ({ ...head, result }),
        ({ code, message }) => ({ ...head, error: { code, message } }),
      );
    };
    response.end(JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${USER}:${PASSWORD}@${host}/v2/${IN_PATH}?apikey=${IN_QUERY}`;
  const upstream: Repeating = { url, repeats: false, seen: 0 };
  return upstream;
}

/** The recorded requests whose params need no chain of their own. */
function requests(
  recordings: ReadonlyMap<string, readonly Recording[]>,
): [method: string, params: readonly unknown[]][] {
  return [...recordings].flatMap(([method, all]) =>
    all.flatMap(({ params }): [string, readonly unknown[]][] => (Array.isArray(params) ? [[method, params]] : [])),
  );
}

/** Answers and errors as they were received. */
async function answersTo(node: NodeRun, all: readonly (readonly [string, readonly unknown[]])[]): Promise<string> {
  const texts: string[] = [];
  for (const [method, params] of all) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    texts.push((await post(node.url, body)).text);
  }
  return texts.join("\n");
}

function filesIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
  return files.map((file) => `${file} ${readFileSync(file, "latin1")}`).join("\n");
}

const FORMS = [
  ["as text", "-vvv"],
  ["as JSON", "--json"],
] as const;

it.each(FORMS)("logs %s, answers, errors, dumps and caches", async (_form, flag) => {
  const chain = await aNode();
  for (let block = 0; block < 3; block++) {
    await chain.provider.send("eth_sendTransaction", [{ from: ALICE, to: BOB, value: "0x1" }]);
  }
  const upstream = await anUpstream(chain);
  const cache = await aFolder();
  const flags = ["--fork-url", upstream.url, "--fork-header", `x-api-key: ${IN_HEADER}`, "--fork-retry-backoff", "5"];
  const node = await aNodeRun([...flags, "--cache-path", cache, "--retries", "1", flag]);
  // The form of the logs does not change the answers: in default tests each request is asked with one of
  // them, and every third not at all: what they have in common is the upstream.
  const isChosen = (index: number): boolean => index % 3 === FORMS.findIndex(([, own]) => own === flag);
  const reading = sweep(requests(READING), (_, index) => isChosen(index));
  const writing = sweep(
    requests(WRITING).filter(([method]) => !/reset|setRpcUrl/.test(method)),
    (_, index) => isChosen(index),
  );
  const shown = [await answersTo(node, reading)];
  upstream.repeats = true;
  shown.push(await answersTo(node, reading));
  upstream.repeats = false;
  const resets: [string, unknown[]][] = [
    ["anvil_setRpcUrl", [upstream.url]],
    ["anvil_reset", [{ forking: { jsonRpcUrl: upstream.url, blockNumber: 2 } }]],
    ["hardhat_reset", [{ forking: { jsonRpcUrl: `${upstream.url}&more=1`, httpHeaders: { "x-api-key": IN_HEADER } } }]],
    ["anvil_nodeInfo", []],
    ["hardhat_metadata", []],
    ["hindcast_nodeInfo", []],
  ];
  shown.push(await answersTo(node, resets));
  const dump = String(await node.ask("anvil_dumpState"));
  shown.push(gunzipSync(Buffer.from(dump.slice(2), "hex")).toString("latin1"));
  upstream.repeats = true;
  shown.push(await answersTo(node, [...resets, ...writing]));
  const { stdout, stderr } = await node.stop();
  expect(upstream.seen).toBeGreaterThan(isSlow ? 20 : 15);
  expect(shown.join("\n")).toContain("The upstream");
  const all = [...shown, stdout, stderr, filesIn(cache)].join("\n");
  for (const secret of SECRETS) expect(all.includes(secret), secret).toBe(false);
});
