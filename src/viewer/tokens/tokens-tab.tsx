/** Lists the tokens that an account holds. */
import type { JSX } from "preact";
import { Panel, SaveButtons } from "../components/data.tsx";
import { Address } from "../components/hashes.tsx";
import { useRemembered } from "../components/remembered.ts";
import { Scroll } from "../components/scroll.tsx";
import { Empty, Problem } from "../components/states.tsx";
import { useHeadChanges } from "../rpc/live.ts";
import { whereFrom } from "../rpc/own-blocks.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { decimal } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { type Holding, loadHoldings } from "./holdings.ts";

/** By `eth_getLogs` and `eth_call`. Names, symbols and balances are what the contracts return. */
export function TokensTab({ address }: { readonly address: string }): JSX.Element {
  const changes = useHeadChanges();
  const [pages, setPages] = useRemembered("tokens", 1);
  const { value, error } = useLoaded(() => loadHoldings(address, pages), address, `${changes} ${pages}`);
  if (error !== undefined) return <Problem title="The tokens cannot be read" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { holdings, blocks, hasMore } = value;
  return (
    <Panel title="Tokens" actions={<SaveButtons name={`tokens-${address.slice(0, 10)}`} rows={holdings.map(rowOf)} />}>
      <p class="quiet">Tokens whose transfers from or to the account were logged{whereFrom(blocks)}.</p>
      {holdings.length === 0 ? <Empty>The account has no tokens.</Empty> : <TokenTable holdings={holdings} />}
      {hasMore ? (
        <button type="button" class="more" onClick={() => setPages(pages + 1)}>
          More tokens
        </button>
      ) : null}
    </Panel>
  );
}

function TokenTable({ holdings }: { readonly holdings: readonly Holding[] }): JSX.Element {
  return (
    <Scroll label="Tokens of the account">
      <table class="data stacked">
        <thead>
          <tr>
            <th>Token</th>
            <th>Contract</th>
            <th>Standard</th>
            <th>Balance</th>
            <th>Decimals</th>
            <th>Id</th>
          </tr>
        </thead>
        <tbody>
          {holdings.map((holding) => (
            <TokenRow key={`${holding.token} ${holding.standard} ${holding.id}`} holding={holding} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function TokenRow({ holding }: { readonly holding: Holding }): JSX.Element {
  const { token, standard, about, id, balance } = holding;
  return (
    <tr>
      <td class="value-text">{about === undefined ? <span class="quiet">no name</span> : shown(about.name, 60)}</td>
      <td>
        <Address of={token} />
      </td>
      <td>{standard}</td>
      <td class="value-text" title={String(balance)}>
        {decimal(balance, decimalsOf(holding), 6)} {about === undefined ? "" : shown(about.symbol, 20)}
      </td>
      <td>{standard === "ERC-20" ? about?.decimals : ""}</td>
      <td class="mono value-text">{id === undefined ? "" : String(id)}</td>
    </tr>
  );
}

/** Only an ERC-20 token is divided. */
function decimalsOf({ standard, about }: Holding): number {
  return standard === "ERC-20" ? (about?.decimals ?? 0) : 0;
}

function rowOf(holding: Holding) {
  const { token, standard, about, id, balance } = holding;
  return {
    token,
    standard,
    name: shown(about?.name ?? ""),
    symbol: shown(about?.symbol ?? ""),
    decimals: decimalsOf(holding),
    balance: String(balance),
    id: id === undefined ? "" : String(id),
  };
}
