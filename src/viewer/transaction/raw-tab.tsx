/** Shows the transaction and its receipt as JSON, as the node returns them. */
import type { JSX } from "preact";
import { useContracts } from "../abi/contracts.ts";
import { decodeValues } from "../abi/decode.ts";
import { Panel } from "../parts/data.tsx";
import { Copy } from "../parts/hashes.tsx";
import { Scroll } from "../parts/scroll.tsx";
import type { AbiFunction } from "../rpc/types.ts";
import { groupedText } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import type { WholeTransaction } from "./load.ts";

const MOST_DIGITS = 4_000;
/** Most characters of one member. */
const MOST = 400;

export function RawTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { tx, receipt } = whole;
  // A proxy's function is in the ABI of the contract that it delegates to.
  const behind = whole.calls.filter(({ kind, parent }) => kind === "delegatecall" && parent === 0);
  const contracts = useContracts([tx.to, ...behind.map(({ to }) => to)].filter((address) => address !== null));
  const functions = [...contracts.values()].flatMap((contract) => contract?.functions ?? []);
  return (
    <>
      {tx.input === "0x" ? null : (
        <DecodedInput input={tx.input} of={functions.find(({ selector }) => tx.input.startsWith(selector))} />
      )}
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

/** The arguments by name; nothing if the function is not known or the data does not fit it. */
function DecodedInput(props: { readonly input: string; readonly of: AbiFunction | undefined }): JSX.Element | null {
  const { input, of } = props;
  const values = of === undefined ? undefined : valuesOf(of, input);
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
            {of.inputs.map(({ name, type }, index) => (
              <tr key={index}>
                <td>{shown(name === "" ? String(index) : name, 60)}</td>
                <td class="mono quiet">{shown(type, 60)}</td>
                <td class="mono value-text">{groupedText(shown(values[index] ?? "", 2_000))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  );
}

function valuesOf({ inputs }: AbiFunction, input: string): readonly string[] | undefined {
  try {
    return decodeValues(inputs, `0x${input.slice(10)}`);
  } catch {
    return undefined;
  }
}

function Json({ title, value }: { readonly title: string; readonly value: unknown }): JSX.Element {
  const cut = (_name: string, member: unknown): unknown => (typeof member === "string" ? shown(member, MOST) : member);
  return (
    <Panel title={title} actions={<Copy text={JSON.stringify(value)} what={title.toLowerCase()} />}>
      <pre class="json">{JSON.stringify(value, cut, 2)}</pre>
    </Panel>
  );
}
