/** Forms that change the chain: mining, time, snapshots, reorgs. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionForm } from "../components/action-form.tsx";
import { ask } from "../rpc/client.ts";
import { shown } from "../text/shown.ts";

interface ControlsProps {
  readonly isAutomine: boolean;
  readonly onDone: () => void;
}

/** Calls `evm_mine`, `evm_increaseTime`, `evm_snapshot` and other methods of development nodes. */
export function Controls({ isAutomine, onDone }: ControlsProps): JSX.Element {
  const [snapshots, setSnapshots] = useState<readonly string[]>([]);
  const takeSnapshot = async (): Promise<string> => {
    const id = await ask<string>("evm_snapshot");
    setSnapshots([...snapshots, id]);
    return `Snapshot ${id}`;
  };
  return (
    <div class="cards">
      <Control title="Mine" label="Mine" onDone={onDone} run={(count) => ask("anvil_mine", hex(count))}>
        <NumberField label="Blocks" value="1" least={1} />
      </Control>
      <Control
        title="Mining by transaction"
        label={isAutomine ? "Switch off" : "Switch on"}
        onDone={onDone}
        run={() => ask("evm_setAutomine", !isAutomine)}
      />
      <Control title="Time" label="Move" onDone={onDone} run={(seconds) => ask("evm_increaseTime", Number(seconds))}>
        <NumberField label="Seconds forward, from the next block on" value="3600" least={0} />
      </Control>
      <Control title="Time of the next block" label="Set" onDone={onDone} run={setTime}>
        <label>
          Date and time, in UTC
          <input name="value" type="datetime-local" step={1} required />
        </label>
      </Control>
      <Control title="Reorg" label="Replace" onDone={onDone} run={(depth) => ask("anvil_reorg", Number(depth), [])}>
        <NumberField label="Blocks to be replaced by empty ones" value="1" least={1} />
      </Control>
      <Control title="Snapshot" label="Take" onDone={onDone} run={takeSnapshot} />
      <Control
        title="Revert"
        label="Go back"
        onDone={onDone}
        run={async (id) => {
          if (!(await ask<boolean>("evm_revert", id))) throw new Error("There is no such snapshot.");
          setSnapshots(snapshots.slice(0, snapshots.indexOf(id)));
        }}
      >
        <label>
          Revert to snapshot
          <select name="value" required>
            {snapshots.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      </Control>
    </div>
  );
}

/** @param dateTime - in the form of a field for date and time */
function setTime(dateTime: string): Promise<unknown> {
  return ask("evm_setNextBlockTimestamp", Math.floor(Date.parse(`${dateTime}Z`) / 1_000));
}

const hex = (count: string): string => `0x${BigInt(count).toString(16)}`;

function NumberField(props: { readonly label: string; readonly value: string; readonly least: number }): JSX.Element {
  // With `value`, what is typed would be lost each time the page is drawn again.
  return (
    <label>
      {props.label}
      <input name="value" type="number" min={props.least} step={1} defaultValue={props.value} required />
    </label>
  );
}

interface ControlProps {
  readonly title: string;
  readonly label: string;
  /** Called with the value of the form. If it returns text, the text is shown. */
  readonly run: (value: string) => Promise<unknown>;
  readonly onDone: () => void;
  readonly children?: ComponentChildren;
}

function Control({ run, onDone, ...rest }: ControlProps): JSX.Element {
  const act = async (fields: FormData): Promise<string> => {
    try {
      const result = await run(String(fields.get("value") ?? ""));
      return typeof result === "string" && result.startsWith("Snapshot") ? shown(result, 200) : "Done.";
    } finally {
      onDone();
    }
  };
  return <ActionForm {...rest} run={act} />;
}
