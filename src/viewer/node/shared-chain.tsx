/** How a node takes part in a shared chain: its role, how far it is, and whom it follows. */
import type { JSX } from "preact";
import { Facts, Panel } from "../components/data.tsx";
import type { SharingStatus } from "../rpc/types.ts";
import { grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";

/** Nothing for a node that neither shares nor follows. */
export function SharedChain({ status }: { readonly status: SharingStatus }): JSX.Element | null {
  const { role, sequence, behind, epoch, writer, problem } = status;
  if (role === "alone") return null;
  return (
    <Panel title="Shared chain">
      <Facts
        of={{
          Role: shown(role, 40),
          Changes: counted(sequence),
          Behind: counted(behind),
          "Term of the writer": counted(epoch),
          Writer: text(writer),
          Problem: text(problem),
        }}
      />
    </Panel>
  );
}

const counted = (quantity: string | null): string | undefined =>
  quantity === null ? undefined : grouped(BigInt(quantity));

const text = (given: string | null): string | undefined => (given === null ? undefined : shown(given, 500));
