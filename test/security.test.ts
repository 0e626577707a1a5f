/** The limits that SECURITY.md lists, held against the code. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MAX_BLOCK_ITEMS } from "../src/chainspec/header/block.ts";
import { MAX_TRANSACTION_ITEMS } from "../src/chainspec/transaction/decode-transaction.ts";
import { longFlag, NAMES } from "../src/cli/flags/flags.ts";
import { MAX_REPLAY_MEMORY } from "../src/debugger/recording/read-recording.ts";
import { MAX_REPLAY_BYTES } from "../src/debugger/recording/replay-file.ts";
import { DEFAULT_CACHE_BYTES } from "../src/node/options/cache-sizes.ts";
import { DEFAULT_LIMITS } from "../src/node/options/limits.ts";
import { ABI_JSON, FILE_JSON, REQUEST_JSON, STATE_JSON } from "../src/primitives/json/json-limits.ts";
import { MAX_RATIO, SMALL_BYTES } from "../src/primitives/platform/compression.ts";
import { MAX_THREADS } from "../src/primitives/platform/thread-pool.ts";
import { MAX_BATCH_ANSWER } from "../src/rpc/requests/batch.ts";
import { MAX_LARGE_LENGTH } from "../src/rpc/requests/large-requests.ts";
import { MAX_RECORDED_SLOTS } from "../src/rpc/schema/parts.ts";
import { MAX_SUBSCRIPTIONS } from "../src/rpc/subscriptions.ts";
import { DISCARD_BYTES, DISCARD_TIMEOUT_MS, HTTP_TIMEOUTS } from "../src/server/http/http-server.ts";
import { IPC_DEFAULTS } from "../src/server/sockets/start-ipc-server.ts";
import { SERVER_DEFAULTS } from "../src/server/start-server.ts";
import { MAX_FEE_HISTORY_BLOCKS, MAX_PERCENTILES } from "../src/services/query/fee-history.ts";
import { MAX_PROVEN_SLOTS } from "../src/services/query/proof-queries.ts";
import { MAX_BUNDLE_BYTES } from "../src/services/simulate/bundle/tenderly.ts";
import { DEFAULT_CALL_GAS_LIMIT } from "../src/services/simulate/call/simulation.ts";
import { MAX_LISTED_ACCOUNTS } from "../src/services/simulate/debug/state.ts";
import { CLIENT_ARTIFACTS } from "../src/services/simulate/inspect/client-artifacts.ts";
import { MAX_SIMULATED_BLOCKS } from "../src/services/simulate/simulate-v1/plan.ts";
import { MAX_TYPED_DATA_DEPTH } from "../src/services/submit/typed-data.ts";
import { MAX_RECORDING_BYTES } from "../src/tracer/recorder.ts";
import { RESULT_MS, SANDBOX_LIMITS } from "../src/tracer/script/script-limits.ts";
import { GRACE_MS } from "../src/tracer/script/thread/script-thread.ts";
import { DEFAULT_POOL_LIMITS } from "../src/txpool/tx-pool.ts";

const under = (prefix: string, members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, value]));

const numbers = (members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => typeof value === "number" && name !== "port"));

const { maxBatchLength, maxRequestValues, ...simulationAndEngine } = DEFAULT_LIMITS;

const limits: Readonly<Record<string, unknown>> = {
  ...numbers(SERVER_DEFAULTS),
  ...numbers(IPC_DEFAULTS),
  "limits.callGasLimit": DEFAULT_CALL_GAS_LIMIT,
  ...under("limits", simulationAndEngine),
  ...under("poolLimits", DEFAULT_POOL_LIMITS),
  maxBatchLength,
  maxCacheBytes: DEFAULT_CACHE_BYTES,
  "request depth": REQUEST_JSON.depth,
  "request values": REQUEST_JSON.values,
  "state file depth": STATE_JSON.depth,
  "file values": FILE_JSON.values,
  "file depth": FILE_JSON.depth,
  "text length": FILE_JSON.length,
  ratio: MAX_RATIO,
  ...HTTP_TIMEOUTS,
  "discarded bytes": DISCARD_BYTES,
  "discarding time": DISCARD_TIMEOUT_MS,
  subscriptions: MAX_SUBSCRIPTIONS,
  "typed data depth": MAX_TYPED_DATA_DEPTH,
  "proven slots": MAX_PROVEN_SLOTS,
  "recorded slots": MAX_RECORDED_SLOTS,
  "replay file": MAX_REPLAY_BYTES,
  "replay memory": MAX_REPLAY_MEMORY,
  maxRequestValues,
  "listed accounts": MAX_LISTED_ACCOUNTS,
  "fee history blocks": MAX_FEE_HISTORY_BLOCKS,
  "fee history percentiles": MAX_PERCENTILES,
  "simulated blocks": MAX_SIMULATED_BLOCKS,
  "tracer call": SANDBOX_LIMITS.callMs,
  "tracer result": RESULT_MS,
  "tracer memory": SANDBOX_LIMITS.memoryBytes,
  "tracer grace": GRACE_MS,
  "tracer threads": MAX_THREADS,
  recording: MAX_RECORDING_BYTES,
  "block items": MAX_BLOCK_ITEMS,
  "large requests": MAX_LARGE_LENGTH,
  "batch answer": MAX_BATCH_ANSWER,
  "bundle recording": MAX_BUNDLE_BYTES,
  "transaction items": MAX_TRANSACTION_ITEMS,
  "small files": SMALL_BYTES,
  "sent artifact": CLIENT_ARTIFACTS.values,
  "unpacked artifact": CLIENT_ARTIFACTS.unpackedBytes,
  "added artifacts": CLIENT_ARTIFACTS.count,
  "bytes of added artifacts": CLIENT_ARTIFACTS.bytes,
  "ABI values": ABI_JSON.values,
};

it("every limit stands in SECURITY.md with its option and default, and nothing else does", () => {
  const paper = readFileSync(new URL("../SECURITY.md", import.meta.url), "utf8");
  const rows = [...paper.matchAll(/^\| .+ \| (.+) \| ([\d,]+) \|$/gm)].map(([, option = "", value = ""]) => [
    (option.split(", ")[0] ?? "").replace("fixed: ", "").replaceAll("`", ""),
    value.replaceAll(",", ""),
  ]);
  const expected = Object.entries(limits).map(([name, value]) => [name, String(value)]);
  expect(rows.sort()).toEqual(expected.sort());
});

it("the limits of a text are the same in all files, and those that two servers share are the same in both", () => {
  expect(STATE_JSON.length).toBe(FILE_JSON.length);
  const shared = Object.entries(IPC_DEFAULTS).filter(
    ([name, value]) => typeof value === "number" && name in SERVER_DEFAULTS,
  );
  expect(SERVER_DEFAULTS).toMatchObject(Object.fromEntries(shared));
});

it("every option of a limit is one of the library, and every flag one of the command", () => {
  const paper = readFileSync(new URL("../SECURITY.md", import.meta.url), "utf8");
  const options = [...paper.matchAll(/^\| .+ \| (.+) \| [\d,]+ \|$/gm)].flatMap(([, text = ""]) =>
    text.startsWith("fixed: ") ? [] : [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  const flags = new Set(NAMES.map((name) => longFlag(name)));
  const sources = ["options/options.ts", "options/check-options.ts"].map((file) =>
    readFileSync(new URL(`../src/node/${file}`, import.meta.url), "utf8"),
  );
  for (const option of options) {
    if (option.startsWith("--")) expect([...flags], option).toContain(option);
    else expect(sources.join("\n"), option).toMatch(new RegExp(`\\b${option.split(".").at(-1)}\\b`));
  }
  expect(options.length).toBeGreaterThan(15);
});
