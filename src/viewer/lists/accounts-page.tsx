/** Lists all accounts of the latest state, page by page, with filters. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useContracts } from "../abi/contracts.ts";
import { Panel, SaveButtons } from "../components/data.tsx";
import { Address } from "../components/hashes.tsx";
import { labels } from "../components/labels.ts";
import { useRemembered } from "../components/remembered.ts";
import { Scroll } from "../components/scroll.tsx";
import { Empty, PageProblem } from "../components/states.tsx";
import { useHeadChanges } from "../rpc/live.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { ether, grouped } from "../text/format.ts";
import { type ListedAccount, listAccounts } from "./account-range.ts";

interface Filter {
  readonly text: string;
  readonly kind: "all" | "contracts" | "no code";
}

/** The page `#/accounts`. */
export function AccountsPage(): JSX.Element {
  const changes = useHeadChanges();
  const [pages, setPages] = useRemembered("accounts", 1);
  const [filter, setFilter] = useState<Filter>({ text: "", kind: "all" });
  const { value, error } = useLoaded(() => listAccounts(pages), "accounts", `${changes} ${pages}`);
  useEffect(() => {
    document.title = "Accounts · Hindcast";
  }, []);
  const listed = (value?.accounts ?? []).filter(
    ({ hasCode }) => filter.kind === "all" || hasCode === (filter.kind === "contracts"),
  );
  const contracts = useContracts(
    listed.flatMap(({ address, hasCode }) => (hasCode && address !== undefined ? [address] : [])),
  );
  if (error !== undefined) return <PageProblem title="The accounts cannot be listed" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const nameOf = ({ address }: ListedAccount): string | undefined =>
    address === undefined ? undefined : (labels.of(address) ?? contracts.get(address)?.name ?? undefined);
  const wanted = filter.text.trim().toLowerCase();
  const rows = listed.filter((each) => `${each.address} ${nameOf(each) ?? ""}`.toLowerCase().includes(wanted));
  return (
    <article>
      <h1>Accounts</h1>
      <Panel
        title={`${grouped(rows.length)} of the latest state`}
        actions={<SaveButtons name="accounts" rows={rows.map((each) => rowOf(each, nameOf(each)))} />}
      >
        <Filters filter={filter} count={value.accounts.length} onChange={setFilter} />
        <Scroll label="Accounts">
          <table class="data">
            <thead>
              <tr>
                <th>Account</th>
                <th>Balance</th>
                <th>Nonce</th>
                <th>Code</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((each) => (
                <tr key={each.key}>
                  <td>
                    {each.address === undefined ? (
                      <code>hash {each.key}</code>
                    ) : (
                      <Address of={each.address} name={nameOf(each)} />
                    )}
                  </td>
                  <td>{ether(each.balance, 4)}</td>
                  <td>{grouped(each.nonce)}</td>
                  <td>{each.hasCode ? "contract" : <span class="quiet">none</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
        {rows.length === 0 ? <Empty>None.</Empty> : null}
        {value.hasMore ? (
          <button type="button" class="more" onClick={() => setPages(pages + 1)}>
            More accounts
          </button>
        ) : null}
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
  return (
    <div class="row filters">
      <label>
        Address or name
        <input
          type="search"
          spellcheck={false}
          value={filter.text}
          onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      <label>
        Kind
        <select
          value={filter.kind}
          onChange={(event) => onChange({ ...filter, kind: event.currentTarget.value as Filter["kind"] })}
        >
          <option value="all">all</option>
          <option value="contracts">contracts</option>
          <option value="no code">without code</option>
        </select>
      </label>
      <p class="quiet">Of the {grouped(count)} that are loaded.</p>
    </div>
  );
}

function rowOf({ address, key, balance, nonce, hasCode }: ListedAccount, name: string | undefined) {
  return { address: address ?? `hash ${key}`, name: name ?? "", balance: String(balance), nonce, hasCode };
}
