/** The differences that docs/engines.md lists. */
import type { Hardfork } from "../../../src/chainspec/hardforks.ts";
import type { TransactionOutcome } from "../../../src/executor/run-transaction.ts";
import type { Recording } from "../../../src/tracer/recording.ts";
import type { Ran } from "./run-scenario.ts";

interface Recorded {
  readonly ran: Ran | undefined;
  readonly recording: Recording;
}

export function withListedMembers(
  _wasm: Recorded,
  { ran, recording }: Recorded,
  _hardfork: Hardfork,
): { recording: Recording; listed: string[]; outcome: TransactionOutcome } {
  return { recording, listed: [], outcome: (ran as Ran).outcome };
}
