/** Shows the EVM before a step: source line, stack, memory and storage. */
import type { ComponentChildren, JSX } from "preact";
import { Facts } from "../../components/data.tsx";
import { Address } from "../../components/hashes.tsx";
import { Scroll } from "../../components/scroll.tsx";
import { Empty } from "../../components/states.tsx";
import type { Step } from "../../rpc/types.ts";
import { grouped } from "../../text/format.ts";
import { shown } from "../../text/shown.ts";
import { shortWord } from "../tree/tree-line.tsx";

/** Most stack items that are shown, from the top. */
const MOST_ITEMS = 64;
const MOST_ROWS = 128;

/** Memory is cut to its first bytes; its whole length is shown. */
export function Machine({ step }: { readonly step: Step | undefined }): JSX.Element {
  if (step === undefined) return <Empty>Loading…</Empty>;
  const { stack, memory, memoryLength, storage } = step;
  return (
    <div class="machine">
      <section class="panel">
        <Facts
          of={{
            Operation: <b class="op">{step.op}</b>,
            Contract: <Address of={step.codeAddress} />,
            Storage: step.account === step.codeAddress ? undefined : <Address of={step.account} />,
            Gas: grouped(BigInt(step.gas)),
            Cost: grouped(BigInt(step.gasCost)),
            Depth: step.depth,
            Refund: BigInt(step.refund) === 0n ? undefined : grouped(BigInt(step.refund)),
          }}
        />
        {step.source.length === 0 ? null : <Source step={step} />}
      </section>
      <Part title="Stack" count={stack.length}>
        <Scroll label="Stack" class="words-box">
          <ol class="words">
            {stack
              .toReversed()
              .slice(0, MOST_ITEMS)
              .map((item, index) => (
                <li key={index}>
                  <span class="quiet">{index}</span> <code title={item}>{item}</code>
                </li>
              ))}
          </ol>
        </Scroll>
      </Part>
      <Part title="Storage written" count={storage.length}>
        <Scroll label="Storage written" class="words-box">
          <ul class="words">
            {storage.map(({ slot, value }) => (
              <li key={slot}>
                <code title={slot}>{shortWord(slot)}</code> → <code title={value}>{shortWord(value)}</code>
              </li>
            ))}
          </ul>
        </Scroll>
      </Part>
      <Part title="Memory" count={memoryLength}>
        <Scroll label="Memory">
          <pre class="memory">{memoryRows(memory)}</pre>
        </Scroll>
      </Part>
    </div>
  );
}

function Part(props: {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="panel part">
      <h3>
        {props.title} <span class="quiet">{grouped(props.count)}</span>
      </h3>
      {props.count === 0 ? null : props.children}
    </section>
  );
}

function Source({ step }: { readonly step: Step }): JSX.Element {
  return (
    <figure class="source">
      <figcaption class="quiet">
        {shown(step.file ?? "", 120)}:{step.line}
      </figcaption>
      <Scroll label="Source">
        <pre>
          {step.source.map(({ line, text }) => (
            <span key={line} class={line === step.line ? "source-line is-current" : "source-line"}>
              <span class="quiet">{String(line).padStart(4)}</span> {shown(text, 200)}
              {"\n"}
            </span>
          ))}
        </pre>
      </Scroll>
    </figure>
  );
}

/** One row for each word: its offset, its digits, and its bytes as text. */
function memoryRows(memory: string): string {
  const words = memory.slice(2).match(/.{1,64}/g) ?? [];
  const rows = words.slice(0, MOST_ROWS).map((digits, index) => {
    const letters = (digits.match(/../g) ?? []).map((digit) => {
      const code = Number.parseInt(digit, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : "·";
    });
    return `${(index * 32).toString(16).padStart(4, "0")}  ${digits}  ${letters.join("")}`;
  });
  return rows.join("\n") + (words.length > MOST_ROWS ? "\n…" : "");
}
