/** Clients that a node must stand: ordinary ones, and ten that ask for as much as they may or break off in the middle. */
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { WebSocket } from "ws";
import type { OpenRpcDocument } from "../../src/rpc/openrpc/document-shape.ts";
import type { RunningNode } from "../e2e/a-command.ts";
import { LOOPS } from "../rpc/stopwatch.ts";
import { ALICE, BOB, CAROL } from "../support/a-node.ts";
import { deploying } from "../support/assembler.ts";
import { COUNTER, logCall } from "../support/contracts.ts";
import { type RequestBounds, worstRequests } from "./worst-requests.ts";

/** Milliseconds after which a client no longer waits for an answer, or for the next part of it: a trace may have gigabytes. */
const PATIENCE_MS = 600_000;
const BATCH = 1_000;
const GAS = "0x2faf080";
/** Where the code of an endless loop is, and a code of 24,000 bytes. */
const LOOPING = `0x${"ee".repeat(20)}`;
const LONG_CODE = `0x${"ef".repeat(20)}`;
/**
 * Not the entry of the code in the document of methods, and not a call that `eth_simulateV1` rejects: that has this code in
 * geth, too.
 */
const INTERNAL = /"error":\{"code":-32603,"message":"(?!err: [^"]*\(supplied gas \d)(.{0,200})/;

/** A request that was sent: by whom, and when it began and ended, in milliseconds since the machine's epoch. */
export interface Sent {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

/** What the attackers share. */
export interface Battle {
  readonly node: RunningNode;
  readonly document: OpenRpcDocument;
  readonly bounds: RequestBounds;
  readonly exampleOf: (method: string) => readonly unknown[];
  /** From 0 to 1. */
  readonly random: () => number;
  readonly isOver: () => boolean;
  readonly sent: Sent[];
  /** Answers that call an error internal, and answers that did not come. */
  readonly wrong: string[];
}

const now = (): number => performance.timeOrigin + performance.now();
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
const requestOf = (method: string, ...params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** Sends a body and reads its answer to the end, or until the time is over: a trace of 5 s has gigabytes. */
async function post({ node, sent, wrong, isOver }: Battle, label: string, body: string): Promise<void> {
  const from = now();
  const waiting = new AbortController();
  const patience = setTimeout(() => waiting.abort(new Error("nothing came for too long")), PATIENCE_MS);
  try {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(node.url, { method: "POST", headers, body, signal: waiting.signal });
    let end = "";
    const decoder = new TextDecoder();
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
      patience.refresh();
      const text = end + decoder.decode(chunk, { stream: true });
      const internal = INTERNAL.exec(text);
      if (internal !== null) wrong.push(`${label}: ${internal[1]}`);
      end = text.slice(-300);
      if (isOver()) break;
    }
  } catch (error) {
    wrong.push(`${label}: no answer, ${error} ${(error as Error).cause ?? ""}`);
  } finally {
    clearTimeout(patience);
  }
  sent.push({ label, from, to: now() });
}

const pick = <T>({ random }: Battle, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

type Client = (battle: Battle) => Promise<void>;

/** What a test suite or a page does. One turn. */
const ordinary: Client = async (battle) => {
  const from = pick(battle, [ALICE, BOB, CAROL]);
  const data = hex(deploying(COUNTER));
  const body = pick(battle, [
    requestOf("eth_sendTransaction", { from, to: BOB, value: "0x1" }),
    requestOf("eth_sendTransaction", { from, data }),
    requestOf("eth_call", { from, to: LONG_CODE, data: logCall([1, 2]) }, "latest"),
    requestOf("eth_getLogs", { fromBlock: "earliest" }),
    requestOf("eth_getBlockByNumber", "latest", true),
    requestOf("eth_estimateGas", { from, to: BOB, value: "0x1" }),
    requestOf("eth_feeHistory", "0x10", "latest", [50]),
    requestOf("trace_block", "latest"),
  ]);
  await post(battle, "ordinary", body);
  await delay(20);
};

/** The largest requests of a method, one after the other. */
const largest: Client = async (battle) => {
  const described = pick(battle, battle.document.methods);
  for (const { method, place, params } of worstRequests({ ...battle.document, methods: [described] }, battle.bounds)) {
    if (battle.isOver()) return;
    const body = requestOf(method, ...params);
    if (body.length <= battle.bounds.characters + 5_000) await post(battle, `${method} ${place}`, body);
  }
};

const batches: Client = async (battle) => {
  const { name } = pick(battle, battle.document.methods);
  const request = requestOf(name, ...battle.exampleOf(name));
  await post(battle, `batch of ${name}`, `[${Array(BATCH).fill(request).join(",")}]`);
};

const endlessCalls: Client = async (battle) => {
  const [name, code] = pick(battle, Object.entries(LOOPS));
  const overrides = { [LOOPING]: { code: hex(code) } };
  const body = requestOf("eth_call", { from: ALICE, to: LOOPING, gas: GAS }, "latest", overrides);
  await Promise.all(Array.from({ length: 8 }, () => post(battle, `endless call that ${name}`, body)));
};

const endlessTraces: Client = async (battle) => {
  const [name, code] = pick(battle, Object.entries(LOOPS));
  const call = { from: ALICE, to: LOOPING, gas: GAS };
  const stateOverrides = { [LOOPING]: { code: hex(code) } };
  const tracers = ["callTracer", "flatCallTracer", "prestateTracer", "4byteTracer"].map((tracer) => ({ tracer }));
  const [label, body] = pick(battle, [
    ...[{}, ...tracers].map((config) => {
      const request = requestOf("debug_traceCall", call, "latest", { ...config, stateOverrides });
      return ["tracer" in config ? config.tracer : "struct logs", request] as const;
    }),
    ...["trace", "vmTrace"].map(
      (type) => [type, requestOf("trace_call", call, [type], "latest", stateOverrides)] as const,
    ),
    ["gas profile", requestOf("hindcast_gasProfileCall", call, "latest", stateOverrides)] as const,
  ]);
  await post(battle, `${label} of what ${name}`, body);
};

const longBatch = (count: number): string => `[${Array(count).fill(requestOf("eth_getCode", LONG_CODE)).join(",")}]`;

/** Readers over WebSocket that stop; they are cut off after half a minute. */
const stoppedSockets: Client = async ({ node, isOver }) => {
  const sockets = Array.from({ length: 10 }, () => {
    const socket = new WebSocket(node.url.replace("http", "ws")).on("error", () => undefined);
    socket.on("open", () => {
      (socket as unknown as { readonly _socket: Socket })._socket.pause();
      for (let count = 0; count < 30; count++) socket.send(longBatch(20));
    });
    return socket;
  });
  await pauseUnless(isOver, 35_000);
  for (const socket of sockets) socket.terminate();
};

/** Bytes to the node's port, and nobody who reads the answer. */
function send(node: RunningNode, text: string): Socket {
  const socket = connect(node.port, "127.0.0.1").on("error", () => undefined);
  socket.pause();
  socket.write(text);
  return socket;
}

const headOf = (length: number): string =>
  `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

const stoppedReaders: Client = async ({ node, isOver }) => {
  const body = longBatch(900);
  const sockets = Array.from({ length: 10 }, () => send(node, headOf(body.length) + body));
  await pauseUnless(isOver, 10_000);
  for (const socket of sockets) socket.destroy();
};

/** Requests that never become whole: half a head, half a body, half an upgrade. */
const halfOpen: Client = async (battle) => {
  const texts = [
    "POST / HT",
    headOf(1_000_000),
    `${headOf(9_000_000)}[${"[".repeat(4_000_000)}`,
    "GET / HTTP/1.1\r\nupg",
  ];
  const sockets = Array.from({ length: 50 }, () => send(battle.node, pick(battle, texts)));
  await pauseUnless(battle.isOver, 15_000);
  for (const socket of sockets) socket.destroy();
};

const floods: Client = async (battle) => {
  const [label, body] = pick<readonly [string, () => string]>(battle, [
    ["brackets", () => "[".repeat(10_000_000)],
    ["nested params", () => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${"[".repeat(4_000_000)}`],
    ["many lists", () => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${"[],".repeat(3_000_000)}[]]}`],
    ["a long text", () => requestOf("eth_call", "x".repeat(9_000_000))],
    ["bytes", () => "\u0000".repeat(10_000_000)],
  ]);
  await post(battle, label, body());
};

const STATE_OF_LISTS = requestOf(
  "anvil_loadState",
  hex(gzipSync(Buffer.concat([Buffer.from("["), Buffer.alloc(3 * 40_000_000, "[],"), Buffer.from("[]]")]))),
);

/** State files: a bomb, and one of 20,000 slots. */
const stateFiles: Client = async (battle) => {
  await post(battle, "a packed state file of lists", STATE_OF_LISTS);
  const storage = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, slot) => [`0x${slot.toString(16).padStart(64, "0")}`, `0x${"01".repeat(32)}`]),
  );
  const accounts = { [LOOPING]: { nonce: 1, balance: "0x1", code: "0x", storage } };
  const file = hex(gzipSync(JSON.stringify({ accounts })));
  await post(battle, "a state file of 20,000 slots", requestOf("anvil_loadState", file));
};

/** Connections that end as soon as their request is sent. */
const leavers: Client = async (battle) => {
  const [, code] = pick(battle, Object.entries(LOOPS));
  const overrides = { [LOOPING]: { code: hex(code) } };
  const body = requestOf("eth_call", { from: ALICE, to: LOOPING, gas: GAS }, "latest", overrides);
  const sockets = Array.from({ length: 20 }, () => send(battle.node, headOf(body.length) + body));
  await delay(battle.random() * 300);
  for (const socket of sockets) socket.destroy();
};

async function pauseUnless(isOver: () => boolean, ms: number): Promise<void> {
  for (let waited = 0; waited < ms && !isOver(); waited += 500) await delay(500);
}

export const ATTACKERS: Readonly<Record<string, Client>> = {
  "largest requests": largest,
  batches,
  "endless calls": endlessCalls,
  "endless traces": endlessTraces,
  "WebSocket readers that stop": stoppedSockets,
  "HTTP readers that stop": stoppedReaders,
  "half-open connections": halfOpen,
  "floods of brackets and bytes": floods,
  "state files": stateFiles,
  "clients that leave": leavers,
};

/** Runs all attackers and some ordinary clients until the battle is over; counts their turns. */
export async function fight(battle: Battle): Promise<Record<string, number>> {
  await battle.node.ask("anvil_setCode", LONG_CODE, hex(new Uint8Array(24_000)));
  const turns: Record<string, number> = {};
  const all: [string, Client][] = [...Object.entries(ATTACKERS), ...Array(4).fill(["ordinary clients", ordinary])];
  await Promise.all(
    all.map(async ([name, client]) => {
      while (!battle.isOver()) {
        await client(battle);
        turns[name] = (turns[name] ?? 0) + 1;
      }
    }),
  );
  return turns;
}
