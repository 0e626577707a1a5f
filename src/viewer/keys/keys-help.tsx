/** The list of keys, which `?` opens. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isTyping } from "./typing.ts";

const KEYS: readonly (readonly [key: string, what: string])[] = [
  ["/", "search"],
  ["?", "this list"],
  ["↑ ↓", "one row up or down in a list or a tree"],
  ["Page ↑ Page ↓", "a page of rows"],
  ["Home End", "the first and the last row"],
  ["→ ←", "unfold and fold a call; step forward and back; the next and the last tab"],
  ["Enter", "open the chosen row; go to what was found next"],
  ["Esc", "close this list"],
];

/** A dialog of the browser's own: it holds the focus, and Escape closes it. */
export function KeysHelp(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      if (dialog.current?.open === false) dialog.current.showModal();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
