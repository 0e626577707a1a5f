/** Random requests, made from the document of the methods, over HTTP, WebSocket and a socket file, at one server. */
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { describeMethods } from "../../src/rpc/openrpc/document.ts";
import { methods } from "../../src/rpc/registry.ts";
import { collectCorpus } from "../rpc/fuzz/corpus.ts";
import { startFuzzServer } from "../rpc/fuzz/fuzz-server.ts";
import { messages } from "../rpc/fuzz/messages.ts";
import { sendRound } from "../rpc/fuzz/send-round.ts";
import { buildOnce } from "../support/build-once.ts";
import { testSeed } from "../support/seed.ts";
import { counts, keep, percentile, processorMs, startClock, trendOf } from "./figures.ts";

/** Messages after which the server starts over from the same chain. */
const ROUND = 1_000;
const MAX_BODY_BYTES = 1_000_000;

it(`${counts.requests} random requests are answered by the document`, { timeout: 0 }, async () => {
  buildOnce();
  const [corpus, server] = [await collectCorpus(), await startFuzzServer()];
  onTestFinished(() => server.stop());
  const document = describeMethods({ methods, version: "campaign", answers: {} });
  const all = messages(document, corpus).filter(({ bytes }) => bytes.length <= MAX_BODY_BYTES);
  const medians: number[] = [];
  const slowest: number[] = [];
  const processor: number[] = [];
  const resident: number[] = [];
  let sent = 0;
  const isTimeOver = startClock();
  for (let round = 0; sent < counts.requests && !isTimeOver(); round++) {
    await server.restart(corpus.state);
    const batch = fc.sample(all, { seed: testSeed + round, numRuns: ROUND });
    const processorBefore = processorMs(server.pid);
    const { wrong, latencies } = await Promise.race([sendRound(server, batch), server.crashed]);
    expect(wrong.length, `seed ${testSeed}, round ${round}: ${wrong.slice(0, 5).join("\n")}`).toBe(0);
    const requests = batch.reduce((sum, { count }) => sum + count, 0);
    sent += requests;
    processor.push((processorMs(server.pid) - processorBefore) / requests);
    medians.push(percentile(latencies, 0.5));
    slowest.push(Math.max(...latencies));
    resident.push(await server.resident());
  }
  keep("requests", {
    seed: testSeed,
    requests: sent,
    medianMs: trendOf(medians),
    processorMs: trendOf(processor),
    slowestMs: Math.max(...slowest),
    residentBytes: trendOf(resident),
  });
});
