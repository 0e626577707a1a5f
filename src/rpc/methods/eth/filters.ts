/** eth_*: logs, and filters, which clients poll. */
import { z } from "zod";
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { encodeFilterChanges, encodeLogs, filterChangesSchema, logSchema, logsText } from "../../encode/blocks/log.ts";
import { asIs } from "../../encode/shape.ts";
import { LOGS } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { arrayOf, BOOLEAN } from "../../openrpc/json-schema.ts";
import { QUANTITY } from "../../openrpc/primitives.ts";
import { logFilter } from "../../schema/log-filter.ts";
import { quantity } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

export const getLogs = method({
  name: "eth_getLogs",
  summary: "Logs of one block or a range by address and topics, through an index.",
  params: [required("filter", logFilter)],
  result: arrayOf(logSchema),
  errors: [LOGS, "HEADER_NOT_FOUND", "BLOCK_RANGE_BEYOND_HEAD"],
  example: { params: [{ fromBlock: "0x0", address: EXAMPLE.contract }] },
  run: ({ logs }, [{ range, criteria }], { signal }) => logs.find(range, criteria, signal),
  encode: encodeLogs,
  encodeText: logsText,
});

export const newFilter = method({
  name: "eth_newFilter",
  summary: "Installs a filter for new logs, and for logs that a reorg removes. Answers an id to poll with.",
  writes: true,
  answeredBy: "reader",
  params: [required("filter", logFilter)],
  result: QUANTITY,
  errors: [LOGS, "TOO_MANY_FILTERS"],
  example: { params: [{ topics: [] }], result: EXAMPLE.filter },
  run: ({ filters }, [{ range, criteria }]) => filters.watchLogs(range, criteria),
  encode: encodeQuantity,
});

export const newBlockFilter = method({
  name: "eth_newBlockFilter",
  summary: "Installs a filter for new blocks. Answers an id to poll with.",
  writes: true,
  answeredBy: "reader",
  params: [],
  result: QUANTITY,
  errors: ["TOO_MANY_FILTERS"],
  example: { params: [], result: "0x3f0ac7d51a3f4f8b9d2d5b1d2f1c6e7a" },
  run: ({ filters }) => filters.watchBlocks(),
  encode: encodeQuantity,
});

export const newPendingTransactionFilter = method({
  name: "eth_newPendingTransactionFilter",
  summary: "Installs a filter for transactions that become executable. Answers an id to poll with.",
  writes: true,
  answeredBy: "nobody",
  params: [optional("whole", z.boolean({ error: "expected true for whole transactions" }), false)],
  result: QUANTITY,
  errors: ["TOO_MANY_FILTERS"],
  example: { params: [], result: "0x51c6a5d8e2f94a2f8b7e3d2c1b0a9f8e" },
  run: ({ filters }, [whole]) => filters.watchTransactions(whole),
  encode: encodeQuantity,
});

export const getFilterChanges = method({
  name: "eth_getFilterChanges",
  summary: "Hashes or logs that a filter found since the last poll, removed logs first.",
  writes: true,
  answeredBy: "reader",
  params: [required("filter", quantity)],
  result: filterChangesSchema,
  errors: [LOGS, "FILTER_NOT_FOUND"],
  example: { params: [EXAMPLE.filter] },
  run: ({ filters }, [id], { signal }) => filters.changes(id, signal),
  encode: encodeFilterChanges,
});

export const getFilterLogs = method({
  name: "eth_getFilterLogs",
  summary: "All logs that match a log filter, whether polled before or not.",
  params: [required("filter", quantity)],
  result: arrayOf(logSchema),
  errors: [LOGS, "HEADER_NOT_FOUND", "BLOCK_RANGE_BEYOND_HEAD", "FILTER_NOT_FOUND"],
  example: { params: [EXAMPLE.filter] },
  run: ({ filters }, [id], { signal }) => filters.logs(id, signal),
  encode: encodeLogs,
  encodeText: logsText,
});

export const uninstallFilter = method({
  name: "eth_uninstallFilter",
  summary: "Removes a filter. Answers false if the id is unknown.",
  writes: true,
  answeredBy: "reader",
  params: [required("filter", quantity)],
  result: BOOLEAN,
  example: { params: [EXAMPLE.filter] },
  run: ({ filters }, [id]) => filters.uninstall(id),
  encode: asIs,
});
