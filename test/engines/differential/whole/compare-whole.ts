/**
 * Compares whole transactions, of Amsterdam unless others are asked for, with EthereumJS' VM, which has its own code for everything around the
 * instructions: intrinsic gas, state gas, authorizations, refunds, logs of transfers, the gas of a block and its access list.
 *
 * The two engines of this project share that code, so they cannot check each other on it.
 */
import type { Hardfork } from "../../../../src/chainspec/hardforks/hardforks.ts";
import { TRANSACTION_GAS_CAP } from "../../../../src/chainspec/transaction/intrinsic-gas.ts";
import { PrecompilePool } from "../random/precompile-pool.ts";
import { makeScenario, type Scenario } from "../random/scenario.ts";
import { runHere } from "./own-run.ts";
import { type Reason, reasonOf } from "./reasons.ts";
import { runInReferenceVm, type WholeRun } from "./reference-vm.ts";

export interface WholeDifference {
  readonly seed: number;
  /** Of the scenario. */
  readonly number: number;
  /** Of the first transaction that differs; the number of transactions if only the state after them differs. */
  readonly index: number;
  readonly ours: unknown;
  readonly theirs: unknown;
}

export interface WholeCounts {
  transactions: number;
  succeeded: number;
  /** Transactions that used state gas. */
  withStateGas: number;
  /** Scenarios that differ for a reason that docs/amsterdam.md gives, and how many for which. */
  explained: number;
  readonly reasons: Partial<Record<Reason, number>>;
  readonly differences: WholeDifference[];
}

export interface WholeRunOptions {
  readonly seed: number;
  /** Number of the first scenario; default 0. */
  readonly first?: number;
  /** Transactions to run at least. */
  readonly transactions: number;
  /** Which take turns; by default Amsterdam alone. */
  readonly hardforks?: readonly Hardfork[];
  /**
   * True if transactions of Amsterdam have gas beyond the cap of EIP-7825 for all state that they can write, so that no frame pays
   * for state from its gas for running: in what then comes back, and in what a call then passes on, EthereumJS has two faults.
   * No difference is accepted for these.
   */
  readonly hasAmpleStateGas?: boolean;
  readonly onDifference?: (difference: WholeDifference) => void;
  /** Told after each scenario; true ends the run. */
  readonly onProgress?: (counts: WholeCounts) => boolean;
}

/** Compares the scenarios of a seed until so many transactions have run. */
export async function compareManyWhole(options: WholeRunOptions): Promise<WholeCounts> {
  const { seed, first = 0, transactions, hardforks = ["amsterdam"], onDifference, onProgress } = options;
  const isAmple = options.hasAmpleStateGas === true;
  const pool = new PrecompilePool(seed);
  const counts: WholeCounts = {
    transactions: 0,
    succeeded: 0,
    withStateGas: 0,
    explained: 0,
    reasons: {},
    differences: [],
  };
  for (let number = first; counts.transactions < transactions; number++) {
    const scenario = makeScenario(seed, number, pool, hardforks);
    const difference = await compareScenario(
      scenario.hardfork === "amsterdam" ? withMoreGas(scenario, isAmple) : scenario,
      counts,
      isAmple,
    );
    if (difference !== undefined) {
      counts.differences.push(difference);
      onDifference?.(difference);
    }
    if (onProgress?.(counts) === true) break;
  }
  return counts;
}

/** More than the gas of all state that a transaction can write while its gas for running lasts. */
const AMPLE_STATE_GAS = 10n ** 9n;

/** Gives every third transaction, or each, gas above EIP-7825's cap, which pays only for state (EIP-8037). */
function withMoreGas(scenario: Scenario, isAmple: boolean): Scenario {
  const transactions = scenario.transactions.map((tx, index) => {
    if (isAmple) return { ...tx, gasLimit: TRANSACTION_GAS_CAP + AMPLE_STATE_GAS };
    const turn = scenario.number + index;
    if (turn % 3 !== 0) return tx;
    return { ...tx, gasLimit: TRANSACTION_GAS_CAP + BigInt(turn % 2 === 0 ? turn % 1_000 : 1_000 * (turn % 997)) };
  });
  return { ...scenario, transactions };
}

async function compareScenario(
  scenario: Scenario,
  counts: WholeCounts,
  isAmple: boolean,
): Promise<WholeDifference | undefined> {
  const { run: ours, recorders } = await runHere(scenario);
  const theirs = withUnpaidCodes(scenario, await runInReferenceVm(scenario), ours);
  counts.transactions += ours.transactions.length;
  counts.succeeded += ours.transactions.filter((tx) => tx?.succeeded === true).length;
  counts.withStateGas += ours.transactions.filter((tx) => tx !== undefined && tx.stateGas > 0n).length;
  const { seed, number } = scenario;
  const index = ours.transactions.findIndex((mine, at) => text(mine) !== text(theirs.transactions[at]));
  const isSameState = ours.stateRoot === theirs.stateRoot && ours.accessList === theirs.accessList;
  if (index === -1 && isSameState) return undefined;
  const reason = await reasonOf({ scenario, index, ours, theirs, recorders, isAmple });
  if (reason !== undefined) {
    counts.explained++;
    counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
    return undefined;
  }
  const place = index === -1 ? ours.transactions.length : index;
  if (index !== -1) return { seed, number, index, ours: ours.transactions[index], theirs: theirs.transactions[index] };
  if (ours.stateRoot !== theirs.stateRoot)
    return { seed, number, index: place, ours: ours.stateRoot, theirs: theirs.stateRoot };
  return { seed, number, index: place, ours: ours.accessList, theirs: theirs.accessList };
}

/**
 * In Frontier a creation that cannot pay for its code makes an account without code, and succeeds. EthereumJS makes it,
 * but says that the transaction failed, which no receipt before Byzantium (EIP-658) tells.
 */
function withUnpaidCodes({ hardfork, transactions }: Scenario, theirs: WholeRun, ours: WholeRun): WholeRun {
  if (hardfork !== "chainstart") return theirs;
  const ran = theirs.transactions.map((other, index) => {
    const isCreation = transactions[index]?.to === undefined;
    return other && isCreation && ours.transactions[index]?.succeeded ? { ...other, succeeded: true } : other;
  });
  return { ...theirs, transactions: ran };
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}` : member)) ?? "";
}
