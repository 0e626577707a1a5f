/** Shows in the summary which tokens a transaction moved, and what each account gained or lost. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Contracts, useContracts } from "../../abi/contracts.ts";
import { Panel, SaveButtons } from "../../components/data.tsx";
import { Address } from "../../components/hashes.tsx";
import { Scroll } from "../../components/scroll.tsx";
import { decimal, ether } from "../../text/format.ts";
import { shown } from "../../text/shown.ts";
import type { Transfer } from "../../tokens/transfers.ts";
import { type Tokens, useTokens } from "../../tokens/use-tokens.ts";
import type { WholeTransaction } from "../load.ts";
import { type NetChange, netChangesOf, transfersOf } from "./moves.ts";

/** Rows of each list until the reader wants all. */
const FEW = 6;
/** Most rows that are drawn at all; the others are in the files that the buttons save. */
const MOST = 500;

/** Nothing if no token moved: the value of the transaction is among its facts. */
export function AssetsPanel({ whole }: { readonly whole: WholeTransaction }): JSX.Element | null {
  const transfers = transfersOf(whole);
  const tokens = useTokens(
    transfers.map(({ token }) => token),
    whole.receipt?.blockNumber ?? "latest",
  );
  if (transfers.length === 0) return null;
  const changes = netChangesOf(whole, transfers);
  return (
    <div class="cards assets">
      <Panel
        title={`Token transfers ${transfers.length}`}
        actions={<SaveButtons name="transfers" rows={transfers.map((each) => transferRow(each, tokens))} />}
      >
        <Transfers transfers={transfers} tokens={tokens} />
      </Panel>
      {changes.length === 0 ? null : (
        <Panel
          title="Net changes"
          actions={<SaveButtons name="net-changes" rows={changes.map((each) => changeRow(each, tokens))} />}
        >
          <NetChanges changes={changes} tokens={tokens} />
        </Panel>
      )}
    </div>
  );
}

interface TokenProps {
  readonly tokens: Tokens | undefined;
}

/** The first transfers, and a button that shows the others. */
function Transfers({ transfers, tokens }: TokenProps & { readonly transfers: readonly Transfer[] }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const rows = transfers.slice(0, isWhole ? MOST : FEW);
  const contracts = useContracts(rows.flatMap(({ from, to }) => [from, to]));
  return (
    <>
      <ol class="plain">
        {rows.map((each, at) => (
          <TransferLine key={at} transfer={each} tokens={tokens} contracts={contracts} />
        ))}
      </ol>
      {transfers.length <= rows.length || isWhole ? null : (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          All {transfers.length}
        </button>
      )}
    </>
  );
}

interface LineProps extends TokenProps {
  readonly transfer: Transfer;
  readonly contracts: Contracts;
}

function TransferLine({ transfer, tokens, contracts }: LineProps): JSX.Element {
  const { token, standard, id, amount, from, to } = transfer;
  return (
    <li class="transfer">
      <b class="amount" title={String(amount)}>
        {amountText({ token, id, isDivided: standard === "ERC-20", amount }, tokens)}
      </b>{" "}
      <TokenName token={token} tokens={tokens} />
      {id === undefined ? null : <span class="quiet"> #{shown(String(id), 30)}</span>}
      <span class="way">
        <Party of={from} contracts={contracts} /> → <Party of={to} contracts={contracts} />
      </span>
    </li>
  );
}

/** An account; the zero address stands for what was made or destroyed. */
function Party({ of, contracts }: { readonly of: string; readonly contracts: Contracts }): JSX.Element {
  return BigInt(of) === 0n ? <span class="quiet">nobody</span> : <Address of={of} name={contracts.get(of)?.name} />;
}

/** The symbol as the contract says it, linked to the contract. */
function TokenName({ token, tokens }: TokenProps & { readonly token: string }): JSX.Element {
  const about = tokens?.get(token);
  const symbol = about === undefined || about.symbol === "" ? undefined : about.symbol;
  return (
    <>
      <Address of={token} name={symbol === undefined ? undefined : shown(symbol, 20)} />
      {about === undefined ? null : <span class="quiet"> {shown(about.name, 40)}</span>}
    </>
  );
}

type Amount = Pick<NetChange, "token" | "id" | "isDivided" | "amount">;

/** In units of the token. A token that is not asked yet, or says nothing, is counted in its smallest unit. */
function amountText({ token, isDivided, amount }: Amount, tokens: Tokens | undefined): string {
  if (token === undefined) return ether(amount, 6);
  const decimals = isDivided ? (tokens?.get(token)?.decimals ?? 0) : 0;
  return decimal(amount, decimals, 6);
}

function NetChanges({ changes, tokens }: TokenProps & { readonly changes: readonly NetChange[] }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const rows = changes.slice(0, isWhole ? MOST : FEW);
  const contracts = useContracts(rows.map(({ account }) => account));
  return (
    <>
      <Scroll label="Net changes">
        <table class="data">
          <thead class="unseen">
            <tr>
              <th>Account</th>
              <th>Change</th>
              <th>Asset</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((change) => (
              <tr key={`${change.account} ${change.token} ${change.id}`}>
                <td>
                  <Address of={change.account} name={contracts.get(change.account)?.name} />
                </td>
                <td class={change.amount < 0n ? "before amount" : "after amount"} title={String(change.amount)}>
                  {change.amount < 0n ? "" : "+"}
                  {amountText(change, tokens)}
                </td>
                <td>
                  {change.token === undefined ? null : <TokenName token={change.token} tokens={tokens} />}
                  {change.id === undefined ? null : <span class="quiet"> #{shown(String(change.id), 30)}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {changes.length <= rows.length || isWhole ? null : (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          All {changes.length}
        </button>
      )}
    </>
  );
}

function transferRow({ token, standard, from, to, id, amount }: Transfer, tokens: Tokens | undefined) {
  const about = tokens?.get(token);
  return {
    token,
    standard,
    symbol: shown(about?.symbol ?? ""),
    decimals: standard === "ERC-20" ? (about?.decimals ?? 0) : 0,
    from,
    to,
    id: id === undefined ? "" : String(id),
    amount: String(amount),
  };
}

function changeRow({ account, token, id, isDivided, amount }: NetChange, tokens: Tokens | undefined) {
  const about = token === undefined ? undefined : tokens?.get(token);
  return {
    account,
    asset: token ?? "ether",
    symbol: token === undefined ? "ETH" : shown(about?.symbol ?? ""),
    decimals: token === undefined ? 18 : isDivided ? (about?.decimals ?? 0) : 0,
    id: id === undefined ? "" : String(id),
    amount: String(amount),
  };
}
