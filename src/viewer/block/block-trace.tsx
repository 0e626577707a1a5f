/** Lists all calls of a block's transactions, and its rewards. */
import type { JSX } from "preact";
import { Empty, Problem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { type ListedTrace, TraceList } from "../trace-list.tsx";

/** By `trace_block`. */
export function BlockTraceTab({ hash }: { readonly hash: string }): JSX.Element {
  const { value: traces, error } = useLoaded(
    () => ask<readonly ListedTrace[]>("trace_block", { blockHash: hash }),
    hash,
  );
  if (error !== undefined) return <Problem title="The block cannot be traced" error={error} />;
  if (traces === undefined) return <Empty>Loading…</Empty>;
  if (traces.length === 0) return <Empty>Nothing ran in this block.</Empty>;
  return <TraceList title="Trace" label="Calls of the block" traces={traces} />;
}
