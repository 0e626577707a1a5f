/** Traces of more steps than are kept: the same text as of whole recordings, and an end with their reader. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { AbortSwitch } from "../../../../src/primitives/abort-state.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { heldMemory } from "../../../../src/primitives/platform/held-memory.ts";
import { listText, type Text } from "../../../../src/rpc/encode/stream/text.ts";
import { localizedTracesText } from "../../../../src/rpc/encode/traces/flat-trace.ts";
import { gethTraceText, transactionTraceText } from "../../../../src/rpc/encode/traces/geth-trace.ts";
import { traceResultsText } from "../../../../src/rpc/encode/traces/trace-results.ts";
import type { GethTracer } from "../../../../src/services/simulate/debug/tracers.ts";
import { STREAM_BOUNDS, type StreamBounds } from "../../../../src/services/simulate/replay/second-run.ts";
import { ALICE, aNode, aServedNode, BOB } from "../../../support/a-node.ts";
import { assemble, calling } from "../../../support/assembler.ts";
import { COUNTER, deploy, ECHO, place, REVERTER } from "../../../support/contracts.ts";
import { watchReadings } from "../../../support/readings.ts";
import { slowIt } from "../../../support/slow-suite.ts";
import { awaitedTextOf, textOf } from "../../../support/texts.ts";

/** So many bytes that the first transaction of a block is kept, and later ones are not. */
const SOME = 300_000;
const TYPES = ["trace", "vmTrace", "stateDiff"] as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A reader of an answer: it may hear that steps run a second time, and says when it reads no more. */
interface TestReader {
  readonly signal: AbortSwitch;
  readonly bounds: StreamBounds;
}

function aReader(heldBytes = SOME): TestReader {
  return { signal: new AbortSwitch(), bounds: { heldBytes, waitingBuffers: 1 } };
}

/** A node with a block of four transactions, each of some thousand steps with calls, storage, memory and a failure. */
async function aBusyNode() {
  const node = await aNode();
  const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
  const deployed = async (code: Uint8Array): Promise<Hex> => {
    await ask("evm_setAutomine", true);
    const address = await deploy(node, code);
    await ask("evm_setAutomine", false);
    return address;
  };
  const inner = [await deployed(COUNTER), await deployed(ECHO), await deployed(REVERTER)];
  const called = inner.map((target) => `${calling("CALL", decodeData(target))} POP`).join(" ");
  const busy = await deployed(
    assemble(`30 loop: DUP1 DUP1 32 MUL MSTORE ${called} 1 SWAP1 SUB DUP1 @loop JUMPI 0 CALLER 5 POP POP INVALID`),
  );
  const hashes: Hex[] = [];
  for (let index = 0; index < 4; index++) {
    const data = `0x${"ab".repeat(index)}`;
    hashes.push((await ask("eth_sendTransaction", { from: ALICE, to: busy, gas: "0xf4240", data })) as Hex);
  }
  await ask("evm_mine");
  const [first = "0x"] = hashes;
  return { node, busy: decodeData(busy), hash: decodeData(hashes[2] ?? first) };
}

/** The same text of a whole list, and of one that is read once. */
async function expectSameList<Trace>(
  trace: (bounds: StreamBounds | undefined) => Promise<Trace>,
  encode: (trace: Trace) => Text,
): Promise<void> {
  const whole = textOf(encode(await trace(undefined)));
  expect(whole.length).toBeGreaterThan(200);
  expect(textOf(encode(await trace(STREAM_BOUNDS))) === whole).toBe(true);
}

/** Both ways to the same text. */
async function expectSameText<Trace>(
  trace: (signal?: AbortSwitch, bounds?: StreamBounds) => Promise<Trace>,
  encode: (trace: Trace) => Text,
): Promise<void> {
  const whole = textOf(encode(await trace()));
  for (const heldBytes of [0, SOME]) {
    const { signal, bounds } = aReader(heldBytes);
    const text = await awaitedTextOf(encode(await trace(signal, bounds)));
    expect(text.length).toBe(whole.length);
    expect(text === whole).toBe(true);
    if (heldBytes === 0) expect(signal.isHeard).toBe(true);
  }
}

describe("a trace that runs a second time while it is written is that of a whole recording", () => {
  slowIt("of struct logs of transactions, blocks and calls", async () => {
    const { node, busy, hash } = await aBusyNode();
    const { debug } = node;
    const tracer: GethTracer = { name: "structLogger", options: { enableMemory: true, enableReturnData: true } };
    await expectSameText((signal, bounds) => debug.traceTransaction(hash, { signal }, bounds), gethTraceText);
    const blockTraces = (signal?: AbortSwitch, bounds?: StreamBounds) =>
      debug.traceBlock<GethTracer, StreamBounds | undefined>({ tag: "latest" }, { tracer, signal }, bounds);
    await expectSameText(blockTraces, (traces) => listText(traces, transactionTraceText));
    const call = { from: decodeData(ALICE), to: busy, gasLimit: 500_000n };
    const accounts = [{ address: decodeData(BOB), code: assemble("5 loop: 1 SWAP1 SUB DUP1 @loop JUMPI") }];
    const context = { tracer, block: { tag: "latest" }, txIndex: 2, overrides: { accounts } } as const;
    await expectSameText((signal, bounds) => debug.traceCall(call, { ...context, signal }, bounds), gethTraceText);
    const bundles = [{ calls: [call, { ...call, to: decodeData(BOB) }] }, { calls: [call], block: { number: 77n } }];
    await expectSameText(
      (signal, bounds) => debug.traceCallMany(bundles, { ...context, signal }, bounds),
      (lists) => listText(lists, (traces) => listText(traces, gethTraceText)),
    );
  });

  it("of vmTraces of transactions, blocks and calls, beside other types", async () => {
    const { node, busy, hash } = await aBusyNode();
    const { trace } = node;
    await expectSameText(
      (signal, bounds) => trace.replayTransaction(hash, TYPES, { signal }, bounds),
      traceResultsText,
    );
    await expectSameText(
      (signal, bounds) => trace.replayBlock({ tag: "latest" }, TYPES, { signal }, bounds),
      (results) => listText(results, traceResultsText),
    );
    const call = { from: decodeData(ALICE), to: busy, gasLimit: 500_000n };
    await expectSameText((signal, bounds) => trace.call(call, TYPES, { signal }, bounds), traceResultsText);
    const calls = [TYPES, ["trace"], [], ["vmTrace"]].map((types) => ({ call, types: types as typeof TYPES }));
    await expectSameText(
      (signal, bounds) => trace.callMany(calls, { signal }, bounds),
      (results) => listText(results, traceResultsText),
    );
    const raw = await signedBy(node, busy);
    await expectSameText((signal, bounds) => trace.rawTransaction(raw, TYPES, { signal }, bounds), traceResultsText);
  });

  it("is that of whole lists of calls, too, where no step is recorded", async () => {
    const { node, busy, hash } = await aBusyNode();
    const { debug, trace } = node;
    const call = { from: decodeData(ALICE), to: busy, gasLimit: 500_000n };
    const tracers: GethTracer[] = [
      { name: "callTracer", options: { withLog: true } },
      { name: "callTracer", options: { onlyTopCall: true } },
      { name: "flatCallTracer", options: { includePrecompiles: true } },
      { name: "muxTracer", tracers: [{ name: "callTracer" }, { name: "flatCallTracer" }, { name: "noopTracer" }] },
    ];
    for (const tracer of tracers) {
      await expectSameList(
        (bounds) => debug.traceCall<GethTracer, typeof bounds>(call, { tracer }, bounds),
        gethTraceText,
      );
      await expectSameList(
        (bounds) => debug.traceBlock<GethTracer, typeof bounds>({ tag: "latest" }, { tracer }, bounds),
        (traces) => listText(traces, transactionTraceText),
      );
    }
    await expectSameList((bounds) => trace.block({ tag: "latest" }, {}, bounds), localizedTracesText);
    await expectSameList((bounds) => trace.transaction(hash, {}, bounds), localizedTracesText);
  });

  it("where only the first entries of each transaction are wanted", async () => {
    const { node } = await aBusyNode();
    const tracer: GethTracer = { name: "structLogger", options: { limit: 70 } };
    const blockTraces = (signal?: AbortSwitch, bounds?: StreamBounds) =>
      node.debug.traceBlock<GethTracer, StreamBounds | undefined>({ tag: "latest" }, { tracer, signal }, bounds);
    await expectSameText(blockTraces, (traces) => listText(traces, transactionTraceText));
  });
});

/** A signed transaction that nobody has sent, of an account whose key the node has. */
async function signedBy(node: HindcastNode, to: Uint8Array): Promise<Uint8Array> {
  const tx = { from: BOB, to: encodeData(to), gas: "0x7a120", gasPrice: "0x77359400" } as const;
  const signed = await node.provider.request({ method: "eth_signTransaction", params: [{ ...tx, nonce: "0x0" }] });
  const raw = typeof signed === "string" ? signed : (signed as { raw: Hex }).raw;
  return decodeData(raw as Hex);
}

describe("a second run", () => {
  slowIt("ends with its reader", async () => {
    const { node } = await aBusyNode();
    const readings = watchReadings();
    const { signal, bounds } = aReader(0);
    const accounts = [{ address: decodeData(BOB), code: assemble("loop: @loop JUMP") }];
    const call = { from: decodeData(ALICE), to: decodeData(BOB), gasLimit: 20_000_000n };
    const text = gethTraceText(await node.debug.traceCall(call, { overrides: { accounts }, signal }, bounds));
    for (const piece of text) {
      if (!(piece instanceof Promise)) continue;
      await piece;
      break;
    }
    signal.abort(new Error("read enough"));
    await expect(readings.at(-1)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
  });

  it("ends with an abort, and tells it to its reader", async () => {
    const { node, hash } = await aBusyNode();
    const readings = watchReadings();
    const aborter = new AbortController();
    const trace = await node.debug.traceTransaction(hash, { signal: aborter.signal }, aReader(0).bounds);
    aborter.abort(new Error("enough"));
    await expect(awaitedTextOf(gethTraceText(trace))).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    await expect(readings.at(-1)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
  });

  it("has a time limit, and tells its end to its reader", async () => {
    const { node, hash } = await aBusyNode();
    const trace = await node.debug.traceTransaction(hash, { timeoutMs: 3_600_000 }, aReader(0).bounds);
    const now = performance.now.bind(performance);
    let ahead = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      // Two hours pass whenever somebody looks: one look is the end of waiting for the reader, the next is too late.
      ahead += 7_200_000;
      return now() + ahead;
    });
    const failure: unknown = await awaitedTextOf(gethTraceText(trace)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "EXECUTION_TIMEOUT" });
  });

  it("is none where steps are few, or the tracer asks for none", async () => {
    const { node, hash } = await aBusyNode();
    const few = aReader(10_000_000);
    const { logs } = await node.debug.traceTransaction(hash, { signal: few.signal }, few.bounds);
    expect([...logs].length).toBeGreaterThan(300);
    expect(few.signal.isHeard).toBe(false);
    const usual = new AbortSwitch();
    await node.debug.traceTransaction(hash, { signal: usual }, STREAM_BOUNDS);
    expect(usual.isHeard).toBe(false);
    const { signal, bounds } = aReader(0);
    await node.debug.traceTransaction(hash, { tracer: { name: "callTracer" }, signal }, bounds);
    await node.trace.replayTransaction(hash, ["trace", "stateDiff"], { signal }, bounds);
    expect(signal.isHeard).toBe(false);
  });
});

describe("recordings of calls count as memory that the client holds", () => {
  /** Calls an account without code 4,000 times. */
  const CALLS = assemble("4000 loop: 0 0 0 0 0 0xeeee GAS CALL POP 1 SWAP1 SUB DUP1 @loop JUMPI");

  it.each([
    ["callTracer", "debug"],
    ["trace", "trace"],
  ] as const)("until the text of %s is read", async (_name, kind) => {
    const node = await aNode();
    const to = decodeData(await place(node, CALLS));
    const { signal, bounds } = aReader();
    const before = heldMemory().bytes;
    const call = { from: decodeData(ALICE), to, gasLimit: 5_000_000n };
    if (kind === "trace") await node.trace.call(call, ["trace"], { signal }, bounds);
    else await node.debug.traceCall(call, { tracer: { name: "callTracer" }, signal }, bounds);
    expect(heldMemory().bytes - before).toBeGreaterThan(1_000_000);
    signal.abort(new Error("read"));
    expect(heldMemory().bytes).toBe(before);
  });

  it("and no longer when it was read over HTTP", async () => {
    const { node, plain } = await aServedNode();
    const to = await place(node, CALLS);
    const before = heldMemory().bytes;
    const params = [{ from: ALICE, to, gas: "0x4c4b40" }, "latest", { tracer: "callTracer" }];
    expect(JSON.stringify(await plain.ask("debug_traceCall", ...params)).length).toBeGreaterThan(500_000);
    expect(heldMemory().bytes).toBe(before);
  });
});
