/** Shows the source files of a contract. Only the visible lines are in the document. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Panel } from "../components/data.tsx";
import { Copy } from "../components/hashes.tsx";
import { VirtualList } from "../components/virtual-list.tsx";
import { movedBy } from "../keys/list-keys.ts";
import type { AccountSources } from "../rpc/types.ts";
import { grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { type CodePart, partsOfLines } from "./solidity-parts.ts";

const ROW_HEIGHT = 20;
const MOST_CHARACTERS = 400;
const PAGE_ROWS = 25;

/** Only for a contract whose build the node knows. */
export function SourceTab({ sources }: { readonly sources: AccountSources }): JSX.Element {
  const [path, setPath] = useState(sources.files[0]?.path ?? "");
  const [current, setCurrent] = useState(0);
  const text = sources.files.find((file) => file.path === path)?.text ?? "";
  const lines = useMemo(() => partsOfLines(text), [text]);
  const onKey = (event: KeyboardEvent): void => {
    const target = movedBy(event.key, current, lines.length, PAGE_ROWS);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
  };
  const choose = (next: string): void => {
    setPath(next);
    setCurrent(0);
  };
  return (
    <Panel
      title={shown(path, 120)}
      actions={
        <>
          {sources.files.length < 2 ? null : (
            <select aria-label="File" value={path} onChange={(event) => choose(event.currentTarget.value)}>
              {sources.files.map((file) => (
                <option key={file.path} value={file.path}>
                  {shown(file.path, 120)}
                </option>
              ))}
            </select>
          )}
          {sources.sourceMatch === undefined ? null : (
            <span class="quiet">from a server of sources, {sources.sourceMatch} match</span>
          )}
          <span class="quiet">{grouped(lines.length)} lines</span> <Copy text={text} what="the source" />
        </>
      }
    >
      <div class="list-box steps">
        <VirtualList
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          label="Source"
          role="listbox"
          current={current}
          currentId={`source-${current}`}
          onKey={onKey}
          row={(index) => <Line key={index} number={index} parts={lines[index] ?? []} isCurrent={index === current} />}
        />
      </div>
    </Panel>
  );
}

function Line(props: {
  readonly number: number;
  readonly parts: readonly CodePart[];
  readonly isCurrent: boolean;
}): JSX.Element {
  const { number, parts, isCurrent } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list around it has the focus and names its current row
    <div
      id={`source-${number}`}
      role="option"
      aria-selected={isCurrent}
      class={`step source-row ${isCurrent ? "is-current" : ""}`}
    >
      <span class="quiet number">{number + 1}</span>
      <span>
        {parts.map(({ kind, text }, index) => (
          <span key={index} class={`code-${kind}`}>
            {shown(text.replaceAll("\t", "    "), MOST_CHARACTERS)}
          </span>
        ))}
      </span>
    </div>
  );
}
