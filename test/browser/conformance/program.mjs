// A worker's program for the conformance suites: the library's modules as the build for browsers has them. It answers one
// message after the other, each of them JSON.
import * as spec from "../../../src/chainspec/chain-spec.ts";
import * as genesis from "../../../src/chainspec/genesis/genesis.ts";
import * as fees from "../../../src/chainspec/header/fees.ts";
import * as errors from "../../../src/errors/hindcast-error.ts";
import * as executor from "../../../src/executor/executor.ts";
import * as runTransaction from "../../../src/executor/run-transaction.ts";
import * as transactionChecks from "../../../src/executor/transaction-checks.ts";
import * as engines from "../../../src/node/engines.ts";
import { traceTransactionOnState } from "../../../src/node/trace-on-state.ts";
import * as hash from "../../../src/primitives/hash/hash.ts";
import * as logList from "../../../src/primitives/rlp/log-list.ts";
import * as rlpWriter from "../../../src/primitives/rlp/rlp-writer.ts";
import { encodeGethTrace } from "../../../src/rpc/encode/traces/geth-trace.ts";
import * as stateDatabase from "../../../src/state/state-database.ts";
import * as view from "../../../src/state/view.ts";
import { openCaseRunner } from "../../conformance/state-tests/case-runner.mjs";
import { bytesOf } from "../../conformance/state-tests/fields.mjs";
import { traceOnGenesis } from "../../conformance/tracer-request.mjs";

const MODULES = {
  "chainspec/chain-spec": spec,
  "chainspec/genesis/genesis": genesis,
  "chainspec/header/fees": fees,
  "errors/hindcast-error": errors,
  "executor/executor": executor,
  "executor/run-transaction": runTransaction,
  "executor/transaction-checks": transactionChecks,
  "node/engines": engines,
  "primitives/hash/hash": hash,
  "primitives/rlp/log-list": logList,
  "primitives/rlp/rlp-writer": rlpWriter,
  "state/state-database": stateDatabase,
  "state/view": view,
};

const runner = openCaseRunner(async (path) => MODULES[path], "wasm");
/** The node of the last `open`. */
const state = {};

const TASKS = {
  /** A node with a chain. */
  open: async ({ options, chain }) => {
    const { createNode } = await import("../../../src/browser/index.ts");
    state.node = await createNode(options);
    await state.node.importChain(bytesOf(chain));
    return null;
  },
  close: async () => {
    await state.node.close();
    return null;
  },
  /** A body of JSON-RPC, as an HTTP server gets it. */
  post: async (body) => (Array.isArray(body) ? Promise.all(body.map(answer)) : answer(body)),
  trace: async (fixture) => encodeGethTrace(await traceOnGenesis(traceTransactionOnState, undefined, fixture)),
  "state-tests": async (entries) => {
    const results = [];
    for (const { entry, cases } of entries) results.push(...(await (await runner).runEntry(entry, cases)));
    return results;
  },
};

async function answer({ id, method, params }) {
  try {
    return { jsonrpc: "2.0", id, result: await state.node.provider.request({ method, params }) };
  } catch ({ code, message, data }) {
    return { jsonrpc: "2.0", id, error: { code, message, data } };
  }
}

addEventListener("message", async ({ data: { id, task, text } }) => {
  try {
    postMessage({ id, text: JSON.stringify(await TASKS[task](JSON.parse(text))) });
  } catch (error) {
    postMessage({ id, error: `${error.stack ?? error}` });
  }
});
