/** Lists what a transaction changed by name: variables with the lines that wrote them, and tokens by account. */
import type { JSX } from "preact";
import { Panel, SaveButtons } from "../../components/data.tsx";
import { Address } from "../../components/hashes.tsx";
import { Progress } from "../../components/progress.tsx";
import { Scroll } from "../../components/scroll.tsx";
import { Problem } from "../../components/states.tsx";
import { askAlone } from "../../rpc/client.ts";
import type { StateChanges } from "../../rpc/types.ts";
import { useLoaded } from "../../rpc/use-loaded.ts";
import { groupedText } from "../../text/format.ts";
import { shown } from "../../text/shown.ts";
import type { WholeTransaction } from "../load.ts";

type Variable = StateChanges["storage"][number];

/** By `hindcast_stateChanges`; without sources it shows tokens only. */
export function VariablesPanel({ whole }: { readonly whole: WholeTransaction }): JSX.Element | null {
  const { hash } = whole.tx;
  const load = (signal: AbortSignal): Promise<StateChanges> => askAlone(signal, "hindcast_stateChanges", hash);
  const { value, error, stop } = useLoaded(load, hash, whole.receipt?.blockHash);
  if (error !== undefined) return <Problem title="The changes cannot be named" error={error} />;
  if (value === undefined) return <Progress what="Finding the names of variables" onStop={stop} />;
  const variables = value.storage.filter(
    ({ name, isTransient, before, after }) => name !== null && !isTransient && before !== after,
  );
  const tokens = value.assets.filter(({ token }) => token !== null);
  return (
    <>
      {variables.length === 0 ? null : (
        <Panel title="Variables" actions={<SaveButtons name="variables" rows={variables.map(rowOf)} />}>
          <VariableTable variables={variables} />
        </Panel>
      )}
      {tokens.length === 0 ? null : (
        <Panel
          title="Tokens"
          actions={
            <SaveButtons name="tokens" rows={tokens.map((each) => ({ ...each, tokenId: each.tokenId ?? "" }))} />
          }
        >
          <TokenTable tokens={tokens} />
        </Panel>
      )}
    </>
  );
}

function VariableTable({ variables }: { readonly variables: readonly Variable[] }): JSX.Element {
  return (
    <Scroll label="Changed variables">
      <table class="data stacked">
        <thead>
          <tr>
            <th>Contract</th>
            <th>Variable</th>
            <th>Before</th>
            <th>After</th>
            <th>Written at</th>
          </tr>
        </thead>
        <tbody>
          {variables.map((variable) => (
            <tr key={`${variable.account} ${variable.slot} ${variable.name}`}>
              <td>
                <Address of={variable.account} name={variable.contract} />
              </td>
              <td class="mono variable">{shown(variable.name ?? "", 120)}</td>
              <td class="mono before value-text">{groupedText(shown(variable.before, 80))}</td>
              <td class="mono after value-text">{groupedText(shown(variable.after, 80))}</td>
              <td class="quiet value-text">{shown(writtenAt(variable), 120)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Function and line of the last write that was not undone. */
function writtenAt({ writes }: Variable): string {
  const last = writes.findLast(({ isUndone }) => !isUndone);
  if (last === undefined) return "";
  const place = last.file === null ? "" : `${last.file}:${last.line}`;
  return [last.function ?? "", place].filter((part) => part !== "").join(" ");
}

function rowOf(variable: Variable) {
  const { account, contract, name, slot, before, after } = variable;
  return { account, contract: contract ?? "", name: name ?? "", slot, before, after, writtenAt: writtenAt(variable) };
}

function TokenTable({ tokens }: { readonly tokens: StateChanges["assets"] }): JSX.Element {
  return (
    <Scroll label="Tokens that moved">
      <table class="data">
        <thead>
          <tr>
            <th>Account</th>
            <th>Token</th>
            <th>Change</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ account, token, tokenId, kind, amount }) => (
            <tr key={`${account} ${token} ${tokenId}`}>
              <td>
                <Address of={account} />
              </td>
              <td>
                <Address of={token} />{" "}
                <span class="quiet">
                  {kind}
                  {tokenId === null ? "" : ` #${BigInt(tokenId)}`}
                </span>
              </td>
              <td class={`mono ${amount.startsWith("-") ? "before" : "after"}`}>
                {amount.startsWith("-") ? amount : `+${amount}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
