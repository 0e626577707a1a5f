/** Shows addresses and hashes shortened, with the full text in a tooltip. Each address has its own colour. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { hueOf, short } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { labels } from "./labels.ts";

interface AddressProps {
  readonly of: string | null | undefined;
  /** A contract's name. A label of the user is shown instead, if there is one. */
  readonly name?: string | null | undefined;
  readonly isWhole?: boolean;
}

/** A link to the page of the account, with its label, its contract's name, or its shortened address. */
export function Address({ of, name, isWhole = false }: AddressProps): JSX.Element {
  if (of === null || of === undefined) return <span class="quiet">none</span>;
  const label = labels.of(of) ?? name;
  return (
    <a class="hash" href={`#/address/${of.toLowerCase()}`} title={of}>
      <i class="dot" style={{ background: `hsl(${hueOf(of)} 62% 52%)` }} />
      {label === undefined || label === null ? isWhole ? of : short(of) : <b class="name">{shown(label, 40)}</b>}
    </a>
  );
}

interface HashProps {
  readonly of: string;
  readonly to: "tx" | "block";
  readonly isWhole?: boolean;
}

/** A link to a block or a transaction. */
export function HashLink({ of, to, isWhole = false }: HashProps): JSX.Element {
  return (
    <a class="hash" href={`#/${to}/${of}`} title={of}>
      {isWhole ? of : short(of)}
    </a>
  );
}

interface StatusProps {
  /** Undefined if not known: then nothing is said about the outcome. */
  readonly receipt: { readonly status?: string } | undefined;
  /** True for a transaction of the block that would be mined now. */
  readonly isPending?: boolean;
}

/** A dot that shows how a transaction ended. */
export function StatusDot({ receipt, isPending = false }: StatusProps): JSX.Element {
  const isFailed = receipt?.status === "0x0";
  const tone = receipt === undefined ? "" : isFailed ? "fail" : "ok";
  const [failed, succeeded] = isPending ? ["would fail", "would succeed"] : ["failed", "succeeded"];
  const label = receipt === undefined ? "outcome not known" : isFailed ? failed : succeeded;
  return <span class={`status ${tone}`} role="img" aria-label={label} title={label} />;
}

/** A button that copies a text to the clipboard. */
export function Copy(props: { readonly text: string; readonly what: string; readonly label?: string }): JSX.Element {
  const { text, what, label = "copy" } = props;
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    setDone(true);
    setTimeout(() => setDone(false), 1_200);
  };
  return (
    <button
      type="button"
      class="copy"
      aria-label={label === "copy" ? `Copy ${what}` : `${label}: copy ${what}`}
      onClick={copy}
    >
      {isDone ? "copied" : label}
    </button>
  );
}
