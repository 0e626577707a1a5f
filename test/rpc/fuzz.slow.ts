/**
 * Random and mutated requests at a running server: each has to be answered with valid JSON-RPC that fits the document of
 * the methods, none may bring the process down or keep it, and its heap must not grow.
 */
import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { describeMethods } from "../../src/rpc/openrpc/document.ts";
import { methods } from "../../src/rpc/registry.ts";
import { buildOnce } from "../support/build-once.ts";
import { testSeed } from "../support/seed.ts";
import { collectCorpus } from "./fuzz/corpus.ts";
import { type FuzzServer, startFuzzServer } from "./fuzz/fuzz-server.ts";
import { type Message, messages } from "./fuzz/messages.ts";
import { isAnswered, wrongWith } from "./fuzz/verdict.ts";
import { closeCodeOf, type Door, httpDoor, inTime, rawBytes, sendRaw, webSocketDoor } from "./fuzz/wire.ts";

const REQUESTS = Number(process.env.HINDCAST_FUZZ_REQUESTS ?? 100_000);
/** After so many the server starts over from the same chain. */
const ROUND = 1_000;
/** After so many requests everything is loaded, compiled and cached. */
const WARM_UP_ROUNDS = 10;
const MAX_GROWTH_BYTES = 20_000_000;
/** The parts of a request that fuzz-server.mjs reads. */
const MAX_BODY_BYTES = 1_000_000;

it(`${REQUESTS} random requests are answered, and leave nothing behind`, { timeout: 1_800_000 }, async () => {
  buildOnce();
  const [corpus, server] = [await collectCorpus(), await startFuzzServer()];
  onTestFinished(() => server.stop());
  const document = describeMethods({ methods, version: "fuzz", examples: {} });
  // A mutation may make one longer than that, once in a hundred thousand; see sendAgainstTheRules.
  const all = messages(document, corpus).filter(({ bytes }) => bytes.length <= MAX_BODY_BYTES);
  const wrong: string[] = [];
  let heapBefore = 0;
  let sent = 0;
  for (let round = 0; sent < REQUESTS; round++) {
    await server.restart(corpus.state);
    if (round === WARM_UP_ROUNDS) {
      heapBefore = await server.heap();
      sent = 0;
    }
    const batch = fc.sample(all, { seed: testSeed + round, numRuns: ROUND });
    wrong.push(...(await Promise.race([sendRound(server, batch), server.crashed])));
    await sendAgainstTheRules(server, testSeed + round);
    sent += batch.reduce((sum, { count }) => sum + count, 0);
    expect(wrong.length, `seed ${testSeed}, round ${round}: ${wrong.slice(0, 5).join("\n")}`).toBe(0);
  }
  await server.restart(corpus.state);
  const growth = (await server.heap()) - heapBefore;
  console.log(`${sent} requests, ${sent} answers; heap ${growth} bytes larger`);
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
});

/** Sends messages through several doors at once; returns what was wrong with answers. */
async function sendRound(server: FuzzServer, round: readonly Message[]): Promise<string[]> {
  const doors: Door[] = [httpDoor(server.port, "/"), httpDoor(server.port, "/v4/ethereum/non-archival/mainnet")];
  doors.push(await webSocketDoor(server.port), await webSocketDoor(server.port));
  const wrong: string[] = [];
  // Bytes that are not UTF-8 close a WebSocket.
  const queues = { any: round.filter(({ bytes }) => isUtf8(bytes)), http: round.filter(({ bytes }) => !isUtf8(bytes)) };
  const work = async (door: Door, isHttp: boolean): Promise<void> => {
    for (;;) {
      const next = (isHttp ? queues.http.pop() : undefined) ?? queues.any.pop();
      if (next === undefined) return;
      const shown = (): string => Buffer.from(next.bytes).toString().slice(0, 3_000);
      try {
        const answer = await inTime(door.send(next.bytes, isAnswered(next.bytes)), shown);
        const problem = wrongWith(next.bytes, answer);
        if (problem !== undefined) wrong.push(`${problem}\n  to ${shown()}\n  was answered ${answer?.slice(0, 1_000)}`);
      } catch (error) {
        wrong.push(`${String(error)}\n  to ${shown()}`);
      }
    }
  };
  try {
    await Promise.all(doors.map((door, index) => work(door, index < 2)));
  } finally {
    for (const door of doors) door.close();
  }
  return wrong;
}

/** Too long messages, WebSocket messages that must be refused by closing, and bytes that follow no protocol. */
async function sendAgainstTheRules({ port }: FuzzServer, seed: number): Promise<void> {
  expect(await closeCodeOf(port, Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'), true)).toBe(1003);
  const tooLong = Buffer.alloc(MAX_BODY_BYTES + 1, " ");
  expect(await closeCodeOf(port, tooLong, false)).toBe(1009);
  const headers = { "content-type": "application/json" };
  const refusal = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: tooLong });
  expect([refusal.status, await refusal.json()]).toMatchObject([413, { id: null, error: { code: -32600 } }]);
  expect(await closeCodeOf(port, Uint8Array.of(0xff, 0xfe), false)).toBe(1007);
  await Promise.all(fc.sample(rawBytes, { seed, numRuns: 10 }).map((bytes) => sendRaw(port, bytes)));
}
