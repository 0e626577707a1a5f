/** Shows a mined run and a what-if run side by side, and what differs. */
import type { JSX } from "preact";
import type { Contracts } from "../abi/contracts.ts";
import { decodeError, decodeEvent, textOfDecoded, valuesOf } from "../abi/lookup.ts";
import { Facts, Panel, Pill } from "../components/data.tsx";
import { Address, HashLink } from "../components/hashes.tsx";
import { Empty } from "../components/states.tsx";
import type { AbiFunction } from "../rpc/types.ts";
import { ether, grouped, groupedText } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { shortWord } from "../transaction/tree/tree-line.tsx";
import { type DifferenceRow, DifferenceTable } from "./outcome.tsx";
import type { Compared, ComparedTransaction, Run } from "./what-if.ts";

interface Props {
  readonly compared: Compared;
  readonly contracts: Contracts;
  /** The functions that both runs call, as far as they are known. */
  readonly functions: readonly (AbiFunction | undefined)[];
}

/** What both have in common is not listed, but for their outcomes and the lines that they print. */
export function ComparedRuns({ compared: { own, others }, contracts, functions }: Props): JSX.Element {
  const rows = differencesOf(own);
  return (
    <>
      <div class="compare">
        {["As it was mined", "What if"].map((title, side) => (
          <RunPanel key={title} title={title} side={side} own={own} contracts={contracts} of={functions[side]} />
        ))}
      </div>
      <Panel title="Values that differ after it">
        {rows.length === 0 ? (
          <Empty>None.</Empty>
        ) : (
          <DifferenceTable rows={rows} heads={["History", "What if"]} names={contracts} />
        )}
      </Panel>
      {others.length === 0 ? null : (
        <Panel title="Other transactions of the block that differ">
          <ul class="plain">
            {others.map(({ transactionHash, runs }) => (
              <li key={transactionHash}>
                {transactionHash === null ? null : <HashLink of={transactionHash} to="tx" />}{" "}
                {runs.map((run) => run?.status ?? "").join(" → ")}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

interface RunProps {
  readonly title: string;
  /** 0 for the mined run, 1 for the other. */
  readonly side: number;
  readonly own: ComparedTransaction;
  readonly contracts: Contracts;
  readonly of: AbiFunction | undefined;
}

function RunPanel({ title, side, own, contracts, of }: RunProps): JSX.Element {
  const [run, mined] = [own.runs[side], own.runs[0]];
  if (run === null || run === undefined)
    return (
      <Panel title={title}>
        <Empty>It did not run.</Empty>
      </Panel>
    );
  const { status, output, gasUsed, contractAddress } = run;
  const more = BigInt(gasUsed) - BigInt(mined?.gasUsed ?? gasUsed);
  const logs = own.logs[side] ?? [];
  return (
    <Panel
      title={title}
      actions={<Pill tone={status === "succeeded" ? "ok" : "fail"}>{shown(failureText(run, contracts), 200)}</Pill>}
    >
      <Facts
        of={{
          Gas: (
            <>
              {grouped(BigInt(gasUsed))}{" "}
              {more === 0n ? null : <span class="quiet">{more > 0n ? `+${grouped(more)}` : `−${grouped(-more)}`}</span>}
            </>
          ),
          Returns:
            status !== "succeeded" || output === "0x" ? undefined : <code>{shown(outputText(of, output), 400)}</code>,
          Creates: contractAddress === null ? undefined : <Address of={contractAddress} />,
        }}
      />
      <ul class="plain">
        {own.console[side]?.map(({ address, text }, index) => (
          <li key={index}>
            <span class="tag tag-log">console</span> <Address of={address} name={contracts.get(address)?.name} />{" "}
            <code>{shown(text, 1_000)}</code>
          </li>
        ))}
      </ul>
      {logs.length === 0 ? null : <h3>Events that only this run has</h3>}
      <ul class="plain">
        {logs.map(({ address, topics, data }, index) => {
          const decoded = decodeEvent(contracts.get(address), topics, data);
          return (
            <li key={index}>
              <Address of={address} name={contracts.get(address)?.name} />{" "}
              <code class="fn">{shown(decoded === undefined ? topics.join(" ") : textOfDecoded(decoded), 800)}</code>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** A custom error by its name; else what the node says of the run. */
function failureText({ status, reason, output }: Run, contracts: Contracts): string {
  const decoded = status === "reverted" ? decodeError(contracts.values(), output) : undefined;
  return decoded === undefined ? (reason ?? status) : textOfDecoded(decoded);
}

function outputText(of: AbiFunction | undefined, output: string): string {
  const values = of && valuesOf(of.outputs, output);
  return values === undefined || values.length === 0 ? output : values.map(({ text }) => text).join(", ");
}

/** Balances change by amounts that differ, and slots have other values. */
function differencesOf({ balances, storage }: ComparedTransaction): readonly DifferenceRow[] {
  const changes = balances.map(({ address, changes: [from = "0", to = "0"] }) => ({
    address,
    what: "balance changes by",
    from: ether(from),
    to: ether(to),
  }));
  const slots = storage.flatMap(({ address, slot, values, variables }) =>
    variables.length === 0
      ? [rowOf(address, `slot ${shortWord(slot)}`, values.map(shortWord))]
      : variables.map(({ name, values: texts }) => rowOf(address, name, texts.map(groupedText))),
  );
  return [...changes, ...slots];
}

function rowOf(address: string, what: string, [from = "", to = ""]: readonly string[]): DifferenceRow {
  return { address, what, from, to };
}
