/** Requests that are heavy by what they execute, mine or load, which no schema says. Earlier campaigns found them. */
import { gzipSync } from "node:zlib";
import { type Bytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { encodeRlp } from "../../src/primitives/rlp/rlp.ts";
import { ALICE } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { LOOP } from "../support/contracts.ts";

/** One request, or several that are sent at the same time. */
export interface NamedRequest {
  readonly method: string;
  readonly name: string;
  /** Bodies that are sent at once, each on a connection of its own. Made when they are sent. */
  readonly bodies: () => readonly string[];
  /** True for what loads or imports a chain, whose memory has bounds of its own. */
  readonly isImport?: boolean;
}

const CONTRACT = `0x${"c0de".repeat(10)}`;
/** Gas that a call may have by default. */
const MOST_GAS = "0x2faf080";
const CALL = { to: CONTRACT, gas: MOST_GAS };
const word = (number: number): string => `0x${number.toString(16).padStart(64, "0")}`;
const times = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index));
const body = (method: string, ...params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
/** State in which {@link CONTRACT} has a code. */
const withCode = (code: Bytes): object => ({ [CONTRACT]: { code: encodeData(code) } });

const MULTIPLIES = assemble(
  `1 0 MSTORE 2 32 MSTORE 0x${"ff".repeat(32)} 64 MSTORE loop: 64 0 96 0 7 GAS STATICCALL POP @loop JUMP`,
);
const READS = assemble("1 loop: 1 ADD DUP1 SLOAD POP @loop JUMP");
const LOGS = assemble("loop: 0 0 LOG0 @loop JUMP");
/** Logs until 100,000 gas are left, so that they stay. */
const LASTING_LOGS = assemble("loop: 0 0 LOG0 100000 GAS GT @loop JUMPI STOP");
/** Calls account 0 until 100,000 gas are left: a frame of the trace costs 130 gas. */
const FRAMES = assemble("loop: 0 0 0 0 0 0 GAS CALL POP 100000 GAS GT @loop JUMPI STOP");
/** Calls itself: some 300,000 frames, up to several hundred deep. */
const RECURSION = assemble("loop: 0 0 0 0 0 ADDRESS GAS CALL POP @loop JUMP");
/** Writes `Error(string)` with 4.8 MB of "a" by doubling what is in memory, and reverts with it. */
const LONG_REASON = assemble(`
  [63] [08c379a0] 224 SHL 0 MSTORE  32 4 MSTORE  4800000 36 MSTORE
  0x${"61".repeat(32)} 68 MSTORE
  32 loop: DUP1 DUP1 68 ADD 68 SWAP1 MCOPY  DUP1 ADD DUP1 2400001 GT @loop JUMPI
  4800068 0 REVERT
`);

/** All of them. */
export const NAMED_REQUESTS: readonly NamedRequest[] = [
  {
    method: "anvil_loadState",
    name: "of one account with 500,000 slots",
    bodies: () => [body("anvil_loadState", packedState(500_000))],
    isImport: true,
  },
  {
    method: "anvil_dumpState",
    name: "of 20,000 slots, 100 times in a batch",
    bodies: () => {
      const load = body("anvil_loadState", packedState(20_000));
      return [`[${[load, ...times(100, () => body("anvil_dumpState"))].join(",")}]`];
    },
  },
  {
    method: "debug_dumpBlock",
    name: "of one account with 100,000 slots, which debug_storageRangeAt lists, too",
    bodies: () => {
      const load = body("anvil_loadState", packedState(100_000));
      const range = body("debug_storageRangeAt", "latest", 0, CONTRACT, "0x", 1_000_000);
      return [`[${[load, body("debug_dumpBlock", "latest"), body("evm_mine"), range].join(",")}]`];
    },
    isImport: true,
  },
  {
    method: "debug_getModifiedAccountsByNumber",
    name: "of a block after 50,000 accounts were loaded",
    bodies: () => {
      const load = body("anvil_loadState", packedAccounts(50_000));
      return [`[${[load, body("evm_mine"), body("debug_getModifiedAccountsByNumber", "0x11")].join(",")}]`];
    },
    isImport: true,
  },
  {
    method: "eth_getBlockReceipts",
    name: "of a transaction with 39,000 logs, and the receipt of it",
    bodies: () => {
      const code = body("anvil_setCode", CONTRACT, encodeData(LASTING_LOGS));
      const sent = body("eth_sendTransactionSync", { from: ALICE, to: CONTRACT, gas: "0xf42400" });
      return [`[${[code, sent, body("eth_getBlockReceipts", "latest")].join(",")}]`];
    },
  },
  {
    method: "debug_traceCall",
    name: "of a loop that reads fresh slots, which each step shows",
    bodies: () => [body("debug_traceCall", CALL, "latest", { stateOverrides: withCode(READS), timeout: "5s" })],
  },
  {
    method: "hindcast_addArtifact",
    name: "of a build with 750,000 values, packed",
    bodies: () => [body("hindcast_addArtifact", packedBuild(200, 600))],
  },
  {
    method: "hindcast_mine",
    name: "of 100 blocks, 1,000 times in a batch",
    bodies: () => [`[${times(1_000, () => body("hindcast_mine", { blocks: 100 })).join(",")}]`],
  },
  {
    method: "eth_call",
    name: "of a loop of ecmul",
    bodies: () => [body("eth_call", CALL, "latest", withCode(MULTIPLIES))],
  },
  {
    method: "eth_call",
    name: "of an endless loop, 1,000 times at once",
    bodies: () =>
      times(1_000, () => body("eth_call", { to: CONTRACT, gas: "0xffffffffffff" }, "latest", withCode(LOOP))),
  },
  {
    method: "eth_call",
    name: "that reverts with 4.8 MB of a reason",
    bodies: () => [body("eth_call", CALL, "latest", withCode(LONG_REASON))],
  },
  {
    method: "eth_simulateV1",
    name: "of 50 million gas of logs",
    bodies: () => [simulateLogs(LOGS), simulateLogs(LASTING_LOGS)],
  },
  {
    method: "hindcast_gasProfileCall",
    name: "of logs until the gas is used, and hindcast_explainCall of the same",
    bodies: () =>
      ["hindcast_gasProfileCall", "hindcast_explainCall"].map((method) =>
        body(method, CALL, "latest", withCode(LASTING_LOGS)),
      ),
  },
  {
    method: "tenderly_simulateBundle",
    name: "of calls with as many frames as fit",
    bodies: () => [
      body(
        "tenderly_simulateBundle",
        times(3_000, () => CALL),
        "latest",
        withCode(FRAMES),
      ),
    ],
  },
  {
    method: "trace_callMany",
    name: "of a contract that calls itself, and trace_call of the same",
    bodies: () => [
      body("trace_callMany", [[CALL, ["trace"]]], "latest", withCode(RECURSION)),
      body("trace_call", CALL, ["trace"], "latest", withCode(RECURSION)),
    ],
  },
  ...["callTracer", "flatCallTracer", "prestateTracer"].map((tracer) => ({
    method: "debug_traceCall",
    name: `of a contract that calls itself, by ${tracer}`,
    bodies: () => [body("debug_traceCall", CALL, "latest", { tracer, stateOverrides: withCode(RECURSION) })],
  })),
  {
    method: "hindcast_gasProfileCall",
    name: "of a contract that calls itself, and of an endless loop",
    bodies: () => [RECURSION, LOOP].map((code) => body("hindcast_gasProfileCall", CALL, "latest", withCode(code))),
  },
  {
    method: "trace_block",
    name: "of a transaction that calls itself, and other traces of that block",
    bodies: () => {
      const code = body("anvil_setCode", CONTRACT, encodeData(RECURSION));
      const sent = body("eth_sendTransactionSync", { from: ALICE, to: CONTRACT, gas: "0xf42400" });
      const traces = [
        body("trace_block", "latest"),
        body("trace_filter", { fromBlock: "latest" }),
        body("debug_traceBlockByNumber", "latest", { tracer: "flatCallTracer" }),
      ];
      return [`[${[code, sent, ...traces].join(",")}]`];
    },
  },
  {
    method: "debug_traceBlock",
    name: "of 5 MB of items of one byte",
    bodies: () => [body("debug_traceBlock", manyItems(5_000_000))],
  },
  {
    method: "debug_traceBlock",
    name: "of 999,000 items of one byte",
    bodies: () => [body("debug_traceBlock", manyItems(999_000))],
  },
];

function simulateLogs(code: Bytes): string {
  const blockStateCalls = [{ stateOverrides: withCode(code), calls: [{ ...CALL, gas: "0x2faf080" }] }];
  return body("eth_simulateV1", { blockStateCalls, traceTransfers: true }, "latest");
}

/** A file of Anvil, packed: as a text it would be too large for a request. */
function packedState(slots: number): string {
  const storage = Object.fromEntries(times(slots, (slot) => [word(slot), word(slot + 1)]));
  const accounts = { [CONTRACT]: { nonce: 0, balance: "0x0", code: "0x00", storage } };
  return encodeData(new Uint8Array(gzipSync(JSON.stringify({ accounts }))));
}

/** The same of accounts that have a balance only. */
function packedAccounts(count: number): string {
  const account = { nonce: 0, balance: "0x1", code: "0x", storage: {} };
  const accounts = Object.fromEntries(
    times(count, (index) => [`0x${(index + 4_096).toString(16).padStart(40, "0")}`, account]),
  );
  return encodeData(new Uint8Array(gzipSync(JSON.stringify({ accounts }))));
}

/** A build as large as that of OpenZeppelin's contracts: files with a contract each, and statements in its functions. */
function packedBuild(files: number, statements: number): string {
  const named = <Value>(make: (file: number) => Value) =>
    Object.fromEntries(times(files, (file) => [`C${file}.sol`, make(file)]));
  const nodes = times(statements, (id) => ({
    nodeType: "ExpressionStatement",
    id,
    src: `${id}:1:0`,
    documentation: "",
  }));
  const contractOf = (file: number) => ({
    ...{ nodeType: "ContractDefinition", id: file, name: `C${file}`, src: "0:9:0", linearizedBaseContracts: [file] },
    nodes: times(10, (id) => ({
      ...{ nodeType: "FunctionDefinition", id, name: `f${id}`, kind: "function", src: "0:9:0" },
      body: { nodeType: "Block", src: "0:9:0", statements: nodes.slice(60 * id, 60 * id + 60) },
    })),
  });
  const evm = (file: number) => ({ deployedBytecode: { object: `60${file.toString(16).padStart(4, "0")}5000` } });
  const build = {
    input: { language: "Solidity", sources: named(() => ({ content: " ".repeat(1_000) })) },
    output: {
      sources: named((id) => ({ id, ast: { nodeType: "SourceUnit", nodes: [contractOf(id)] } })),
      contracts: named((file) => ({ [`C${file}`]: { abi: [], evm: evm(file) } })),
    },
  };
  return encodeData(new Uint8Array(gzipSync(JSON.stringify(build))));
}

function manyItems(items: number): string {
  const head = encodeRlp(new Uint8Array(items)).slice(0, 4);
  // A list has the head of a string of the same length, 64 further.
  head[0] = (head[0] as number) + 0x40;
  return encodeData(concatBytes(head, new Uint8Array(items).fill(1)));
}
