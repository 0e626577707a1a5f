/** Shows why a transaction failed: the reason, the source lines of the call stack, and a link to the step. */
import type { JSX } from "preact";
import { useSide } from "../components/side.ts";
import { ask } from "../rpc/client.ts";
import type { Call, Explanation } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { grouped } from "../text/format.ts";
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
      {value === undefined ? null : <Stack explanation={value} />}
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

function Stack({ explanation }: { readonly explanation: Explanation }): JSX.Element | null {
  const known = explanation.frames.filter(({ contract, file }) => contract !== null || file !== null);
  if (known.length === 0) return null;
  return (
    <ol class="stack-trace">
      {foldRepeats(known.toReversed()).map(({ frame, times }, index) => (
        <li key={`${frame.file}${frame.line}${index}`}>
          {times === 1 ? null : <span class="pill">{grouped(times)} times</span>}{" "}
          <b>{shown(`${frame.contract ?? "?"}${frame.function === null ? "" : `.${frame.function}`}`, 80)}</b>
          {frame.file === null ? null : (
            <span class="quiet">
              {" "}
              {shown(frame.file, 80)}:{frame.line}
              {frame.isApproximate ? " (approximate)" : ""}
            </span>
          )}
          {frame.source === null ? null : <pre>{shown(frame.source.trim(), 200)}</pre>}
        </li>
      ))}
    </ol>
  );
}

type Frame = Explanation["frames"][number];

/** Frames that follow each other and are the same, as those of a recursion, become one. */
export function foldRepeats(frames: readonly Frame[]): readonly { readonly frame: Frame; readonly times: number }[] {
  const folded: { readonly frame: Frame; times: number }[] = [];
  for (const frame of frames) {
    const last = folded.at(-1);
    if (last !== undefined && placeOf(last.frame) === placeOf(frame)) last.times++;
    else folded.push({ frame, times: 1 });
  }
  return folded;
}

const placeOf = ({ contract, function: name, file, line }: Frame): string => [contract, name, file, line].join(" ");
