/** Shows all details of one call, next to the tree. */
import type { JSX } from "preact";
import { Facts } from "../../components/data.tsx";
import { Address, Copy } from "../../components/hashes.tsx";
import { useSide } from "../../components/side.ts";
import type { Call } from "../../rpc/types.ts";
import { ether, grouped } from "../../text/format.ts";
import { shown } from "../../text/shown.ts";

const SHOWN_DIGITS = 2_050;

/** Long data is cut by the node, which gives its whole length. */
export function CallDetails({ call, hash }: { readonly call: Call; readonly hash: string }): JSX.Element {
  const side = useSide();
  const name = call.contract.startsWith("0x") ? undefined : call.contract.replace(/@0x[0-9a-fA-F]{40}$/, "");
  return (
    <aside class="panel details" aria-label={side.label("The selected call")}>
      <h2>
        Call {call.index} <span class="quiet">{call.kind}</span>{" "}
        <Copy text={linkTo(hash, call.index)} what="a link to this call" label="link" />
      </h2>
      <Facts
        of={{
          From: <Address of={call.from} />,
          To: <Address of={call.to} name={name} />,
          "Works on": call.account === call.to ? undefined : <Address of={call.account} />,
          Value: BigInt(call.value) === 0n ? undefined : ether(call.value),
          Gas: `${grouped(BigInt(call.gasUsed))} of ${grouped(BigInt(call.gas))}`,
          Function: call.function === null ? undefined : shown(call.function, 80),
          Arguments:
            call.arguments === "" || call.arguments === "()" ? undefined : <code>{shown(call.arguments, 1_500)}</code>,
          Result: call.result === "" ? undefined : <code>{shown(call.result, 1_500)}</code>,
          Failure: call.failure === null ? undefined : <span class="bad">{shown(call.failure, 1_500)}</span>,
          Steps: <StepLinks call={call} hash={hash} />,
        }}
      />
      <Bytes title="Input" hex={call.input} length={call.inputLength} />
      <Bytes title="Output" hex={call.output} length={call.outputLength} />
    </aside>
  );
}

/** Opens the transaction with this call chosen. */
const linkTo = (hash: string, index: number): string => `${location.href.split("#")[0]}#/tx/${hash}?call=${index}`;

function StepLinks({ call, hash }: { readonly call: Call; readonly hash: string }): JSX.Element {
  const [first, end] = call.steps;
  if (end <= first) return <span class="quiet">none</span>;
  return (
    <>
      {grouped(end - first)} <a href={`#/tx/${hash}?tab=steps&step=${first}`}>first</a>{" "}
      <a href={`#/tx/${hash}?tab=steps&step=${end - 1}`}>last</a>
    </>
  );
}

/** Bytes in rows, as many as the node sent. */
function Bytes(props: { readonly title: string; readonly hex: string; readonly length: number }): JSX.Element | null {
  const { title, hex, length } = props;
  if (length === 0) return null;
  return (
    <div class="bytes">
      <h3>
        {title} <span class="quiet">{grouped(length)} bytes</span> <Copy text={hex} what={title.toLowerCase()} />
      </h3>
      <pre>{inRows(hex.slice(0, SHOWN_DIGITS))}</pre>
    </div>
  );
}

/** Puts the selector on its own line, followed by one line for each word. */
function inRows(hex: string): string {
  const digits = hex.slice(2);
  const hasSelector = digits.length % 64 === 8;
  const head = hasSelector ? `${digits.slice(0, 8)}\n` : "";
  return head + (digits.slice(hasSelector ? 8 : 0).match(/.{1,64}/g) ?? []).join("\n");
}
