/** Bundles of calls in sequence: eth_callMany, debug_traceCall and debug_traceCallMany. */

import type { BlockView, BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainChanges, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { BlockOverrides } from "../call/block-overrides.ts";
import { CallSequence } from "../call/call-sequence.ts";
import type { Overrides } from "../call/overridden-view.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import { stateBeforeTransaction } from "../replay/replay.ts";
import { blockNotFound } from "./errors.ts";
import type { TracerSession } from "./session.ts";
import type { GethTrace, StreamedTrace } from "./tracers.ts";

/** Calls in one block. */
export interface CallBundle {
  readonly calls: readonly CallRequest[];
  readonly block?: BlockOverrides | undefined;
}

/** The block and state for the first call. */
export interface CallContext {
  /** Default latest. */
  readonly block?: BlockId | undefined;
  /** Use the state before this transaction of the block; default: the state after the block. */
  readonly txIndex?: number | undefined;
  readonly overrides?: Overrides | undefined;
  /** Milliseconds for all calls together; default: the node's limit for traces. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortState | undefined;
}

/** Sources of blocks and states, and the time limits. */
export interface CallRunnerParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates & ChainChanges;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
}

/** @throws {NotFoundError} `BLOCK_NOT_FOUND` in geth's words */
export async function requireView({ chain, views }: CallRunnerParts, id: BlockId): Promise<BlockView> {
  const view = await views.resolve(id);
  if (view !== undefined) return view;
  throw blockNotFound(id, chain.head);
}

/**
 * Opens a sequence of calls on a block.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` if the block does not have that transaction, or for invalid overrides
 */
export async function openCalls(
  { chain, limits: bounds }: CallRunnerParts,
  found: BlockView,
  context: Omit<CallContext, "block">,
): Promise<CallSequence> {
  const timeoutMs = context.timeoutMs ?? bounds.traceTimeoutMs;
  const clock = chain.executor.clock({ timeoutMs, signal: context.signal });
  const view = context.txIndex === undefined ? found : await viewWithin(chain, found, context.txIndex, clock);
  const { overrides } = context;
  return CallSequence.open({ executor: chain.executor, view, overrides, bounds, limits: clock });
}

/**
 * The block with the state before one of its transactions; an index past the last gives the state after all of them.
 */
async function viewWithin(
  chain: ChainBlocks & ChainRules & ChainStates & ChainChanges,
  view: BlockView,
  txIndex: number,
  clock: ExecutionClock,
): Promise<BlockView> {
  const { block } = view;
  if (txIndex > block.transactions.length || view.isPending) {
    throw new InvalidParamsError({
      code: "INVALID_PARAMS",
      what: `transaction index ${txIndex} out of range for block ${block.header.number}`,
      where: `The block has ${block.transactions.length} transactions; the first has index 0.`,
    });
  }
  const state = await stateBeforeTransaction(chain, block, txIndex, clock);
  return { ...view, reader: state, state: () => state.fork() };
}

/**
 * Runs bundles, each in a block of its own, and yields the result of `run` for each call, which has to know the last one.
 *
 * @throws {TransactionRejectedError} `TRACING_FAILED` if a call cannot start
 */
export async function runBundles<Result>(
  calls: CallSequence,
  bundles: readonly CallBundle[],
  run: (call: CallRequest, isLast: boolean) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = [];
  const ended = calls.fetchReadsAhead(bundles.flatMap((bundle) => bundle.calls));
  try {
    for (const [index, bundle] of bundles.entries()) {
      if (index > 0 || bundle.block !== undefined) calls.enterBlock(index, bundle.block);
      const ofBundle: Result[] = [];
      const isEnd = index === bundles.length - 1;
      for (const [position, call] of bundle.calls.entries()) {
        ofBundle.push(await run(call, isEnd && position === bundle.calls.length - 1));
      }
      results.push(ofBundle);
    }
  } finally {
    ended?.();
  }
  return results;
}

/**
 * Runs the next call under a tracer.
 *
 * @param isLast - true if no call follows
 */
export async function traceNext<Trace extends GethTrace | StreamedTrace>(
  session: TracerSession,
  calls: CallSequence,
  call: CallRequest,
  isLast: boolean,
): Promise<Trace> {
  const prepared = await calls.prepare(call);
  const { rules, state } = calls;
  const open = await session.open({ rules, state, ...prepared });
  try {
    const run = { recorder: open.sink, prepared, isLast: isLast && !session.readsState };
    return (await open.finish(await calls.run(call, run))) as Trace;
  } finally {
    open.close();
  }
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` without bundles */
export function requireBundles(bundles: readonly CallBundle[]): void {
  if (bundles.length > 0) return;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: "bundles are empty.",
    fix: "Give a list of bundles, each with a list of calls as its member transactions.",
  });
}
