/** Bundles of calls one on top of the other: eth_callMany, debug_traceCall and debug_traceCallMany. */

import type { BlockId } from "../../../chain/archive/block-id.ts";
import type { Chain } from "../../../chain/chain.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { InvalidParamsError, TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { BlockView, BlockViews } from "../../../miner/block-views.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Overrides } from "../call/overridden-view.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { BlockOverrides } from "../overrides/block-overrides.ts";
import { stateBeforeTransaction } from "../replay/replay.ts";
import { CallSequence } from "../simulate-v1/call-sequence.ts";

/** Calls that share a block. */
export interface CallBundle {
  readonly calls: readonly CallRequest[];
  readonly block?: BlockOverrides | undefined;
}

/** What the first call runs on. */
export interface CallContext {
  /** Default latest. */
  readonly block?: BlockId | undefined;
  /** The state before the transaction at this place of the block; default the state after the block. */
  readonly txIndex?: number | undefined;
  readonly overrides?: Overrides | undefined;
  /** Milliseconds for all calls together; default the node's limit for traces. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortState | undefined;
}

export interface CallRunnerParts {
  readonly chain: Chain;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
}

/**
 * Opens a sequence of calls on a block.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` for a transaction the block does not have; for overrides that cannot be
 */
export async function openCalls(
  { chain, limits: bounds }: CallRunnerParts,
  found: BlockView,
  context: Omit<CallContext, "block">,
): Promise<CallSequence> {
  const timeoutMs = context.timeoutMs ?? bounds.traceTimeoutMs;
  const clock = chain.executor.clock({ timeoutMs, signal: context.signal });
  const view = context.txIndex === undefined ? found : await viewWithin(chain, found, context.txIndex, clock);
  const overrides = withOwnHash(view, context.overrides);
  return CallSequence.open({ executor: chain.executor, view, overrides, bounds, limits: clock });
}

/** A call that is moved to a later block finds the hash of the one it runs on there, as in geth. */
function withOwnHash({ block }: BlockView, overrides: Overrides | undefined): Overrides | undefined {
  const moved = overrides?.block;
  if (moved?.number === undefined || moved.number <= block.header.number) return overrides;
  const blockHashes = new Map([[block.header.number, block.hash], ...(moved.blockHashes ?? [])]);
  return { ...overrides, block: { ...moved, blockHashes } };
}

/** The block with the state that one of its transactions starts on; one past the last is the end of them all. */
async function viewWithin(chain: Chain, view: BlockView, txIndex: number, clock: ExecutionClock): Promise<BlockView> {
  const { block } = view;
  if (txIndex > block.transactions.length || view.isPending) {
    throw new InvalidParamsError({
      code: "INVALID_PARAMS",
      what: `transaction index ${txIndex} out of range for block ${block.header.number}`,
      where: `The block has ${block.transactions.length} transactions; the first has index 0.`,
    });
  }
  const state = await stateBeforeTransaction(chain, block, txIndex, clock);
  return { ...view, state: () => state.fork() };
}

/**
 * Runs bundles, each in a block of its own, and gives what `run` makes of each call.
 *
 * @throws {TransactionRejectedError} `TRACING_FAILED` when a call cannot start
 */
export async function runBundles<Result>(
  calls: CallSequence,
  bundles: readonly CallBundle[],
  run: (call: CallRequest) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = [];
  for (const [index, bundle] of bundles.entries()) {
    if (index > 0 || bundle.block !== undefined) calls.enterBlock(index, bundle.block);
    const ofBundle: Result[] = [];
    for (const call of bundle.calls) ofBundle.push(await run(call));
    results.push(ofBundle);
  }
  return results;
}

/** Runs something that may be rejected before it starts, in geth's words for tracers. */
export async function traceable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TransactionRejectedError)) throw error;
    throw new TransactionRejectedError({
      code: "TRACING_FAILED",
      what: `tracing failed: ${error.what}`,
      ...(error.fix === undefined ? {} : { fix: error.fix }),
      cause: error,
    });
  }
}
