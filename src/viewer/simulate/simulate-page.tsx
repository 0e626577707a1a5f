/** Composes a sequence of calls and runs it on a block without mining. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Contracts } from "../abi/contracts.ts";
import { Panel } from "../components/data.tsx";
import { Copy, HashLink } from "../components/hashes.tsx";
import { SecondSide } from "../components/side.ts";
import { Problem } from "../components/states.tsx";
import { type Route, setQuery } from "../route.ts";
import { ask } from "../rpc/client.ts";
import { connection } from "../rpc/connection.ts";
import type { Transaction } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { CallForm } from "./call-form.tsx";
import {
  curlOf,
  type Draft,
  type DraftCall,
  draftOf,
  draftText,
  EMPTY_CALL,
  type Outcome,
  readDraft,
  replay,
  run,
  viemOf,
} from "./draft.ts";
import { contractsOf, OutcomePanel } from "./outcome.tsx";
import { OverridesForm } from "./overrides-form.tsx";

type Answer =
  | { readonly outcomes: readonly Outcome[]; readonly mined: Outcome | undefined; readonly contracts: Contracts }
  | { readonly error: Error }
  | undefined;

/** The page `#/simulate`. The draft is part of its address. */
export function SimulatePage({ route }: { readonly route: Route }): JSX.Element {
  const [draft, setDraft] = useState<Draft>(() => readDraft(route.query.get("draft")));
  /** Hash of the mined transaction that is run again. */
  const again = route.query.get("again");
  const [answer, setAnswer] = useState<Answer>(undefined);
  const { value: accounts = [] } = useLoaded(() => ask<readonly string[]>("eth_accounts"), "accounts");
  useEffect(() => {
    document.title = "Simulate · Hindcast";
  }, []);
  useEffect(() => {
    if (again === null || route.query.has("draft")) return;
    void ask<Transaction | null>("eth_getTransactionByHash", again).then(
      (tx) => tx !== null && setDraft(draftOf(tx)),
      () => undefined,
    );
  }, [again]);
  const change = (next: Draft): void => {
    setDraft(next);
    setQuery({ draft: draftText(next) });
  };
  const changeCall = (index: number, call: DraftCall): void =>
    change({ ...draft, calls: draft.calls.map((each, at) => (at === index ? call : each)) });
  const start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      const [outcomes, mined] = await Promise.all([run(draft), again === null ? undefined : replay(again)]);
      // The names are loaded first, so that addresses do not turn into names before the reader's eyes.
      const contracts = await contractsOf(mined === undefined ? outcomes : [...outcomes, mined]);
      setAnswer({ outcomes, mined, contracts });
    } catch (error) {
      setAnswer({ error: error as Error });
    }
  };
  return (
    <article>
      <header class="page-head">
        <h1>Simulate</h1>
        <p class="quiet">Calls in sequence, on the state after a block. Nothing is mined.</p>
        {again === null ? null : (
          <p class="quiet">
            Begins as <HashLink of={again} to="tx" />, before the first transaction of its block. Its own run is shown
            beside the new one. In its own place, and with other code: <a href={`#/what-if/${again}`}>what if</a>.
          </p>
        )}
      </header>
      <form onSubmit={start}>
        {draft.calls.map((call, index) => (
          <CallForm
            key={index}
            title={`Call ${index}`}
            emptyTo="empty: a creation"
            emptyGas="as much as the node allows"
            call={call}
            accounts={accounts}
            onChange={(next) => changeCall(index, next)}
            onRemove={
              draft.calls.length === 1
                ? undefined
                : () => change({ ...draft, calls: draft.calls.filter((_, at) => at !== index) })
            }
          />
        ))}
        <Settings draft={draft} onChange={change} />
        <div class="row">
          <button type="submit" class="button strong">
            Run
          </button>
          <button
            type="button"
            class="button"
            onClick={() =>
              change({ ...draft, calls: [...draft.calls, { ...EMPTY_CALL, from: draft.calls.at(-1)?.from ?? "" }] })
            }
          >
            Add a call
          </button>
          <Snippets draft={draft} />
        </div>
      </form>
      <div class="outcomes" aria-live="polite">
        {answer === undefined ? null : "error" in answer ? (
          <Problem title="The simulation was refused" error={answer.error} />
        ) : (
          <div class={answer.mined === undefined ? "" : "compare"}>
            <div>
              {answer.outcomes.map((outcome, index) => (
                <OutcomePanel key={index} title={`Call ${index}`} outcome={outcome} contracts={answer.contracts} />
              ))}
            </div>
            {answer.mined === undefined ? null : (
              <SecondSide.Provider value={true}>
                <OutcomePanel title="As it was mined" outcome={answer.mined} contracts={answer.contracts} />
              </SecondSide.Provider>
            )}
          </div>
        )}
      </div>
    </article>
  );
}

function Settings({
  draft,
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}): JSX.Element {
  return (
    <Panel title="On which state">
      <div class="row">
        <label>
          Block
          <input
            class="mono"
            value={draft.block}
            onInput={(event) => onChange({ ...draft, block: event.currentTarget.value })}
          />
        </label>
      </div>
      <OverridesForm text={draft.overrides} onChange={(overrides) => onChange({ ...draft, overrides })} />
    </Panel>
  );
}

/** Shows the sequence as a link and as code. Opening the link does not run it. */
function Snippets({ draft }: { readonly draft: Draft }): JSX.Element | null {
  const { url } = connection();
  try {
    return (
      <span class="snippets">
        Copy as <Copy text={location.href} what="a link" label="link" />
        {url === undefined ? null : (
          <>
            <Copy text={curlOf(draft, url)} what="a command line" label="curl" />
            <Copy text={viemOf(draft, url)} what="code for viem" label="viem" />
          </>
        )}
      </span>
    );
  } catch {
    // The input is incomplete, so there is nothing to copy yet.
    return null;
  }
}
