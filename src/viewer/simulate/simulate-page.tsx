/** Composes a sequence of calls and runs it on a block without mining. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Contracts } from "../abi/contracts.ts";
import { Panel } from "../parts/data.tsx";
import { Copy } from "../parts/hashes.tsx";
import { Problem } from "../parts/states.tsx";
import { type Route, setQuery } from "../route.ts";
import { ask } from "../rpc/client.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { CallForm } from "./call-form.tsx";
import {
  curlOf,
  type Draft,
  type DraftCall,
  draftText,
  EMPTY_CALL,
  type Outcome,
  readDraft,
  run,
  viemOf,
} from "./draft.ts";
import { contractsOf, OutcomePanel } from "./outcome.tsx";

type Answer =
  | { readonly outcomes: readonly Outcome[]; readonly contracts: Contracts }
  | { readonly error: Error }
  | undefined;

/** The page `#/simulate`. The draft is part of its address. */
export function SimulatePage({ route }: { readonly route: Route }): JSX.Element {
  const [draft, setDraft] = useState<Draft>(() => readDraft(route.query.get("draft")));
  const [answer, setAnswer] = useState<Answer>(undefined);
  const { value: accounts = [] } = useLoaded(() => ask<readonly string[]>("eth_accounts"), "accounts");
  useEffect(() => {
    document.title = "Simulate · Hindcast";
  }, []);
  const change = (next: Draft): void => {
    setDraft(next);
    setQuery({ draft: draftText(next) });
  };
  const changeCall = (index: number, call: DraftCall): void =>
    change({ ...draft, calls: draft.calls.map((each, at) => (at === index ? call : each)) });
  const start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      const outcomes = await run(draft);
      // The names are loaded first, so that addresses do not turn into names before the reader's eyes.
      setAnswer({ outcomes, contracts: await contractsOf(outcomes) });
    } catch (error) {
      setAnswer({ error: error as Error });
    }
  };
  return (
    <article>
      <header class="page-head">
        <h1>Simulate</h1>
        <p class="quiet">Calls one on top of the other, on the state after a block. Nothing is mined.</p>
      </header>
      <form onSubmit={start}>
        {draft.calls.map((call, index) => (
          <CallForm
            key={index}
            index={index}
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
          answer.outcomes.map((outcome, index) => (
            <OutcomePanel key={index} index={index} outcome={outcome} contracts={answer.contracts} />
          ))
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
        <label class="grow">
          State overrides, as JSON by address
          <input
            class="wide"
            spellcheck={false}
            placeholder='{"0x…": {"balance": "0xde0b6b3a7640000"}}'
            value={draft.overrides}
            onInput={(event) => onChange({ ...draft, overrides: event.currentTarget.value })}
          />
        </label>
      </div>
    </Panel>
  );
}

/** Shows the sequence as a link and as code. Opening the link does not run it. */
function Snippets({ draft }: { readonly draft: Draft }): JSX.Element | null {
  try {
    return (
      <span class="snippets">
        Copy as <Copy text={location.href} what="a link" label="link" />
        <Copy text={curlOf(draft, `${location.origin}/`)} what="a command line" label="curl" />
        <Copy text={viemOf(draft, `${location.origin}/`)} what="code for viem" label="viem" />
      </span>
    );
  } catch {
    // The input is incomplete, so there is nothing to copy yet.
    return null;
  }
}
