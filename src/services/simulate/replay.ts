/** Re-executes mined transactions on the state they really started from, recording what is asked for. */

import type { Chain } from "../../chain/chain.ts";
import type { Block } from "../../chainspec/block.ts";
import type { Transaction } from "../../chainspec/transaction.ts";
import { BlockRunner, type RanTransaction } from "../../executor/run-block.ts";
import { BLOCK_CHECKS, type ChecksWanted } from "../../executor/transaction-checks.ts";
import type { ExecutionLimits } from "../../executor/types.ts";
import type { WorkingState } from "../../state/working-state.ts";
import type { Recorder } from "../../tracer/recorder.ts";

/** One transaction that was run again. */
export interface ReplayedTransaction extends RanTransaction {
  readonly tx: Transaction;
  readonly index: number;
  /** Holds what was recorded; undefined for transactions that were only stepped over. */
  readonly recorder: Recorder | undefined;
  /** The state right after it, for what changed; valid until the next one runs. */
  readonly state: WorkingState;
}

export interface ReplayRequest {
  readonly chain: Chain;
  readonly block: Block;
  readonly limits: ExecutionLimits;
  /** Makes the recorder of a transaction, or undefined for one that is only stepped over. */
  readonly recorderFor: (index: number) => Recorder | undefined;
  /** Index of the last transaction to run; default all. */
  readonly until?: number;
}

/** An impersonated sender may have code. */
const IMPERSONATION_CHECKS: ChecksWanted = { ...BLOCK_CHECKS, senderIsEoa: false };

/** Runs a block's transactions in order, each once, and yields each as it is done. */
export async function* replayBlock(request: ReplayRequest): AsyncGenerator<ReplayedTransaction> {
  const { chain, block, limits, recorderFor } = request;
  const rules = chain.rulesOf(block.header);
  const state = chain.states.working(chain.startRootOf(block));
  const runner = await BlockRunner.open({
    spec: chain.spec,
    rules,
    state,
    block: chain.contextOf(block.header),
    limits,
  });
  try {
    await runner.begin(block.header.parentHash, block.header.parentBeaconBlockRoot);
    for (const [index, tx] of block.transactions.entries()) {
      if (request.until !== undefined && index > request.until) return;
      const recorder = recorderFor(index);
      const ran = await runner.run(tx, {
        checks: tx.isImpersonated ? IMPERSONATION_CHECKS : BLOCK_CHECKS,
        withStateRoot: false,
        ...(recorder === undefined ? {} : { recorder }),
      });
      yield { ...ran, tx, index, recorder, state };
    }
  } finally {
    runner.close();
  }
}
