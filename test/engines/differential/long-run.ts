/** Runs many scenarios. */
import { compareScenario, type Difference, type TextsOf } from "./compare.ts";
import { Counts } from "./counts.ts";
import { PrecompilePool } from "./random/precompile-pool.ts";
import { makeScenario } from "./random/scenario.ts";

export interface LongRun {
  readonly seed: number;
  /** Number of the first scenario. */
  readonly first?: number;
  /** Number of the scenario to end before. */
  readonly end?: number;
  /** Transactions to run at least, unless {@link end} comes first. */
  readonly transactions: number;
  /** Default: both engines'. */
  readonly textsOf?: TextsOf;
  /** Counts of earlier scenarios, to which those of this run are added. */
  readonly counts?: Counts;
  readonly onDifference?: (difference: Difference) => void;
  /** Told after each scenario, with the number of the next one; true ends the run. */
  readonly onProgress?: (counts: Counts, next: number) => boolean;
}

export interface Compared {
  readonly counts: Counts;
  readonly differences: readonly Difference[];
}

/** Compares the engines on the scenarios of a seed until so many transactions have run. */
export async function compareMany({
  seed,
  first = 0,
  end = Number.POSITIVE_INFINITY,
  transactions,
  textsOf,
  counts = new Counts(),
  onDifference,
  onProgress,
}: LongRun): Promise<Compared> {
  const pool = new PrecompilePool(seed);
  const differences: Difference[] = [];
  for (let number = first; counts.transactions < transactions && number < end; number++) {
    for (const difference of await compareScenario(makeScenario(seed, number, pool), counts, textsOf)) {
      differences.push(difference);
      onDifference?.(difference);
    }
    if (onProgress?.(counts, number + 1) === true) break;
  }
  return { counts, differences };
}
