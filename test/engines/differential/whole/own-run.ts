/** Runs the transactions of a scenario here, as receipts and a block of them show them. */
import { BlockAccessListBuilder } from "../../../../src/executor/block-access-list.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { Recorder, type RecorderRequest } from "../../../../src/tracer/recorder.ts";
import type { Scenario } from "../random/scenario.ts";
import { runScenario } from "../run-scenario.ts";
import { NO_ACCESS_LIST, type WholeRun, type WholeTransaction } from "./reference-vm.ts";

/** @param request - what is recorded beside the frames */
export async function runHere(
  scenario: Scenario,
  request?: RecorderRequest,
): Promise<{ readonly run: WholeRun; readonly recorders: readonly Recorder[] }> {
  const transactions: (WholeTransaction | undefined)[] = [];
  const recorders: Recorder[] = [];
  const list = new BlockAccessListBuilder();
  const stateRoot = await runScenario(
    "wasm",
    scenario,
    (index) => {
      const recorder = new Recorder(request);
      recorders[index] = recorder;
      return recorder;
    },
    (index, ran) => {
      const outcome = ran?.outcome;
      list.see(ran?.effects.seen() ?? []);
      for (const [at, write] of ran?.effects.writes.entries() ?? []) list.change(index + 1, ran?.before[at], write);
      transactions.push(
        outcome && {
          succeeded: outcome.error === undefined,
          gasUsed: outcome.gasUsed,
          blockGas: outcome.blockGas,
          stateGas: outcome.stateGasUsed,
          logs: outcome.logs.map(({ address, topics, data }) => [address, ...topics, data].map(encodeData).join(" ")),
        },
      );
    },
  );
  const accessList = scenario.hardfork === "amsterdam" ? encodeData(list.encode()) : NO_ACCESS_LIST;
  return { run: { transactions, stateRoot, accessList }, recorders };
}
