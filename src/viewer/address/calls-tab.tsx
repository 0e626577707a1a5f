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
/** Blocks of the other chain that a click on "Earlier" searches: the node runs each of them again. */
const EARLIER = 25;

/** By `trace_filter`. */
export function CallsTab({ address }: { readonly address: string }): JSX.Element {
  const changes = useHeadChanges();
  const [pages, setPages] = useRemembered("calls", 1);
  const [earlier, setEarlier] = useRemembered("earlier-calls", 0);
  const { value, error } = useLoaded(
    () => loadCalls(address, pages, earlier),
    address,
    `${changes} ${pages} ${earlier}`,
  );
  if (error !== undefined) return <Problem title="The calls cannot be read" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { traces, blocks, first } = value;
  const where = earlier === 0 ? whereFrom(blocks) : ` in the blocks from ${first} on`;
  const more =
    traces.length >= pages * PAGE ? (
      <button type="button" class="more" onClick={() => setPages(pages + 1)}>
        More calls
      </button>
    ) : first > 0 ? (
      <button type="button" class="more" onClick={() => setEarlier(earlier + 1)}>
        Earlier: {Math.min(EARLIER, first)} blocks of the other chain
      </button>
    ) : null;
  if (traces.length === 0)
    return (
      <>
        <Empty>{`No call involves this account${where}.`}</Empty>
        {more}
      </>
    );
  return (
    <TraceList title={`Calls${where}`} label="Calls of the account" traces={traces}>
      {more}
    </TraceList>
  );
}

/** On a fork only the blocks above the pinned one are searched, and as many below it as the reader asked for. */
async function loadCalls(address: string, pages: number, earlier: number) {
  const blocks = await ownBlocks();
  const first = Math.max(0, blocks.first - earlier * EARLIER);
  const range = { fromBlock: `0x${first.toString(16)}`, fromAddress: [address], toAddress: [address] };
  const traces =
    blocks.last < first ? [] : await ask<readonly ListedTrace[]>("trace_filter", { ...range, count: pages * PAGE });
  return { traces, blocks, first };
}
