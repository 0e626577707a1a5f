/** Lists the lasting changes of a transaction: variables and slots of storage, ether and tokens. */
import type { JSX } from "preact";
import { Panel, SaveButtons } from "../../components/data.tsx";
import { Address } from "../../components/hashes.tsx";
import { Scroll } from "../../components/scroll.tsx";
import { Empty } from "../../components/states.tsx";
import { ether } from "../../text/format.ts";
import type { Change, WholeTransaction } from "../load.ts";
import { shortWord } from "../tree/tree-line.tsx";
import { VariablesPanel } from "./variables-panel.tsx";

/** For longer transactions only the slots are listed: naming the lines that wrote them needs all steps in memory. */
const MOST_NAMED_STEPS = 2_000_000;

/** Changes that were undone are only counted. */
export function ChangesTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const lasting = whole.changes.filter(({ isUndone }) => !isUndone);
  const slots = netStorage(lasting);
  const moved = netEther(lasting);
  const undone = whole.changes.length - lasting.length;
  return (
    <>
      {whole.stepCount > MOST_NAMED_STEPS ? null : <VariablesPanel whole={whole} />}
      <Panel title="Ether moved by calls" actions={<SaveButtons name="ether" rows={moved} />}>
        {moved.length === 0 ? <Empty>None.</Empty> : <EtherTable rows={moved} />}
      </Panel>
      <Panel title="Slots of storage" actions={<SaveButtons name="storage" rows={slots} />}>
        {slots.length === 0 ? <Empty>No change remained.</Empty> : <StorageTable rows={slots} />}
      </Panel>
      {undone === 0 ? null : (
        <p class="quiet">
          {undone} more {undone === 1 ? "change was" : "changes were"} undone by calls that failed; the tree of calls
          shows them.
        </p>
      )}
    </>
  );
}

type SlotRow = { readonly account: string; readonly slot: string; readonly before: string; readonly after: string };
type EtherRow = { readonly account: string; readonly change: string };

/** Merges the changes of each slot, from its first value to its last. */
export function netStorage(changes: readonly Change[]): readonly SlotRow[] {
  const rows = new Map<string, SlotRow>();
  for (const change of changes) {
    if (change.what !== "storage") continue;
    const { account, slot, before, after } = change;
    const key = `${account} ${slot}`;
    rows.set(key, { account, slot, before: rows.get(key)?.before ?? before, after });
  }
  return [...rows.values()].filter(({ before, after }) => before !== after);
}

/** Change of each account's balance in wei, without fees. */
export function netEther(changes: readonly Change[]): readonly EtherRow[] {
  const sums = new Map<string, bigint>();
  for (const change of changes) {
    if (change.what !== "transfer") continue;
    sums.set(change.from, (sums.get(change.from) ?? 0n) - change.value);
    sums.set(change.to, (sums.get(change.to) ?? 0n) + change.value);
  }
  return [...sums].filter(([, sum]) => sum !== 0n).map(([account, sum]) => ({ account, change: String(sum) }));
}

function StorageTable({ rows }: { readonly rows: readonly SlotRow[] }): JSX.Element {
  return (
    <Scroll label="Changed slots">
      <table class="data">
        <thead>
          <tr>
            <th>Account</th>
            <th>Slot</th>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ account, slot, before, after }) => (
            <tr key={account + slot}>
              <td>
                <Address of={account} />
              </td>
              <td class="mono" title={slot}>
                {shortWord(slot)}
              </td>
              <td class="mono before" title={before}>
                {shortWord(before)}
              </td>
              <td class="mono after" title={after}>
                {shortWord(after)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function EtherTable({ rows }: { readonly rows: readonly EtherRow[] }): JSX.Element {
  return (
    <table class="data">
      <thead>
        <tr>
          <th>Account</th>
          <th>Change</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ account, change }) => (
          <tr key={account}>
            <td>
              <Address of={account} />
            </td>
            <td class={change.startsWith("-") ? "before" : "after"}>
              {change.startsWith("-") ? "" : "+"}
              {ether(change)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
