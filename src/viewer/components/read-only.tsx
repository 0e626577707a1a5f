/** Whether the explorer may change the chain, as the server's page says. */
import type { JSX } from "preact";
import { Empty } from "./states.tsx";

/** True on a server with `--explorer-read-only`. Then no page has a control that changes the chain or the pool. */
export const isReadOnly = document.querySelector('meta[name="hindcast-explorer"][content="read-only"]') !== null;

/** Says why controls are missing. */
export function ReadOnlyNote({ what }: { readonly what: string }): JSX.Element {
  return (
    <Empty>
      {what} This node's explorer is read-only (<code>--explorer-read-only</code>).
    </Empty>
  );
}
