/**
 * eth_simulateV1: runs blocks of calls on top of a block, each with its overrides, and discards them.
 *
 * Follows the specification and notes of execution-apis, and geth where they leave a choice.
 */

import type { BlockView, BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { RunPlan } from "../../../chain/prefetch/run-plan.ts";
import { LimitError, NotFoundError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import { WorkingState } from "../../../state/working/working-state.ts";
import { callGasCap, type SimulationLimits } from "../call/simulation.ts";
import { runSimulatedBlock, type SimulatedBlock, type SimulationRun } from "./block.ts";
import { planBlocks, type RequestedBlock } from "./plan.ts";

/** The parameters of `eth_simulateV1` (execution-apis). */
export interface SimulateRequest {
  readonly blocks: readonly RequestedBlock[];
  /** Block on which the simulated ones are built. */
  readonly id: BlockId;
  /** Checks nonces and fees as in real blocks, with real base fees. */
  readonly validation: boolean;
  /** Shows ether transfers as logs. */
  readonly traceTransfers: boolean;
  readonly signal?: AbortState | undefined;
}

/** Error number of execution-apis for a simulation that takes too long. */
const TIMEOUT_CODE = -32016;

/** Serves `eth_simulateV1`. A failed call is a result; an invalid one throws with the codes of execution-apis. */
export class SimulateService {
  readonly #executor: Executor;
  readonly #views: BlockViews;
  readonly #limits: SimulationLimits;

  constructor(executor: Executor, views: BlockViews, limits: SimulationLimits) {
    this.#executor = executor;
    this.#views = views;
    this.#limits = limits;
  }

  /**
   * Runs the blocks, and empty ones for gaps between their numbers.
   *
   * A call that fails is a result; one that is not valid ends the simulation. All calls together have the gas and time
   * limits of one eth_call.
   *
   * @throws {InvalidParamsError} for blocks out of order (-38020, -38021) and overrides that contradict each other
   * @throws {TransactionRejectedError} for a call that is not valid (-38010 to -38015, -38025, -32602, -32603)
   * @throws {LimitError} for more than 256 blocks (-38026), at the time limit (-32016), or if the caller aborts
   */
  async simulate(request: SimulateRequest): Promise<readonly SimulatedBlock[]> {
    const clock = this.#executor.clock(
      {
        timeoutMs: this.#limits.callTimeoutMs,
        signal: request.signal,
      },
      "--call-timeout",
    );
    const base = await this.#views.resolve(request.id);
    // Without the hint that other methods give: the recorded answer of execution-apis has no data.
    if (base === undefined) throw new NotFoundError({ code: "HEADER_NOT_FOUND", what: "header not found" });
    const ended = this.#fetchReadsAhead(request, base);
    try {
      return await this.#run(request, base, clock);
    } catch (error) {
      if (!(error instanceof LimitError) || error.code !== "EXECUTION_TIMEOUT") throw error;
      throw new LimitError({
        code: error.code,
        what: error.what,
        data: error.data,
        cause: error,
        rpcCode: TIMEOUT_CODE,
      });
    } finally {
      ended?.();
    }
  }

  /** On a fork: starts to fetch the reads of all calls ahead. Returns a function to call at the end. */
  #fetchReadsAhead(request: SimulateRequest, base: BlockView): (() => void) | undefined {
    const calls = request.blocks.flatMap((block) => block.calls);
    const repeat: RunPlan["repeat"] = (start, limits) =>
      this.#run(request, { ...base, state: () => new WorkingState(start) }, this.#executor.clock(limits));
    return base.fetchAhead?.({ state: base.reader, calls, repeat });
  }

  async #run(
    { blocks, validation, traceTransfers }: SimulateRequest,
    base: BlockView,
    clock: ExecutionClock,
  ): Promise<readonly SimulatedBlock[]> {
    const planned = planBlocks(base.block.header, blocks);
    const simulated: SimulatedBlock[] = [];
    const gasLimit = callGasCap(base.rules, this.#limits);
    const run: SimulationRun = {
      executor: this.#executor,
      state: base.state(),
      clock,
      validation,
      traceTransfers,
      blockHash: (number) => hashOf(number, base, simulated),
      gasLimit,
      gasLeft: gasLimit,
    };
    let parent: Pick<SimulatedBlock, "header" | "hash"> = base.block;
    let parentTotalDifficulty = base.totalDifficulty;
    for (const block of planned) {
      const { number, timestamp } = block;
      const rules = this.#executor.spec.rulesAt({ number, timestamp, parentTotalDifficulty });
      const done = await runSimulatedBlock(run, block, parent, rules);
      simulated.push(done);
      parent = done;
      parentTotalDifficulty += done.header.difficulty;
      await clock.check();
    }
    return simulated;
  }
}

/** Hash of the base, of one of its ancestors, or of a simulated block. */
function hashOf(
  number: bigint,
  base: BlockView,
  simulated: readonly SimulatedBlock[],
): MaybePromise<Bytes | undefined> {
  const distance = number - base.block.header.number;
  if (distance < 0n) return base.context.blockHash(number);
  return distance === 0n ? base.block.hash : simulated[Number(distance) - 1]?.hash;
}
