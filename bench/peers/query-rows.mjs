// Rows of traces and logs: what is found is counted, and looked into where it costs little.
import { call, DENSE_LOGS, EVERY, MATCHES, SWAPPED } from "./chain.mjs";
import { equal, hex } from "./checks.mjs";

/** Anvil answers trace_filter for 300 blocks at most. */
const TRACE_FILTER_PART = 250;
/** A swap calls two tokens twice each, and asks both for a balance. */
const TRACES_OF_SWAP = 5;

const rangeOf = (fromBlock, toBlock) => ({ fromBlock: hex(fromBlock), toBlock: hex(toBlock) });

/** The swap asks the pair and both tokens. */
function checkCallTrace({ to, calls, error }, node) {
  equal(to, node.pair, "called account");
  equal(error, undefined, "error of the swap");
  equal(calls.length, TRACES_OF_SWAP - 1, "calls of a swap");
}

/** Calls of one account among the last blocks of the sparse range. */
const traceFilter = (label, blocks, runs, partOf = () => blocks) => ({
  label,
  runs,
  run: async (node) => {
    const last = node.sparse.toBlock;
    const part = BigInt(partOf(node));
    const found = [];
    for (let from = last - BigInt(blocks) + 1n; from <= last; from += part) {
      const filter = { ...rangeOf(from, from + part - 1n), toAddress: [node.noted] };
      found.push(...(await node.ask("trace_filter", filter)));
    }
    return found;
  },
  check: (traces, node) => {
    equal(traces.length, Math.ceil(blocks / EVERY), "traces found");
    for (const { action } of traces) equal(action.to, node.noted, "called account");
  },
});

const getLogs = (label, range, address, count, runs) => ({
  label,
  runs,
  request: (node) => [
    "eth_getLogs",
    { ...rangeOf(node[range].fromBlock, node[range].toBlock), address: node[address] },
  ],
  check: (logs, node) => {
    equal(logs.length, count, "logs found");
    const last = logs[count - 1];
    equal(last.address, node[address], "address of the last log");
    equal(last.topics.length, 2, "topics of the last log");
    equal(BigInt(last.blockNumber), node[range].toBlock, "block of the last log");
  },
});

/** Five calls, most of which depend on those before. */
export function dependentCalls({ from, other, token, pair, work }) {
  const tx = (to, data) => ({ from, to, data, gas: hex(5_000_000) });
  return [
    tx(token, call("Token", "transfer", other, 5n)),
    tx(token, call("Token", "approve", pair, 10n ** 20n)),
    tx(pair, call("Pair", "swap", SWAPPED)),
    tx(pair, call("Pair", "swap", SWAPPED / 10n)),
    tx(work, call("Work", "nest", 3n)),
  ];
}

export const queryRows = [
  {
    label: "trace_transaction (swap)",
    runs: 50,
    request: (node) => ["trace_transaction", node.swap],
    check: (traces, node) => {
      equal(traces.length, TRACES_OF_SWAP, "traces of a swap");
      equal(traces[0].action.to, node.pair, "called account");
      equal(traces[0].transactionHash, node.swap, "transaction");
    },
  },
  {
    label: "debug_traceCall, callTracer of a swap",
    runs: 50,
    request: ({ from, pair }) => [
      "debug_traceCall",
      { from, to: pair, data: call("Pair", "swap", SWAPPED), gas: hex(5_000_000) },
      "latest",
      { tracer: "callTracer" },
    ],
    check: checkCallTrace,
  },
  {
    label: "debug_traceTransaction, callTracer of a swap",
    runs: 50,
    request: (node) => ["debug_traceTransaction", node.swap, { tracer: "callTracer" }],
    check: checkCallTrace,
  },
  {
    label: "eth_simulateV1, 5 dependent calls",
    runs: 30,
    request: (node) => ["eth_simulateV1", { blockStateCalls: [{ calls: dependentCalls(node) }] }, "latest"],
    check: ([block]) => {
      equal(block.calls.length, 5, "calls");
      for (const { status } of block.calls) equal(status, "0x1", "status of a call");
    },
  },
  traceFilter("trace_filter, 250 blocks, one address", TRACE_FILTER_PART, 30),
  traceFilter("trace_filter, 1,000 blocks, one address (Anvil: 4 requests)", 1_000, 20, ({ name }) =>
    name === "anvil" ? TRACE_FILTER_PART : 1_000,
  ),
  {
    label: "trace_callMany, 5 dependent calls, all types",
    runs: 15,
    request: (node) => [
      "trace_callMany",
      dependentCalls(node).map((tx) => [tx, ["trace", "vmTrace", "stateDiff"]]),
      "latest",
    ],
    check: (results) => {
      equal(results.length, 5, "results");
      for (const { output, trace, vmTrace, stateDiff } of results) {
        equal(output.length, 66, "length of the output");
        if (trace.some(({ error }) => error !== undefined)) throw new Error("a call failed");
        if (vmTrace.ops.length === 0 || stateDiff === null) throw new Error("a type is missing");
      }
    },
  },
  {
    label: "struct log, 200,000 steps",
    runs: 3,
    // Anvil keeps steps only where it is told to, at a price for all other rows: a node of its own answers here.
    on: ({ forSteps }) => forSteps,
    request: ({ steps }) => ["debug_traceTransaction", steps, {}],
    check: ({ structLogs, failed = false }, _node, row) => {
      // Ganache does not say whether it failed.
      equal(failed, false, "failed");
      row.expected ??= structLogs.length;
      equal(structLogs.length, row.expected, "steps");
      if (structLogs.length < 200_000) throw new Error(`${structLogs.length} steps`);
    },
  },
  getLogs("getLogs, 10 of 2,000 blocks", "sparse", "noted", MATCHES, 50),
  getLogs("getLogs, 10,000 logs", "dense", "work", DENSE_LOGS, 7),
];
