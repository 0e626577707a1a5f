/** The page of a block: its header, its contents, and links to the blocks before and after it. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Bar, Facts, Panel, Pill } from "../components/data.tsx";
import { Address, Copy, HashLink } from "../components/hashes.tsx";
import { Empty, PageProblem } from "../components/states.tsx";
import { type Tab, Tabs } from "../components/tabs.tsx";
import type { Route } from "../route.ts";
import { useBlockChanges } from "../rpc/block-changes.ts";
import { useHead } from "../rpc/live.ts";
import type { Block } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { dateTime, ether, grouped, gwei, percent } from "../text/format.ts";
import { shown, textOfBytes } from "../text/shown.ts";
import { BlockTraceTab } from "./block-trace.tsx";
import { BlockTransactions } from "./block-transactions.tsx";
import { GasBar } from "./gas-bar.tsx";
import { type BlockDetails, type LoadedBlock, loadBlock } from "./load.ts";

/** The page `#/block/<number, hash or tag>`. A mined block is loaded once, and again when the chain takes another. */
export function BlockPage({ route }: { readonly route: Route }): JSX.Element {
  const id = route.path[1] ?? "latest";
  const isFixed = /^(\d+|0x[0-9a-f]{64})$/i.test(id);
  const [version, watch] = useBlockChanges(({ block, canonicalHash }: LoadedBlock) =>
    isFixed ? { number: block.number, hash: canonicalHash } : undefined,
  );
  const { value, error } = useLoaded(() => loadBlock(id), id, version);
  watch(value);
  useEffect(() => {
    if (value === undefined) return;
    document.title = `${value.isPending ? "Pending block" : "Block"} ${BigInt(value.block.number)} · Hindcast`;
  }, [value]);
  if (error !== undefined) return <PageProblem title="This block cannot be shown" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  return (
    <article>
      <BlockHead loaded={value} />
      <Overview {...value} />
      <GasBar loaded={value} />
      <Tabs label="Parts of the block" chosen={route.query.get("tab")} tabs={tabsOf(value)} />
    </article>
  );
}

function tabsOf(loaded: LoadedBlock): readonly Tab[] {
  const { block, isPending } = loaded;
  const { uncles, withdrawals = [], transactions } = block;
  const trace: Tab = { id: "trace", label: "Trace", content: () => <BlockTraceTab hash={block.hash} /> };
  return [
    {
      id: "transactions",
      label: `Transactions ${transactions.length}`,
      content: () => <BlockTransactions loaded={loaded} />,
    },
    ...(isPending ? [] : [trace]),
    { id: "header", label: "Header", content: () => <Header block={block} /> },
    { id: "uncles", label: `Uncles ${uncles.length}`, content: () => <Uncles uncles={uncles} /> },
    {
      id: "withdrawals",
      label: `Withdrawals ${withdrawals.length}`,
      content: () => <Withdrawals list={withdrawals} />,
    },
  ];
}

function BlockHead({ loaded }: { readonly loaded: LoadedBlock }): JSX.Element {
  const { block, isPending, canonicalHash } = loaded;
  const head = useHead();
  const number = BigInt(block.number);
  const hasNext = !isPending && head !== undefined && number < BigInt(head.number);
  return (
    <header class="page-head">
      <h1>
        {isPending ? "Pending block" : "Block"} {grouped(number)}{" "}
        {isPending || canonicalHash === block.hash ? null : <Pill tone="warn">not in the chain</Pill>}
      </h1>
      <p class="whole-hash">
        {isPending ? (
          "As it would be if it were mined now."
        ) : (
          <>
            <code>{block.hash}</code> <Copy text={block.hash} what="the block's hash" />
          </>
        )}
      </p>
      <nav class="neighbours" aria-label="Neighbours">
        {number === 0n ? null : (
          <a rel="prev" href={`#/block/${block.parentHash}`}>
            ← parent
          </a>
        )}
        {hasNext ? (
          <a rel="next" href={`#/block/${number + 1n}`}>
            next →
          </a>
        ) : null}
      </nav>
    </header>
  );
}

/** Parts that the share of a bar is counted in. */
const SHARES = 10_000;

function Overview(loaded: LoadedBlock): JSX.Element {
  const { block, receipts, details, blobShare } = loaded;
  const { gasUsed, gasLimit, blobGasUsed, baseFeePerGas, miner, timestamp } = block;
  const share = percent(gasUsed, gasLimit);
  return (
    <Facts
      of={{
        Time: dateTime(timestamp),
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

const NO_GAS = { executionGasUsed: undefined, stateGasUsed: undefined };

/** The two sums of which the larger one is the gas of a block (EIP-8037); undefined before Amsterdam. */
function dimensionsText(receipts: LoadedBlock["receipts"]): string | undefined {
  let execution = 0n;
  let state = 0n;
  for (const { executionGasUsed, stateGasUsed } of receipts.map((receipt) => receipt ?? NO_GAS)) {
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
