/** Lists the pending transactions, and has forms for mining, time, snapshots and reorgs. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Panel } from "../components/data.tsx";
import { isReadOnly, ReadOnlyNote } from "../components/read-only.tsx";
import { Empty, PageProblem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import { liveHead, useHead } from "../rpc/live.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { dateTime, grouped } from "../text/format.ts";
import { Controls } from "./controls.tsx";
import { type PoolContent, PoolTable } from "./pool-table.tsx";

/** Interval of requests in milliseconds. The pool changes between blocks, so new heads are not enough. */
const LOOK_MS = 1_500;

interface Facts {
  readonly content: PoolContent;
  readonly isAutomine: boolean;
  readonly interval: number | null;
  readonly timestamp: string;
}

/** The page `#/pool`. It asks at intervals while it is visible. */
export function PoolPage(): JSX.Element {
  const head = useHead();
  const [version, setVersion] = useState(0);
  const look = (): void => setVersion((last) => last + 1);
  useEffect(() => {
    document.title = "Pool and time · Hindcast";
    const timer = setInterval(() => document.visibilityState === "visible" && look(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const { value, error } = useLoaded(loadFacts, "pool", `${head?.hash} ${version}`);
  if (error !== undefined) return <PageProblem title="The pool cannot be read" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const onDone = (): void => {
    look();
    void liveHead.look();
  };
  const { content, isAutomine, interval, timestamp } = value;
  return (
    <article>
      <header class="page-head">
        <h1>Pool and time</h1>
        <p class="quiet">
          Head {head === undefined ? "" : grouped(BigInt(head.number))} at {dateTime(timestamp)}.{" "}
          {isAutomine ? "Each transaction is mined at once." : "Transactions wait until a block is mined."}
          {interval === null || interval === 0 ? "" : ` A block comes every ${interval} s.`}
        </p>
      </header>
      <Panel title="Waiting">
        <PoolTable content={content} onDone={onDone} />
      </Panel>
      {isReadOnly ? (
        <ReadOnlyNote what="Mining, time, snapshots and reorgs cannot be controlled from this page." />
      ) : (
        <Controls isAutomine={isAutomine} onDone={onDone} />
      )}
    </article>
  );
}

async function loadFacts(): Promise<Facts> {
  const [content, isAutomine, interval, { timestamp }] = await Promise.all([
    ask<PoolContent>("txpool_content"),
    ask<boolean>("anvil_getAutomine"),
    ask<number | null>("anvil_getIntervalMining"),
    ask<{ readonly timestamp: string }>("eth_getHeaderByNumber", "latest"),
  ]);
  return { content, isAutomine, interval, timestamp };
}
