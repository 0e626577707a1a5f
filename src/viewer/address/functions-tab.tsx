/** Forms for the functions of a contract. A function can be called with eth_call, or sent as a transaction. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { decodeValues } from "../abi/decode.ts";
import { encodeCall } from "../abi/encode.ts";
import { isReadOnly, ReadOnlyNote } from "../parts/read-only.tsx";
import { ask } from "../rpc/client.ts";
import type { AbiFunction } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { weiOf } from "../text/amount.ts";
import { shown } from "../text/shown.ts";
import type { Account } from "./load.ts";

type Answer = { readonly text: string; readonly isProblem: boolean; readonly hash?: string } | undefined;

/** Only for a contract whose ABI the node knows. */
export function FunctionsTab({ account }: { readonly account: Account }): JSX.Element {
  const { value: accounts = [] } = useLoaded(() => ask<readonly string[]>("eth_accounts"), "accounts");
  const [from, setFrom] = useState("");
  const functions = account.contract?.functions ?? [];
  return (
    <>
      <div class="row panel">
        <label>
          Sender
          <select class="mono" value={from || accounts[0]} onChange={(event) => setFrom(event.currentTarget.value)}>
            {accounts.map((address, index) => (
              <option key={address} value={address}>
                {index}: {address}
              </option>
            ))}
          </select>
        </label>
      </div>
      {isReadOnly ? <ReadOnlyNote what="Functions can be called here, but not sent as transactions." /> : null}
      <div class="cards">
        {functions.map((each) => (
          <FunctionForm key={each.signature} of={each} to={account.address} from={from || accounts[0]} />
        ))}
      </div>
    </>
  );
}

function FunctionForm(props: {
  readonly of: AbiFunction;
  readonly to: string;
  readonly from: string | undefined;
}): JSX.Element {
  const { of, to, from } = props;
  const [answer, setAnswer] = useState<Answer>(undefined);
  const run = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const isSent = (event.submitter as HTMLButtonElement | null)?.value === "send";
    try {
      const data = encodeCall(
        of,
        of.inputs.map((_, index) => String(form.get(`input-${index}`))),
      );
      const value = of.isPayable ? { value: `0x${weiOf(String(form.get("value"))).toString(16)}` } : {};
      const call = { ...(from === undefined ? {} : { from }), to, data, ...value };
      setAnswer(isSent ? await sent(call) : await called(of, call));
    } catch (error) {
      setAnswer({ text: (error as Error).message, isProblem: true });
    }
  };
  return (
    <form class="panel function" onSubmit={run}>
      <h2 class="mono">{shown(of.name, 80)}</h2>
      {of.inputs.map(({ name, type }, index) => (
        <label key={index}>
          <span>
            {shown(name === "" ? `argument ${index}` : name, 60)} <code class="quiet">{shown(type, 60)}</code>
          </span>
          <input name={`input-${index}`} class="wide" autocomplete="off" spellcheck={false} />
        </label>
      ))}
      {of.isPayable ? (
        <label>
          Value, in ETH
          <input name="value" class="wide" inputMode="decimal" autocomplete="off" placeholder="0" />
        </label>
      ) : null}
      <div class="row">
        <button type="submit" class="small" value="call">
          Call
        </button>
        {of.isView || isReadOnly ? null : (
          <button type="submit" class="small" value="send">
            Send
          </button>
        )}
      </div>
      <output class={answer?.isProblem === true ? "mono bad" : "mono"} aria-live="polite">
        {answer === undefined ? null : <AnswerText answer={answer} />}
      </output>
    </form>
  );
}

function AnswerText({ answer }: { readonly answer: NonNullable<Answer> }): JSX.Element {
  return (
    <>
      {answer.hash === undefined ? null : <a href={`#/tx/${answer.hash}`}>Transaction</a>} {shown(answer.text, 1_000)}
    </>
  );
}

async function called({ outputs }: AbiFunction, call: object): Promise<Answer> {
  const output = await ask<string>("eth_call", call, "latest");
  if (output === "0x") return { text: "nothing", isProblem: false };
  const values = decodeValues(outputs, output);
  const texts = values.map((text, index) => {
    const name = outputs[index]?.name ?? "";
    return name === "" ? text : `${name}: ${text}`;
  });
  return { text: texts.join("\n"), isProblem: false };
}

async function sent(call: object): Promise<Answer> {
  const hash = await ask<string>("eth_sendTransaction", call);
  return { text: "was sent.", isProblem: false, hash };
}
