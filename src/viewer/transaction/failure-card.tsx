/** Shows why a transaction failed: the reason, the source lines of the call stack, and a link to the step. */
import type { JSX } from "preact";
import { useSide } from "../components/side.ts";
import { StackTrace } from "../components/stack-trace.tsx";
import { ask } from "../rpc/client.ts";
import type { Call, Explanation } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { shown } from "../text/shown.ts";
import type { WholeTransaction } from "./load.ts";

/** By `hindcast_explainTransaction`; without sources it shows the reason alone. */
export function FailureCard({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const side = useSide();
  const { tx, receipt, calls } = whole;
  const { value } = useLoaded(
    () => ask<Explanation>("hindcast_explainTransaction", tx.hash),
    tx.hash,
    receipt?.blockHash,
  );
  const deepest = failingCall(calls);
  const unknown =
    whole.traceError === undefined
      ? "It failed without a reason."
      : "It failed. The node cannot run it again to say why.";
  const reason = deepest?.failure ?? value?.reason?.text ?? unknown;
  const lastStep = deepest === undefined ? undefined : deepest.steps[1] - 1;
  return (
    <section class="failure" aria-label={side.label("Why it failed")}>
      <h2>{shown(reason)}</h2>
      {value === undefined ? null : <StackTrace of={value} />}
      {lastStep === undefined || lastStep < (deepest?.steps[0] ?? 0) ? null : (
        <a class="button" href={`#/tx/${tx.hash}?tab=steps&step=${lastStep}`}>
          Open the step that failed
        </a>
      )}
    </section>
  );
}

/** Finds the innermost call that caused the failure: it follows the last failed call at each level. */
export function failingCall(calls: readonly Call[]): Call | undefined {
  let current = calls[0];
  if (current === undefined || current.failure === null) return undefined;
  for (;;) {
    const last: Call | undefined = calls.findLast(({ parent }) => parent === current?.index);
    if (last === undefined || last.failure === null || last.output !== current?.output) return current;
    current = last;
  }
}
