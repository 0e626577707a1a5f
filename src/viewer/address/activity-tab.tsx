/** Lists the transactions that call an account, also through other contracts. */
import type { JSX } from "preact";
import { hasUnknownCall, useContracts, useStandards } from "../abi/contracts.ts";
import { TransactionRow, targetsOf } from "../chain/latest-transactions.tsx";
import { Panel, SaveButtons } from "../components/data.tsx";
import { useRemembered } from "../components/remembered.ts";
import { Empty, Problem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import { useHeadChanges } from "../rpc/live.ts";
import { ownBlocks, whereFrom } from "../rpc/own-blocks.ts";
import type { Receipt, Transaction } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";

const PAGE = 25;

interface HistoryPage {
  readonly txs: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly lastPage: boolean;
}

/** By `ots_searchTransactionsBefore`, which on a fork knows the blocks of this node alone. */
export function ActivityTab({ address }: { readonly address: string }): JSX.Element {
  const changes = useHeadChanges();
  const [pages, setPages] = useRemembered("activity", 1);
  const { value, error } = useLoaded(() => load(address, pages), address, `${changes} ${pages}`);
  const contracts = useContracts(
    targetsOf((value?.txs ?? []).map((tx, index) => ({ tx, receipt: value?.receipts[index] }))),
  );
  useStandards(hasUnknownCall(value?.txs ?? [], contracts));
  if (error !== undefined) return <Problem title="The activity cannot be read" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { txs, receipts, lastPage, blocks } = value;
  const where = whereFrom(blocks);
  if (txs.length === 0) return <Empty>{`No transaction involves this account${where}.`}</Empty>;
  const rows = txs.map(({ hash, from, to, value: wei, nonce }) => ({
    hash,
    from,
    to,
    value: String(BigInt(wei)),
    nonce: Number(nonce),
  }));
  return (
    <Panel title={`Activity${where}`} actions={<SaveButtons name={`activity-${address.slice(0, 10)}`} rows={rows} />}>
      <ul class="transactions">
        {txs.map((tx, index) => (
          <TransactionRow key={tx.hash} tx={tx} receipt={receipts[index]} contracts={contracts} />
        ))}
      </ul>
      {lastPage ? null : (
        <button type="button" class="more" onClick={() => setPages(pages + 1)}>
          Older transactions
        </button>
      )}
    </Panel>
  );
}

async function load(address: string, pages: number) {
  const [history, blocks] = await Promise.all([loadHistory(address, pages), ownBlocks()]);
  return { ...history, blocks };
}

/** Loads pages one after the other: each begins at the block where the last one ended. */
async function loadHistory(address: string, pages: number): Promise<HistoryPage> {
  const list: HistoryPage[] = [];
  let before = 0;
  for (let page = 0; page < pages; page++) {
    const next = await ask<HistoryPage>("ots_searchTransactionsBefore", address, before, PAGE);
    list.push(next);
    const last = next.txs.at(-1)?.blockNumber;
    if (next.lastPage || last === undefined || last === null) break;
    before = Number(last);
  }
  return {
    txs: list.flatMap(({ txs }) => txs),
    receipts: list.flatMap(({ receipts }) => receipts),
    lastPage: list.at(-1)?.lastPage ?? true,
  };
}
