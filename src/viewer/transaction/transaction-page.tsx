/** The page of a transaction: its calls and changes, its cost, and why it failed. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { later } from "../components/later.tsx";
import { Progress } from "../components/progress.tsx";
import { isReadOnly } from "../components/read-only.tsx";
import { Empty, PageProblem, Problem } from "../components/states.tsx";
import { type Tab, Tabs } from "../components/tabs.tsx";
import type { Route } from "../route.ts";
import { type BlockPlace, useBlockChanges } from "../rpc/block-changes.ts";
import { ask } from "../rpc/client.ts";
import type { Transaction } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { grouped, short } from "../text/format.ts";
import { EventsTab } from "./events-tab.tsx";
import { FailureCard } from "./failure-card.tsx";
import { loadOthers, loadTransaction, type WholeTransaction } from "./load.ts";
import { Summary } from "./summary.tsx";
import { CallsTab } from "./tree/calls-tab.tsx";

// The tree of calls is what is opened first.
const AssetsPanel = later("AssetsPanel", async () => (await import("./changes/assets-panel.tsx")).AssetsPanel);
const ChangesTab = later("ChangesTab", async () => (await import("./changes/changes-tab.tsx")).ChangesTab);
const FlameTab = later("FlameTab", async () => (await import("./flame/flame-tab.tsx")).FlameTab);
const AuthorizationsTab = later(
  "AuthorizationsTab",
  async () => (await import("./kinds/authorizations-tab.tsx")).AuthorizationsTab,
);
const BlobsTab = later("BlobsTab", async () => (await import("./kinds/blobs-tab.tsx")).BlobsTab);
const RawTab = later("RawTab", async () => (await import("./raw-tab.tsx")).RawTab);
const StepsTab = later("StepsTab", async () => (await import("./steps/steps-tab.tsx")).StepsTab);

/** The page `#/tx/<hash>`. */
export function TransactionPage({ route }: { readonly route: Route }): JSX.Element {
  const hash = route.path[1] ?? "";
  useEffect(() => {
    document.title = `Transaction ${short(hash)} · Hindcast`;
  }, [hash]);
  return <TransactionView hash={hash} route={route} />;
}

const placeOf = ({ receipt }: WholeTransaction): BlockPlace | undefined =>
  receipt && { number: receipt.blockNumber, hash: receipt.blockHash };

/** The content without the page around it. It is loaded once, and again when its block leaves the chain. */
export function TransactionView({ hash, route }: { readonly hash: string; readonly route: Route }): JSX.Element {
  const [version, watch] = useBlockChanges(placeOf);
  const { value: first, error } = useLoaded(() => loadTransaction(hash), hash, version);
  const { value: complete, error: problem } = useLoaded(
    async () => (first === undefined || isComplete(first) ? undefined : loadOthers(first)),
    hash,
    first,
  );
  watch(first);
  const value = complete ?? first;
  if (error !== undefined) return <PageProblem title="This transaction cannot be shown" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  if (value.receipt === undefined) return <Waiting whole={value} />;
  return (
    <article>
      <Summary whole={value} />
      {value.receipt.status === "0x0" ? <FailureCard whole={value} /> : null}
      {isComplete(value) ? <AssetsPanel whole={value} /> : <Rest whole={value} error={problem} />}
      <Tabs label="Parts of the transaction" chosen={route.query.get("tab")} tabs={tabsOf(value, route)} />
    </article>
  );
}

const isComplete = ({ calls, callCount }: WholeTransaction): boolean => calls.length >= callCount;

/** Says that the page shows the first calls only, so far or for good. */
function Rest({ whole, error }: { readonly whole: WholeTransaction; readonly error: Error | undefined }): JSX.Element {
  if (error !== undefined) return <Problem title="The other calls cannot be loaded" error={error} />;
  return <Progress what={`The first ${whole.calls.length} of ${grouped(whole.callCount)} calls; loading the others`} />;
}

function tabsOf(whole: WholeTransaction, route: Route): readonly Tab[] {
  const { tx, receipt, callCount, changes, events, stepCount, traceError } = whole;
  const at = (name: string): number | undefined => {
    const text = route.query.get(name);
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const traced = (content: () => JSX.Element) => () =>
    traceError === undefined ? (
      content()
    ) : (
      <Problem title="The node cannot run this transaction again" error={traceError} />
    );
  const count = (size: number): string => (traceError === undefined ? ` ${size}` : "");
  return [
    {
      id: "calls",
      label: `Calls${count(callCount)}`,
      content: traced(() => <CallsTab whole={whole} at={at("call")} />),
    },
    { id: "changes", label: `Changes${count(changes.length)}`, content: traced(() => <ChangesTab whole={whole} />) },
    { id: "events", label: `Events ${events.length}`, content: () => <EventsTab whole={whole} /> },
    { id: "gas", label: "Gas", content: traced(() => <FlameTab whole={whole} />) },
    {
      id: "steps",
      label: "Steps",
      content: traced(() => <StepsTab hash={tx.hash} count={stepCount} at={at("step")} />),
    },
    ...kindTabs(tx, receipt?.blockHash),
    { id: "raw", label: "Raw", content: () => <RawTab whole={whole} /> },
  ];
}

/** Tabs that only transactions of some types have. */
function kindTabs(tx: Transaction, blockHash: string | undefined): readonly Tab[] {
  const authorizations = tx.authorizationList?.length ?? 0;
  const blobs = tx.blobVersionedHashes?.length ?? 0;
  return [
    ...(authorizations === 0
      ? []
      : [
          {
            id: "authorizations",
            label: `Authorizations ${authorizations}`,
            content: () => <AuthorizationsTab tx={tx} blockHash={blockHash} />,
          },
        ]),
    ...(blobs === 0 ? [] : [{ id: "blobs", label: `Blobs ${blobs}`, content: () => <BlobsTab tx={tx} /> }]),
  ];
}

/** Shows a transaction that is not in a block yet. */
function Waiting({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const mine = (): void => void ask("evm_mine").catch(() => undefined);
  return (
    <article>
      <Summary whole={whole} />
      <Empty>
        It waits for a block.{" "}
        {isReadOnly ? null : (
          <button type="button" class="small" onClick={mine}>
            Mine one
          </button>
        )}
      </Empty>
      <RawTab whole={whole} />
    </article>
  );
}
