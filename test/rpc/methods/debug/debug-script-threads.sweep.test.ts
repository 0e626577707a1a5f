/** Threads of JavaScript tracers: what a script sees of the state from there, what ends a thread, and what follows. */
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aNode, BOB, openNode, quantity, type ServedNode, serve } from "../../../support/a-node.ts";
import { assemble, calling } from "../../../support/assembler.ts";
import { COUNTER, deploy, send } from "../../../support/contracts.ts";
import { onEngine } from "../../../support/per-engine.ts";
import { isSlow, sweep } from "../../../support/seed.ts";

const TARGET = addressText(0xbb);
const OTHER = addressText(0xcc);
const ENDLESS = assemble("loop: @loop JUMP");
const COUNT =
  "{count: 0, step: function() { this.count++; }, fault: function() {}, result: function() { return this.count; }}";
/** Steps that stay below the limit each. */
const SLOW = "{step: function() { for (var i = 0; i < 20000; i++); }, fault: function() {}, result: function() {}}";
/** Is in a function that nothing interrupts. */
const STUCK = "{step: function() { (3n ** 620000n).toString(); }, fault: function() {}, result: function() {}}";

const seeing = (expression: string): string =>
  `{seen: [], step: function(log, db) { this.seen.push(${expression}); }, fault: function() {}, ` +
  "result: function(ctx, db) { return this.seen; }}";
const paramsOf = (tracer: string, code: Uint8Array, more: Record<string, unknown> = {}) => [
  { from: ALICE, to: TARGET, gas: "0xf4240", value: "0x64" },
  "latest",
  { tracer, stateOverrides: { [TARGET]: { code: encodeData(code) } }, ...more },
];

describe.each(["wasm", "ethereumjs"] as const)("a script beside the engine %s", (engine) => {
  const it = onEngine(engine);
  let served: ServedNode;
  beforeAll(async () => {
    served = await serve(await openNode({ engine, hardfork: "cancun", mining: "manual" }));
  });
  afterAll(() => served.node.close());
  const trace = (tracer: string, code: Uint8Array): Promise<unknown> =>
    served.plain.ask("debug_traceCall", ...paramsOf(tracer, code));

  it("sees the state of the moment in the middle of a transaction", async () => {
    const slot = "db.getState(log.contract.getAddress(), toWord('0x0'))[31]";
    expect(await trace(seeing(slot), assemble("5 0 SSTORE 7 0 SSTORE STOP"))).toEqual([0, 0, 0, 5, 5, 5, 7]);
    // 100 came with the call, 40 go on.
    const balances = `[db.getBalance(log.contract.getAddress()).toString(), db.getBalance(toAddress('${OTHER}')).toString()].join()`;
    const sending = `0 0 0 0 40 ${OTHER} GAS CALL POP`;
    const seen = (await trace(seeing(balances), assemble(sending))) as string[];
    expect([seen[0], seen.at(-1)]).toEqual(["100,0", "60,40"]);
    expect(new Set(seen.slice(0, 8))).toEqual(new Set(["100,0"]));
  });

  it.runIf(isSlow)("sees it taken back where a frame failed", async () => {
    // Sends itself a call that stores and fails.
    const code = assemble(`
      CALLDATASIZE @inner JUMPI
      0 0 1 0 0 ADDRESS GAS CALL POP STOP
      inner: 9 0 SSTORE 0 0 REVERT
    `);
    const slot = "log.getDepth() * 100 + db.getState(log.contract.getAddress(), toWord('0x0'))[31]";
    const seen = (await trace(seeing(slot), code)) as number[];
    expect(seen.filter((value) => value > 200).at(-1)).toBe(209);
    expect(seen.at(-1)).toBe(100);
  });

  it("sees the hash of an ancestor that its code asks for", async () => {
    await served.node.mine({ blocks: 3 });
    const { hash } = (await served.plain.ask("eth_getBlockByNumber", "0x2", false)) as { hash: Hex };
    const seen = await trace(
      seeing("log.stack.length() ? log.stack.peek(0).toString(16) : ''"),
      assemble("2 BLOCKHASH STOP"),
    );
    expect(BigInt(`0x${(seen as string[]).at(-1)}`)).toBe(BigInt(hash));
  });

  it.runIf(isSlow)("runs in the middle of a block, each transaction on what those before have left", async () => {
    const { node, plain } = served;
    await plain.ask("anvil_setCode", TARGET, encodeData(COUNTER));
    const hashes: Hex[] = [];
    for (let count = 0; count < 3; count++) hashes.push(await send(node, { to: TARGET, gas: "0x186a0" }));
    await node.mine();
    const tracer = `{fault: function() {}, result: function(ctx, db) { return db.getState(ctx.to, toWord('0x0'))[31]; }}`;
    const traces = (await plain.ask("debug_traceBlockByNumber", "latest", { tracer })) as { result: unknown }[];
    expect(traces.map(({ result }) => result)).toEqual([1, 2, 3]);
    expect(await plain.ask("debug_traceTransaction", hashes[1], { tracer })).toBe(2);
  });
});

describe("threads of scripts", () => {
  it("go on after one was ended: the next tracer has another, and gives what it gave before", async () => {
    const { plain } = await serve(await aNode());
    const code = assemble(calling("CALL", decodeData(BOB)));
    const before = await plain.ask("debug_traceCall", ...paramsOf(COUNT, code));
    const failure = await plain.failure("debug_traceCall", ...paramsOf(STUCK, code));
    expect([failure.code, failure.message]).toEqual([
      -32005,
      "The tracer's function step ran longer than 250 ms. Make the tracer do less at a time.",
    ]);
    expect(await plain.ask("debug_traceCall", ...paramsOf(COUNT, code))).toBe(before);
  });

  it.runIf(isSlow)("serve several requests at once, in line where there are more of them", async () => {
    const { plain } = await serve(await aNode());
    const slow = plain.failure("debug_traceCall", ...paramsOf(SLOW, ENDLESS, { timeout: "200ms" }));
    const counts = Array.from({ length: 6 }, (_, index) =>
      plain.ask("debug_traceCall", ...paramsOf(COUNT, assemble("1 POP ".repeat(index + 1)))),
    );
    // Every program ends with an implicit STOP.
    expect(await Promise.all(counts)).toEqual([3, 5, 7, 9, 11, 13]);
    // The engine looks at the clock, too, and on a busy machine may be the first.
    expect((await slow).message).toMatch(
      /^(The execution took longer than its limit of 200 ms\.|The tracer took longer than the time limit of the trace\.)/,
    );
  });

  it("are not waited for longer than the request may last", async () => {
    const { node, plain } = await serve(await aNode());
    const end = await allThreadsBusy(node);
    const failure = await plain.failure("debug_traceCall", ...paramsOf(COUNT, assemble("STOP"), { timeout: "20ms" }));
    expect(failure.message).toMatch(/took longer than/);
    await end();
  });

  it("tell a loop without a step function by the time limit of the execution", async () => {
    const { plain } = await serve(await aNode({ limits: { callGasLimit: 10n ** 12n } }));
    const tracer = "{fault: function() {}, result: function() {}}";
    const [call, ...rest] = paramsOf(tracer, ENDLESS, { timeout: "100ms" });
    const params = [{ ...(call as object), gas: quantity(10n ** 12n) }, ...rest];
    expect((await plain.failure("debug_traceCall", ...params)).message).toMatch(
      /^(The execution took longer than its limit of 100 ms\.|The tracer took longer than the time limit of the trace\.)/,
    );
  });

  it.each(
    sweep(
      [
        ["between steps", SLOW],
        ["in a function that nothing interrupts", STUCK],
      ] as const,
      ([, code]) => code === STUCK,
    ),
  )("end with a request that its caller aborts, %s", async (_where, code) => {
    const node = await aNode();
    const to = decodeData(await deploy(node, ENDLESS));
    // From here on a thread is ready.
    await tracedWith(node, undefined);
    const controller = new AbortController();
    const traced = node.debug.traceCall({ to }, { tracer: { name: "script", code }, signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(traced).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    await expect(tracedWith(node, controller.signal)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    expect(await tracedWith(node, undefined)).toEqual({ name: "script", value: 0 });
  });

  it("are waited for in line until the caller aborts", async () => {
    const node = await aNode();
    const end = await allThreadsBusy(node);
    const controller = new AbortController();
    const waiting = tracedWith(node, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    await end();
  });

  it.runIf(isSlow)("are kept for the next request, unless the script took much memory", async () => {
    const workers = await startedDuring(async () => {
      const { plain } = await serve(await aNode());
      const trace = (tracer: string) => plain.ask("debug_traceCall", ...paramsOf(tracer, assemble("STOP")));
      for (let count = 0; count < 3; count++) expect(await trace(COUNT)).toBe(1);
      // Fills no memory: a result may take two seconds, which a busy machine may need for that.
      expect(await trace("{fault: function() {}, result: function() { return new Uint8Array(5e7).length; }}")).toBe(
        5e7,
      );
      expect(await trace(COUNT)).toBe(1);
    });
    expect(workers).toHaveLength(2);
  });

  it("end with their node, which what runs in them is told", async () => {
    const workers = await startedDuring(async () => {
      const node = await openNode();
      await tracedWith(node, undefined);
      const params = paramsOf(SLOW, ENDLESS) as never;
      const running = node.provider.request({ method: "debug_traceCall", params }).then(
        () => "done",
        (error: Error) => error.message,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      await node.close();
      expect(await running).not.toBe("done");
    });
    expect(workers.map(({ threadId }) => threadId)).toEqual([-1]);
  });
});

/** Scripts that take all threads of a node, until the function that it resolves to is called. */
async function allThreadsBusy(node: HindcastNode): Promise<() => Promise<void>> {
  const to = decodeData(await deploy(node, ENDLESS));
  const controller = new AbortController();
  const tracer = { name: "script", code: SLOW } as const;
  const traces = Array.from({ length: 4 }, () => node.debug.traceCall({ to }, { tracer, signal: controller.signal }));
  const ended = Promise.allSettled(traces);
  return async () => {
    controller.abort();
    for (const { status } of await ended) expect(status).toBe("rejected");
  };
}

/** The threads that are started meanwhile. */
async function startedDuring(act: () => Promise<void>): Promise<readonly Worker[]> {
  const workers: Worker[] = [];
  const note = (worker: Worker): void => void workers.push(worker);
  process.on("worker", note);
  try {
    await act();
  } finally {
    process.off("worker", note);
  }
  return workers;
}

function tracedWith(node: HindcastNode, signal: AbortSignal | undefined): Promise<unknown> {
  return node.debug.traceCall({ to: decodeData(BOB) }, { tracer: { name: "script", code: COUNT }, signal });
}
