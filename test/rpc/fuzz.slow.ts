/**
 * Random and mutated requests at a running server: each has to be answered with valid JSON-RPC that fits the document of
 * the methods, none may bring the process down or keep it, and its heap must not grow.
 */
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { describeMethods } from "../../src/rpc/openrpc/document.ts";
import { methods } from "../../src/rpc/registry.ts";
import { buildOnce } from "../support/build-once.ts";
import { testSeed } from "../support/seed.ts";
import { collectCorpus } from "./fuzz/corpus.ts";
import { type FuzzServer, startFuzzServer } from "./fuzz/fuzz-server.ts";
import { messages } from "./fuzz/messages.ts";
import { sendRound } from "./fuzz/send-round.ts";
import { closeCodeOf, rawBytes, sendRaw } from "./fuzz/wire.ts";

const REQUESTS = Number(process.env.HINDCAST_FUZZ_REQUESTS ?? 100_000);
/** After so many the server starts over from the same chain. */
const ROUND = 1_000;
/** After so many requests everything is loaded, compiled and cached. */
const WARM_UP_ROUNDS = 10;
/** In either half of the requests. */
const MAX_GROWTH_BYTES = 10_000_000;
/** The parts of a request that fuzz-server.mjs reads. */
const MAX_BODY_BYTES = 1_000_000;

it(`${REQUESTS} random requests are answered, and leave nothing behind`, async () => {
  buildOnce();
  const [corpus, server] = [await collectCorpus(), await startFuzzServer()];
  onTestFinished(() => server.stop());
  const document = describeMethods({ methods, version: "fuzz", answers: {} });
  // A mutation may make one longer than that, once in a hundred thousand; see sendAgainstTheRules.
  const all = messages(document, corpus).filter(({ bytes }) => bytes.length <= MAX_BODY_BYTES);
  const wrong: string[] = [];
  const heaps: number[] = [];
  let sent = 0;
  for (let round = 0; sent < REQUESTS; round++) {
    await server.restart(corpus.state);
    if (round === WARM_UP_ROUNDS) {
      heaps.push(await server.heap());
      sent = 0;
    }
    if (heaps.length === 1 && sent >= REQUESTS / 2) heaps.push(await server.heap());
    const batch = fc.sample(all, { seed: testSeed + round, numRuns: ROUND });
    wrong.push(...(await Promise.race([sendRound(server, batch), server.crashed])).wrong);
    await sendAgainstTheRules(server, testSeed + round);
    sent += batch.reduce((sum, { count }) => sum + count, 0);
    expect(wrong.length, `seed ${testSeed}, round ${round}: ${wrong.slice(0, 5).join("\n")}`).toBe(0);
  }
  await server.restart(corpus.state);
  heaps.push(await server.heap());
  const [before = 0, halfWay = 0, after = 0] = heaps;
  console.log(
    `${sent} requests, ${sent} answers; heap ${halfWay - before} and ${after - halfWay} bytes larger by halves`,
  );
  // What leaks grows all the time; a table that doubles or a cache that is in use just then shows in one half only.
  expect(Math.min(halfWay - before, after - halfWay)).toBeLessThan(MAX_GROWTH_BYTES);
});

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
