/** Shows the latest storage of a contract, page by page, and one slot by its number. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Panel, SaveButtons } from "../parts/data.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { Empty, Problem } from "../parts/states.tsx";
import { ask } from "../rpc/client.ts";
import { useHead } from "../rpc/live.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { word } from "../text/format.ts";

const PAGE = 50;

interface StorageRange {
  readonly storage: Readonly<Record<string, { readonly key: string | null; readonly value: string }>>;
  readonly nextKey: string | null;
}

export function StorageTab({ address }: { readonly address: string }): JSX.Element {
  const head = useHead();
  const [parts, setParts] = useState(1);
  const { value, error } = useLoaded(() => loadStorage(address, parts), address, `${head?.hash} ${parts}`);
  return (
    <>
      <SlotForm address={address} />
      {error === undefined ? null : <Problem title="The storage cannot be listed" error={error} />}
      {value === undefined ? null : (
        <Panel title="Slots" actions={<SaveButtons name="storage" rows={value.rows} />}>
          {value.rows.length === 0 ? <Empty>No slot is set.</Empty> : <SlotTable rows={value.rows} />}
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

type SlotRow = { readonly slot: string; readonly value: string };

async function loadStorage(address: string, parts: number): Promise<{ rows: readonly SlotRow[]; hasMore: boolean }> {
  const rows: SlotRow[] = [];
  let from: string | null = "0x00";
  for (let part = 0; part < parts && from !== null; part++) {
    const range: StorageRange = await ask("debug_storageRangeAt", "pending", 0, address, from, PAGE);
    for (const [hashed, { key, value }] of Object.entries(range.storage)) rows.push({ slot: key ?? hashed, value });
    from = range.nextKey;
  }
  return { rows, hasMore: from !== null };
}

function SlotTable({ rows }: { readonly rows: readonly SlotRow[] }): JSX.Element {
  return (
    <Scroll label="Slots">
      <table class="data">
        <thead>
          <tr>
            <th>Slot</th>
            <th>Value</th>
            <th>Read as</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ slot, value }) => (
            <tr key={slot}>
              <td class="mono">{/^0x0{56}/.test(slot) ? BigInt(slot).toString() : slot}</td>
              <td class="mono">{value}</td>
              <td class="mono quiet">{word(value) === value ? "" : word(value)}</td>
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
