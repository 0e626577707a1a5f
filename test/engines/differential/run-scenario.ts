/** Runs a scenario on an engine by the executor's own path, and keeps what can be compared. */
import { TransactionRejectedError } from "../../../src/errors/hindcast-error.ts";
import type { CoverageSink } from "../../../src/evm/coverage-sink.ts";
import type { EngineName, TransactionEffects } from "../../../src/evm/engine.ts";
import type { EventSink } from "../../../src/evm/event-sink.ts";
import type { EvmAccount } from "../../../src/evm/state-port.ts";
import { Executor } from "../../../src/executor/executor.ts";
import { runTransaction, type TransactionOutcome } from "../../../src/executor/run-transaction.ts";
import { BLOCK_CHECKS } from "../../../src/executor/transaction-checks.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import type { AccountChange } from "../../../src/state/view.ts";
import type { WorkingState } from "../../../src/state/working/working-state.ts";
import { aBlock, aState, engineOf, spec } from "../../support/evm.ts";
import { PRECOMPILES } from "../../support/precompile-calls.ts";
import "../../support/remembered-curves.ts";
import type { Scenario } from "./random/scenario.ts";

const PRECOMPILE_ADDRESSES: ReadonlySet<string> = new Set(PRECOMPILES.map(encodeData));

/** A transaction that an engine ran. */
export interface Ran {
  readonly outcome: TransactionOutcome;
  /** Accounts that it changed, with their slots. */
  readonly changes: readonly AccountChange[];
  /** Warm accounts and slots at its end, as sorted text. */
  readonly accesses: readonly string[];
  readonly effects: TransactionEffects;
  /** The accounts of `effects.writes` before it. */
  readonly before: readonly (EvmAccount | undefined)[];
  readonly state: WorkingState;
}

/** The block that all transactions of a scenario stand in. */
export function blockOf({ hardfork }: Scenario): ReturnType<typeof aBlock> {
  return aBlock(hardfork, { gasLimit: 2n ** 62n });
}

/**
 * Runs the transactions of a scenario one after the other in one session.
 *
 * @param sinkOf - who hears of a transaction, by its index
 * @param each - told of each transaction right after it ran: the state still has its changes at hand. Undefined for one
 * that was rejected
 * @returns the root of the state behind them
 */
export async function runScenario(
  engineName: EngineName,
  scenario: Scenario,
  sinkOf: (index: number) => EventSink | undefined,
  each: (index: number, ran: Ran | undefined) => Promise<void> | void,
  coverage?: CoverageSink,
): Promise<string> {
  const { hardfork, accounts, transactions } = scenario;
  const state = aState(accounts);
  const executor = new Executor(spec, await engineOf(engineName));
  executor.coverage = coverage;
  const rules = spec.rules(hardfork);
  const block = blockOf(scenario);
  const session = await executor.open({ rules, state, block, isCovered: true });
  try {
    for (const [index, tx] of transactions.entries()) {
      let effects: TransactionEffects | undefined;
      let before: (EvmAccount | undefined)[] = [];
      const target = {
        apply: (made: TransactionEffects): void => {
          effects = made;
          before = made.writes.map(({ address }) => state.getAccount(address) as EvmAccount | undefined);
          state.apply(made);
        },
      };
      const outcome = await runTransaction({
        ...{ spec, rules, session, state, target, block, tx },
        checks: BLOCK_CHECKS,
        sink: sinkOf(index),
      }).catch(rejected);
      if (outcome === undefined || effects === undefined) await each(index, undefined);
      else {
        const changes = state.transactionChanges();
        await each(index, { outcome, changes, accesses: accessesOf(effects), effects, before, state });
      }
    }
    return encodeData(state.computeStateRoot());
  } finally {
    session.close();
  }
}

function rejected(error: unknown): undefined {
  if (error instanceof TransactionRejectedError) return undefined;
  throw error;
}

/** Without the precompiles, which EthereumJS lists whether or not somebody looked at them. */
function accessesOf(effects: TransactionEffects): string[] {
  return effects
    .accesses()
    .flatMap(({ address, slots }) => [
      ...(PRECOMPILE_ADDRESSES.has(encodeData(address)) ? [] : [encodeData(address)]),
      ...slots.map((slot) => `${encodeData(address)}:${encodeData(slot)}`),
    ])
    .sort();
}
