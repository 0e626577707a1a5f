/** Lists the transactions of a block. Only visible rows are in the document, so that any number can be shown. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Contracts, functionName, hasUnknownCall, useContracts, useStandards } from "../abi/contracts.ts";
import { SaveButtons } from "../components/data.tsx";
import { Address, HashLink, StatusDot } from "../components/hashes.tsx";
import { Empty } from "../components/states.tsx";
import { VirtualList } from "../components/virtual-list.tsx";
import { movedBy } from "../keys/list-keys.ts";
import { ether, grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import type { LoadedBlock } from "./load.ts";

const ROW_HEIGHT = 32;
/** Most transactions whose contracts are looked up for their names. */
const NAMED_TRANSACTIONS = 200;
const PAGE_ROWS = 15;

interface Props {
  readonly loaded: LoadedBlock;
}

/** Names of contracts are loaded for the first rows only. */
export function BlockTransactions({ loaded }: Props): JSX.Element {
  const [current, setCurrent] = useState(-1);
  const { block, receipts } = loaded;
  const { transactions } = block;
  const contracts = useContracts(
    transactions.flatMap(({ to }, index) => to ?? receipts[index]?.contractAddress ?? []).slice(0, NAMED_TRANSACTIONS),
  );
  useStandards(hasUnknownCall(transactions, contracts));
  if (transactions.length === 0) return <Empty>This block is empty.</Empty>;
  const onKey = (event: KeyboardEvent): void => {
    const hash = transactions[current]?.hash;
    if (event.key === "Enter" && hash !== undefined) location.hash = `#/tx/${hash}`;
    const target = movedBy(event.key, current, transactions.length, PAGE_ROWS);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
  };
  const row = (index: number): JSX.Element => (
    <Row key={index} {...{ loaded, index, contracts }} isCurrent={index === current} />
  );
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Transactions</h2>
        <div class="actions">
          <SaveButtons name={`block-${BigInt(block.number)}`} rows={rowsOf(loaded)} />
        </div>
      </div>
      <div class="list-box" style={{ height: `${Math.min(transactions.length, 18) * ROW_HEIGHT + 2}px` }}>
        <VirtualList
          count={transactions.length}
          rowHeight={ROW_HEIGHT}
          label="Transactions of the block"
          role="list"
          current={current}
          row={row}
          onKey={onKey}
        />
      </div>
    </section>
  );
}

function Row(
  props: Props & { readonly index: number; readonly isCurrent: boolean; readonly contracts: Contracts },
): JSX.Element | null {
  const { loaded, index, isCurrent, contracts } = props;
  const { block, receipts, isPending } = loaded;
  const tx = block.transactions[index];
  if (tx === undefined) return null;
  const receipt = receipts[index];
  const target = tx.to ?? receipt?.contractAddress;
  const contract = contracts.get(target ?? "");
  const called = functionName(contract, tx.input) ?? tx.input.slice(0, 10);
  const isFailed = receipt?.status === "0x0";
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is rendered in part, which ul does not allow
    <div role="listitem" class={`tx-line ${isCurrent ? "is-current" : ""} ${isFailed ? "is-failed" : ""}`}>
      <span class="quiet index">{index}</span>
      <StatusDot receipt={receipt} isPending={isPending} />
      <HashLink of={tx.hash} to="tx" />
      <span class="quiet what">{tx.to === null ? "creates" : tx.input === "0x" ? "transfer" : shown(called, 20)}</span>
      <span class="way">
        <Address of={tx.from} /> → <Address of={target} name={contract?.name} />
      </span>
      <span class="amount">{BigInt(tx.value) === 0n ? "" : ether(tx.value, 4)}</span>
      <span class="quiet gas">{receipt === undefined ? "" : `${grouped(BigInt(receipt.gasUsed))} gas`}</span>
    </div>
  );
}

function rowsOf({ block, receipts }: LoadedBlock) {
  return block.transactions.map(({ hash, from, to, value, nonce, input }, index) => {
    const { gasUsed = "0x0", stateGasUsed, status } = receipts[index] ?? {};
    return {
      hash,
      from,
      to,
      value: String(BigInt(value)),
      nonce: Number(nonce),
      input,
      gasUsed: String(BigInt(gasUsed)),
      ...(stateGasUsed === undefined ? {} : { stateGasUsed: String(BigInt(stateGasUsed)) }),
      failed: status === "0x0",
    };
  });
}
