/** The transaction and its receipt as the node gives them. */
import type { JSX } from "preact";
import { Panel } from "../parts/data.tsx";
import { Copy } from "../parts/hashes.tsx";
import { shown } from "../text/shown.ts";
import type { WholeTransaction } from "./load.ts";
import { Bytes } from "./tree/call-details.tsx";

/** Characters of one member. */
const MOST = 400;

export function RawTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { tx, receipt } = whole;
  return (
    <>
      <Bytes title="Input" hex={tx.input} length={(tx.input.length - 2) / 2} />
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
