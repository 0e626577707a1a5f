/** Shows the transaction and its receipt as JSON, as the node returns them. */
import type { JSX } from "preact";
import { Panel } from "../parts/data.tsx";
import { Copy } from "../parts/hashes.tsx";
import { shown } from "../text/shown.ts";
import type { WholeTransaction } from "./load.ts";

const MOST_DIGITS = 4_000;
/** Most characters of one member. */
const MOST = 400;

export function RawTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { tx, receipt } = whole;
  return (
    <>
      {tx.input === "0x" ? null : (
        <Panel title="Input" actions={<Copy text={tx.input} what="input" />}>
          <pre class="json">{shown(tx.input, MOST_DIGITS)}</pre>
        </Panel>
      )}
      <Json title="Transaction" value={tx} />
      {receipt === undefined ? null : <Json title="Receipt" value={receipt} />}
    </>
  );
}

function Json({ title, value }: { readonly title: string; readonly value: unknown }): JSX.Element {
  const cut = (_name: string, member: unknown): unknown => (typeof member === "string" ? shown(member, MOST) : member);
  return (
    <Panel title={title} actions={<Copy text={JSON.stringify(value)} what={title.toLowerCase()} />}>
      <pre class="json">{JSON.stringify(value, cut, 2)}</pre>
    </Panel>
  );
}
