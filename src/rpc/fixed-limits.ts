/** The limits that no option sets, by the names that SECURITY.md gives them. Loaded when somebody asks: it imports most rooms. */
import { MAX_BLOCK_ITEMS } from "../chainspec/header/block.ts";
import { MAX_TRANSACTION_ITEMS } from "../chainspec/transaction/decode-transaction.ts";
import { MAX_REPLAY_MEMORY } from "../debugger/recording/read-recording.ts";
import { MAX_REPLAY_BYTES } from "../debugger/recording/replay-file.ts";
import { ABI_JSON, FILE_JSON, REQUEST_JSON, STATE_JSON } from "../primitives/json/json-limits.ts";
import { MAX_RATIO, SMALL_BYTES } from "../primitives/platform/compression.ts";
import { MAX_THREADS } from "../primitives/platform/thread-pool.ts";
import {
  BODIES_TOGETHER,
  DISCARD_BYTES,
  DISCARD_TIMEOUT_MS,
  HTTP_TIMEOUTS,
  IPC_DEFAULTS,
  SERVER_DEFAULTS,
} from "../server/limits.ts";
import { MAX_FEE_HISTORY_BLOCKS, MAX_PERCENTILES } from "../services/query/fee-history.ts";
import { MAX_PROVEN_SLOTS } from "../services/query/proof-queries.ts";
import { MAX_BUNDLE_BYTES } from "../services/simulate/bundle/tenderly.ts";
import { MAX_LISTED_ACCOUNTS } from "../services/simulate/debug/state.ts";
import { CLIENT_ARTIFACTS } from "../services/simulate/inspect/client-artifacts.ts";
import { MAX_SIMULATED_BLOCKS } from "../services/simulate/simulate-v1/plan.ts";
import { MAX_TYPED_DATA_DEPTH } from "../services/submit/typed-data.ts";
import { GRACE_MS, RESULT_MS, SANDBOX_LIMITS } from "../tracer/script/script-limits.ts";
import { MAX_BATCH_ANSWER } from "./requests/batch.ts";
import { MAX_LARGE_LENGTH } from "./requests/large-requests.ts";
import { MAX_RECORDED_SLOTS } from "./schema/parts.ts";
import { MAX_SUBSCRIPTIONS } from "./subscriptions.ts";

const numbers = (members: object): Record<string, number> =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => typeof value === "number" && name !== "port"));

/** Counts, bytes and milliseconds. */
export const FIXED_LIMITS: Readonly<Record<string, number>> = {
  ...without(numbers(SERVER_DEFAULTS), "maxBodyBytes"),
  ...without(numbers(IPC_DEFAULTS), "maxRequestBytes"),
  "bodies together": BODIES_TOGETHER,
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
  "listed accounts": MAX_LISTED_ACCOUNTS,
  "fee history blocks": Number(MAX_FEE_HISTORY_BLOCKS),
  "fee history percentiles": MAX_PERCENTILES,
  "simulated blocks": MAX_SIMULATED_BLOCKS,
  "tracer call": SANDBOX_LIMITS.callMs,
  "tracer result": RESULT_MS,
  "tracer memory": SANDBOX_LIMITS.memoryBytes,
  "tracer grace": GRACE_MS,
  "tracer threads": MAX_THREADS,
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

function without(members: Record<string, number>, name: string): Record<string, number> {
  return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));
}
