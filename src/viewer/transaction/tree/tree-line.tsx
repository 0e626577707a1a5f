/** One row of the call tree. */
import type { JSX } from "preact";
import { DepthNumber, indentOf } from "../../components/depth.tsx";
import { Address } from "../../components/hashes.tsx";
import { useSide } from "../../components/side.ts";
import type { Call } from "../../rpc/types.ts";
import { ether, grouped, groupedText, percent, short, word } from "../../text/format.ts";
import { shown } from "../../text/shown.ts";
import type { Change } from "../load.ts";
import type { TreeRow } from "./rows.ts";

interface LineProps {
  readonly row: TreeRow;
  readonly isCurrent: boolean;
  readonly isFound: boolean;
  /** True if the call failed or a call that contains it did. */
  readonly isUndone: boolean;
  /** Gas of the outermost call. */
  readonly total: string;
  readonly onChoose: () => void;
  readonly onFold: (index: number, isFolded: boolean) => void;
}

/** Its height is that of all rows of the list. */
export function TreeLine(props: LineProps): JSX.Element {
  const { row, isCurrent, isFound, isUndone, onChoose, onFold } = props;
  const side = useSide();
  const isFoldable = row.what === "call" && row.hasMore;
  const classes = ["line", `line-${row.what}`];
  if (isCurrent) classes.push("is-current");
  if (isFound) classes.push("is-found");
  if (isUndone) classes.push("is-undone");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree that contains it handles keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree that contains it has the focus
    <div
      id={side.id(`row-${row.id}`)}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isCurrent}
      aria-expanded={isFoldable ? !row.isFolded : undefined}
      class={classes.join(" ")}
      style={indentOf(row.depth)}
      onClick={onChoose}
    >
      {isFoldable ? (
        <button
          type="button"
          class="fold"
          tabIndex={-1}
          aria-hidden="true"
          onClick={() => onFold(row.call.index, !row.isFolded)}
        >
          {row.isFolded ? "▸" : "▾"}
        </button>
      ) : (
        <span class="fold" />
      )}
      <DepthNumber depth={row.depth} />
      <Content {...props} />
    </div>
  );
}

function Content({ row, total }: LineProps): JSX.Element {
  if (row.what === "event") {
    const { text, topics } = row.event;
    return (
      <>
        <span class="tag tag-event">emit</span>
        <code class="cut">
          {text === null ? shown(`topics ${topics.map((topic) => short(topic)).join(" ")}`) : brief(text)}
        </code>
      </>
    );
  }
  if (row.what === "change") return <ChangeText change={row.change} />;
  if (row.what === "result") return <Result call={row.call} />;
  return <CallText call={row.call} total={total} />;
}

function CallText({ call, total }: { readonly call: Call; readonly total: string }): JSX.Element {
  if (call.printed !== null) {
    return (
      <>
        <span class="tag tag-log">console.log</span>
        <code class="cut printed">{shown(call.printed)}</code>
      </>
    );
  }
  const isNamed = !/^(0x|<)/.test(call.contract);
  const value = BigInt(call.value);
  const share = percent(call.gasUsed, total);
  return (
    <>
      <span class={`tag tag-${call.failure === null ? call.kind : "fail"}`}>{call.kind}</span>
      <span class="cut">
        {isNamed ? <b>{shown(call.contract.replace(/@0x[0-9a-fA-F]{40}$/, ""), 60)}</b> : <Address of={call.to} />}
        {call.function === null ? null : (
          <>
            .<span class="fn">{shown(call.function, 60)}</span>
          </>
        )}
        <code class="args">{brief(call.arguments)}</code>
        {value === 0n || call.kind === "delegatecall" ? null : <span class="value">{ether(value, 6)}</span>}
      </span>
      <span class="line-gas" title={`${share} % of the gas`}>
        <i style={{ width: `${Math.min(100, share)}%` }} />
        {grouped(BigInt(call.gasUsed))}
      </span>
    </>
  );
}

function Result({ call }: { readonly call: Call }): JSX.Element {
  const isFailed = call.failure !== null;
  return (
    <>
      <span class={`tag ${isFailed ? "tag-fail" : "tag-return"}`}>{isFailed ? "failed" : "returns"}</span>
      <code class="cut">{shown(call.failure ?? call.result)}</code>
    </>
  );
}

/** A transfer of ether or a write to storage. */
export function ChangeText({ change }: { readonly change: Change }): JSX.Element {
  if (change.what === "transfer") {
    return (
      <>
        {change.isSelfDestruct ? (
          <span class="tag tag-fail">SELFDESTRUCT</span>
        ) : (
          <span class="tag tag-moved">ether</span>
        )}
        <span class="cut">
          {ether(change.value)} <Address of={change.from} /> → <Address of={change.to} />
        </span>
      </>
    );
  }
  if (change.variables.length > 0) return <VariableText change={change} />;
  return (
    <>
      <span class="tag tag-storage">slot</span>
      <code class="cut">
        <span class="quiet" title={change.slot}>
          {shortWord(change.slot)}
        </span>{" "}
        <span class="before">{shortWord(change.before)}</span> → <span class="after">{shortWord(change.after)}</span>
      </code>
    </>
  );
}

function VariableText({ change }: { readonly change: Change & { readonly what: "storage" } }): JSX.Element {
  return (
    <>
      <span class="tag tag-storage" title={`slot ${change.slot}`}>
        storage
      </span>
      <code class="cut">
        {change.variables.map(({ name, before, after }, index) => (
          <span key={name} title={name}>
            {index === 0 ? "" : ", "}
            {brief(name)} <span class="before">{groupedText(brief(before))}</span> →{" "}
            <span class="after">{groupedText(brief(after))}</span>
          </span>
        ))}
      </code>
    </>
  );
}

/** Shortens the addresses in a text to fit the row. The details show them in full. */
function brief(text: string): string {
  return shown(text.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => short(address)));
}

/** Shortens a word to fit the row. */
export function shortWord(hex: string): string {
  const text = word(hex);
  return text.startsWith("0x") ? short(text, 8, 6) : text;
}
