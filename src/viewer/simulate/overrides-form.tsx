/** A form for state overrides: a row for each account. What the form cannot show is edited as JSON. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { shown } from "../text/shown.ts";
import { EMPTY_OVERRIDE, type OverrideRow, overridesText, rowsOf } from "./overrides.ts";

interface Props {
  /** JSON by address. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Rows stay as typed while they are not valid; the JSON is that of the last valid ones. */
export function OverridesForm({ text, onChange }: Props): JSX.Element {
  const [typed, setTyped] = useState<readonly OverrideRow[] | undefined>(() => rowsOf(text));
  const [problem, setProblem] = useState("");
  const change = (rows: readonly OverrideRow[]): void => {
    setTyped(rows);
    try {
      onChange(overridesText(rows.filter(({ address }) => address.trim() !== "")));
      setProblem("");
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const rows = typed ?? [];
  const set = (index: number, name: keyof OverrideRow) => (event: { readonly currentTarget: HTMLInputElement }) =>
    change(rows.map((row, at) => (at === index ? { ...row, [name]: event.currentTarget.value } : row)));
  const field = (index: number, name: keyof OverrideRow, label: string, placeholder = ""): JSX.Element => (
    <label>
      {label}
      <input
        class="wide"
        spellcheck={false}
        placeholder={placeholder}
        value={rows[index]?.[name] ?? ""}
        onInput={set(index, name)}
      />
    </label>
  );
  return (
    <fieldset class="overrides">
      <legend>State overrides</legend>
      {rows.map((_, index) => (
        <div class="fields" key={index}>
          {field(index, "address", `Account ${index}`, "0x…")}
          {field(index, "balance", "Its balance, in ETH", "as it is")}
          {field(index, "nonce", "Its nonce", "as it is")}
          {field(index, "code", "Its code", "as it is")}
          {field(index, "slots", "Its slots", "3 = 0x2a, 4 = 1")}
          <button type="button" class="small" onClick={() => change(rows.filter((_row, at) => at !== index))}>
            Remove the override
          </button>
        </div>
      ))}
      <button type="button" class="small" onClick={() => change([...rows, EMPTY_OVERRIDE])}>
        Override an account
      </button>
      <p class="bad" role="status">
        {shown(problem, 200)}
      </p>
      <details>
        <summary>As JSON</summary>
        <label>
          State overrides, as JSON by address
          <input
            class="wide"
            spellcheck={false}
            placeholder='{"0x…": {"balance": "0xde0b6b3a7640000"}}'
            value={text}
            onInput={(event) => {
              setTyped(rowsOf(event.currentTarget.value));
              onChange(event.currentTarget.value);
            }}
          />
        </label>
      </details>
    </fieldset>
  );
}
