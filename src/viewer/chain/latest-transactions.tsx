/** The transactions of the newest blocks that have any. */
import type { JSX } from "preact";
import { type Contracts, functionName, hasUnknownCall, useContracts, useStandards } from "../abi/contracts.ts";
import { Address, HashLink, StatusDot } from "../components/hashes.tsx";
import { Empty, Problem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import type { Block, Hex, Receipt, Transaction } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { ether, grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import type { KnownBlock } from "./merge-blocks.ts";

const MOST_BLOCKS = 20;
const MOST_TRANSACTIONS = 25;

/** A transaction of a block, and its receipt once that is loaded. */
export interface Mined {
  readonly tx: Transaction;
  readonly receipt: Receipt | undefined;
}

/** Loaded again when the newest blocks change. */
export function LatestTransactions({ blocks }: { readonly blocks: readonly KnownBlock[] | undefined }): JSX.Element {
  const hashes = wanted(blocks ?? []);
  const { value, error } = useLoaded(() => loadMined(hashes), "latest", hashes.join());
  const contracts = useContracts(targetsOf(value ?? []));
  useStandards(
    hasUnknownCall(
      (value ?? []).map(({ tx }) => tx),
      contracts,
    ),
  );
  if (error !== undefined) return <Problem title="The transactions cannot be read" error={error} />;
  if (blocks === undefined || value === undefined) return <Empty>Loading…</Empty>;
  if (value.length === 0) {
    return <Empty>No transactions yet. Send one to this address, and it shows up here.</Empty>;
  }
  return (
    <ul class="transactions">
      {value.map((mined) => (
        <TransactionRow key={mined.tx.hash} {...mined} contracts={contracts} />
      ))}
    </ul>
  );
}

/** Hashes of the newest blocks with transactions, as many as are needed to fill the list. */
function wanted(blocks: readonly KnownBlock[]): readonly Hex[] {
  const hashes: Hex[] = [];
  let count = 0;
  for (const { hash, isCanonical, transactionCount } of blocks) {
    if (!isCanonical || transactionCount === 0) continue;
    if (hashes.length >= MOST_BLOCKS || count >= MOST_TRANSACTIONS) break;
    hashes.push(hash);
    count += transactionCount;
  }
  return hashes;
}

async function loadMined(hashes: readonly Hex[]): Promise<readonly Mined[]> {
  return (await Promise.all(hashes.map(minedIn))).flat().slice(0, MOST_TRANSACTIONS);
}

/** The transactions of a block with their receipts, the last one first. */
export async function minedIn(hash: Hex): Promise<readonly Mined[]> {
  const [block, receipts] = await Promise.all([
    ask<Block | null>("eth_getBlockByHash", hash, true),
    ask<readonly Receipt[] | null>("eth_getBlockReceipts", hash),
  ]);
  return block?.transactions.map((tx, index) => ({ tx, receipt: receipts?.[index] })).toReversed() ?? [];
}

/** Addresses that these transactions called or created. */
export function targetsOf(list: readonly Mined[]): readonly string[] {
  return list.flatMap(({ tx, receipt }) => tx.to ?? receipt?.contractAddress ?? []);
}

interface RowProps extends Mined {
  readonly contracts: Contracts;
  /** True where the number of the block is shown. */
  readonly hasBlock?: boolean;
}

/** One transaction in two lines. */
export function TransactionRow({ tx, receipt, contracts, hasBlock = false }: RowProps): JSX.Element {
  const { hash, from, to, value, input } = tx;
  const isFailed = receipt?.status === "0x0";
  const target = to ?? receipt?.contractAddress;
  const contract = contracts.get(target ?? "");
  const called = functionName(contract, input);
  return (
    <li class={isFailed ? "is-failed" : ""}>
      <StatusDot receipt={receipt} />
      <HashLink of={hash} to="tx" />
      <span class="quiet what">
        {to === null ? (
          "creates"
        ) : input === "0x" ? (
          "transfer"
        ) : called === undefined ? (
          input.slice(0, 10)
        ) : (
          <span class="fn">{shown(called, 40)}</span>
        )}
      </span>
      <span class="amount">{BigInt(value) === 0n ? "" : ether(value, 4)}</span>
      <span class="way">
        <Address of={from} /> → <Address of={target} name={contract?.name} />
      </span>
      <span class="quiet gas">
        {hasBlock && receipt !== undefined ? (
          <>
            <a href={`#/block/${receipt.blockHash}`}>{grouped(BigInt(receipt.blockNumber))}</a>{" "}
          </>
        ) : null}
        {receipt === undefined ? "" : `${grouped(BigInt(receipt.gasUsed))} gas`}
      </span>
    </li>
  );
}
