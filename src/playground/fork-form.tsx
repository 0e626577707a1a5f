/** A form that begins a chain anew: at a block of another chain, or empty. */
import type { JSX } from "preact";
import { ActionForm } from "../viewer/components/action-form.tsx";
import { ask } from "../viewer/rpc/client.ts";
import { liveHead } from "../viewer/rpc/live.ts";

/** The node asks the other one itself. It must allow requests of other sites (CORS). */
export function ForkForm(): JSX.Element {
  return (
    <ActionForm title="Fork a chain" label="Begin anew" run={beginAnew}>
      <p class="quiet">
        This chain is lost. Only what the fork reads is asked for, from the address that you give. Leave the address
        empty for an empty chain.
      </p>
      <label>
        Address of a node that allows requests from pages (CORS)
        <input name="url" type="url" class="wide" autocomplete="off" placeholder="https://…" />
      </label>
      <label>
        Block; the newest if it is empty
        <input name="block" inputMode="numeric" pattern="[0-9]*" autocomplete="off" />
      </label>
    </ActionForm>
  );
}

async function beginAnew(fields: FormData): Promise<string> {
  const [url = "", block = ""] = ["url", "block"].map((name) => String(fields.get(name)).trim());
  const forking = { jsonRpcUrl: url, ...(block === "" ? {} : { blockNumber: Number(block) }) };
  await ask("anvil_reset", ...(url === "" ? [] : [{ forking }]));
  liveHead.reload();
  await liveHead.look();
  return url === "" ? "The chain is empty." : "The chain is a fork.";
}
