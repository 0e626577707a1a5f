/** A form for one call of a simulation: fields of the function if the contract is known, otherwise one for the data. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useContracts } from "../abi/contracts.ts";
import { decodeValues } from "../abi/decode.ts";
import { encodeCall } from "../abi/encode.ts";
import { Panel } from "../components/data.tsx";
import type { AbiFunction } from "../rpc/types.ts";
import { shown } from "../text/shown.ts";
import type { DraftCall } from "./draft.ts";

interface Props {
  readonly title: string;
  /** Shown in fields that are empty: what it means that they are. */
  readonly emptyTo: string;
  readonly emptyGas: string;
  readonly call: DraftCall;
  readonly accounts: readonly string[];
  readonly onChange: (call: DraftCall) => void;
  readonly onRemove: (() => void) | undefined;
}

/** Values are text until the calls are run. */
export function CallForm({ title, emptyTo, emptyGas, call, accounts, onChange, onRemove }: Props): JSX.Element {
  const to = call.to.trim().toLowerCase();
  const contracts = useContracts(/^0x[0-9a-f]{40}$/.test(to) ? [to] : []);
  const contract = contracts.get(to);
  const set = (name: keyof DraftCall) => (event: { readonly currentTarget: HTMLInputElement }) =>
    onChange({ ...call, [name]: event.currentTarget.value });
  const remove = (
    <button type="button" class="small" onClick={onRemove}>
      Remove
    </button>
  );
  return (
    <Panel title={title} actions={onRemove === undefined ? null : remove}>
      <div class="fields">
        <label>
          From
          <input class="wide" list="accounts" spellcheck={false} value={call.from} onInput={set("from")} />
        </label>
        <label>
          <span>To{contract?.name == null ? "" : `: ${shown(contract.name, 40)}`}</span>
          <input class="wide" spellcheck={false} placeholder={emptyTo} value={call.to} onInput={set("to")} />
        </label>
        <label>
          Value, in ETH
          <input class="wide" inputMode="decimal" value={call.value} onInput={set("value")} />
        </label>
        <label>
          Gas
          <input class="wide" inputMode="numeric" placeholder={emptyGas} value={call.gas} onInput={set("gas")} />
        </label>
      </div>
      {contract === null || contract === undefined ? null : (
        <FunctionFields
          functions={contract.functions}
          data={call.data}
          onData={(data) => onChange({ ...call, data })}
        />
      )}
      <label>
        Data
        <input class="wide" spellcheck={false} value={call.data} onInput={set("data")} />
      </label>
      <datalist id="accounts">
        {accounts.map((account) => (
          <option key={account} value={account} />
        ))}
      </datalist>
    </Panel>
  );
}

function FunctionFields(props: {
  readonly functions: readonly AbiFunction[];
  readonly data: string;
  readonly onData: (data: string) => void;
}): JSX.Element {
  const { functions, data, onData } = props;
  const [typed, setTyped] = useState<readonly string[] | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const chosen = functions.find(({ selector }) => data.startsWith(selector));
  const texts = typed ?? (chosen === undefined ? [] : textsOf(chosen, data));
  const fill = (of: AbiFunction, values: readonly string[]): void => {
    setTyped(values);
    try {
      onData(encodeCall(of, values));
      setProblem("");
    } catch (error) {
      // The selector stays in the data, because it selects the form.
      onData(of.selector);
      setProblem((error as Error).message);
    }
  };
  const choose = (signature: string): void => {
    const of = functions.find((each) => each.signature === signature);
    if (of !== undefined) fill(of, []);
  };
  return (
    <div class="fields">
      <label>
        Function
        <select class="mono" value={chosen?.signature ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">by its data</option>
          {functions.map(({ signature }) => (
            <option key={signature} value={signature}>
              {shown(signature, 80)}
            </option>
          ))}
        </select>
      </label>
      {chosen?.inputs.map(({ name, type }, index) => (
        <label key={index}>
          <span>
            {shown(name === "" ? `argument ${index}` : name, 60)} <code class="quiet">{shown(type, 60)}</code>
          </span>
          <input
            class="wide"
            spellcheck={false}
            value={texts[index] ?? ""}
            onInput={(event) => {
              const values = chosen.inputs.map((_, at) =>
                at === index ? event.currentTarget.value : (texts[at] ?? ""),
              );
              fill(chosen, values);
            }}
          />
        </label>
      ))}
      <p class="bad" role="status">
        {shown(problem, 200)}
      </p>
    </div>
  );
}

/**
 * The texts that a user would type for this data. Empty for lists and tuples, and if the data does not fit the
 * function.
 */
function textsOf({ inputs }: AbiFunction, data: string): readonly string[] {
  if (inputs.some(({ type }) => type.endsWith("]") || type === "tuple")) return [];
  try {
    const texts = decodeValues(inputs, `0x${data.slice(10)}`);
    return texts.map((text, index) => (inputs[index]?.type === "string" ? (JSON.parse(text) as string) : text));
  } catch {
    return [];
  }
}
