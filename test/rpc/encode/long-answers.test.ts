/** Traces that travel in pieces: the text is that of the plain value, errors and batches included. */
import { describe, expect, it } from "vitest";
import { decodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { pacedText } from "../../../src/rpc/encode/stream/text.ts";
import { encodeStructLogs } from "../../../src/rpc/encode/traces/struct-log.ts";
import { ALICE, aServedNode, BOB, type ServedNode } from "../../support/a-node.ts";
import { assemble, calling, deploying, storing } from "../../support/assembler.ts";
import { COUNTER, deploy, ECHO, LOOP, REVERTER, send } from "../../support/contracts.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { stepClock } from "../../support/stepping-clock.ts";

/** Calls, creates, destroys, reverts, writes memory and storage, and fails in every way that has an entry of its own. */
async function aBusyNode(): Promise<ServedNode & { readonly busy: Hex; readonly hash: Hex }> {
  const served = await aServedNode();
  const { node } = served;
  const targets: Hex[] = [];
  for (const code of [COUNTER, ECHO, REVERTER, assemble("INVALID"), assemble("POP"), assemble("CALLER SELFDESTRUCT")])
    targets.push(await deploy(node, code));
  const initCode = deploying(assemble("1 2 ADD"));
  const program = assemble(`
    ${targets.map((target) => `${calling("CALL", decodeData(target))} POP`).join(" ")}
    ${calling("DELEGATECALL", decodeData(targets[0] as Hex))} POP
    ${calling("CALL", decodeData("0x0000000000000000000000000000000000000004"), 1n)} POP
    ${storing(initCode)} ${initCode.length} 0 0 CREATE POP
    7 ${initCode.length} 0 0 CREATE2 POP
    1 2 SSTORE 2 SLOAD DUP1 SWAP1 32 0 LOG1 64 0 RETURN
  `);
  const busy = await deploy(node, program);
  const hash = await send(node, { to: busy, value: "0x5", data: "0x1234", gas: "0x1e8480" });
  return { ...served, busy, hash };
}

/** Logs until 100,000 gas are left, so that they stay. */
const LASTING_LOGS = assemble("loop: 0 0 LOG0 100000 GAS GT @loop JUMPI STOP");

const ALL = ["trace", "vmTrace", "stateDiff"];

describe("an answer in pieces", () => {
  it("is the text of the plain value, for every method that has one", async () => {
    const { node, plain, busy, hash } = await aBusyNode();
    const call = { from: ALICE, to: busy, value: "0x5", gas: "0x1e8480" };
    const logging = await deploy(node, LASTING_LOGS);
    const logged = await send(node, { to: logging, gas: "0xf4240" });
    const receipt = await plain.ask("eth_getTransactionReceipt", logged);
    expect((receipt as { logs: unknown[] }).logs.length).toBeGreaterThan(1_000);
    const raw = await plain.ask("eth_getRawTransactionByHash", hash);
    const block = await plain.ask("debug_getRawBlock", "latest");
    const { hash: latest } = (await plain.ask("eth_getBlockByNumber", "latest", false)) as { hash: Hex };
    const everything = { enableMemory: true, enableReturnData: true };
    const mux = { tracer: "muxTracer", tracerConfig: { callTracer: { withLog: true }, "4byteTracer": null } };
    const requests: [string, unknown[]][] = [
      ["trace_block", ["latest"]],
      ["trace_block", ["0x99"]],
      ["eth_getTransactionReceipt", [hash]],
      ["eth_getTransactionReceipt", [logged]],
      ["eth_getTransactionReceipt", [`0x${"99".repeat(32)}`]],
      ["eth_getBlockReceipts", ["latest"]],
      ["eth_getBlockReceipts", ["earliest"]],
      ["eth_getBlockReceipts", ["0x99"]],
      ["debug_dumpBlock", ["latest"]],
      ["debug_accountRange", ["latest", "0x", 2, true, true, true]],
      ["debug_storageRangeAt", [latest, 0, busy, "0x", 1]],
      ["debug_storageRangeAt", [latest, 0, BOB, "0x", 100]],
      ["trace_transaction", [hash]],
      ["trace_block", ["latest"]],
      ["ots_traceTransaction", [hash]],
      ["hindcast_gasProfile", [hash]],
      ["hindcast_getCalls", [hash]],
      ["hindcast_getRecording", [hash]],
      ["trace_filter", [{}]],
      ["eth_getLogs", [{ fromBlock: "0x0", toBlock: "pending" }]],
      ["eth_getLogs", [{ address: BOB }]],
      ["trace_filter", [{ count: 0 }]],
      ["trace_call", [call, ALL]],
      ["trace_call", [{ from: ALICE, to: BOB }, []]],
      [
        "trace_callMany",
        [
          [
            [call, ALL],
            [call, ["vmTrace"]],
          ],
        ],
      ],
      ["trace_callMany", [[]]],
      ["trace_rawTransaction", [raw, ALL]],
      ["trace_replayTransaction", [hash, ALL]],
      ["trace_replayBlockTransactions", ["latest", ALL]],
      ["trace_replayBlockTransactions", ["0x0", ALL]],
      ["debug_traceTransaction", [hash]],
      ["debug_traceTransaction", [hash, everything]],
      ["debug_traceTransaction", [hash, { disableStack: true, disableStorage: true, limit: 3 }]],
      ["debug_traceTransaction", [hash, mux]],
      ["debug_traceTransaction", [hash, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }]],
      ["debug_traceTransaction", [hash, { tracer: "{ fault() {}, result() {} }" }]],
      ["debug_traceBlockByNumber", ["latest", everything]],
      ["debug_traceBlock", [block, { tracer: "flatCallTracer" }]],
      ["debug_traceCall", [call, "latest", everything]],
      ["debug_traceCallMany", [[{ transactions: [call, call] }], null, everything]],
    ];
    for (const [method, params] of requests) {
      const result: unknown = await node.provider.send(method, params);
      const { text } = await plain.post(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }));
      expect(text, `${method} ${JSON.stringify(params).slice(0, 80)}`).toBe(
        JSON.stringify({ jsonrpc: "2.0", id: 7, result }),
      );
    }
  });

  it("stands in its place in a batch, among short answers, errors and notifications", async () => {
    const { node, plain, hash } = await aBusyNode();
    const request = (id: unknown, method: string, ...params: unknown[]) => ({ jsonrpc: "2.0", id, method, params });
    const replay = ["trace_replayTransaction", hash, ALL] as const;
    const { text } = await plain.post(
      JSON.stringify([
        request(1, "eth_chainId"),
        request("a", ...replay),
        { jsonrpc: "2.0", method: "eth_chainId" },
        request(2, "no_such"),
        request(null, ...replay),
        request(3, "eth_chainId"),
      ]),
    );
    const result: unknown = await node.provider.send(replay[0], [replay[1], replay[2]]);
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: "2.0", id: 1, result: "0x7a69" },
      { jsonrpc: "2.0", id: "a", result },
      { jsonrpc: "2.0", id: 2, error: expect.objectContaining({ code: -32601 }) },
      { jsonrpc: "2.0", id: null, result },
      { jsonrpc: "2.0", id: 3, result: "0x7a69" },
    ]);
  });

  slowIt("stands in its place in a batch of many short answers that are long together", async () => {
    const { node, plain } = await aServedNode();
    await node.provider.send("anvil_setCode", [BOB, `0x${"00".repeat(20_000)}`]);
    const batch = Array.from({ length: 60 }, (_, index) => {
      const isCode = index % 3 > 0;
      return { jsonrpc: "2.0", id: index, method: isCode ? "eth_getCode" : "evm_mine", params: isCode ? [BOB] : [] };
    });
    const { text } = await plain.post(JSON.stringify([...batch, { ...batch[1], id: 60, method: "eth_blockNumber" }]));
    const answers = JSON.parse(text) as { id: number; result?: string }[];
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 61 }, (_, index) => index));
    expect(answers.filter(({ result }) => result?.length === 40_002)).toHaveLength(40);
    expect(text.length).toBeGreaterThan(1_600_000);
    expect(answers[60]).toMatchObject({ error: { code: -32602 } });
  });

  it("is nothing for a notification, alone and in a batch of them", async () => {
    const { plain, hash } = await aBusyNode();
    const notification = { jsonrpc: "2.0", method: "trace_transaction", params: [hash] };
    expect(await plain.post(JSON.stringify(notification))).toEqual({ status: 204, text: "" });
    expect(await plain.post(JSON.stringify([notification, notification]))).toEqual({ status: 204, text: "" });
  });

  slowIt("lets other requests through while it is made", async () => {
    const { node, plain } = await aServedNode();
    const loop = await deploy(node, LOOP);
    const params = [{ from: ALICE, to: loop, gas: "0x1e8480" }, "latest"];
    const long = plain.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceCall", params }));
    let isDone = false;
    void long.finally(() => {
      isDone = true;
    });
    let asked = 0;
    while (!isDone) {
      await plain.ask("eth_blockNumber");
      asked++;
    }
    expect((await long).text.length).toBeGreaterThan(3_200_000);
    expect(asked).toBeGreaterThan(5);
  });
});

/** Reads slot after slot, one that no operation before it read. */
const FRESH_SLOTS = assemble("0 JUMPDEST 1 ADD DUP1 SLOAD POP 2 JUMP");

describe("struct logs of many slots", () => {
  it("have all slots that the account accessed so far at each access", async () => {
    const { node, plain } = await aServedNode();
    const to = await deploy(node, FRESH_SLOTS);
    const trace = await plain.ask<{ structLogs: { op: string; storage?: Record<string, string> }[] }>(
      "debug_traceCall",
      { to, gas: "0x7a120" },
      "latest",
    );
    // The last one ran out of gas.
    const accesses = trace.structLogs
      .flatMap(({ storage }) => (storage === undefined ? [] : [Object.keys(storage)]))
      .slice(0, -1);
    expect(accesses.length).toBeGreaterThan(200);
    expect(accesses.map(({ length }) => length)).toEqual(accesses.map((_, index) => index + 1));
    expect(accesses.at(-1)?.at(-1)).toBe(`0x${accesses.length.toString(16).padStart(64, "0")}`);
  });

  slowIt("end with the time limit of the trace, and the connection with them", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const { node, plain } = await aServedNode({ limits: { traceTimeoutMs: 200 }, onError });
    const to = await deploy(node, FRESH_SLOTS);
    const params = [{ to, gas: "0xf4240" }, "latest"];
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceCall", params });
    stepClock();
    // The answer would have 14 MB.
    await expect(plain.post(text)).rejects.toThrow();
    expect(errors).toMatchObject([{ code: "EXECUTION_TIMEOUT", data: { limit: 200, flag: "--trace-timeout" } }]);
    expect(await plain.ask("eth_blockNumber")).toBe("0x1");
  });

  it("are refused as values beyond a bound in bytes", () => {
    const log = { pc: 0, op: "SLOAD", gas: 1, gasCost: 1, depth: 1, storage: [{ slot: 1n, value: 2n }], stack: [1n] };
    expect(encodeStructLogs([log, log], 420)).toHaveLength(2);
    const error = expect.objectContaining({ code: "RECORDING_LIMIT", data: { limit: 410, flag: null } });
    expect(() => encodeStructLogs([log, log], 410)).toThrow(error);
  });
});

describe("pacedText", () => {
  it("stops at the signal", async () => {
    const controller = new AbortController();
    function* endless(): Generator<string> {
      for (;;) yield "x";
    }
    const pieces = pacedText(endless(), { signal: controller.signal, timeoutMs: 60_000 });
    expect((await pieces.next()).value).toHaveLength(64 * 1024);
    controller.abort(new Error("enough"));
    await expect(
      (async () => {
        for await (const _ of pieces);
      })(),
    ).rejects.toThrow("enough");
  });

  it("ends at the time limit of making it, in which the reader's time does not count", async () => {
    const clock = stepClock(0);
    function* endless(): Generator<string> {
      for (;;) {
        clock.now += 10;
        yield "x".repeat(64 * 1024);
      }
    }
    const pieces = pacedText(endless(), { signal: new AbortController().signal, timeoutMs: 35 });
    for (let count = 0; count < 3; count++) {
      expect((await pieces.next()).value).toHaveLength(64 * 1024);
      clock.now += 1_000;
    }
    const data = { limit: 35, flag: "--trace-timeout" };
    await expect(pieces.next()).rejects.toMatchObject({ code: "EXECUTION_TIMEOUT", data });
  });
});
