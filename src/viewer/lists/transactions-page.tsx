/** Lists all transactions of the chain, the newest first, page by page, with filters. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { functionName, useContracts, useStandards } from "../abi/contracts.ts";
import { type Mined, TransactionRow, targetsOf } from "../chain/latest-transactions.tsx";
import { Panel, SaveButtons } from "../components/data.tsx";
import { Progress } from "../components/progress.tsx";
import { Empty, PageProblem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import { grouped } from "../text/format.ts";
import { findTransactions } from "./find-transactions.ts";

const PAGE = 50;

interface State {
  readonly list: readonly Mined[];
  /** The next block to be searched; negative when all were. */
  readonly next: number;
}

interface Filter {
  readonly text: string;
  readonly outcome: "all" | "failed" | "succeeded";
}

/** The page `#/transactions`. It stays as it is while blocks are mined: the chain's page shows the newest. */
export function TransactionsPage(): JSX.Element {
  const [state, setState] = useState<State | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const [lowest, setLowest] = useState<number | undefined>(undefined);
  const [filter, setFilter] = useState<Filter>({ text: "", outcome: "all" });
  const running = useRef<AbortController | undefined>(undefined);
  const load = async (from: number, before: readonly Mined[]): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setLowest(from);
    try {
      const found = await findTransactions(from, PAGE, { signal: controller.signal, onProgress: setLowest });
      setState({ list: [...before, ...found.list], next: found.lowest - 1 });
    } catch (problem) {
      setError(problem as Error);
    }
    setLowest(undefined);
  };
  useEffect(() => {
    document.title = "Transactions · Hindcast";
    ask<string>("eth_blockNumber").then((head) => load(Number(head), []), setError);
    return () => running.current?.abort();
  }, []);
  const shownRows = (state?.list ?? []).filter((mined) => isWanted(mined, filter));
  const contracts = useContracts(targetsOf(shownRows));
  useStandards(true);
  if (error !== undefined) return <PageProblem title="The transactions cannot be listed" error={error} />;
  const rows = shownRows.filter((mined) => hasText(mined, filter.text, contracts));
  return (
    <article>
      <h1>Transactions</h1>
      <Panel title="From the newest" actions={<SaveButtons name="transactions" rows={rows.map(rowOf)} />}>
        <Filters filter={filter} count={state?.list.length ?? 0} onChange={setFilter} />
        {state === undefined ? null : rows.length === 0 ? <Empty>None.</Empty> : null}
        <ul class="transactions">
          {rows.map((mined) => (
            <TransactionRow key={mined.tx.hash} {...mined} contracts={contracts} hasBlock />
          ))}
        </ul>
        {lowest === undefined ? null : (
          <Progress what={`Searching below block ${grouped(lowest)}`} onStop={() => running.current?.abort()} />
        )}
        {state === undefined || state.next < 0 || lowest !== undefined ? null : (
          <button type="button" class="more" onClick={() => void load(state.next, state.list)}>
            Older transactions
          </button>
        )}
      </Panel>
    </article>
  );
}

function Filters(props: {
  readonly filter: Filter;
  readonly count: number;
  readonly onChange: (filter: Filter) => void;
}): JSX.Element {
  const { filter, count, onChange } = props;
  const isAddress = /^0x[0-9a-f]{40}$/i.test(filter.text.trim());
  return (
    <div class="row filters">
      <label>
        Account, function or hash
        <input
          type="search"
          spellcheck={false}
          value={filter.text}
          onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      <label>
        Outcome
        <select
          value={filter.outcome}
          onChange={(event) => onChange({ ...filter, outcome: event.currentTarget.value as Filter["outcome"] })}
        >
          <option value="all">all</option>
          <option value="failed">failed</option>
          <option value="succeeded">succeeded</option>
        </select>
      </label>
      <p class="quiet">
        Of the {grouped(count)} that are loaded.{" "}
        {isAddress ? (
          <a href={`#/address/${filter.text.trim().toLowerCase()}`}>All of this account, from the index</a>
        ) : null}
      </p>
    </div>
  );
}

function isWanted({ receipt }: Mined, { outcome }: Filter): boolean {
  return outcome === "all" || (receipt?.status === "0x0") === (outcome === "failed");
}

function hasText({ tx, receipt }: Mined, text: string, contracts: ReturnType<typeof useContracts>): boolean {
  const target = tx.to ?? receipt?.contractAddress ?? "";
  const contract = contracts.get(target);
  const parts = [tx.hash, tx.from, target, contract?.name, functionName(contract, tx.input)];
  return parts.join(" ").toLowerCase().includes(text.trim().toLowerCase());
}

function rowOf({ tx, receipt }: Mined) {
  const { hash, blockNumber, from, to, value, input } = tx;
  return {
    hash,
    block: Number(blockNumber),
    from,
    to: to ?? receipt?.contractAddress ?? "",
    value: String(BigInt(value)),
    selector: input.slice(0, 10),
    gasUsed: receipt === undefined ? "" : String(BigInt(receipt.gasUsed)),
    failed: receipt?.status === "0x0",
  };
}
