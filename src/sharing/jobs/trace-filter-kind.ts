/** Flat traces by sender and receiver: what `trace_filter` answers for each block. */
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { JobFlag, JobKind } from "./job-kind.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const MODES: readonly string[] = ["union", "intersection"];

/** The kind `trace-filter`. */
export const traceFilterKind: JobKind = {
  name: "trace-filter",
  summary: "find the flat traces of senders and receivers, as trace_filter does; without any, all traces",
  flags: [
    addresses("fromAddress", "--from-address <addresses>", "senders, between commas (default: any)"),
    addresses("toAddress", "--to-address <addresses>", "receivers, between commas (default: any)"),
    {
      name: "mode",
      flags: "--mode <mode>",
      help: "whether sender and receiver have to match: union (one of them) or intersection (both) (default: the node's)",
      read: (text) => (MODES.includes(text) ? { value: text } : { expected: MODES.join(" or ") }),
    },
  ],
  // By number, since there is no trace_filter by hash. That the chain is the same is checked before and after the range.
  request: (parameters, { number }) => {
    const block = encodeQuantity(number);
    return { method: "trace_filter", params: [{ fromBlock: block, toBlock: block, ...parameters }] };
  },
  leavesOutEmpty: true,
};

function addresses(name: string, flags: string, help: string): JobFlag {
  return {
    name,
    flags,
    help,
    read: (text) => {
      const found = text.split(",").map((each) => each.trim().toLowerCase());
      return found.every((each) => ADDRESS.test(each)) ? { value: found } : { expected: "addresses between commas" };
    },
  };
}
