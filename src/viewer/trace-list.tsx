/** Lists calls and rewards of a block, or of an account. Only visible rows are in the document. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { type Contracts, functionName, useContracts, useStandards } from "./abi/contracts.ts";
import { SaveButtons } from "./components/data.tsx";
import { DepthNumber, indentOf } from "./components/depth.tsx";
import { Address, HashLink } from "./components/hashes.tsx";
import { VirtualList } from "./components/virtual-list.tsx";
import { movedBy } from "./keys/list-keys.ts";
import type { Hex } from "./rpc/types.ts";
import { ether, grouped } from "./text/format.ts";
import { shown } from "./text/shown.ts";

/** A trace of `trace_block` or `trace_filter`, as far as it is shown. */
export interface ListedTrace {
  readonly type: string;
  readonly action: {
    readonly callType?: string;
    readonly from?: Hex;
    readonly to?: Hex;
    readonly input?: Hex;
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

/** Most accounts whose names are asked for. */
const MOST_NAMED = 200;
const ROW_HEIGHT = 32;
const PAGE_ROWS = 15;

interface TraceListProps {
  readonly title: string;
  /** Description for screen readers. */
  readonly label: string;
  readonly traces: readonly ListedTrace[];
  /** What comes below the list. */
  readonly children?: ComponentChildren;
}

/** Enter opens the transaction of the selected row. */
export function TraceList({ title, label, traces, children }: TraceListProps): JSX.Element {
  const [current, setCurrent] = useState(-1);
  const contracts = useContracts(addressesOf(traces));
  useStandards(true);
  const onKey = (event: KeyboardEvent): void => {
    const tx = traces[current]?.transactionHash;
    if (event.key === "Enter" && tx) location.hash = `#/tx/${tx}`;
    const target = movedBy(event.key, current, traces.length, PAGE_ROWS);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
  };
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{title}</h2>
        <div class="actions">
          <SaveButtons name="trace" rows={traces.map(rowOf)} />
        </div>
      </div>
      <div class="list-box" style={{ height: `${Math.min(traces.length, 18) * ROW_HEIGHT + 2}px` }}>
        <VirtualList
          count={traces.length}
          rowHeight={ROW_HEIGHT}
          label={label}
          role="list"
          current={current}
          row={(index) => (
            <TraceRow
              key={index}
              trace={traces[index] as ListedTrace}
              isCurrent={index === current}
              contracts={contracts}
            />
          )}
          onKey={onKey}
        />
      </div>
      {children}
    </section>
  );
}

/** The first accounts of a list, which is as many as their names are asked for. */
function addressesOf(traces: readonly ListedTrace[]): readonly string[] {
  const addresses = new Set<string>();
  for (const trace of traces) {
    const { from, to } = partsOf(trace);
    for (const address of [from, to]) if (address !== undefined) addresses.add(address);
    if (addresses.size >= MOST_NAMED) break;
  }
  return [...addresses];
}

function TraceRow(props: {
  readonly trace: ListedTrace;
  readonly isCurrent: boolean;
  readonly contracts: Contracts;
}): JSX.Element {
  const { trace, isCurrent, contracts } = props;
  const { traceAddress, transactionHash, error } = trace;
  const { from, to, value, gasUsed } = partsOf(trace);
  const called = functionName(contracts.get(to ?? ""), trace.action.input ?? "0x");
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is rendered in part, which ul does not allow
    <div class={`trace-row ${isCurrent ? "is-current" : ""}`} role="listitem">
      <span class="trace-kind" style={indentOf(traceAddress.length)}>
        <DepthNumber depth={traceAddress.length} />
        {kindOf(trace)}
      </span>
      <span class="trace-way">
        {from === undefined ? null : (
          <span class="trace-from">
            <Address of={from} name={contracts.get(from)?.name} /> →{" "}
          </span>
        )}
        <Address of={to} name={contracts.get(to ?? "")?.name} />
        {called === undefined ? null : <span class="fn"> {shown(called, 60)}</span>}
      </span>
      <span>{value === undefined || BigInt(value) === 0n ? "" : ether(value)}</span>
      <span class="quiet">{gasUsed === undefined ? "" : `${grouped(BigInt(gasUsed))} gas`}</span>
      <span class="fail-text">{error === undefined ? "" : shown(error, 60)}</span>
      <span>{transactionHash ? <HashLink of={transactionHash} to="tx" /> : null}</span>
    </div>
  );
}

const kindOf = ({ type, action }: ListedTrace): string =>
  type === "reward" ? `${action.rewardType ?? ""} reward` : (action.callType ?? type);

function partsOf({ action, result }: ListedTrace) {
  return {
    from: action.from ?? action.address,
    to: action.to ?? action.refundAddress ?? action.author ?? result?.address,
    value: action.value ?? action.balance,
    gasUsed: result?.gasUsed,
  };
}

function rowOf(trace: ListedTrace) {
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
