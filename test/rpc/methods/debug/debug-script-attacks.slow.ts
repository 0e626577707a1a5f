/**
 * JavaScript tracers that keep their thread busy, in their own code and in built-in functions that nothing interrupts: each
 * ends by its limit, other clients hardly wait, and the next tracer runs.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, openNode, type ServedNode, serve } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { answersDuring, longestWait } from "../../stopwatch.ts";

const TARGET = addressText(0xbb);
/** Five times the aim, beyond what an idle server takes beside the node. */
const LONGEST_WAIT_MS = 500;
/** Limits of a tracer's functions. */
const STEP_MS = 250;
const RESULT_MS = 2_000;

const ENDLESS = encodeData(assemble("loop: 0 @loop JUMP"));
const stepping = (statement: string): string =>
  `{step: function(log, db) { ${statement} }, fault: function() {}, result: function() { return 1; }}`;
const giving = (expression: string): string =>
  `{fault: function() {}, result: function(ctx, db) { return ${expression}; }}`;

const MARKS = "'\\u0315\\u0300'.repeat(4e4)";
const BUILT_INS: Readonly<Record<string, string>> = {
  "normalizes text": `('a' + ${MARKS}).normalize('NFC')`,
  "replaces by what stands before": "'a'.repeat(1e6).replace(/a/g, '$`')",
  "searches an array again and again": "for (var a = new Array(10000).fill(0); ; ) a.indexOf(1)",
  "writes a long number": "(3n ** 620000n).toString()",
  "evaluates a long text": "eval('[' + '1,'.repeat(5e6) + ']')",
  "compares in the order of a language": `('a' + ${MARKS}).localeCompare('b' + ${MARKS})`,
};
const ASKING = "for (var i = 0; ; i++) db.getBalance(toAddress(toHex([i >> 16, i >> 8, i])))";

let served: ServedNode;
beforeAll(async () => {
  served = await serve(await openNode());
});
afterAll(() => served.node.close());

/**
 * Text of a tracer's refusal, and how long it took beyond what is taken by a harmless tracer that needs a new thread, as
 * the one after an attack does. Checks how long another client waits meanwhile.
 */
async function attack(tracer: string, timeout = "60s") {
  const params = [
    { from: ALICE, to: TARGET, gas: "0x1c9c380" },
    "latest",
    { tracer, timeout, stateOverrides: { [TARGET]: { code: ENDLESS } } },
  ];
  let message = "";
  let tookMs = 0;
  const answers = await answersDuring(served.plain.url, async () => {
    const start = performance.now();
    message = (await served.plain.failure("debug_traceCall", ...params)).message;
    tookMs = performance.now() - start;
  });
  const waitMs = longestWait(answers);
  console.log(`another client waits ${waitMs.toFixed(0)} ms at most, the tracer ends after ${tookMs.toFixed(0)} ms`);
  expect(waitMs).toBeLessThan(LONGEST_WAIT_MS);
  return { message, beyondMs: tookMs - (await harmlessMs()) };
}

/** The time of a tracer that ends by itself. */
async function harmlessMs(): Promise<number> {
  const start = performance.now();
  const params = [{ to: ALICE }, "latest", { tracer: giving("'alive'") }];
  expect(await served.plain.ask("debug_traceCall", ...params)).toBe("alive");
  return performance.now() - start;
}

it("of many steps that each stay below their limit, all waiting is the tracer's own", async () => {
  const { message, beyondMs } = await attack(stepping("for (var i = 0; i < 200000; i++);"), "5s");
  // On a busy machine even one of the steps may take longer than it may.
  expect(message).toMatch(/^The tracer(?: took longer than the time limit of the trace|'s function step ran longer)/);
  expect(beyondMs).toBeLessThan(2 * 5_000);
});

it.each([...Object.entries(BUILT_INS), ["asks for the state again and again", ASKING] as const])(
  "a step that %s ends in time",
  async (_what, statement) => {
    const { message, beyondMs } = await attack(stepping(statement));
    expect(message).toMatch(/^The tracer's function step ran longer than 250 ms\./);
    expect(beyondMs).toBeLessThan(8 * STEP_MS);
  },
);

it.each(Object.entries(BUILT_INS))("a definition that %s ends in time", async (_what, statement) => {
  const { message, beyondMs } = await attack(`(function() { ${statement}; return {}; })()`);
  expect(message).toMatch(/^The tracer's function define ran longer than 250 ms\./);
  expect(beyondMs).toBeLessThan(8 * STEP_MS);
});

it("a result ends in time", async () => {
  const params = [{ to: ALICE }, "latest", { tracer: giving("(3n ** 620000n).toString()") }];
  const start = performance.now();
  const failure = await served.plain.failure("debug_traceCall", ...params);
  expect(failure.message).toMatch(/^The tracer's function result ran longer than 2000 ms\./);
  const tookMs = performance.now() - start;
  expect(tookMs - (await harmlessMs())).toBeLessThan(2 * RESULT_MS);
});

it("ten of them at once hold nobody else", async () => {
  const answers = await answersDuring(served.plain.url, () =>
    Promise.all(
      Array.from({ length: 10 }, () =>
        served.plain.failure("debug_traceCall", { to: ALICE }, "latest", {
          tracer: giving("(3n ** 620000n).toString()"),
        }),
      ),
    ),
  );
  const waitMs = longestWait(answers);
  console.log(`beside ten tracers another client waits ${waitMs.toFixed(0)} ms at most`);
  expect(waitMs).toBeLessThan(LONGEST_WAIT_MS);
});
