/** Fields of a form for the arguments of a function or a constructor, and for the ether that is sent along. */
import type { JSX } from "preact";
import type { AbiParameter } from "../rpc/types.ts";
import { weiOf } from "../text/amount.ts";
import { shown } from "../text/shown.ts";

interface ArgumentsProps {
  readonly inputs: readonly AbiParameter[];
  readonly isPayable: boolean;
}

/** A field for each parameter, and one for the value if it may be sent. */
export function ArgumentFields({ inputs, isPayable }: ArgumentsProps): JSX.Element {
  return (
    <>
      {inputs.map(({ name, type }, index) => (
        <label key={index}>
          <span>
            {shown(name === "" ? `argument ${index}` : name, 60)} <code class="quiet">{shown(type, 60)}</code>
          </span>
          <input name={`input-${index}`} class="wide" autocomplete="off" spellcheck={false} />
        </label>
      ))}
      {isPayable ? (
        <label>
          Value, in ETH
          <input name="value" class="wide" inputMode="decimal" autocomplete="off" placeholder="0" />
        </label>
      ) : null}
    </>
  );
}

/** The texts that were typed, one for each parameter. */
export function argumentsIn(fields: FormData, inputs: readonly AbiParameter[]): readonly string[] {
  return inputs.map((_, index) => String(fields.get(`input-${index}`)));
}

/** QUANTITY of wei of the value that was typed; zero if there is no such field. @throws {Error} if it is no amount */
export function valueIn(fields: FormData): string {
  return `0x${weiOf(String(fields.get("value") ?? "")).toString(16)}`;
}
