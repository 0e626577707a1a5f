/** The plan of a block that runs on a fork: its accounts, and how its transactions are repeated on another state. */
import type { Rules } from "../../chainspec/hardforks/rules.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { TransactionRejectedError } from "../../errors/hindcast-error.ts";
import type { BlockContext } from "../../evm/engine.ts";
import type { Executor } from "../../executor/executor.ts";
import { BlockRunner } from "../../executor/run-block.ts";
import type { ChecksWanted } from "../../executor/transaction-checks.ts";
import { WorkingState } from "../../state/working/working-state.ts";
import type { ReadableState } from "./guessed-state.ts";
import type { RunPlan, SpeculationLimits } from "./run-plan.ts";

/** A block that begins to run. */
export interface BeginningBlock {
  readonly executor: Executor;
  readonly rules: Rules;
  readonly context: BlockContext;
  readonly header: Pick<Header, "parentHash" | "parentBeaconBlockRoot">;
  readonly transactions: readonly Transaction[];
  readonly checksFor: (tx: Transaction) => ChecksWanted;
}

/** The plan of a block's run on a state, for `RemoteHistory.fetchAhead`. */
export function planOfBlock(block: BeginningBlock, state: ReadableState): RunPlan {
  const { context, transactions } = block;
  const addresses = [context.coinbase, ...transactions.flatMap(({ sender, to }) => [sender, to ?? sender])];
  return { state, calls: [], addresses, repeat: (start, limits) => repeatBlock(block, start, limits) };
}

/** Runs the transactions for their reads only; one that is not valid on this state is left out. */
async function repeatBlock(block: BeginningBlock, start: ReadableState, limits: SpeculationLimits): Promise<void> {
  const { executor, rules, context, header, transactions, checksFor } = block;
  const state = new WorkingState(start);
  const clock = executor.clock(limits);
  const runner = await BlockRunner.open({ executor, rules, state, block: context, limits: clock });
  try {
    await runner.begin(header.parentHash, header.parentBeaconBlockRoot);
    for (const tx of transactions) {
      try {
        await runner.run(tx, { checks: checksFor(tx), withStateRoot: false });
      } catch (error) {
        if (!(error instanceof TransactionRejectedError)) throw error;
      }
    }
  } finally {
    runner.close();
  }
}
