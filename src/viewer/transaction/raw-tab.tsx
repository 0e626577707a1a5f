/** Shows the transaction and its receipt as JSON, as the node returns them. */
import type { JSX } from "preact";
import { type Contracts, useContracts, useStandards } from "../abi/contracts.ts";
import { functionOf, valuesOf } from "../abi/lookup.ts";
import { Panel } from "../components/data.tsx";
import { Copy } from "../components/hashes.tsx";
import { Scroll } from "../components/scroll.tsx";
import { connection } from "../rpc/connection.ts";
import type { AbiFunction } from "../rpc/types.ts";
import { groupedText } from "../text/format.ts";
import { save } from "../text/save.ts";
import { shown } from "../text/shown.ts";
import { castOf, curlOf, viemOf } from "./commands.ts";
import type { WholeTransaction } from "./load.ts";

const MOST_DIGITS = 4_000;
/** Most characters of one member. */
const MOST = 400;

/** Long input is cut; copying takes all of it. */
export function RawTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { tx, receipt } = whole;
  // A proxy's function is in the ABI of the contract that it delegates to.
  const behind = whole.calls.filter(({ kind, parent }) => kind === "delegatecall" && parent === 0);
  const contracts = useContracts([tx.to, ...behind.map(({ to }) => to)].filter((address) => address !== null));
  useStandards(true);
  return (
    <>
      {tx.input === "0x" ? null : <DecodedInput input={tx.input} of={functionAmong(contracts, tx.input)} />}
      {tx.input === "0x" ? null : (
        <Panel title="Input" actions={<Copy text={tx.input} what="input" />}>
          <pre class="json">{shown(tx.input, MOST_DIGITS)}</pre>
        </Panel>
      )}
      <Files whole={whole} />
      <Json title="Transaction" value={tx} />
      {receipt === undefined ? null : <Json title="Receipt" value={receipt} />}
    </>
  );
}

/** The transaction as commands that run it again as a call, and as files. */
function Files({ whole: { tx, receipt, calls, traceError } }: { readonly whole: WholeTransaction }): JSX.Element {
  const { url } = connection();
  const name = tx.hash.slice(0, 10);
  const file = (what: string, value: unknown): JSX.Element => (
    <button
      type="button"
      class="small"
      onClick={() => save(`${what}-${name}.json`, "application/json", JSON.stringify(value, undefined, 2))}
    >
      {what}.json
    </button>
  );
  return (
    <Panel title="Use it elsewhere">
      {url === undefined ? null : (
        <p class="row">
          <span class="quiet">Copy as a call on the state before its block:</span>
          <Copy text={castOf(tx, url)} what="a command of cast" label="cast" />
          <Copy text={curlOf(tx, url)} what="a command line" label="curl" />
          <Copy text={viemOf(tx, url)} what="code for viem" label="viem" />
        </p>
      )}
      <p class="row">
        <span class="quiet">Save:</span>
        {file("transaction", tx)}
        {receipt === undefined ? null : file("receipt", receipt)}
        {receipt === undefined || traceError !== undefined ? null : file("trace", calls)}
      </p>
    </Panel>
  );
}

function functionAmong(contracts: Contracts, input: string): AbiFunction | undefined {
  const functions = [...contracts.values()].flatMap((contract) => contract?.functions ?? []);
  return functionOf({ name: null, functions, events: [], errors: [] }, input);
}

/** The arguments by name; nothing if the function is not known or the data does not fit it. */
function DecodedInput(props: { readonly input: string; readonly of: AbiFunction | undefined }): JSX.Element | null {
  const { input, of } = props;
  const values = of === undefined ? undefined : valuesOf(of.inputs, `0x${input.slice(10)}`);
  if (of === undefined || values === undefined) return null;
  return (
    <Panel title={shown(of.signature, 200)}>
      <Scroll label="Arguments">
        <table class="data">
          <thead>
            <tr>
              <th>Argument</th>
              <th>Type</th>
              <th>Value</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ parameter: { name, type }, text }, index) => (
              <tr key={index}>
                <td>{shown(name === "" ? String(index) : name, 60)}</td>
                <td class="mono quiet">{shown(type, 60)}</td>
                <td class="mono value-text">{groupedText(shown(text, 2_000))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
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
