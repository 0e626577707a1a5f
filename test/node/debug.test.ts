/** node.debug: geth's tracers and states laid open, with bigint and bytes where JSON has text. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import type { StructLog } from "../../src/tracer/formats/struct-log.ts";
import { ALICE, openNode } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { COUNTER, deploy, LOOP, send } from "../support/contracts.ts";

let node: HindcastNode;
let counter: Hex;
let hash: Uint8Array;

beforeAll(async () => {
  node = await openNode();
  counter = await deploy(node, COUNTER);
  hash = decodeData(await send(node, { to: counter, data: "0x01020304", value: "0x0" }));
});
afterAll(() => node.close());

const ONE = new Uint8Array(32).fill(1, 31);

describe("the trace of a transaction has the type that its tracer gives", () => {
  it("struct logs are made while they are iterated, and may be again", async () => {
    const trace = await node.debug.traceTransaction(hash);
    expect(trace.failed).toBe(false);
    expect(trace.returnValue).toEqual(ONE);
    const ops = Array.from(trace.logs, ({ op }) => op);
    expect(ops).toEqual("PUSH1 SLOAD PUSH1 ADD DUP1 PUSH1 SSTORE PUSH1 MSTORE PUSH1 PUSH1 RETURN".split(" "));
    expect(Array.isArray(trace.logs)).toBe(false);
    const [first] = trace.logs;
    expect(first).toMatchObject({ pc: 0, op: "PUSH1", depth: 1, stack: [] });
    const sstore = Array.from(trace.logs).find(({ op }) => op === "SSTORE");
    expect(sstore).toMatchObject({ stack: [1n, 1n, 0n], storage: [{ slot: 0n, value: 1n }] });
  });

  it("callTracer", async () => {
    const { call } = await node.debug.traceTransaction(hash, { tracer: { name: "callTracer" } });
    expect(call).toMatchObject({
      type: "CALL",
      from: decodeData(ALICE),
      to: decodeData(counter),
      input: Uint8Array.of(1, 2, 3, 4),
      output: ONE,
      value: 0n,
    });
  });

  it("flatCallTracer", async () => {
    const { calls, place } = await node.debug.traceTransaction(hash, { tracer: { name: "flatCallTracer" } });
    expect(calls).toHaveLength(1);
    expect(place).toMatchObject({ blockNumber: 2n, txHash: hash, txIndex: 0 });
  });

  it("prestateTracer, what was and what changed", async () => {
    const { accounts } = await node.debug.traceTransaction(hash, {
      tracer: { name: "prestateTracer", options: { diffMode: true } },
    });
    if (!("pre" in accounts)) throw new Error("no difference");
    const after = accounts.post.find(({ address }) => Buffer.from(address).equals(decodeData(counter)));
    expect(after?.storage).toEqual([{ slot: new Uint8Array(32), value: Uint8Array.of(1) }]);
    const { accounts: before } = await node.debug.traceTransaction(hash, { tracer: { name: "prestateTracer" } });
    if ("pre" in before) throw new Error("a difference");
    const [alice] = before.filter(({ address }) => Buffer.from(address).equals(decodeData(ALICE)));
    expect(alice?.nonce).toBe(1n);
  });

  it("4byteTracer, noopTracer and muxTracer", async () => {
    const counts = [{ selector: Uint8Array.of(1, 2, 3, 4), dataLength: 0, count: 1 }];
    expect(await node.debug.traceTransaction(hash, { tracer: { name: "4byteTracer" } })).toEqual({
      name: "4byteTracer",
      counts,
    });
    const { traces } = await node.debug.traceTransaction(hash, {
      tracer: { name: "muxTracer", tracers: [{ name: "4byteTracer" }, { name: "noopTracer" }] },
    });
    expect(traces).toEqual([{ name: "4byteTracer", counts }, { name: "noopTracer" }]);
  });

  it("a tracer in JavaScript gives the JSON value that it returns", async () => {
    const code =
      "{ count: 0, step: function() { this.count++ }, fault: function() {}, result: function() { return this.count } }";
    expect((await node.debug.traceTransaction(hash, { tracer: { name: "script", code } })).value).toBe(12);
  });
});

describe("blocks, calls and bundles", () => {
  it("a block's transactions with their hashes", async () => {
    const [traced] = await node.debug.traceBlock({ number: 2n }, { tracer: { name: "4byteTracer" } });
    expect(traced?.txHash).toEqual(hash);
    expect(traced?.trace.counts).toHaveLength(1);
    const raw = await node.provider.request({ method: "debug_getRawBlock", params: ["0x2"] });
    expect(await node.debug.traceRawBlock(decodeData(raw), { tracer: { name: "4byteTracer" } })).toEqual([traced]);
  });

  it("calls see each other, and nothing is kept", async () => {
    const call = { to: decodeData(counter) };
    const [bundle] = await node.debug.traceCallMany([{ calls: [call, call] }], { tracer: { name: "callTracer" } });
    expect(bundle?.map(({ call: frame }) => frame?.output?.at(-1))).toEqual([2, 3]);
    expect((await node.debug.traceCall(call)).returnValue.at(-1)).toBe(2);
  });

  it("an abort ends a call that would run long", async () => {
    const loop = decodeData(await deploy(node, LOOP));
    const aborter = new AbortController();
    const traced = node.debug.traceCall(
      { to: loop, gasLimit: 40_000_000n },
      { tracer: { name: "noopTracer" }, signal: aborter.signal },
    );
    setImmediate(() => aborter.abort());
    await expect(traced).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
  });
});

describe("recordings", () => {
  it("hold the frames, and of steps what was asked for", async () => {
    const { recording, outcome, index } = await node.debug.recordTransaction(hash, { steps: true });
    expect(index).toBe(0);
    expect(outcome.output).toEqual(ONE);
    expect(recording.frames).toHaveLength(1);
    expect(recording.steps?.length).toBe(12);
    expect((await node.debug.recordTransaction(hash)).recording.steps).toBeUndefined();
  });

  it("of a block come one by one", async () => {
    const block = node.getBlock(2n);
    if (block === undefined) throw new Error("no block");
    const hashes: Uint8Array[] = [];
    for await (const { tx } of node.debug.recordBlock(block)) hashes.push(tx.hash);
    expect(hashes).toEqual([hash]);
  });
});

describe("states", () => {
  it("storage of an account before and after a transaction", async () => {
    const range = (txIndex: number) =>
      node.debug.storageRange(
        { number: 2n },
        { txIndex, address: decodeData(counter), start: new Uint8Array(), limit: 10 },
      );
    expect((await range(0)).slots).toEqual([]);
    const slot = new Uint8Array(32);
    expect((await range(1)).slots).toEqual([{ hash: keccak256(slot), slot, value: Uint8Array.of(1) }]);
  });

  it("accounts, those that a block changed, and roots after transactions", async () => {
    const { accounts, stateRoot } = await node.debug.accountRange({ number: 2n }, { withoutCode: true });
    const listed = accounts.find(({ address }) => Buffer.from(address ?? []).equals(decodeData(counter)));
    expect(listed).toMatchObject({ account: { nonce: 1n, balance: 0n }, code: undefined });
    expect(stateRoot).toEqual(node.getBlock(2n)?.header.stateRoot);
    const modified = await node.debug.modifiedAccounts({ number: 2n });
    const changed = modified.map((address) => Buffer.from(address).toString("hex"));
    expect(changed).toContain(counter.slice(2));
    expect(changed).toContain(ALICE.slice(2));
    expect(await node.debug.intermediateRoots({ number: 2n })).toHaveLength(1);
  });

  it("an unknown transaction or block is an error, not an empty trace", async () => {
    await expect(node.debug.traceTransaction(ONE)).rejects.toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    await expect(node.debug.recordTransaction(ONE)).rejects.toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    await expect(node.debug.traceBlock({ number: 99n })).rejects.toMatchObject({ code: "BLOCK_NOT_FOUND" });
  });
});

describe("struct logs one by one", () => {
  /** More entries than wait for a reader at a time. */
  const ROUNDS = 400;
  const WRITING = assemble(`${ROUNDS} loop: DUP1 DUP1 32 MUL MSTORE 1 SWAP1 SUB DUP1 @loop JUMPI`);
  let long: Hex;
  beforeAll(async () => {
    long = await send(node, { to: await deploy(node, WRITING), gas: "0xf4240" });
  });

  it("are those of the whole trace", async () => {
    const options = { enableMemory: false, enableReturnData: true };
    const { logs } = await node.debug.traceTransaction(decodeData(long), { tracer: { name: "structLogger", options } });
    const each: StructLog[] = [];
    for await (const log of node.debug.eachStructLog(decodeData(long), options)) each.push(log);
    expect(each.length).toBeGreaterThan(10 * ROUNDS);
    expect(each).toEqual([...logs]);
    const limited: StructLog[] = [];
    for await (const log of node.debug.eachStructLog(decodeData(long), { limit: 3 })) limited.push(log);
    expect(limited).toEqual(each.slice(0, 3));
  });

  it("end with their reader, with an abort, and with the time they were given", async () => {
    const reader = node.debug.eachStructLog(decodeData(long));
    await reader.next();
    await reader.return(undefined);
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    const aborter = new AbortController();
    const aborted = node.debug.eachStructLog(decodeData(long), { signal: aborter.signal });
    await aborted.next();
    aborter.abort();
    await expect(drain(aborted)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    await expect(drain(node.debug.eachStructLog(decodeData(long), { timeoutMs: 0 }))).rejects.toMatchObject({
      code: "EXECUTION_TIMEOUT",
    });
    await expect(node.debug.eachStructLog(ONE).next()).rejects.toThrow("transaction not found");
  });

  async function drain(logs: AsyncIterable<unknown>): Promise<void> {
    for await (const log of logs) void log;
  }
});
