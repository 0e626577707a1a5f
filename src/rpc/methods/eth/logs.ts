/** eth_getLogs. */
import { encodeLog } from "../../encode/blocks/log.ts";
import { logsText } from "../../encode/blocks/log-text.ts";
import { list } from "../../encode/shape.ts";
import { method, required } from "../../method.ts";
import { logFilter } from "../../schema/log-filter.ts";

export const getLogs = method({
  name: "eth_getLogs",
  summary: "Logs of one block or a range by address and topics, through an index.",
  params: [required("filter", logFilter)],
  run: ({ logs }, [{ range, criteria }], { signal }) => logs.find(range, criteria, signal),
  encode: list(encodeLog),
  encodeText: logsText,
});
