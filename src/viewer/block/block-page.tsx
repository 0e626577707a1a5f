/** The page of a block: its header, its contents, and links to the blocks before and after it. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Bar, Facts, Panel, Pill } from "../parts/data.tsx";
import { Address, Copy, HashLink } from "../parts/hashes.tsx";
import { Empty, Problem } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { Route } from "../route.ts";
import { ask } from "../rpc/client.ts";
import { useHeadChanges } from "../rpc/live.ts";
import type { Block, Hex, Receipt } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { ether, grouped, gwei, moment, percent } from "../text/format.ts";
import { shown, textOfBytes } from "../text/shown.ts";
import { BlockTraceTab } from "./block-trace.tsx";
import { BlockTransactions } from "./block-transactions.tsx";

type FeeHistory = { readonly blobGasUsedRatio?: readonly number[] };

interface LoadedBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  readonly isCanonical: boolean;
  /** Undefined for the pending block. */
  readonly details: BlockDetails | undefined;
  /** Part of the blob gas that the block could use, from 0 to 1; undefined if there is none. */
  readonly blobShare: number | undefined;
}

/** Ether that a block made, and the fees of its transactions, in wei. */
interface BlockDetails {
  readonly issuance: { readonly blockReward: Hex; readonly uncleReward: Hex };
  readonly totalFees: Hex;
}

/** The page `#/block/<number, hash or tag>`. */
export function BlockPage({ route }: { readonly route: Route }): JSX.Element {
  const id = route.path[1] ?? "latest";
  const changes = useHeadChanges();
  const { value, error } = useLoaded(() => loadBlock(id), id, changes);
  useEffect(() => {
    document.title = `Block ${value === undefined ? "" : BigInt(value.block.number)} · Hindcast`;
  }, [value]);
  if (error !== undefined) return <Problem title="This block cannot be shown" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { block, receipts, isCanonical, details, blobShare } = value;
  const count = block.transactions.length;
  const { uncles, withdrawals = [] } = block;
  return (
    <article>
      <BlockHead block={block} isCanonical={isCanonical} />
      <Overview block={block} receipts={receipts} details={details} blobShare={blobShare} />
      <Tabs
        label="Parts of the block"
        chosen={route.query.get("tab")}
        tabs={[
          {
            id: "transactions",
            label: `Transactions ${count}`,
            content: () => <BlockTransactions block={block} receipts={receipts} />,
          },
          ...(block.hash === null
            ? []
            : [{ id: "trace", label: "Trace", content: () => <BlockTraceTab hash={block.hash} /> }]),
          { id: "header", label: "Header", content: () => <Header block={block} /> },
          { id: "uncles", label: `Uncles ${uncles.length}`, content: () => <Uncles uncles={uncles} /> },
          {
            id: "withdrawals",
            label: `Withdrawals ${withdrawals.length}`,
            content: () => <Withdrawals list={withdrawals} />,
          },
        ]}
      />
    </article>
  );
}

async function loadBlock(id: string): Promise<LoadedBlock> {
  const isHash = id.length === 66;
  const method = isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  const block = await ask<Block | null>(method, /^\d+$/.test(id) ? `0x${BigInt(id).toString(16)}` : id, true);
  if (block === null) throw new Error("The node has no such block. It may have been taken back by a revert.");
  const [receipts, own, details] = await Promise.all([
    block.hash === null ? [] : ask<readonly Receipt[] | null>("eth_getBlockReceipts", block.hash),
    ask<{ readonly hash: string } | null>("eth_getHeaderByNumber", block.number),
    // Other chains' blocks may have rewards that the node does not know.
    block.hash === null ? undefined : ask<BlockDetails>("ots_getBlockDetailsByHash", block.hash).catch(() => undefined),
  ]);
  const isCanonical = block.hash === null || own?.hash === block.hash;
  const blobShare = isCanonical && BigInt(block.blobGasUsed ?? 0) > 0n ? await loadBlobShare(block.number) : undefined;
  return { block, receipts: receipts ?? [], isCanonical, details, blobShare };
}

/** The hardfork of the block decides how much blob gas it may use; the history of fees knows. */
async function loadBlobShare(number: Hex): Promise<number | undefined> {
  const history = await ask<FeeHistory>("eth_feeHistory", "0x1", number, []).catch(() => undefined);
  return history?.blobGasUsedRatio?.[0];
}

function BlockHead({ block, isCanonical }: { readonly block: Block; readonly isCanonical: boolean }): JSX.Element {
  const number = BigInt(block.number);
  return (
    <header class="page-head">
      <h1>
        Block {grouped(number)} {isCanonical ? null : <Pill tone="warn">not in the chain</Pill>}
      </h1>
      <p class="whole-hash">
        <code>{block.hash}</code> <Copy text={block.hash} what="the block's hash" />
      </p>
      <nav class="neighbours" aria-label="Neighbours">
        {number === 0n ? null : (
          <a rel="prev" href={`#/block/${block.parentHash}`}>
            ← parent
          </a>
        )}
        <a rel="next" href={`#/block/${number + 1n}`}>
          next →
        </a>
      </nav>
    </header>
  );
}

/** Parts that the share of a bar is counted in. */
const SHARES = 10_000;

function Overview(loaded: Omit<LoadedBlock, "isCanonical">): JSX.Element {
  const { block, receipts, details, blobShare } = loaded;
  const { gasUsed, gasLimit, blobGasUsed, baseFeePerGas, miner, timestamp } = block;
  const share = percent(gasUsed, gasLimit);
  return (
    <Facts
      of={{
        Time: moment(timestamp),
        Miner: <Address of={miner} />,
        Gas: (
          <>
            <Bar part={gasUsed} whole={gasLimit} label="Gas" /> {grouped(BigInt(gasUsed))}{" "}
            <span class="quiet">
              of {grouped(BigInt(gasLimit))} ({share} %)
            </span>
          </>
        ),
        "Gas by dimension": dimensionsText(receipts),
        "Base fee": baseFeePerGas === undefined ? undefined : gwei(baseFeePerGas),
        "Blob gas":
          blobGasUsed === undefined || BigInt(blobGasUsed) === 0n ? undefined : (
            <>
              {blobShare === undefined ? null : (
                <Bar
                  part={BigInt(Math.round(blobShare * SHARES))}
                  whole={BigInt(SHARES)}
                  label="Blob gas"
                  tone="blob"
                />
              )}{" "}
              {grouped(BigInt(blobGasUsed))}
            </>
          ),
        Reward: details === undefined ? undefined : rewardText(details),
        "Fees paid": details === undefined || BigInt(details.totalFees) === 0n ? undefined : ether(details.totalFees),
        "Extra data": block.extraData === "0x" ? undefined : <ExtraData data={block.extraData} />,
      }}
    />
  );
}

/** The two sums of which the larger one is the gas of a block (EIP-8037); undefined before Amsterdam. */
function dimensionsText(receipts: readonly Receipt[]): string | undefined {
  let execution = 0n;
  let state = 0n;
  for (const { executionGasUsed, stateGasUsed } of receipts) {
    if (executionGasUsed === undefined || stateGasUsed === undefined) return undefined;
    execution += BigInt(executionGasUsed);
    state += BigInt(stateGasUsed);
  }
  return receipts.length === 0 ? undefined : `${grouped(execution)} for execution, ${grouped(state)} for state`;
}

/** The reward for the block and its uncles; undefined if there is none, as since the Merge. */
function rewardText({ issuance: { blockReward, uncleReward } }: BlockDetails): string | undefined {
  if (BigInt(blockReward) + BigInt(uncleReward) === 0n) return undefined;
  const uncles = BigInt(uncleReward) === 0n ? "" : `, and ${ether(uncleReward)} for uncles`;
  return `${ether(blockReward)}${uncles}`;
}

function ExtraData({ data }: { readonly data: string }): JSX.Element {
  const text = textOfBytes(data);
  return (
    <>
      <code>{shown(data, 80)}</code> {text === undefined ? null : <q>{shown(text, 64)}</q>}
    </>
  );
}

/** Members that have their own part of the page. */
const ELSEWHERE = new Set(["transactions", "uncles", "withdrawals"]);

function Header({ block }: { readonly block: Block }): JSX.Element {
  const members = Object.entries(block).filter(([name]) => !ELSEWHERE.has(name));
  return (
    <Panel title="Header">
      <Facts
        of={Object.fromEntries(
          members.map(([name, value]) => [name, <code key={name}>{headerValue(String(value))}</code>]),
        )}
      />
    </Panel>
  );
}

/** Adds the decimal form to a short quantity. */
function headerValue(value: string): string {
  const isQuantity = /^0x(0|[1-9a-f][0-9a-f]{0,15})$/.test(value);
  return isQuantity ? `${value} (${grouped(BigInt(value))})` : shown(value, 140);
}

function Uncles({ uncles }: { readonly uncles: readonly string[] }): JSX.Element {
  if (uncles.length === 0) return <Empty>No uncles.</Empty>;
  return (
    <ul class="plain">
      {uncles.map((hash) => (
        <li key={hash}>
          <HashLink of={hash} to="block" isWhole />
        </li>
      ))}
    </ul>
  );
}

function Withdrawals({ list }: { readonly list: NonNullable<Block["withdrawals"]> }): JSX.Element {
  if (list.length === 0) return <Empty>No withdrawals.</Empty>;
  return (
    <ul class="plain">
      {list.map(({ index, address, amount }) => (
        <li key={index}>
          <Address of={address} /> {ether(BigInt(amount) * 10n ** 9n)}
        </li>
      ))}
    </ul>
  );
}
