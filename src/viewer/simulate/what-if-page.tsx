/** Runs a mined transaction again with other members, other code or in another block, beside its own run. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Contracts, loadContracts } from "../abi/contracts.ts";
import { functionOf } from "../abi/lookup.ts";
import { loadStandards } from "../abi/standards.ts";
import { Panel } from "../components/data.tsx";
import { HashLink } from "../components/hashes.tsx";
import { Progress } from "../components/progress.tsx";
import { Empty, PageProblem, Problem } from "../components/states.tsx";
import { readJson } from "../node/add-artifacts.ts";
import type { Route } from "../route.ts";
import { ask } from "../rpc/client.ts";
import type { AbiFunction } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { short } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { loadTransaction, type WholeTransaction } from "../transaction/load.ts";
import { CallForm } from "./call-form.tsx";
import { ComparedRuns } from "./compared-runs.tsx";
import { artifactText, type Compared, compare, type OtherCode, unchanged, type WhatIf } from "./what-if.ts";

/** The page `#/what-if/<hash>`. */
export function WhatIfPage({ route }: { readonly route: Route }): JSX.Element {
  const hash = route.path[1] ?? "";
  const { value, error } = useLoaded(() => loadTransaction(hash), hash);
  useEffect(() => {
    document.title = `What if ${short(hash)} · Hindcast`;
  }, [hash]);
  if (error !== undefined) return <PageProblem title="This transaction cannot be replayed" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  if (value.receipt === undefined)
    return <PageProblem title="This transaction cannot be replayed" error={new Error("It is not mined yet.")} />;
  return <WhatIfForm whole={value} />;
}

type Answer =
  | {
      readonly compared: Compared;
      readonly contracts: Contracts;
      readonly functions: readonly (AbiFunction | undefined)[];
    }
  | { readonly error: Error }
  | { readonly stop: () => void }
  | undefined;

function WhatIfForm({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { tx } = whole;
  const [draft, setDraft] = useState<WhatIf>(() => unchanged(tx));
  const [answer, setAnswer] = useState<Answer>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  const { value: accounts = [] } = useLoaded(() => ask<readonly string[]>("eth_accounts"), "accounts");
  useEffect(() => () => running.current?.abort(), []);
  const setCode = (index: number, code: Partial<OtherCode>): void =>
    setDraft((last) => ({
      ...last,
      codes: last.codes.map((each, at) => (at === index ? { ...each, ...code } : each)),
    }));
  const start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setAnswer({ stop: () => controller.abort() });
    const next = await run(whole, draft, controller.signal).catch((error: Error) => ({ error }));
    if (running.current === controller) setAnswer(next);
  };
  return (
    <article>
      <header class="page-head">
        <h1>What if</h1>
        <p class="quiet">
          Runs <HashLink of={tx.hash} to="tx" /> again, after the transactions that were before it in its block, with
          what is changed here. Nothing is stored. With other balances or several calls:{" "}
          <a href={`#/simulate?again=${tx.hash}`}>simulate again</a>.
        </p>
      </header>
      <form onSubmit={start}>
        <CallForm
          title="The transaction"
          emptyTo={tx.to === null ? "empty: a creation" : "as it was"}
          emptyGas="as it was"
          call={draft.call}
          accounts={accounts}
          onChange={(call) => setDraft({ ...draft, call })}
          onRemove={undefined}
        />
        <Panel title="Block and code">
          <label>
            At the end of block
            <input
              class="mono"
              placeholder="empty: in its own place"
              value={draft.block}
              onInput={(event) => setDraft({ ...draft, block: event.currentTarget.value })}
            />
          </label>
          {draft.codes.map((code, index) => (
            <CodeFields
              key={index}
              index={index}
              code={code}
              onChange={(changed) => setCode(index, changed)}
              onRemove={() => setDraft({ ...draft, codes: draft.codes.filter((_, at) => at !== index) })}
            />
          ))}
          <Called whole={whole} />
          <p>
            <button
              type="button"
              class="small"
              onClick={() => setDraft({ ...draft, codes: [...draft.codes, { address: tx.to ?? "", code: "" }] })}
            >
              Other code for a contract
            </button>
          </p>
        </Panel>
        <button type="submit" class="button strong">
          Run
        </button>
      </form>
      <div class="outcomes" aria-live="polite">
        <AnswerParts answer={answer} />
      </div>
    </article>
  );
}

function AnswerParts({ answer }: { readonly answer: Answer }): JSX.Element | null {
  if (answer === undefined) return null;
  if ("stop" in answer) return <Progress what="Running it again" onStop={answer.stop} />;
  if ("error" in answer) return <Problem title="The replay was refused" error={answer.error} />;
  return <ComparedRuns {...answer} />;
}

/** The names are loaded first, so that addresses do not turn into names before the reader's eyes. */
async function run({ tx, calls: mined }: WholeTransaction, draft: WhatIf, signal: AbortSignal): Promise<Answer> {
  const [compared] = await Promise.all([compare(tx, draft, signal), loadStandards()]);
  const { logs, console, storage } = compared.own;
  const named = [...logs.flat(), ...console.flat(), ...storage].map(({ address }) => address);
  const calls = [
    { to: tx.to ?? "", data: tx.input },
    { to: draft.call.to.trim().toLowerCase(), data: draft.call.data.trim() },
  ];
  const called = [...mined, ...calls].flatMap(({ to }) => (to === null || to === "" ? [] : [to]));
  const contracts = await loadContracts([...named, ...called]);
  return { compared, contracts, functions: calls.map(({ to, data }) => functionOf(contracts.get(to), data)) };
}

interface CodeProps {
  readonly index: number;
  readonly code: OtherCode;
  readonly onChange: (code: Partial<OtherCode>) => void;
  readonly onRemove: () => void;
}

function CodeFields({ index, code, onChange, onRemove }: CodeProps): JSX.Element {
  const [problem, setProblem] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      onChange({ code: artifactText(await readJson(file)) });
      setProblem("");
    } catch (error) {
      setProblem(`${shown(file.name, 60)}: ${(error as Error).message}`);
    }
  };
  return (
    <div class="fields">
      <label>
        Contract {index}
        <input
          class="wide"
          list="called"
          spellcheck={false}
          value={code.address}
          onInput={(event) => onChange({ address: event.currentTarget.value })}
        />
      </label>
      <label>
        Its code: bytecode, or an artifact as JSON
        <textarea
          rows={2}
          spellcheck={false}
          value={code.code}
          onInput={(event) => onChange({ code: event.currentTarget.value })}
        />
      </label>
      <label>
        An artifact's file
        <input
          type="file"
          accept=".json,application/json"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </label>
      <button type="button" class="small" onClick={onRemove}>
        Remove the code
      </button>
      <p class="bad" role="status">
        {shown(problem, 300)}
      </p>
    </div>
  );
}

/** The contracts that the transaction called, to choose from. */
function Called({ whole: { calls } }: { readonly whole: WholeTransaction }): JSX.Element {
  const names = new Map(calls.flatMap(({ to, contract }) => (to === null ? [] : [[to, contract] as const])));
  return (
    <datalist id="called">
      {[...names].map(([address, name]) => (
        <option key={address} value={address}>
          {shown(name, 60)}
        </option>
      ))}
    </datalist>
  );
}
