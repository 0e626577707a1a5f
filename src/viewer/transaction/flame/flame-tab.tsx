/** Shows gas by call, and by function and line where sources are known. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Panel, SaveButtons } from "../../components/data.tsx";
import { Progress } from "../../components/progress.tsx";
import { Scroll } from "../../components/scroll.tsx";
import { Empty, Problem } from "../../components/states.tsx";
import { askAlone } from "../../rpc/client.ts";
import type { GasProfile } from "../../rpc/types.ts";
import { useLoaded } from "../../rpc/use-loaded.ts";
import { grouped, short } from "../../text/format.ts";
import { shown } from "../../text/shown.ts";
import type { WholeTransaction } from "../load.ts";
import { FlameGraph } from "./flame-graph.tsx";
import { nodesOfCalls, nodesOfFunctions } from "./nodes.ts";

/** Functions are those of `hindcast_gasProfile`, loaded when they are chosen. */
export function FlameTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { calls, tx, receipt } = whole;
  const [isByFunction, setByFunction] = useState(false);
  const nodes = useMemo(() => nodesOfCalls(calls), [calls]);
  const used = usedText(receipt?.gasUsed, receipt?.stateGasUsed);
  if ((nodes[0]?.gas ?? 0) === 0) return <Empty>No code ran.</Empty>;
  const choice = (
    <button type="button" class="small" aria-pressed={isByFunction} onClick={() => setByFunction(!isByFunction)}>
      By function and line
    </button>
  );
  if (isByFunction) return <ByFunction hash={tx.hash} choice={choice} />;
  return (
    <FlameGraph
      title="Gas by call"
      nodes={nodes}
      fileName={short(tx.hash)}
      actions={choice}
      note={`${used} used in all, with the intrinsic gas of the transaction and after refunds.`}
    />
  );
}

function ByFunction({ hash, choice }: { readonly hash: string; readonly choice: JSX.Element }): JSX.Element {
  const load = (signal: AbortSignal): Promise<GasProfile> => askAlone(signal, "hindcast_gasProfile", hash);
  const { value: profile, error, stop } = useLoaded(load, hash);
  const nodes = useMemo(() => (profile === undefined ? [] : nodesOfFunctions(profile)), [profile]);
  if (error !== undefined) return <Problem title="The gas cannot be counted by function" error={error} />;
  if (profile === undefined) return <Progress what="Counting the gas" onStop={stop} />;
  const { gasUsed, gasRefund, stateGasUsed } = profile;
  return (
    <>
      <FlameGraph
        title="Gas by function"
        nodes={nodes}
        fileName={`${short(hash)}.functions`}
        actions={choice}
        note={`Less ${grouped(BigInt(gasRefund))} gas of refunds, ${usedText(gasUsed, stateGasUsed)} used.`}
      />
      <Lines profile={profile} />
      <Functions profile={profile} />
    </>
  );
}

/** For example `21,000 gas were`; on Amsterdam with the part that is for state. */
function usedText(gasUsed: string | number = 0, stateGasUsed: string | number = 0): string {
  const state = BigInt(stateGasUsed) === 0n ? "" : ` (${grouped(BigInt(stateGasUsed))} for state)`;
  return `${grouped(BigInt(gasUsed))} gas${state} were`;
}

/** Rows of a table; the others are in the files that its buttons save. */
const MOST_ROWS = 100;

function Lines({ profile: { lines } }: { readonly profile: GasProfile }): JSX.Element | null {
  const known = lines.filter(({ file }) => file !== null);
  if (known.length === 0) return null;
  return (
    <Panel title="Gas by line" actions={<SaveButtons name="gas-by-line" rows={known} />}>
      <Scroll label="Gas by line">
        <table class="data">
          <thead>
            <tr>
              <th>Line</th>
              <th>Gas</th>
              <th>Operations</th>
            </tr>
          </thead>
          <tbody>
            {known.slice(0, MOST_ROWS).map(({ file, line, gas, count }) => (
              <tr key={`${file}:${line}`}>
                <td class="mono">
                  {shown(file ?? "", 80)}:{line}
                </td>
                <td>{grouped(BigInt(gas))}</td>
                <td class="quiet">{grouped(BigInt(count))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  );
}

function Functions({ profile: { functions } }: { readonly profile: GasProfile }): JSX.Element {
  return (
    <Panel title="Functions" actions={<SaveButtons name="gas-by-function" rows={functions} />}>
      <Scroll label="Gas by function">
        <table class="data">
          <thead>
            <tr>
              <th>Function</th>
              <th>Calls</th>
              <th>Itself</th>
              <th>Including its calls</th>
            </tr>
          </thead>
          <tbody>
            {functions.slice(0, MOST_ROWS).map(({ name, file, line, calls, self, total }) => (
              <tr key={`${name} ${file}:${line}`}>
                <td>
                  {shown(name, 80)}{" "}
                  {file === null ? null : (
                    <span class="quiet mono">
                      {shown(file, 60)}:{line}
                    </span>
                  )}
                </td>
                <td class="quiet">{grouped(BigInt(calls))}</td>
                <td>{grouped(BigInt(self))}</td>
                <td>{grouped(BigInt(total))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  );
}
