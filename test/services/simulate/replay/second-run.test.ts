/** Traces of more steps than are kept: the same text as of whole recordings, and an end with their reader. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { listText, type Text } from "../../../../src/rpc/encode/stream/text.ts";
import { gethTraceText, transactionTraceText } from "../../../../src/rpc/encode/traces/geth-trace.ts";
import { traceResultsText } from "../../../../src/rpc/encode/traces/trace-results.ts";
import type { GethTracer } from "../../../../src/services/simulate/debug/tracers.ts";
import type { PieceReader } from "../../../../src/services/simulate/replay/second-run.ts";
import { ALICE, aNode, BOB } from "../../../support/a-node.ts";
import { assemble, calling } from "../../../support/assembler.ts";
import { COUNTER, deploy, ECHO, REVERTER } from "../../../support/contracts.ts";
import { watchReadings } from "../../../support/readings.ts";
import { awaitedTextOf, textOf } from "../../../support/texts.ts";

/** So many bytes that the first transaction of a block is kept, and later ones are not. */
const SOME = 300_000;
const TYPES = ["trace", "vmTrace", "stateDiff"] as const;

afterEach(() => {
  vi.restoreAllMocks();
});

interface TestReader extends PieceReader {
  /** Listeners for the end of reading. */
  readonly listeners: (() => void)[];
}

function aReader(keptBytes = SOME): TestReader {
  const listeners: (() => void)[] = [];
  return { listeners, onEnd: (listener) => void listeners.push(listener), bounds: { keptBytes, waitingBuffers: 1 } };
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

/** Both ways to the same text. */
async function expectSameText<Trace>(
  trace: (reader?: PieceReader) => Promise<Trace>,
  encode: (trace: Trace) => Text,
): Promise<void> {
  const whole = textOf(encode(await trace()));
  for (const keptBytes of [0, SOME]) {
    const reader = aReader(keptBytes);
    const text = await awaitedTextOf(encode(await trace(reader)));
    expect(text.length).toBe(whole.length);
    expect(text === whole).toBe(true);
    expect(reader.listeners.length).toBeGreaterThanOrEqual(keptBytes === 0 ? 1 : 0);
  }
}

describe("a trace that runs a second time while it is written is that of a whole recording", () => {
  it("of struct logs of transactions, blocks and calls", async () => {
    const { node, busy, hash } = await aBusyNode();
    const { debug } = node;
    const tracer: GethTracer = { name: "structLogger", options: { enableMemory: true, enableReturnData: true } };
    await expectSameText((reader) => debug.traceTransaction(hash, {}, reader), gethTraceText);
    const blockTraces = (reader?: PieceReader) => debug.traceBlock<GethTracer>({ tag: "latest" }, { tracer }, reader);
    await expectSameText(blockTraces, (traces) => listText(traces, transactionTraceText));
    const call = { from: decodeData(ALICE), to: busy, gasLimit: 500_000n };
    const accounts = [{ address: decodeData(BOB), code: assemble("5 loop: 1 SWAP1 SUB DUP1 @loop JUMPI") }];
    const context = { tracer, block: { tag: "latest" }, txIndex: 2, overrides: { accounts } } as const;
    await expectSameText((reader) => debug.traceCall(call, context, reader), gethTraceText);
    const bundles = [{ calls: [call, { ...call, to: decodeData(BOB) }] }, { calls: [call], block: { number: 77n } }];
    await expectSameText(
      (reader) => debug.traceCallMany(bundles, context, reader),
      (lists) => listText(lists, (traces) => listText(traces, gethTraceText)),
    );
  });

  it("of vmTraces of transactions, blocks and calls, beside other types", async () => {
    const { node, busy, hash } = await aBusyNode();
    const { trace } = node;
    await expectSameText((reader) => trace.replayTransaction(hash, TYPES, {}, reader), traceResultsText);
    await expectSameText(
      (reader) => trace.replayBlock({ tag: "latest" }, TYPES, {}, reader),
      (results) => listText(results, traceResultsText),
    );
    const call = { from: decodeData(ALICE), to: busy, gasLimit: 500_000n };
    await expectSameText((reader) => trace.call(call, TYPES, {}, reader), traceResultsText);
    const calls = [TYPES, ["trace"], [], ["vmTrace"]].map((types) => ({ call, types: types as typeof TYPES }));
    await expectSameText(
      (reader) => trace.callMany(calls, {}, reader),
      (results) => listText(results, traceResultsText),
    );
    const raw = await signedBy(node, busy);
    await expectSameText((reader) => trace.rawTransaction(raw, TYPES, {}, reader), traceResultsText);
  });

  it("where only the first entries of each transaction are wanted", async () => {
    const { node } = await aBusyNode();
    const tracer: GethTracer = { name: "structLogger", options: { limit: 70 } };
    const blockTraces = (reader?: PieceReader) =>
      node.debug.traceBlock<GethTracer>({ tag: "latest" }, { tracer }, reader);
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
  it("ends with its reader", async () => {
    const { node } = await aBusyNode();
    const readings = watchReadings();
    const reader = aReader(0);
    const accounts = [{ address: decodeData(BOB), code: assemble("loop: @loop JUMP") }];
    const call = { from: decodeData(ALICE), to: decodeData(BOB), gasLimit: 20_000_000n };
    const text = gethTraceText(await node.debug.traceCall(call, { overrides: { accounts } }, reader));
    for (const piece of text) {
      if (!(piece instanceof Promise)) continue;
      await piece;
      break;
    }
    for (const listener of reader.listeners) listener();
    await expect(readings.at(-1)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
  });

  it("ends with an abort, and tells it to its reader", async () => {
    const { node, hash } = await aBusyNode();
    const readings = watchReadings();
    const aborter = new AbortController();
    const trace = await node.debug.traceTransaction(hash, { signal: aborter.signal }, aReader(0));
    aborter.abort(new Error("enough"));
    await expect(awaitedTextOf(gethTraceText(trace))).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    await expect(readings.at(-1)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
  });

  it("has a time limit, and tells its end to its reader", async () => {
    const { node, hash } = await aBusyNode();
    const trace = await node.debug.traceTransaction(hash, { timeoutMs: 3_600_000 }, aReader(0));
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
    const { logs } = await node.debug.traceTransaction(hash, {}, few);
    expect([...logs].length).toBeGreaterThan(300);
    expect(few.listeners).toEqual([]);
    const usual: (() => void)[] = [];
    await node.debug.traceTransaction(hash, {}, { onEnd: (listener) => void usual.push(listener) });
    expect(usual).toEqual([]);
    const reader = aReader(0);
    await node.debug.traceTransaction(hash, { tracer: { name: "callTracer" } }, reader);
    await node.trace.replayTransaction(hash, ["trace", "stateDiff"], {}, reader);
    expect(reader.listeners).toEqual([]);
  });
});
