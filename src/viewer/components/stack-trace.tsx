/** The call stack of a failure, with its source lines. */
import type { JSX } from "preact";
import { ask } from "../rpc/client.ts";
import type { Explanation } from "../rpc/types.ts";
import { grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";

/**
 * Why a call was refused: the reason, with the custom errors of every contract that took part, else the node's message; and
 * where it failed, if the node can say.
 */
export async function explainFailure(
  call: object,
  { message }: Error,
): Promise<{ readonly text: string; readonly failure: Explanation | undefined }> {
  const failure = await ask<Explanation>("hindcast_explainCall", call, "latest").catch(() => undefined);
  return { text: failure?.reason?.text ?? message, failure };
}

/** The frames whose contract or file is known, the innermost first. */
export function StackTrace({ of }: { readonly of: Explanation }): JSX.Element | null {
  const known = of.frames.filter(({ contract, file }) => contract !== null || file !== null);
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
