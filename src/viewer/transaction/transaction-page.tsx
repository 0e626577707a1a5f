/** The page of a transaction: its calls and changes, its cost, and why it failed. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { isReadOnly } from "../parts/read-only.tsx";
import { Empty, Problem } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { Route } from "../route.ts";
import { ask } from "../rpc/client.ts";
import { useHeadChanges } from "../rpc/live.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { short } from "../text/format.ts";
import { ChangesTab } from "./changes-tab.tsx";
import { EventsTab } from "./events-tab.tsx";
import { FailureCard } from "./failure-card.tsx";
import { FlameTab } from "./flame/flame-tab.tsx";
import { loadTransaction, type WholeTransaction } from "./load.ts";
import { RawTab } from "./raw-tab.tsx";
import { StepsTab } from "./steps/steps-tab.tsx";
import { Summary } from "./summary.tsx";
import { CallsTab } from "./tree/calls-tab.tsx";

/** The page `#/tx/<hash>`. */
export function TransactionPage({ route }: { readonly route: Route }): JSX.Element {
  const hash = route.path[1] ?? "";
  useEffect(() => {
    document.title = `Transaction ${short(hash)} · Hindcast`;
  }, [hash]);
  return <TransactionView hash={hash} route={route} />;
}

/** The content without the page around it. */
export function TransactionView({ hash, route }: { readonly hash: string; readonly route: Route }): JSX.Element {
  const version = useHeadChanges();
  const { value, error } = useLoaded(() => loadTransaction(hash), hash, version);
  if (error !== undefined) return <Problem title="This transaction cannot be shown" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  if (value.receipt === undefined) return <Waiting whole={value} />;
  const { calls, changes, events, stepCount } = value;
  const step = route.query.get("step");
  return (
    <article>
      <Summary whole={value} />
      {value.receipt.status === "0x0" ? <FailureCard whole={value} /> : null}
      <Tabs
        label="Parts of the transaction"
        chosen={route.query.get("tab")}
        tabs={[
          { id: "calls", label: `Calls ${calls.length}`, content: () => <CallsTab whole={value} /> },
          { id: "changes", label: `Changes ${changes.length}`, content: () => <ChangesTab whole={value} /> },
          { id: "events", label: `Events ${events.length}`, content: () => <EventsTab whole={value} /> },
          { id: "gas", label: "Gas", content: () => <FlameTab whole={value} /> },
          {
            id: "steps",
            label: "Steps",
            content: () => <StepsTab hash={hash} count={stepCount} at={step === null ? undefined : Number(step)} />,
          },
          { id: "raw", label: "Raw", content: () => <RawTab whole={value} /> },
        ]}
      />
    </article>
  );
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
