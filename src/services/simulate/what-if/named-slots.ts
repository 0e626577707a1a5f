/** Names the slots in which the two histories of a transaction differ. */
import { LimitError } from "../../../errors/hindcast-error.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { AccountVariables } from "../../../explain/storage/account-variables.ts";
import { readWrites, type WritesOfRecording } from "../../../explain/storage/storage-writes.ts";
import { bytesKey, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import { EXPLAINED_RECORDING } from "../call/failure-explainer.ts";
import type { NotedRun, RunPair } from "./changed-block.ts";
import type { NamedDifference, SlotDifference } from "./comparison.ts";

/**
 * The differences with the names of their variables. Both runs are repeated with their steps, which have the keys of
 * mappings; without the states before them nothing has a name.
 */
export async function withNames(
  differences: readonly SlotDifference[],
  { recorded, changed }: RunPair,
  abi: AbiRegistry,
): Promise<readonly SlotDifference[]> {
  if (differences.length === 0) return differences;
  const reads = [await readAgain(recorded, abi), await readAgain(changed, abi)].filter((read) => read !== undefined);
  const preimages = new Map(reads.flatMap((read) => [...read.preimages]));
  return differences.map((difference) => {
    const { address, slot, values } = difference;
    const contracts = reads.flatMap((read) => read.contracts.get(bytesKey(address)) ?? []);
    const changedParts = new AccountVariables(contracts, preimages).changed(bytesToBigInt(slot), ...values);
    const variables = changedParts.map(
      ({ name, before, after }): NamedDifference => ({ name, values: [before, after] }),
    );
    return { ...difference, variables };
  });
}

/** Undefined if there is nothing to read, or too much of it. */
async function readAgain(run: NotedRun | undefined, abi: AbiRegistry): Promise<WritesOfRecording | undefined> {
  if (run?.again === undefined || run.run.status === "refused") return undefined;
  const recorder = new Recorder({ ...EXPLAINED_RECORDING, memory: true });
  try {
    await run.again(recorder);
  } catch (error) {
    if (error instanceof LimitError && error.code === "RECORDING_LIMIT") return undefined;
    throw error;
  }
  return inTurns(readWrites(recorder, await abi.builds.contractsIn(recorder.frames)));
}
