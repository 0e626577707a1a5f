/**
 * eth_simulateV1: blocks of calls on top of a block, each block with its overrides, nothing of them kept.
 *
 * Rules: execution-apis' document and notes; where they are silent, geth.
 */

import type { BlockId } from "../../../chain/archive/block-id.ts";
import { LimitError, NotFoundError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import type { BlockView, BlockViews } from "../../../miner/block-views.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import { runSimulatedBlock, type SimulatedBlock, type SimulationRun } from "./block.ts";
import { planBlocks, type RequestedBlock } from "./plan.ts";

export interface SimulateRequest {
  readonly blocks: readonly RequestedBlock[];
  /** Block on top of which to simulate. */
  readonly id: BlockId;
  /** Check nonces and fees as for real blocks, and have their base fee. */
  readonly validation: boolean;
  /** Show transfers of ether as logs. */
  readonly traceTransfers: boolean;
  readonly signal?: AbortState | undefined;
}

/** execution-apis' number for a simulation that took too long. */
const TIMEOUT_CODE = -32016;

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
   * Runs the blocks, gaps between their numbers filled with empty ones.
   *
   * A call that fails is a result; one that may not run ends the simulation. All calls together have the gas that one
   * eth_call can have, and its time.
   *
   * @throws {InvalidParamsError} for blocks out of order (-38020, -38021) and overrides that contradict each other
   * @throws {TransactionRejectedError} for a call that may not run (-38010 to -38015, -38025, -32602, -32603)
   * @throws {LimitError} for more than 256 blocks (-38026), when time is up (-32016), when the caller aborted
   */
  async simulate(request: SimulateRequest): Promise<readonly SimulatedBlock[]> {
    const clock = this.#executor.clock({ timeoutMs: this.#limits.callTimeoutMs, signal: request.signal });
    const base = await this.#views.resolve(request.id);
    // Without the hint of other methods: execution-apis' recorded answer has no data.
    if (base === undefined) throw new NotFoundError({ code: "HEADER_NOT_FOUND", what: "header not found" });
    try {
      return await this.#run(request, base, clock);
    } catch (error) {
      if (!(error instanceof LimitError) || error.code !== "EXECUTION_TIMEOUT") throw error;
      throw new LimitError({ code: error.code, what: error.what, cause: error, rpcCode: TIMEOUT_CODE });
    }
  }

  async #run(
    { blocks, validation, traceTransfers }: SimulateRequest,
    base: BlockView,
    clock: ExecutionClock,
  ): Promise<readonly SimulatedBlock[]> {
    const planned = planBlocks(base.block.header, blocks);
    const simulated: SimulatedBlock[] = [];
    const run: SimulationRun = {
      executor: this.#executor,
      state: base.state(),
      clock,
      validation,
      traceTransfers,
      blockHash: (number) => hashOf(number, base, simulated),
      gasLeft: this.#limits.callGasLimit,
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

/** Hash of the base, of an ancestor of it, or of a block simulated on it. */
function hashOf(
  number: bigint,
  base: BlockView,
  simulated: readonly SimulatedBlock[],
): MaybePromise<Bytes | undefined> {
  const distance = number - base.block.header.number;
  if (distance < 0n) return base.context.blockHash(number);
  return distance === 0n ? base.block.hash : simulated[Number(distance) - 1]?.hash;
}
