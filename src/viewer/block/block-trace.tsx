/** Lists all calls of a block's transactions, and its rewards. Only visible rows are in the document. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { SaveButtons } from "../parts/data.tsx";
import { Address, HashLink } from "../parts/hashes.tsx";
import { Empty, Problem } from "../parts/states.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { ask } from "../rpc/client.ts";
import type { Hex } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { ether, grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";

/** A trace of `trace_block`, as far as it is shown. */
export interface BlockTrace {
  readonly type: string;
  readonly action: {
    readonly callType?: string;
    readonly from?: Hex;
    readonly to?: Hex;
    readonly address?: Hex;
    readonly refundAddress?: Hex;
    readonly author?: Hex;
    readonly rewardType?: string;
    readonly value?: Hex;
    readonly balance?: Hex;
  };
  readonly result?: { readonly gasUsed?: Hex; readonly address?: Hex } | null;
  readonly error?: string;
  readonly traceAddress: readonly number[];
  readonly transactionHash?: Hex | null;
  readonly transactionPosition?: number | null;
}

const ROW_HEIGHT = 32;
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };

export function BlockTraceTab({ hash }: { readonly hash: string }): JSX.Element {
  const [current, setCurrent] = useState(-1);
  const { value: traces, error } = useLoaded(
    () => ask<readonly BlockTrace[]>("trace_block", { blockHash: hash }),
    hash,
  );
  if (error !== undefined) return <Problem title="The block cannot be traced" error={error} />;
  if (traces === undefined) return <Empty>Loading…</Empty>;
  if (traces.length === 0) return <Empty>Nothing ran in this block.</Empty>;
  const onKey = (event: KeyboardEvent): void => {
    const tx = traces[current]?.transactionHash;
    if (event.key === "Enter" && tx) location.hash = `#/tx/${tx}`;
    const move = MOVES[event.key];
    if (move === undefined) return;
    event.preventDefault();
    setCurrent(Math.min(traces.length - 1, Math.max(0, current + move)));
  };
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Trace</h2>
        <div class="actions">
          <SaveButtons name="trace" rows={traces.map(rowOf)} />
        </div>
      </div>
      <div class="list-box" style={{ height: `${Math.min(traces.length, 18) * ROW_HEIGHT + 2}px` }}>
        <VirtualList
          count={traces.length}
          rowHeight={ROW_HEIGHT}
          label="Calls of the block"
          role="list"
          current={current}
          row={(index) => <TraceRow key={index} trace={traces[index] as BlockTrace} isCurrent={index === current} />}
          onKey={onKey}
        />
      </div>
    </section>
  );
}

function TraceRow({ trace, isCurrent }: { readonly trace: BlockTrace; readonly isCurrent: boolean }): JSX.Element {
  const { traceAddress, transactionHash, error } = trace;
  const { from, to, value, gasUsed } = partsOf(trace);
  const depth = Math.min(traceAddress.length, 12);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is rendered in part, which ul does not allow
    <div class={`trace-row ${isCurrent ? "is-current" : ""}`} role="listitem">
      <span class="trace-kind" style={{ paddingLeft: `${depth * 12}px` }}>
        {kindOf(trace)}
      </span>
      <span class="trace-way">
        {from === undefined ? null : (
          <>
            <Address of={from} /> →{" "}
          </>
        )}
        <Address of={to} />
      </span>
      <span>{value === undefined || BigInt(value) === 0n ? "" : ether(value)}</span>
      <span class="quiet">{gasUsed === undefined ? "" : `${grouped(BigInt(gasUsed))} gas`}</span>
      <span class="fail-text">{error === undefined ? "" : shown(error, 60)}</span>
      <span>{transactionHash ? <HashLink of={transactionHash} to="tx" /> : null}</span>
    </div>
  );
}

const kindOf = ({ type, action }: BlockTrace): string =>
  type === "reward" ? `${action.rewardType ?? ""} reward` : (action.callType ?? type);

function partsOf({ action, result }: BlockTrace) {
  return {
    from: action.from ?? action.address,
    to: action.to ?? action.refundAddress ?? action.author ?? result?.address,
    value: action.value ?? action.balance,
    gasUsed: result?.gasUsed,
  };
}

function rowOf(trace: BlockTrace) {
  const { from, to, value, gasUsed } = partsOf(trace);
  return {
    kind: kindOf(trace),
    from: from ?? "",
    to: to ?? "",
    value: String(BigInt(value ?? "0x0")),
    gasUsed: gasUsed === undefined ? "" : String(BigInt(gasUsed)),
    error: trace.error ?? "",
    traceAddress: trace.traceAddress.join("."),
    transaction: trace.transactionHash ?? "",
  };
}
