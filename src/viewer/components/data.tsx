/** Elements that show data: pairs, bars, labels, and tables that can be saved. */
import type { ComponentChildren, JSX } from "preact";
import { type Row, toCsv } from "../text/csv.ts";
import { percent } from "../text/format.ts";
import { save } from "../text/save.ts";

/** Lists names with their values. Pairs whose value is undefined are left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren | undefined>> }): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(of)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface BarProps {
  readonly part: string | bigint;
  readonly whole: string | bigint;
  readonly label: string;
  readonly tone?: "gas" | "blob";
}

/** Shows a part of a whole as a bar. */
export function Bar({ part, whole, label, tone = "gas" }: BarProps): JSX.Element {
  const share = percent(part, whole);
  return (
    <span class={`bar bar-${tone}`} role="img" aria-label={`${label}: ${share} %`} title={`${share} %`}>
      <i style={{ width: `${Math.max(share, share > 0 ? 1.5 : 0)}%` }} />
    </span>
  );
}

/** A short word with a background, such as a status. */
export function Pill({ tone, children }: { readonly tone: string; readonly children: ComponentChildren }): JSX.Element {
  return <span class={`pill pill-${tone}`}>{children}</span>;
}

/** A section with a heading. Its actions are on the right. */
export function Panel(props: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{props.title}</h2>
        <div class="actions">{props.actions}</div>
      </div>
      {props.children}
    </section>
  );
}

/** Buttons that save a table as CSV or JSON. */
export function SaveButtons({ name, rows }: { readonly name: string; readonly rows: readonly Row[] }): JSX.Element {
  return (
    <>
      <button type="button" class="small" onClick={() => save(`${name}.csv`, "text/csv", toCsv(rows))}>
        CSV
      </button>
      <button
        type="button"
        class="small"
        onClick={() => save(`${name}.json`, "application/json", JSON.stringify(rows, undefined, 2))}
      >
        JSON
      </button>
    </>
  );
}
