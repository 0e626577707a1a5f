/**
 * Objects in params whose members are misspelled. Members of other clients, and unlike ones, are ignored, as in geth; one
 * that is nearly known is refused with the known name, because the answer would be that of another question.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  type Client,
  openNode,
  type ServedNode,
  serve,
  wordText,
} from "../support/a-node.ts";

const CALL = { from: ALICE, to: BOB };
const CODE = { [addressText(0x11)]: { code: "0x00" } };
const TIME = { time: "0x70000000" };
const DIFF = { tracer: "prestateTracer" };

interface Misspelled {
  readonly method: string;
  /** The params around an object with this member. */
  readonly around: (member: object) => readonly unknown[];
  /** Path of the object. */
  readonly path: string;
  /** Wrong name, value, right name. */
  readonly members: readonly (readonly [given: string, value: unknown, known: string])[];
}

const blocksOf = (block: object) => [{ blockStateCalls: [block] }];
const hash = wordText(1);
const OVERRIDES = [
  ["blockOverride", TIME, "blockOverrides"],
  ["stateOverride", CODE, "stateOverrides"],
  ["stateOverides", CODE, "stateOverrides"],
  ["blockOveride", TIME, "blockOverrides"],
] as const;
const CONFIG = [
  ["tracers", "callTracer", "tracer"],
  ["traceConfig", {}, "tracerConfig"],
  ["timout", "5s", "timeout"],
  ["enableMemroy", true, "enableMemory"],
  ["disableStacks", true, "disableStack"],
  ["disableStorages", true, "disableStorage"],
  ["limits", 5, "limit"],
] as const;
const METHODS: readonly Misspelled[] = [
  {
    method: "eth_simulateV1",
    around: (member) => blocksOf({ calls: [CALL], ...member }),
    path: "params[0].blockStateCalls[0]",
    members: [...OVERRIDES, ["call", [CALL], "calls"]],
  },
  {
    method: "eth_simulateV1",
    around: (member) => [{ blockStateCalls: [{ calls: [CALL] }], ...member }],
    path: "params[0]",
    members: [
      ["traceTransfer", true, "traceTransfers"],
      ["validate", true, "validation"],
      ["returnFullTransaction", true, "returnFullTransactions"],
      ["returnFullTransactionObjects", true, "returnFullTransactions"],
    ],
  },
  {
    method: "debug_traceCall",
    around: (member) => [CALL, "latest", { tracer: "callTracer", ...member }],
    path: "params[2]",
    members: [...OVERRIDES, ...CONFIG, ["txIdx", 0, "txIndex"]],
  },
  {
    method: "debug_traceTransaction",
    around: (member) => [hash, member],
    path: "params[1]",
    members: CONFIG,
  },
  ...["debug_traceBlockByNumber", "debug_traceBlockByHash", "debug_traceBlock"].map((method) => ({
    method,
    around: (member: object) => [method === "debug_traceBlockByNumber" ? "latest" : hash, member],
    path: "params[1]",
    members: CONFIG,
  })),
  {
    method: "debug_traceCall",
    around: (member) => [CALL, "latest", { tracer: "callTracer", tracerConfig: member }],
    path: "params[2].tracerConfig",
    members: [
      ["onlyTopCalls", true, "onlyTopCall"],
      ["withLogs", true, "withLog"],
    ],
  },
  {
    method: "debug_traceTransaction",
    around: (member) => [hash, { ...DIFF, tracerConfig: member }],
    path: "params[1].tracerConfig",
    members: [
      ["difMode", true, "diffMode"],
      ["disableCodes", true, "disableCode"],
      ["includesEmpty", true, "includeEmpty"],
    ],
  },
  {
    method: "debug_traceCall",
    around: (member) => [CALL, "latest", { tracer: "muxTracer", tracerConfig: { flatCallTracer: member } }],
    path: "params[2].tracerConfig.flatCallTracer",
    members: [["includePrecompile", true, "includePrecompiles"]],
  },
  {
    method: "debug_traceCall",
    around: (member) => [CALL, "latest", { tracer: "muxTracer", tracerConfig: member }],
    path: "params[2].tracerConfig",
    members: [
      ["calltracer", {}, "callTracer"],
      ["prestate_tracer", {}, "prestateTracer"],
    ],
  },
  {
    method: "debug_traceCallMany",
    around: (member) => [[{ transactions: [CALL] }], {}, { tracer: "callTracer", ...member }],
    path: "params[2]",
    members: [...OVERRIDES, ...CONFIG],
  },
  ...["debug_traceCallMany", "eth_callMany"].flatMap((method): Misspelled[] => [
    {
      method,
      around: (member) => [[{ transactions: [CALL], ...member }]],
      path: "params[0][0]",
      members: [
        ["blockOverrides", TIME, "blockOverride"],
        ["blockoveride", TIME, "blockOverride"],
        ["transaction", [CALL], "transactions"],
      ],
    },
    {
      method,
      around: (member) => [[{ transactions: [CALL] }], member],
      path: "params[1]",
      members: [
        ["blockNum", "0x0", "blockNumber"],
        ["transactionIdx", 0, "transactionIndex"],
      ],
    },
  ]),
  {
    method: "eth_callBundle",
    around: (member) => [{ txs: [], blockNumber: "0x1", stateBlockNumber: "latest", ...member }],
    path: "params[0]",
    members: [
      ["timeStamps", "0x1", "timestamp"],
      ["basefees", "0x1", "baseFee"],
    ],
  },
  ...["anvil_reset", "hardhat_reset"].flatMap((method): Misspelled[] => [
    {
      method,
      around: (member) => [member],
      path: "params[0]",
      members: [["forkin", { jsonRpcUrl: "http://127.0.0.1:1" }, "forking"]],
    },
    {
      method,
      around: (member) => [{ forking: member }],
      path: "params[0].forking",
      members: [
        ["jsonRpcURI", "http://127.0.0.1:1", "jsonRpcUrl"],
        ["blocknumbr", 1, "blockNumber"],
      ],
    },
  ]),
  {
    method: "wallet_sendCalls",
    around: (member) => [{ calls: [{ to: BOB }], ...member }],
    path: "params[0]",
    members: [
      ["atomicRequire", true, "atomicRequired"],
      ["chainid_", "0x1", "chainId"],
    ],
  },
  {
    method: "wallet_sendCalls",
    around: (member) => [{ calls: [{ to: BOB, ...member }] }],
    path: "params[0].calls[0]",
    members: [
      ["valeu", "0x1", "value"],
      ["datas", "0x01", "data"],
    ],
  },
  ...["eth_call", "eth_sendTransaction"].map((method) => ({
    method,
    around: (member: object) => [{ ...CALL, accessList: [{ address: BOB, ...member }] }],
    path: "params[0].accessList[0]",
    members: [["storageKey", [hash], "storageKeys"]] as const,
  })),
  {
    method: "testing_buildBlockV1",
    around: (member) => [
      hash,
      { timestamp: "0x70000000", prevRandao: hash, suggestedFeeRecipient: BOB, withdrawals: [], ...member },
      [],
    ],
    path: "params[1]",
    members: [
      ["parentBeaconRoot", hash, "parentBeaconBlockRoot"],
      ["slotNum", "0x1", "slotNumber"],
    ],
  },
];

let served: ServedNode;
let plain: Client;
beforeAll(async () => {
  served = await serve(await openNode());
  plain = served.plain;
});
afterAll(() => served.node.close());

const CASES = METHODS.flatMap(({ method, around, path, members }) =>
  members.map(([given, value, known]) => ({ method, params: around({ [given]: value }), path, given, known })),
);

it.each(CASES)("$method refuses $path.$given", async ({ method, params, path, given, known }) => {
  const { code, message } = await plain.failure(method, ...params);
  expect([code, message]).toEqual([-32602, `${path}: unknown member "${given}". Did you mean ${known}?`]);
});

it("Erigon's trace configuration too", async () => {
  const erigon = await aServedNode({ traceClient: "erigon" });
  const { message } = await erigon.plain.failure("trace_call", CALL, ["trace"], "latest", { includePrecompile: true });
  expect(message).toBe('params[3]: unknown member "includePrecompile". Did you mean includePrecompiles?');
});

it.each([
  ["eth_getBalance", [ALICE, "lates"], "latest"],
  ["eth_call", [CALL, { blockNumber: "pendign" }], "pending"],
  ["eth_getLogs", [{ fromBlock: "earlist" }], "earliest"],
  ["eth_feeHistory", ["0x1", "finalised", []], "finalized"],
  ["eth_callMany", [[{ transactions: [CALL] }], { blockNumber: "saef" }], "safe"],
  ["trace_filter", [{ mode: "unoin" }], "union"],
  ["hindcast_compareHardforks", [{ calls: [CALL], hardforks: ["osaka", "amsterdm"] }], "amsterdam"],
])("%s answers a misspelled value with the nearest: %j", async (method, params, known) => {
  const { code, message } = await plain.failure(method, ...params);
  expect(code).toBe(-32602);
  expect(message.endsWith(` Did you mean "${known}"?`)).toBe(true);
});

describe("are taken", () => {
  it.each([
    ["in another case", [CALL, "latest", { Tracer: "callTracer", tracerconfig: { OnlyTopCall: true } }]],
    ["of earlier versions of geth, and of other clients", [CALL, "latest", { disableMemory: true, reexec: 128 }]],
    ["that say the contrary in other clients", [CALL, "latest", { disableMemory: false, disableReturnData: true }]],
    ["that are unlike all known ones", [CALL, "latest", { tracer: "callTracer", withTimes: true, noBaseFee: true }]],
  ])("members %s", async (_which, params) => {
    const answer = await plain.ask<object>("debug_traceCall", ...params);
    expect(answer).toHaveProperty("gasUsed" in answer ? "gasUsed" : "structLogs");
  });

  it("members in another case of blocks that are simulated", async () => {
    const block = { CALLS: [CALL], blockoverrides: { Number: "0x5" }, stateoverrides: CODE };
    const blocks = await plain.ask<{ number: string }[]>("eth_simulateV1", { blockstatecalls: [block] });
    expect(blocks.at(-1)).toMatchObject({ number: "0x5", calls: [{ status: "0x1" }] });
  });

  it("misspelled members of call objects, which geth ignores", async () => {
    for (const call of [
      { ...CALL, valeu: "0x1" },
      { ...CALL, inputs: "0x1" },
      { ...CALL, dat: "0x1" },
    ]) {
      expect(await plain.ask("eth_call", call)).toBe("0x");
      const blocks = await plain.ask<{ calls: object[] }[]>("eth_simulateV1", { blockStateCalls: [{ calls: [call] }] });
      expect(blocks[0]?.calls[0]).toMatchObject({ status: "0x1" });
    }
  });
});
