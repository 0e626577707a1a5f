/** Shows the result of a simulated call: its calls and its state changes. */
import type { JSX } from "preact";
import { type Contracts, functionName, loadContracts } from "../abi/contracts.ts";
import { decodeError, textOfDecoded } from "../abi/lookup.ts";
import { loadStandards } from "../abi/standards.ts";
import { Panel, Pill } from "../components/data.tsx";
import { DepthNumber, indentOf } from "../components/depth.tsx";
import { Address } from "../components/hashes.tsx";
import { Scroll } from "../components/scroll.tsx";
import { Empty } from "../components/states.tsx";
import { ether, grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { shortWord } from "../transaction/tree/tree-line.tsx";
import type { FlatTrace, Outcome } from "./draft.ts";

/** Most calls that are shown. */
const MOST_CALLS = 500;

interface OutcomeProps {
  readonly title: string;
  readonly outcome: Outcome;
  readonly contracts: Contracts;
}

/** The contracts that the calls of a sequence call, as far as the calls are shown. */
export async function contractsOf(outcomes: readonly Outcome[]): Promise<Contracts> {
  await loadStandards();
  const traces = outcomes.flatMap(({ trace }) => trace.slice(0, MOST_CALLS));
  return loadContracts(traces.flatMap(({ action }) => action.to ?? []));
}

/** `contracts` are those of `contractsOf`. */
export function OutcomePanel({ title, outcome, contracts }: OutcomeProps): JSX.Element {
  const { trace, output } = outcome;
  const error = trace[0]?.error;
  const reason = error === undefined ? undefined : decodeError(contracts.values(), output);
  const failure = reason === undefined ? (error ?? "") : textOfDecoded(reason);
  return (
    <Panel
      title={title}
      actions={error === undefined ? <Pill tone="ok">succeeds</Pill> : <Pill tone="fail">{shown(failure, 200)}</Pill>}
    >
      <ol class="flat-calls">
        {trace.slice(0, MOST_CALLS).map((each) => (
          <CallLine key={each.traceAddress.join()} trace={each} contracts={contracts} />
        ))}
      </ol>
      {output === "0x" ? null : (
        <p class="cut">
          <span class="tag tag-return">output</span> <code>{shown(output, 200)}</code>
        </p>
      )}
      <Differences outcome={outcome} />
    </Panel>
  );
}

function CallLine({ trace, contracts }: { readonly trace: FlatTrace; readonly contracts: Contracts }): JSX.Element {
  const { type, traceAddress, action, result, error } = trace;
  const kind = action.callType ?? type;
  const to = action.to ?? result?.address ?? action.refundAddress;
  const contract = to === undefined ? undefined : contracts.get(to);
  const { input = "0x" } = action;
  const called = functionName(contract, input) ?? (input.length >= 10 ? input.slice(0, 10) : "");
  const value = BigInt(action.value ?? action.balance ?? "0x0");
  return (
    <li class="line" style={indentOf(traceAddress.length)}>
      <DepthNumber depth={traceAddress.length} />
      <span class={`tag tag-${error === undefined ? kind : "fail"}`}>{kind}</span>
      <span class="cut">
        <Address of={to} name={contract?.name} />
        {called === "" ? null : (
          <>
            .<span class="fn">{shown(called, 60)}</span>
          </>
        )}
        {value === 0n ? null : <span class="value">{ether(value, 6)}</span>}
        {error === undefined ? null : <span class="bad"> {shown(error, 100)}</span>}
      </span>
      <span class="line-gas">{result?.gasUsed === undefined ? "" : grouped(BigInt(result.gasUsed))}</span>
    </li>
  );
}

/** A value of an account that differs, as text. */
export interface DifferenceRow {
  readonly address: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

function Differences({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const rows = differencesOf(outcome);
  if (rows.length === 0) return <Empty>It changes nothing.</Empty>;
  return <DifferenceTable rows={rows} heads={["Before", "After"]} />;
}

interface TableProps {
  readonly rows: readonly DifferenceRow[];
  /** Of the columns with the values. */
  readonly heads: readonly [from: string, to: string];
  readonly names?: Contracts;
}

/** Accounts with values that differ. */
export function DifferenceTable({ rows, heads, names }: TableProps): JSX.Element {
  return (
    <Scroll label="Differences">
      <table class="data">
        <thead>
          <tr>
            {["Account", "What", ...heads].map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ address, what, from, to }) => (
            <tr key={address + what}>
              <td>
                <Address of={address} name={names?.get(address)?.name} />
              </td>
              <td class="mono">{shown(what, 100)}</td>
              <td class="mono before">{shown(from, 200)}</td>
              <td class="mono after">{shown(to, 200)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Lists the values that differ, as text. */
export function differencesOf({ stateDiff }: Outcome): readonly DifferenceRow[] {
  return Object.entries(stateDiff).flatMap(([address, { balance, nonce, code, storage }]) => {
    const rows: DifferenceRow[] = [];
    const add = (what: string, difference: typeof balance, show: (value: string) => string): void => {
      if (difference === "=") return;
      const { "*": changed, "+": born, "-": died } = difference;
      const [from, to] =
        typeof changed === "object" ? [changed.from, changed.to] : [String(died ?? ""), String(born ?? "")];
      rows.push({ address, what, from: from === "" ? "" : show(from), to: to === "" ? "" : show(to) });
    };
    add("balance", balance, ether);
    add("nonce", nonce, (value) => grouped(BigInt(value)));
    add("code", code, (value) => (value === "0x" ? "none" : `${grouped((value.length - 2) / 2)} bytes`));
    for (const [slot, difference] of Object.entries(storage)) add(`slot ${shortWord(slot)}`, difference, shortWord);
    return rows;
  });
}
