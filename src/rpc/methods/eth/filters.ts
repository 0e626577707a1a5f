/** eth_*: filters that are polled. */
import { z } from "zod";
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { encodeFilterChanges } from "../../encode/blocks/filter-changes.ts";
import { encodeLog } from "../../encode/blocks/log.ts";
import { logsText } from "../../encode/blocks/log-text.ts";
import { asIs, list } from "../../encode/shape.ts";
import { method, optional, required } from "../../method.ts";
import { BOOLEAN } from "../../openrpc/json-schema.ts";
import { logFilter } from "../../schema/log-filter.ts";
import { quantity } from "../../schema/primitives.ts";

export const newFilter = method({
  name: "eth_newFilter",
  summary: "Watches for logs that come, or go with a reorg, from now on. Gives an id to poll with.",
  params: [required("filter", logFilter)],
  run: ({ filters }, [{ range, criteria }]) => filters.watchLogs(range, criteria),
  encode: encodeQuantity,
});

export const newBlockFilter = method({
  name: "eth_newBlockFilter",
  summary: "Watches for new blocks. Gives an id to poll with.",
  params: [],
  run: ({ filters }) => filters.watchBlocks(),
  encode: encodeQuantity,
});

export const newPendingTransactionFilter = method({
  name: "eth_newPendingTransactionFilter",
  summary: "Watches for transactions that become executable. Gives an id to poll with.",
  params: [optional("whole", z.boolean({ error: "expected true for whole transactions" }), false)],
  run: ({ filters }, [whole]) => filters.watchTransactions(whole),
  encode: encodeQuantity,
});

export const getFilterChanges = method({
  name: "eth_getFilterChanges",
  summary: "What a filter has seen since it was last polled: hashes or logs, removed ones first.",
  params: [required("filter", quantity)],
  run: ({ filters }, [id], { signal }) => filters.changes(id, signal),
  encode: encodeFilterChanges,
});

export const getFilterLogs = method({
  name: "eth_getFilterLogs",
  summary: "All logs that a log filter means, polled for or not.",
  params: [required("filter", quantity)],
  run: ({ filters }, [id], { signal }) => filters.logs(id, signal),
  encode: list(encodeLog),
  encodeText: logsText,
});

export const uninstallFilter = method({
  name: "eth_uninstallFilter",
  summary: "Forgets a filter. False if there was none.",
  params: [required("filter", quantity)],
  result: BOOLEAN,
  run: ({ filters }, [id]) => filters.uninstall(id),
  encode: asIs,
});
