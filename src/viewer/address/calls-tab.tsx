/** Lists the calls from and to an account, inner ones too, the oldest first. */
import type { JSX } from "preact";
import { useRemembered } from "../components/remembered.ts";
import { Empty, Problem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import { useHeadChanges } from "../rpc/live.ts";
import { ownBlocks, whereFrom } from "../rpc/own-blocks.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { type ListedTrace, TraceList } from "../trace-list.tsx";

const PAGE = 200;

/** By `trace_filter`. */
export function CallsTab({ address }: { readonly address: string }): JSX.Element {
  const changes = useHeadChanges();
  const [pages, setPages] = useRemembered("calls", 1);
  const { value, error } = useLoaded(() => loadCalls(address, pages), address, `${changes} ${pages}`);
  if (error !== undefined) return <Problem title="The calls cannot be read" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { traces, blocks } = value;
  const where = whereFrom(blocks);
  if (traces.length === 0) return <Empty>{`No call has to do with this account${where}.`}</Empty>;
  return (
    <TraceList title={`Calls${where}`} label="Calls of the account" traces={traces}>
      {traces.length < pages * PAGE ? null : (
        <button type="button" class="more" onClick={() => setPages(pages + 1)}>
          More calls
        </button>
      )}
    </TraceList>
  );
}

/** On a fork only the blocks above the pinned one are searched: reading the others would take too long. */
async function loadCalls(address: string, pages: number) {
  const blocks = await ownBlocks();
  const fromBlock = `0x${blocks.first.toString(16)}`;
  const range = { fromBlock, fromAddress: [address], toAddress: [address], count: pages * PAGE };
  const traces = blocks.last < blocks.first ? [] : await ask<readonly ListedTrace[]>("trace_filter", range);
  return { traces, blocks };
}
