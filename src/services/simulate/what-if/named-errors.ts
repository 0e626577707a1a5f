/** Names the custom errors of runs that reverted. */
import { describeRevert } from "../../../explain/abi/describe-revert.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { gethErrorText } from "../../../tracer/formats/geth-errors.ts";
import type { ReplayedRun } from "./changed-block.ts";

const EXECUTION_REVERTED = gethErrorText("reverted", undefined);

type Runs = readonly [ReplayedRun | undefined, ReplayedRun | undefined];

/** The runs, with an error of a known ABI behind the reason of a revert that has no text. */
export async function withErrors([recorded, changed]: Runs, abi: AbiRegistry): Promise<Runs> {
  if (![recorded, changed].some(isUnnamed)) return [recorded, changed];
  await abi.refresh();
  const named = (run: ReplayedRun | undefined): ReplayedRun | undefined => {
    if (!isUnnamed(run) || abi.decodeError(run.output) === undefined) return run;
    return { ...run, reason: `${EXECUTION_REVERTED}: ${describeRevert(run.output, abi)}` };
  };
  return [named(recorded), named(changed)];
}

function isUnnamed(run: ReplayedRun | undefined): run is ReplayedRun {
  return run?.reason === EXECUTION_REVERTED && run.output.length >= 4;
}
