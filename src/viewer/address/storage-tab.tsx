/** Shows the latest storage of a contract, by variable where its source is known, and one slot by its number. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Panel, SaveButtons } from "../components/data.tsx";
import { Progress } from "../components/progress.tsx";
import { useRemembered } from "../components/remembered.ts";
import { Scroll } from "../components/scroll.tsx";
import { Empty, Problem } from "../components/states.tsx";
import { ask, askAlone } from "../rpc/client.ts";
import { useHeadChanges } from "../rpc/live.ts";
import type { AccountStorage } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { groupedText, word } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { shortWord } from "../transaction/tree/tree-line.tsx";

const PAGE = 100;

/** Read again with each new head. */
export function StorageTab({ address }: { readonly address: string }): JSX.Element {
  const changes = useHeadChanges();
  const [parts, setParts] = useRemembered("storage", 1);
  const [wanted, setWanted] = useState("");
  const load = (signal: AbortSignal): Promise<LoadedStorage> => loadStorage(address, parts, signal);
  const { value, error, stop } = useLoaded(load, address, `${changes} ${parts}`);
  return (
    <>
      <SlotForm address={address} />
      {error === undefined ? null : <Problem title="The storage cannot be listed" error={error} />}
      {value === undefined && error === undefined ? <Progress what="Naming the storage" onStop={stop} /> : null}
      {value === undefined ? null : (
        <Panel title="Storage" actions={<SaveButtons name="storage" rows={value.rows} />}>
          {value.notes.map((note) => (
            <p class="quiet" key={note}>
              {note}
            </p>
          ))}
          {value.rows.length === 0 ? (
            <Empty>No slot is set.</Empty>
          ) : (
            <>
              <input
                type="search"
                aria-label="Search the variables and slots"
                placeholder="Variable or slot"
                value={wanted}
                onInput={(event) => setWanted(event.currentTarget.value)}
              />
              <SlotTable rows={value.rows.filter((row) => isFound(row, wanted))} />
            </>
          )}
          {value.hasMore ? (
            <button type="button" class="more" onClick={() => setParts(parts + 1)}>
              More slots
            </button>
          ) : null}
        </Panel>
      )}
    </>
  );
}

/** Looks for a text in the name of a variable, and in its slot. */
function isFound({ variable, slot }: SlotRow, wanted: string): boolean {
  return `${variable} ${slot}`.toLowerCase().includes(wanted.trim().toLowerCase());
}

interface SlotRow {
  /** Empty for a slot without a name. */
  readonly variable: string;
  readonly type: string;
  readonly value: string;
  readonly slot: string;
  readonly word: string;
  readonly [member: string]: string;
}

interface LoadedStorage {
  readonly rows: readonly SlotRow[];
  readonly notes: readonly string[];
  readonly hasMore: boolean;
}

async function loadStorage(address: string, parts: number, signal: AbortSignal): Promise<LoadedStorage> {
  const rows: SlotRow[] = [];
  let start: string | null = "0x";
  let notes: readonly string[] = [];
  for (let part = 0; part < parts && start !== null; part++) {
    const part = { start, count: PAGE };
    const storage: AccountStorage = await askAlone(signal, "hindcast_getStorage", address, "latest", part);
    rows.push(...storage.slots.flatMap(rowsOf));
    start = storage.next;
    notes = storage.notes;
  }
  // Variables with a name come first, in the order of their names.
  rows.sort((left, right) => rankOf(left).localeCompare(rankOf(right), "en", { numeric: true }));
  return { rows, notes, hasMore: start !== null };
}

function rowsOf({ hash, slot, value, variables }: AccountStorage["slots"][number]): readonly SlotRow[] {
  const place = { slot: slot ?? `hash ${hash}`, word: value };
  if (variables.length === 0) return [{ variable: "", type: "", value: word(value), ...place }];
  return variables.map(({ name, type, value: text }) => ({ variable: name, type: type ?? "", value: text, ...place }));
}

function rankOf({ variable, slot }: SlotRow): string {
  return variable === "" ? `~${slot}` : variable;
}

function SlotTable({ rows }: { readonly rows: readonly SlotRow[] }): JSX.Element {
  const hasNames = rows.some(({ variable }) => variable !== "");
  return (
    <Scroll label="Slots">
      <table class="data stacked">
        <thead>
          <tr>
            {hasNames ? <th>Variable</th> : null}
            <th>Value</th>
            {hasNames ? <th>Type</th> : null}
            <th>Slot</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ variable, type, value, slot, word: whole }) => (
            <tr key={slot + variable}>
              {hasNames ? <td class="mono variable">{variable === "" ? "" : shown(variable, 160)}</td> : null}
              <td class="mono value-text" title={whole}>
                {groupedText(shown(value, 200))}
              </td>
              {hasNames ? <td class="quiet">{shown(type, 60)}</td> : null}
              <td class="mono quiet nowrap" title={slot}>
                {/^0x/.test(slot) ? shortWord(slot) : slot.slice(0, 16)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function SlotForm({ address }: { readonly address: string }): JSX.Element {
  const [answer, setAnswer] = useState("");
  const read = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("slot")).trim();
    try {
      const slot = `0x${BigInt(text).toString(16)}`;
      setAnswer(await ask<string>("eth_getStorageAt", address, slot, "latest"));
    } catch (error) {
      setAnswer(
        error instanceof SyntaxError ? "A slot is a number such as 3 or 0x…" : String((error as Error).message),
      );
    }
  };
  return (
    <form class="row panel" onSubmit={read}>
      <label>
        Slot
        <input name="slot" class="mono" autocomplete="off" spellcheck={false} placeholder="0" required />
      </label>
      <button type="submit" class="button">
        Read
      </button>
      <output class="mono" aria-live="polite">
        {answer}
      </output>
    </form>
  );
}
