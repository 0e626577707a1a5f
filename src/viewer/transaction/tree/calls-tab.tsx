/** The call tree. It can be folded and searched, and the details of the selected call are next to it. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Empty } from "../../components/states.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { movedBy } from "../../keys/list-keys.ts";
import type { WholeTransaction } from "../load.ts";
import { CallDetails } from "./call-details.tsx";
import { type TreeRow, textOfRow, treeRows } from "./rows.ts";
import { TreeLine } from "./tree-line.tsx";

const ROW_HEIGHT = 27;
const MOST_ROWS = 26;
const PAGE_ROWS = 20;

interface CallsProps {
  readonly whole: WholeTransaction;
  /** Index of the call that the page's address names; undefined for the first. */
  readonly at: number | undefined;
}

/** The row of a call while nothing is folded. */
function rowOfCall(whole: WholeTransaction, at: number | undefined): number {
  if (at === undefined) return 0;
  const row = treeRows(whole, new Set()).findIndex(({ id }) => id === `c${at}`);
  return Math.max(0, row);
}

/** Arrow keys move through the tree and fold it. */
export function CallsTab({ whole, at }: CallsProps): JSX.Element {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [current, setCurrent] = useState(() => rowOfCall(whole, at));
  const [wanted, setWanted] = useState("");
  // The call may be among those that come later.
  useEffect(() => {
    if (at !== undefined) setCurrent(rowOfCall(whole, at));
  }, [whole.calls.length]);
  const rows = useMemo(() => treeRows(whole, folded), [whole, folded]);
  const found = useMemo(() => matches(rows, wanted), [rows, wanted]);
  if (rows.length === 0) return <Empty>Nothing was executed.</Empty>;
  const row = rows[Math.min(current, rows.length - 1)] as TreeRow;
  const chosen = callOf(row);
  const fold = (index: number, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(index);
    else next.delete(index);
    setFolded(next);
  };
  const next = (): void => {
    const later = found.find((index) => index > current) ?? found[0];
    if (later !== undefined) setCurrent(later);
  };
  const inner = whole.calls.filter(({ parent }) => parent >= 0).map(({ index }) => index);
  return (
    <div class="tree-columns">
      <section class="panel">
        <div class="panel-head">
          <SearchField found={found.length} wanted={wanted} onInput={setWanted} onNext={next} />
          <div class="actions">
            <button type="button" class="small" onClick={() => setFolded(new Set())}>
              Unfold all
            </button>
            <button type="button" class="small" onClick={() => setFolded(new Set(inner))}>
              Fold
            </button>
          </div>
        </div>
        <div class="list-box" style={{ height: `${Math.min(rows.length, MOST_ROWS) * ROW_HEIGHT + 10}px` }}>
          <VirtualList
            count={rows.length}
            rowHeight={ROW_HEIGHT}
            label="Calls of the transaction"
            role="tree"
            current={current}
            currentId={`row-${row.id}`}
            onKey={(event) => onTreeKey(event, { rows, current, setCurrent, fold })}
            row={(index) => (
              <TreeLine
                key={rows[index]?.id}
                row={rows[index] as TreeRow}
                isCurrent={index === current}
                isFound={wanted !== "" && found.includes(index)}
                isUndone={whole.isUndone[callOf(rows[index] as TreeRow).index] === true}
                total={whole.calls[0]?.gasUsed ?? "0x0"}
                onChoose={() => setCurrent(index)}
                onFold={fold}
              />
            )}
          />
        </div>
      </section>
      <CallDetails call={chosen} hash={whole.tx.hash} />
    </div>
  );

  function callOf(at: TreeRow) {
    return at.what === "change" ? (whole.calls[at.change.call] ?? (whole.calls[0] as never)) : at.call;
  }
}

function matches(rows: readonly TreeRow[], wanted: string): readonly number[] {
  const text = wanted.trim().toLowerCase();
  if (text === "") return [];
  return rows.flatMap((row, index) => (textOfRow(row).toLowerCase().includes(text) ? [index] : []));
}

interface Keys {
  readonly rows: readonly TreeRow[];
  readonly current: number;
  readonly setCurrent: (index: number) => void;
  readonly fold: (index: number, isFolded: boolean) => void;
}

/** Handles keys by the ARIA tree pattern: up and down select a row, right unfolds or enters, left folds or leaves. */
function onTreeKey(event: KeyboardEvent, { rows, current, setCurrent, fold }: Keys): void {
  const row = rows[current];
  const last = rows.length - 1;
  const target = movedBy(event.key, current, rows.length, PAGE_ROWS);
  if (target !== undefined) {
    event.preventDefault();
    setCurrent(target);
    return;
  }
  if (row === undefined || (event.key !== "ArrowRight" && event.key !== "ArrowLeft")) return;
  event.preventDefault();
  if (event.key === "ArrowRight") {
    if (row.what === "call" && row.isFolded) fold(row.call.index, false);
    else if (row.what === "call" && row.hasMore) setCurrent(Math.min(last, current + 1));
    return;
  }
  if (row.what === "call" && row.hasMore && !row.isFolded) {
    fold(row.call.index, true);
    return;
  }
  const outer = rows.findLastIndex((other, index) => index < current && other.depth < row.depth);
  if (outer >= 0) setCurrent(outer);
}

function SearchField(props: {
  readonly found: number;
  readonly wanted: string;
  readonly onInput: (text: string) => void;
  readonly onNext: () => void;
}): JSX.Element {
  const { found, wanted, onInput, onNext } = props;
  return (
    <form
      class="tree-search"
      onSubmit={(event) => {
        event.preventDefault();
        onNext();
      }}
    >
      <input
        type="search"
        aria-label="Search in the calls"
        placeholder="Search in the calls"
        value={wanted}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <span class="quiet" role="status">
        {wanted === "" ? "" : `${found} found`}
      </span>
    </form>
  );
}
