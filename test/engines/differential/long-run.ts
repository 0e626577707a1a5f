/** Runs many scenarios. */
import { compareScenario, type Difference } from "./compare.ts";
import { Counts } from "./counts.ts";
import { PrecompilePool } from "./random/precompile-pool.ts";
import { makeScenario } from "./random/scenario.ts";

export interface LongRun {
  readonly seed: number;
  /** Number of the first scenario. */
  readonly first?: number;
  /** Transactions to run at least. */
  readonly transactions: number;
  readonly onDifference?: (difference: Difference) => void;
  /** Told after each scenario; true ends the run. */
  readonly onProgress?: (counts: Counts) => boolean;
}

/** Compares the engines on the scenarios of a seed until so many transactions have run. */
export async function compareMany({
  seed,
  first = 0,
  transactions,
  onDifference,
  onProgress,
}: LongRun): Promise<{ readonly counts: Counts; readonly differences: readonly Difference[] }> {
  const counts = new Counts();
  const pool = new PrecompilePool(seed);
  const differences: Difference[] = [];
  for (let number = first; counts.transactions < transactions; number++) {
    for (const difference of await compareScenario(makeScenario(seed, number, pool), counts)) {
      differences.push(difference);
      onDifference?.(difference);
    }
    if (onProgress?.(counts) === true) break;
  }
  return { counts, differences };
}
