/** Programs in plain JavaScript hand in what no compiler has seen: whatever it is, the answer is one of our errors. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HindcastError } from "../../src/errors/hindcast-error.ts";
import { renderTrace } from "../../src/explain/render/render-trace.ts";
import { createNode } from "../../src/node/create-node.ts";
import { HindcastNode } from "../../src/node/hindcast-node.ts";
import { traceTransactionOnState } from "../../src/node/trace-on-state.ts";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import { showValue } from "../../src/primitives/validation/show-value.ts";
import { encodeGethTrace } from "../../src/rpc/encode/traces/geth-trace.ts";
import { DebugService } from "../../src/services/simulate/debug/debug.ts";
import { StateInspector } from "../../src/services/simulate/debug/state.ts";
import { TraceService } from "../../src/services/simulate/trace/trace.ts";
import { BOB } from "../support/a-node.ts";
import { send } from "../support/contracts.ts";

const ADDRESS = new Uint8Array(20).fill(1);
const WORD = new Uint8Array(32);

/** Values that a caller may mistake for a block, a hash, an address, a number, options or a list. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  1.5,
  Number.NaN,
  1n,
  -1n,
  2n ** 300n,
  "",
  "latest",
  "0x12",
  "0x".padEnd(66, "0"),
  true,
  Symbol("s"),
  [],
  [null],
  ["trace"],
  [1],
  {},
  { tag: "newest" },
  { number: 1 },
  { number: -1n },
  { hash: "0x12" },
  { hash: new Uint8Array(3) },
  { to: "0x12" },
  { signal: 5 },
  { timeoutMs: 5n },
  new Uint8Array(0),
  ADDRESS,
  WORD,
  () => undefined,
  new Map(),
  new Date(0),
];

type Act = (node: HindcastNode, value: never) => unknown;

let node: HindcastNode;
let txHash: Uint8Array;
beforeAll(async () => {
  node = await createNode({ hardfork: "london", accounts: 2, timestamp: 1_700_000_000, limits: { minedBlocks: 5 } });
  txHash = decodeData(await send(node, { to: BOB, value: "0x1" }));
});
afterAll(() => node.close());

/** The same method with each member of its options. */
const members = (names: string, act: Act): Act[] =>
  names.split(" ").map((name) => (on, value) => act(on, { [name]: value } as never));
const CALL = "from to gasLimit gasPrice maxFeePerGas maxPriorityFeePerGas value nonce data accessList chainId type";
const BOUNDS = "timeoutMs signal";

const NODE: Readonly<Record<string, readonly Act[]>> = {
  getBlock: [(on, value) => on.getBlock(value)],
  getReceipts: [(on, value) => on.getReceipts(value), (on, hash) => on.getReceipts({ hash })],
  getCode: [(on, value) => on.getCode(value)],
  setMiningMode: [(on, value) => on.setMiningMode(value)],
  mine: [
    (on, value) => on.mine(value),
    ...members("blocks timestamp interval uncles transactions", (on, value) => on.mine(value)),
    (on, value) => on.mine({ uncles: [value] }),
    (on, value) => on.mine({ transactions: [value] }),
  ],
  mineSideBlock: [
    (on, value) => on.mineSideBlock(value),
    ...members("parent timestamp coinbase extraData", (on, value) => on.mineSideBlock(value)),
  ],
  reorg: [
    (on, value) => on.reorg(value),
    ...members("depth blocks", (on, value) => on.reorg({ depth: 0, ...(value as object) })),
    (on, value) => on.reorg({ depth: 0, blocks: [value] }),
    (on, value) => on.reorg({ depth: 0, blocks: [[value]] }),
  ],
  rollback: [(on, value) => on.rollback(value)],
  serveOn: [(on, value) => on.serveOn(value)],
  snapshot: [(on, value) => on.snapshot(value)],
  revert: [(on, value) => on.revert(value)],
  loadState: [
    (on, value) => on.loadState(value),
    ...members("merge", (on, value) => on.loadState(new Uint8Array(1), value as object)),
  ],
  renderTrace: [
    (on, value) => on.renderTrace(value),
    (on, value) => on.renderTrace(txHash, value),
    ...members(`abi colors maxLines ${BOUNDS}`, (on, value) => on.renderTrace(txHash, value)),
    (_, value) => renderTrace(value),
    async (on, value) => renderTrace((await on.debug.recordTransaction(txHash)).recording, value),
  ],
  solidityStack: [
    (on, value) => on.solidityStack(value),
    ...members(BOUNDS, (on, value) => on.solidityStack(txHash, value)),
  ],
  explain: [(on, value) => on.explain(value), ...members(BOUNDS, (on, value) => on.explain(txHash, value))],
  gasProfile: [(on, value) => on.gasProfile(value), ...members(BOUNDS, (on, value) => on.gasProfile(txHash, value))],
  estimateGas: [
    (on, value) => on.estimateGas(value),
    ...members("call block overrides", (on, value) => on.estimateGas({ call: {}, ...(value as object) })),
  ],
  compareHardforks: [
    ...members("calls block hardforks overrides", (on, value) => on.compareHardforks(value)),
    ...members(BOUNDS, (on, value) => on.compareHardforks({ calls: [] }, value)),
  ],
  replay: [
    (on, value) => on.replay(value),
    ...members("transaction blocks code storage transactions", (on, value) => on.replay(value)),
    ...members("drop insert replace", (on, value) => on.replay({ transaction: txHash, transactions: value as object })),
    (on, value) => on.replay({ transaction: txHash }, value),
    ...members(`limit ${BOUNDS}`, (on, value) => on.replay({ transaction: txHash }, value)),
  ],
  eachReplayedBlock: [
    (on, value) => on.eachReplayedBlock(value),
    ...members(BOUNDS, (on, value) => on.eachReplayedBlock({ transaction: txHash }, value)),
  ],
  hardforkReport: [
    (on, value) => on.hardforkReport(value),
    ...members("hardforks blockGasLimit", (on, value) => on.hardforkReport("out", value)),
  ],
  onHeadChange: [(on, value) => on.onHeadChange(value)()],
  onCallTrace: [(on, value) => on.onCallTrace(value)()],
  onConsoleLog: [(on, value) => on.onConsoleLog(value)()],
  setBalance: [(on, value) => on.setBalance(value, 1n), (on, value) => on.setBalance(ADDRESS, value)],
  setNonce: [(on, value) => on.setNonce(value, 1n), (on, value) => on.setNonce(ADDRESS, value)],
  setCode: [(on, value) => on.setCode(value, WORD), (on, value) => on.setCode(ADDRESS, value)],
  setStorageAt: [
    (on, value) => on.setStorageAt(value, WORD, WORD),
    (on, value) => on.setStorageAt(ADDRESS, value, WORD),
    (on, value) => on.setStorageAt(ADDRESS, WORD, value),
  ],
  impersonate: [(on, value) => on.impersonate(value)],
  stopImpersonating: [(on, value) => on.stopImpersonating(value)],
  importBlock: [(on, value) => on.importBlock(value)],
  importChain: [
    (on, value) => on.importChain(value),
    (on, value) => on.importChain(new Uint8Array(), value),
    ...members("onProgress signal", (on, value) => on.importChain(new Uint8Array(), value)),
  ],
  exportChain: [
    (on, value) => [...on.exportChain(value)],
    ...members("from to force", (on, value) => [...on.exportChain({ force: true, ...(value as object) })]),
  ],
  time: [
    (on, value) => on.time.increase(value),
    (on, value) => on.time.set(value),
    (on, value) => on.time.setNext(value),
    (on, value) => on.time.setInterval(value),
  ],
  abi: [
    (on, value) => on.abi.add(value),
    (on, value) => on.abi.add([], value),
    (on, value) => on.abi.addArtifacts(value),
  ],
};

const TRACE: Readonly<Record<string, readonly Act[]>> = {
  typesOf: [(on, value) => on.trace.typesOf(value)],
  block: [
    (on, value) => on.trace.block(value),
    (on, value) => on.trace.block({ number: 1n }, value),
    ...members(BOUNDS, (on, value) => on.trace.block({ number: 1n }, value)),
  ],
  transaction: [(on, value) => on.trace.transaction(value), (on, value) => on.trace.transaction(txHash, value)],
  get: [(on, value) => on.trace.get(value, []), (on, value) => on.trace.get(txHash, value)],
  filter: [
    (on, value) => on.trace.filter(value),
    ...members("fromBlock toBlock fromAddress toAddress mode after count", (on, value) => on.trace.filter(value)),
  ],
  eachMatch: [(on, value) => first(on.trace.eachMatch(value)), (on, value) => first(on.trace.eachMatch({}, value))],
  call: [
    (on, value) => on.trace.call(value, ["trace"]),
    ...members(CALL, (on, value) => on.trace.call(value, ["trace"])),
    (on, value) => on.trace.call({}, value),
    (on, value) => on.trace.call({}, ["trace"], value),
    ...members(`block overrides includePrecompiles ${BOUNDS}`, (on, value) => on.trace.call({}, ["trace"], value)),
    ...members("accounts block", (on, value) => on.trace.call({}, ["trace"], { overrides: value })),
    ...members("address balance state", (on, value) =>
      on.trace.call({}, ["trace"], { overrides: { accounts: [{ address: ADDRESS, ...(value as object) }] } }),
    ),
    ...members("number timestamp coinbase blockHashes", (on, value) =>
      on.trace.call({}, ["trace"], { overrides: { block: value } }),
    ),
  ],
  callMany: [
    (on, value) => on.trace.callMany(value),
    (on, value) => on.trace.callMany([value]),
    (on, value) => on.trace.callMany([{ call: value, types: ["trace"] }]),
    (on, value) => on.trace.callMany([{ call: {}, types: value }]),
  ],
  rawTransaction: [
    (on, value) => on.trace.rawTransaction(value, ["trace"]),
    (on, value) => on.trace.rawTransaction(new Uint8Array(), value),
  ],
  replayTransaction: [
    (on, value) => on.trace.replayTransaction(value, ["trace"]),
    (on, value) => on.trace.replayTransaction(txHash, value),
    (on, value) => on.trace.replayTransaction(txHash, ["trace"], value),
  ],
  replayBlock: [
    (on, value) => on.trace.replayBlock(value, ["trace"]),
    (on, value) => on.trace.replayBlock({ number: 1n }, value),
    (on, value) => on.trace.replayBlock({ number: 1n }, ["trace"], value),
  ],
};

const traced =
  (options: object): Act =>
  (on, value) =>
    on.debug.traceTransaction(txHash, { ...options, ...(value as object) });

const asJson =
  (name: string): Act =>
  (_, value) =>
    encodeGethTrace({ name, ...(value as object) } as never);

const DEBUG: Readonly<Record<string, readonly Act[]>> = {
  traceTransaction: [
    (on, value) => on.debug.traceTransaction(value),
    (on, value) => on.debug.traceTransaction(txHash, value),
    ...members(`tracer ${BOUNDS}`, traced({})),
    (on, value) => on.debug.traceTransaction(txHash, { tracer: { name: value } }),
    (on, value) => on.debug.traceTransaction(txHash, { tracer: { name: "callTracer", options: value } }),
    (on, value) => on.debug.traceTransaction(txHash, { tracer: { name: "muxTracer", tracers: value } }),
    (on, value) => on.debug.traceTransaction(txHash, { tracer: { name: "script", code: value } }),
    // As JSON, which a function of its own makes of it.
    (_, value) => encodeGethTrace(value),
    (_, value) => encodeGethTrace({ name: value } as never),
    ...members("returnValue logs", asJson("structLogger")),
    ...members("call", asJson("callTracer")),
    ...members("calls", asJson("flatCallTracer")),
    ...members("accounts", asJson("prestateTracer")),
    ...members("counts", asJson("4byteTracer")),
    ...members("preimages", asJson("keccak256PreimageTracer")),
    ...members("traces", asJson("muxTracer")),
    ...members("value", asJson("script")),
  ],
  recordTransaction: [
    (on, value) => on.debug.recordTransaction(value),
    (on, value) => on.debug.recordTransaction(txHash, value),
    (on, value) => on.debug.recordTransaction(txHash, {}, value),
  ],
  eachStructLog: [
    (on, value) => first(on.debug.eachStructLog(value)),
    (on, value) => first(on.debug.eachStructLog(txHash, value)),
  ],
  recordBlock: [
    (on, value) => first(on.debug.recordBlock(value)),
    (on, value) => first(on.debug.recordBlock(on.head, value)),
  ],
  traceBlock: [(on, value) => on.debug.traceBlock(value), (on, value) => on.debug.traceBlock({ number: 1n }, value)],
  traceRawBlock: [(on, value) => on.debug.traceRawBlock(value)],
  traceCall: [
    (on, value) => on.debug.traceCall(value),
    (on, value) => on.debug.traceCall({}, value),
    ...members(`block txIndex overrides tracer ${BOUNDS}`, (on, value) => on.debug.traceCall({}, value)),
  ],
  traceCallMany: [
    (on, value) => on.debug.traceCallMany(value),
    (on, value) => on.debug.traceCallMany([value]),
    ...members("calls block", (on, value) => on.debug.traceCallMany([{ calls: [{}], ...(value as object) }])),
  ],
  callMany: [(on, value) => on.debug.callMany(value), (on, value) => on.debug.callMany([{ calls: [{}] }], value)],
  storageRange: [
    (on, value) => on.debug.storageRange(value, { txIndex: 0, address: ADDRESS, start: WORD, limit: 1 }),
    (on, value) => on.debug.storageRange({ number: 1n }, value),
    ...members("txIndex address start limit", (on, value) =>
      on.debug.storageRange(
        { number: 1n },
        { txIndex: 0, address: ADDRESS, start: WORD, limit: 1, ...(value as object) },
      ),
    ),
  ],
  accountAfter: [
    (on, value) => on.debug.accountAfter(value, { address: ADDRESS, txIndex: 0 }),
    (on, value) => on.debug.accountAfter({ number: 1n }, value),
    ...members("address txIndex", (on, value) =>
      on.debug.accountAfter({ number: 1n }, { address: ADDRESS, txIndex: 0, ...(value as object) }),
    ),
  ],
  storageAfter: [
    (on, value) => on.debug.storageAfter(value, { address: ADDRESS, start: WORD, limit: 1 }),
    (on, value) => on.debug.storageAfter({ number: 1n }, value),
    ...members("address start limit", (on, value) =>
      on.debug.storageAfter({ number: 1n }, { address: ADDRESS, start: WORD, limit: 1, ...(value as object) }),
    ),
  ],
  accountRange: [
    (on, value) => on.debug.accountRange(value),
    (on, value) => on.debug.accountRange({ number: 1n }, value),
    ...members("start limit withoutCode", (on, value) => on.debug.accountRange({ number: 1n }, value)),
  ],
  modifiedAccounts: [
    (on, value) => on.debug.modifiedAccounts(value),
    (on, value) => on.debug.modifiedAccounts({ number: 0n }, value),
  ],
  intermediateRoots: [
    (on, value) => on.debug.intermediateRoots(value),
    (on, value) => on.debug.intermediateRoots({ number: 1n }, value),
  ],
};

async function first(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _item of items) return;
}

/** The outcome, if it is not one of our errors. */
async function surprise(act: Act, value: unknown): Promise<string | undefined> {
  try {
    await act(node, value as never);
  } catch (error) {
    const isOurs = error instanceof HindcastError && error.code !== "INTERNAL_ERROR";
    if (!isOurs) return `${showValue(value)}: ${String(error)}`;
  }
  return undefined;
}

describe.each([
  ["node", NODE],
  ["node.trace", TRACE],
  ["node.debug", DEBUG],
])("%s", (_place, methods) => {
  it.each(Object.entries(methods))("answers wrong values of %s with errors of its own", async (_name, acts) => {
    const surprises: string[] = [];
    for (const [index, act] of acts.entries()) {
      for (const value of VALUES) {
        const found = await surprise(act, value);
        if (found !== undefined) surprises.push(`act ${index} with ${found}`);
      }
    }
    expect(surprises).toEqual([]);
  });
});

describe("the table of wrong values", () => {
  /** Methods without arguments, and those with tables of options of their own. */
  const OTHERS = ["branch", "dumpState", "reset", "close", "listen", "listenIpc"];
  const methodsOf = (prototype: object): string[] =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([name, { value }]) => typeof value === "function" && name !== "constructor")
      .map(([name]) => name);

  it("has every method", () => {
    const missing = (prototype: object, table: object): string[] =>
      methodsOf(prototype).filter((name) => !Object.hasOwn(table, name) && !OTHERS.includes(name));
    expect(missing(HindcastNode.prototype, NODE)).toEqual([]);
    expect(missing(TraceService.prototype, TRACE)).toEqual([]);
    expect(missing(DebugService.prototype, DEBUG)).toEqual([]);
    expect(missing(StateInspector.prototype, DEBUG)).toEqual([]);
  });
});

describe("a wrong value", () => {
  it.each<[string, Act, unknown, string]>([
    [
      "a block",
      (on, value) => on.trace.block(value),
      "latest",
      'id: expected a block as { number: 1n }, { tag: "latest" } or { hash, requireCanonical: false } with 32 bytes, got "latest".',
    ],
    [
      "a number for a bigint",
      (on, value) => on.trace.call(value, []),
      { value: 5 },
      "call.value: expected a bigint below 2^256, got 5.",
    ],
    [
      "JSON's name of a member",
      (on, value) => on.debug.traceCall(value),
      { gas: 5n },
      'call: unknown member "gas". Use some of: from, to, gasLimit',
    ],
    [
      "a trace that is JSON already",
      (_, value) => encodeGethTrace(value),
      { type: "CALL", from: "0x00" },
      'trace: expected what a tracer of node.debug gave, got {"type":"CALL","from":"0x00"}.',
    ],
    [
      "a type that stands alone",
      (on, value) => on.trace.call({}, value),
      "trace",
      'types: expected a list of "trace", "vmTrace", "stateDiff", got "trace".',
    ],
    [
      "a type that there is not",
      (on, value) => on.trace.call({}, value),
      ["traces"],
      'types[0]: expected one of "trace", "vmTrace", "stateDiff", got "traces".',
    ],
    [
      "a tracer's name alone",
      (on, value) => on.debug.traceTransaction(txHash, { tracer: value }),
      "callTracer",
      'options.tracer: expected a tracer such as { name: "callTracer" }, got "callTracer".',
    ],
    [
      "an uncle by its hash",
      (on, value) => on.mine({ uncles: value }),
      [WORD],
      "options.uncles[0]: expected an object, got 32 bytes.",
    ],
    ["no listener", (on, value) => on.onHeadChange(value), undefined, "listener: expected a function, got nothing."],
    [
      "a trace as JSON",
      (_, value) => renderTrace(value),
      { type: "CALL", from: BOB },
      "trace: expected a recording, or what callTracer gives as values instead of JSON",
    ],
    [
      "a request without a genesis",
      (_, value) => traceTransactionOnState(value),
      {},
      "request.block: expected an object, got nothing.",
    ],
  ])("is told with its place, what it should be and what it is: %s", async (_name, act, value, words) => {
    const attempt = (async () => act(node, value as never))();
    await expect(attempt).rejects.toMatchObject({ name: "InvalidParamsError", code: "INVALID_PARAMS" });
    await expect(attempt).rejects.toThrow(words);
  });
});
