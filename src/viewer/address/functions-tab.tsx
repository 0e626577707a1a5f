/** Forms for the functions of a contract. A function can be called with eth_call, or sent as a transaction. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ArgumentFields, argumentsIn, valueIn } from "../abi/argument-fields.tsx";
import { decodeValues } from "../abi/decode.ts";
import { encodeCall } from "../abi/encode.ts";
import { isReadOnly, ReadOnlyNote } from "../components/read-only.tsx";
import { explainFailure, StackTrace } from "../components/stack-trace.tsx";
import { ask } from "../rpc/client.ts";
import { useHeadChanges } from "../rpc/live.ts";
import type { AbiFunction, Explanation } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { shown } from "../text/shown.ts";
import type { Account } from "./load.ts";

/** A line for each value, or one that says why there is none, with where it failed. */
interface Answer {
  readonly lines: readonly string[];
  readonly isProblem: boolean;
  readonly hash?: string;
  readonly failure?: Explanation | undefined;
}

/** Most functions that are read without being asked for. */
const MOST_READ = 40;
/** For a function that is read without being asked for: a contract must not keep the node busy. */
const READ_GAS = "0x7a120";

/** Only for a contract whose ABI the node knows. */
export function FunctionsTab({ account }: { readonly account: Account }): JSX.Element {
  const { value: accounts = [] } = useLoaded(() => ask<readonly string[]>("eth_accounts"), "accounts");
  const [from, setFrom] = useState("");
  const functions = account.contract?.functions ?? [];
  const read = new Set(
    functions
      .filter(({ isView, inputs }) => isView && inputs.length === 0)
      .slice(0, MOST_READ)
      .map(({ signature }) => signature),
  );
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
          <FunctionForm
            key={each.signature}
            of={each}
            to={account.address}
            from={from || accounts[0]}
            isRead={read.has(each.signature)}
          />
        ))}
      </div>
    </>
  );
}

function FunctionForm(props: {
  readonly of: AbiFunction;
  readonly to: string;
  readonly from: string | undefined;
  /** True if its value is shown at once, and again with each new head. */
  readonly isRead: boolean;
}): JSX.Element {
  const { of, to, from, isRead } = props;
  const heads = useHeadChanges();
  const version = isRead ? heads : 0;
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  // As other explorers do: what can be read without arguments is there to be read.
  const { value: read } = useLoaded(
    async () => (isRead ? called(of, { to, data: of.selector, gas: READ_GAS }) : undefined),
    to,
    version,
  );
  const run = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const isSent = (event.submitter as HTMLButtonElement | null)?.value === "send";
    try {
      const data = encodeCall(of, argumentsIn(form, of.inputs));
      const value = of.isPayable ? { value: valueIn(form) } : {};
      const call = { ...(from === undefined ? {} : { from }), to, data, ...value };
      setAnswer(isSent ? await sent(call) : await called(of, call));
    } catch (error) {
      setAnswer({ lines: [(error as Error).message], isProblem: true });
    }
  };
  const latest = answer ?? read;
  return (
    <form class="panel function" onSubmit={run}>
      <h2 class="mono">{shown(of.name, 80)}</h2>
      <ArgumentFields inputs={of.inputs} isPayable={of.isPayable} />
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
      <output class={latest?.isProblem === true ? "mono bad" : "mono"} aria-live="polite">
        {latest === undefined ? null : <AnswerText answer={latest} />}
      </output>
    </form>
  );
}

function AnswerText({ answer: { lines, hash, failure } }: { readonly answer: Answer }): JSX.Element {
  return (
    <>
      {hash === undefined ? null : <a href={`#/tx/${hash}`}>Transaction</a>}{" "}
      {lines.length === 1
        ? shown(lines[0] ?? "", 1_000)
        : lines.map((line, index) => (
            <span key={index} class="output-line">
              {shown(line, 1_000)}
            </span>
          ))}
      {failure === undefined ? null : <StackTrace of={failure} />}
    </>
  );
}

async function called({ outputs }: AbiFunction, call: object): Promise<Answer> {
  const output = await ask<string>("eth_call", call, "latest").catch((error: Error) => error);
  if (output instanceof Error) return failureOf(call, output);
  if (output === "0x") return { lines: ["nothing"], isProblem: false };
  const values = decodeValues(outputs, output);
  const texts = values.map((text, index) => {
    const name = outputs[index]?.name ?? "";
    return name === "" ? text : `${name}: ${text}`;
  });
  return { lines: texts, isProblem: false };
}

async function sent(call: object): Promise<Answer> {
  const hash = await ask<string>("eth_sendTransaction", call).catch((error: Error) => error);
  return hash instanceof Error ? failureOf(call, hash) : { lines: ["was sent."], isProblem: false, hash };
}

/** By {@link explainFailure}. */
async function failureOf(call: object, error: Error): Promise<Answer> {
  const { text, failure } = await explainFailure(call, error);
  return { lines: [text], isProblem: true, failure };
}
