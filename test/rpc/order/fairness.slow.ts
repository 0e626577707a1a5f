/**
 * One connection's long batch beside another's single requests, in milliseconds: the second waits no longer than one answer
 * of the first takes, beyond what an idle server in the same run takes.
 *
 * The longest wait may be twice that: among hundreds one meets a collection of garbage, or the machine's other programs.
 * These may hold up a whole measurement, too, so that there are up to three. A node that holds up others does it in each.
 */
import { expect, it } from "vitest";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, serve } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { answersDuring } from "../stopwatch.ts";

const BATCH = 1_000;
/** A batch of short answers is over after a few answers beside it. Batches follow each other until then. */
const LEAST_MS = 1_000;
/** Of a turn of the event loop, for answers that take less. */
const TURN_MS = 10;
const TARGET = `0x${"ee".repeat(20)}`;
/** Some thousand turns of a loop. */
const WORKS = assemble("20000 loop: 1 SWAP1 SUB DUP1 @loop JUMPI STOP");

it.each<[string, ...unknown[]]>([
  ["eth_feeHistory", "0x400", "latest", [10, 50, 90]],
  ["eth_getBlockByNumber", "latest", true],
  ["eth_call", { from: ALICE, to: TARGET }, "latest", { [TARGET]: { code: encodeData(WORKS) } }],
  ["debug_traceCall", { from: ALICE, to: TARGET }, "latest", { tracer: "callTracer" }],
  ["eth_sendTransaction", { from: ALICE, to: ALICE }],
])(
  "beside a batch of 1,000 %s nobody waits longer than for one of its answers",
  { retry: 2 },
  async (method, ...params) => {
    const ended: number[] = [];
    const node = await aNode({ onRequest: (name) => void (name === method && ended.push(performance.now())) });
    await node.provider.request({ method: "hindcast_mine", params: [{ blocks: 1_200 }] });
    const { plain } = await serve(node);
    const request = { jsonrpc: "2.0", id: 1, method, params };
    // The client is in the node's thread: to put an answer of 37 MB together would hold up the others for 250 ms.
    const ask = async (body: unknown): Promise<void> => {
      const headers = { "content-type": "application/json" };
      const reply = await fetch(plain.url, { method: "POST", headers, body: JSON.stringify(body) });
      for await (const _ of reply.body as unknown as AsyncIterable<Uint8Array>);
    };
    // Loads the method's code.
    await ask(request);
    ended.length = 0;
    const until = performance.now() + LEAST_MS;
    const answers = await answersDuring(plain.url, async () => {
      do await ask(Array(BATCH).fill(request));
      while (performance.now() < until);
    });
    expect(ended.length % BATCH).toBe(0);
    const took = ended
      .slice(1)
      .flatMap((at, index) => ((index + 1) % BATCH === 0 ? [] : at - (ended[index] as number)));
    for (const [of, times] of [
      [middle, 1],
      [longest, 2],
    ] as const) {
      const one = times * Math.max(TURN_MS, of(took));
      const wait = of(answers.map(({ elapsedMs }) => elapsedMs));
      const control = of(answers.map(({ controlMs }) => controlMs));
      console.log(`${method}: ${answers.length} answers, ${of.name} ${wait} ms, at most ${one}, control ${control}`);
      expect(wait).toBeLessThan(one + control);
    }
  },
);

const longest = (times: readonly number[]): number => Math.max(...times);
const middle = (times: readonly number[]): number =>
  times.toSorted((left, right) => left - right)[times.length >> 1] ?? 0;
