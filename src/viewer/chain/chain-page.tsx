/** Shows the newest blocks live, with side blocks and uncles, and the newest transactions. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Bar, Panel, SaveButtons } from "../components/data.tsx";
import { Address, HashLink } from "../components/hashes.tsx";
import { Empty, PageProblem } from "../components/states.tsx";
import { age, dateTime, grouped, gwei } from "../text/format.ts";
import { BlockChart } from "./block-chart.tsx";
import { drawingWidth, ForkDrawing } from "./fork-drawing.tsx";
import { useBlocks } from "./known-blocks.ts";
import { LatestTransactions } from "./latest-transactions.tsx";
import type { KnownBlock } from "./merge-blocks.ts";

/** Height of a row in pixels, the same as in the style sheet. */
const ROW_HEIGHT = 34;

/** The page `#/`. */
export function ChainPage(): JSX.Element {
  const { blocks, error, loadOlder } = useBlocks();
  useEffect(() => {
    document.title = "Chain · Hindcast";
  }, []);
  if (error !== undefined && blocks === undefined)
    return <PageProblem title="The node does not answer" error={error} />;
  return (
    <div class="columns">
      <h1 class="unseen">Chain</h1>
      <Panel title="Blocks" actions={blocks && <SaveButtons name="blocks" rows={blocks.map(rowOf)} />}>
        {blocks === undefined ? (
          <Empty>Loading…</Empty>
        ) : (
          <>
            <BlockChart blocks={blocks} />
            <BlockTable blocks={blocks} />
          </>
        )}
        {loadOlder === undefined ? null : (
          <button type="button" class="more" onClick={loadOlder}>
            Older blocks
          </button>
        )}
      </Panel>
      <Panel title="Transactions">
        <LatestTransactions blocks={blocks} />
      </Panel>
    </div>
  );
}

function BlockTable({ blocks }: { readonly blocks: readonly KnownBlock[] }): JSX.Element {
  const now = useNow();
  return (
    <div class="chain" style={{ paddingLeft: `${drawingWidth(blocks)}px` }}>
      <ForkDrawing blocks={blocks} rowHeight={ROW_HEIGHT} />
      <table class="blocks">
        <thead class="unseen">
          <tr>
            <th>Number</th>
            <th>Hash</th>
            <th>Age</th>
            <th>Transactions</th>
            <th>Gas</th>
            <th>Base fee</th>
            <th>Miner</th>
          </tr>
        </thead>
        <tbody>
          {blocks.map((block) => (
            <BlockRow key={block.hash} block={block} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BlockRow({ block, now }: { readonly block: KnownBlock; readonly now: number }): JSX.Element {
  const { number, hash, timestamp, transactionCount, gasUsed, gasLimit, baseFeePerGas, miner } = block;
  const state = block.isCanonical ? "" : block.hasLeft ? "has-left" : "is-beside";
  return (
    <tr class={`${state} ${block.isNew ? "is-new" : ""}`} data-block={hash}>
      <td class="number">
        <a href={`#/block/${hash}`}>{grouped(BigInt(number))}</a>
      </td>
      <td>
        <HashLink of={hash} to="block" />
        {block.isCanonical ? null : <em class="note">{block.hasLeft ? "left the chain" : "beside the chain"}</em>}
      </td>
      <td class="quiet" title={dateTime(timestamp)}>
        {age(timestamp, now)}
      </td>
      <td class="count">{transactionCount === 0 ? <span class="quiet">empty</span> : `${transactionCount} tx`}</td>
      <td class="gas">
        <Bar part={gasUsed} whole={gasLimit} label={`Gas of block ${BigInt(number)}`} />
      </td>
      <td class="fee quiet">{baseFeePerGas === null ? "" : gwei(baseFeePerGas)}</td>
      <td class="miner">
        <Address of={miner} />
      </td>
    </tr>
  );
}

function rowOf(block: KnownBlock) {
  const { hash, parentHash, isCanonical, miner, transactionCount } = block;
  const { number, timestamp, gasUsed, gasLimit } = block;
  return {
    number: Number(number),
    hash,
    parentHash,
    isCanonical,
    timestamp: Number(timestamp),
    miner,
    gasUsed: String(BigInt(gasUsed)),
    gasLimit: String(BigInt(gasLimit)),
    transactionCount,
  };
}

/** The current time, updated every five seconds. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
