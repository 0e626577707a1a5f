/** Lists the events of a contract, the newest first, decoded if its ABI or its standard is known. */
import type { JSX } from "preact";
import { useContracts } from "../abi/contracts.ts";
import { decodeEvent, textOfDecoded } from "../abi/lookup.ts";
import { loadStandards } from "../abi/standards.ts";
import { Panel, SaveButtons } from "../components/data.tsx";
import { HashLink } from "../components/hashes.tsx";
import { useRemembered } from "../components/remembered.ts";
import { Empty, Problem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import { useHeadChanges } from "../rpc/live.ts";
import { type OwnBlocks, ownBlocks, whereFrom } from "../rpc/own-blocks.ts";
import type { MinedLog } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";

const PAGE = 50;
/** Blocks of the first search. Later ones are longer, since few logs were found. */
const FIRST_SPAN = 500;
const GROWTH = 8;
/** Blocks of the other chain that a click on "Earlier" searches. */
const EARLIER = 500;

interface FoundEvents {
  readonly logs: readonly MinedLog[];
  readonly blocks: OwnBlocks;
  /** The lowest block that was searched. */
  readonly lowest: number;
}

/** By `eth_getLogs`. */
export function EventsTab({ address }: { readonly address: string }): JSX.Element {
  const changes = useHeadChanges();
  const [pages, setPages] = useRemembered("events", 1);
  const [earlier, setEarlier] = useRemembered("earlier-events", 0);
  const { value, error } = useLoaded(() => find(address, pages, earlier), address, `${changes} ${pages} ${earlier}`);
  const contracts = useContracts([address]);
  if (error !== undefined) return <Problem title="The events cannot be read" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { logs, blocks, lowest } = value;
  const texts = logs.map(({ topics, data }) => {
    const decoded = decodeEvent(contracts.get(address), topics, data);
    return decoded === undefined ? "" : textOfDecoded(decoded);
  });
  const rows = logs.map((log, index) => rowOf(log, texts[index] ?? ""));
  const where = earlier === 0 ? whereFrom(blocks) : ` in the blocks from ${lowest} on`;
  return (
    <Panel title={`Events${where}`} actions={<SaveButtons name={`events-${address.slice(0, 10)}`} rows={rows} />}>
      {logs.length === 0 ? <Empty>{`The account has logged no events${where}.`}</Empty> : null}
      <ol class="events">
        {logs.map((log, index) => (
          <EventItem key={`${log.blockHash} ${log.logIndex}`} log={log} text={texts[index] ?? ""} />
        ))}
      </ol>
      {lowest > blocks.first ? (
        <button type="button" class="more" onClick={() => setPages(pages + 1)}>
          Older events
        </button>
      ) : lowest > 0 ? (
        <button type="button" class="more" onClick={() => setEarlier(earlier + 1)}>
          Earlier: {grouped(Math.min(EARLIER, lowest))} blocks of the other chain
        </button>
      ) : null}
    </Panel>
  );
}

function EventItem({ log, text }: { readonly log: MinedLog; readonly text: string }): JSX.Element {
  const { transactionHash, blockNumber, topics, data } = log;
  return (
    <li>
      <p>
        {text === "" ? <span class="quiet">unknown event</span> : <code class="fn">{shown(text, 800)}</code>}{" "}
        <span class="quiet">
          block {grouped(BigInt(blockNumber ?? "0x0"))}{" "}
          {transactionHash === null ? null : <HashLink of={transactionHash} to="tx" />}
        </span>
      </p>
      <details>
        <summary>Topics and data</summary>
        <ol class="topics" start={0}>
          {topics.map((topic, index) => (
            <li key={index}>
              <code>{topic}</code>
            </li>
          ))}
        </ol>
        <pre>{shown(data, 2_100)}</pre>
      </details>
    </li>
  );
}

/**
 * Searches from the newest block back until enough logs are found. On a fork it ends at the first own block, and goes
 * on below it only as far as the reader asked for.
 */
async function find(address: string, pages: number, earlier: number): Promise<FoundEvents> {
  const [blocks] = await Promise.all([ownBlocks(), loadStandards()]);
  const logs: MinedLog[] = [];
  const search = async (first: number, last: number): Promise<void> => {
    const range = { fromBlock: `0x${first.toString(16)}`, toBlock: `0x${last.toString(16)}` };
    logs.push(...(await ask<readonly MinedLog[]>("eth_getLogs", { address, ...range })).toReversed());
  };
  let { last } = blocks;
  for (let span = FIRST_SPAN; last >= blocks.first && logs.length < pages * PAGE; span *= GROWTH) {
    const first = Math.max(blocks.first, last - span + 1);
    await search(first, last);
    last = first - 1;
  }
  if (earlier > 0 && last < blocks.first) {
    const first = Math.max(0, blocks.first - earlier * EARLIER);
    await search(first, blocks.first - 1);
    return { logs, blocks, lowest: first };
  }
  return { logs, blocks, lowest: last + 1 };
}

function rowOf({ blockNumber, transactionHash, logIndex, topics, data }: MinedLog, text: string) {
  return {
    block: Number(blockNumber),
    transaction: transactionHash ?? "",
    logIndex: Number(logIndex),
    text: shown(text, 2_000),
    topics: topics.join(" "),
    data,
  };
}
