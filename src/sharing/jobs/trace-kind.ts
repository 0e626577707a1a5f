/** Replays of all transactions: what `trace_replayBlockTransactions` answers for each block. */
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { JobKind } from "./job-kind.ts";

const TYPES: readonly string[] = ["trace", "vmTrace", "stateDiff"];

/** The kind `trace`. */
export const traceKind: JobKind = {
  name: "trace",
  summary: "run the transactions of each block again, as trace_replayBlockTransactions does",
  flags: [
    {
      name: "types",
      flags: "--types <types>",
      help: `some of ${TYPES.join(", ")}, between commas`,
      fallback: "trace",
      read: (text) => {
        const names = text.split(",").map((name) => name.trim());
        if (!names.every((name) => TYPES.includes(name))) return { expected: `some of ${TYPES.join(", ")}` };
        // Another order is the same run.
        return { value: TYPES.filter((name) => names.includes(name)) };
      },
    },
  ],
  // By its hash: if another block has taken its place, that is an error.
  request: ({ types }, { hash }) => ({
    method: "trace_replayBlockTransactions",
    params: [{ blockHash: encodeData(hash), requireCanonical: true }, types],
  }),
  leavesOutEmpty: false,
};
