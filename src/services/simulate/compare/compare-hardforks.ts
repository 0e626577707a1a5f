/** Runs the same calls, or the transactions of a mined block, under two hardforks and lists what differs. */

import type { BlockView, BlockViews } from "../../../chain/block-views.ts";
import { type BlockId, LATEST } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import { HARDFORKS, type Hardfork, NEWEST_STABLE_HARDFORK } from "../../../chainspec/hardforks/hardforks.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import { type Bytes, equalBytes } from "../../../primitives/bytes/bytes.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import { type Overrides, overrideView } from "../call/overridden-view.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import { genesisNotTraceable } from "../debug/errors.ts";
import type { TraceBounds } from "../debug/options.ts";
import { stateBeforeTransaction } from "../replay/replay.ts";
import { logDifferences, type Pair, type WriteDifference, writeDifferences } from "./differences.ts";
import { type HardforkRun, HardforkSide } from "./hardfork-side.ts";

/** The parameters of `hindcast_compareHardforks`. */
export interface ComparisonRequest {
  /** Calls to run in sequence; default: the transactions of the block. */
  readonly calls?: readonly CallRequest[] | undefined;
  /** The block after which the calls run, or whose transactions run; default latest. */
  readonly block?: BlockId | undefined;
  /**
   * Default: the hardfork of the block and the newest one. If the block has the newest, the newest that is not
   * experimental and the newest.
   */
  readonly hardforks?: Pair<Hardfork> | undefined;
  /** For calls only. */
  readonly overrides?: Overrides | undefined;
}

/** A call or transaction under both hardforks. */
export interface ComparedRun {
  /** undefined for a call */
  readonly txHash: Bytes | undefined;
  readonly runs: Pair<HardforkRun>;
  /** True if nothing but the gas differs. */
  readonly isSame: boolean;
  /** Logs that are emitted only under the first hardfork, and those only under the second. */
  readonly logs: Pair<readonly Log[]>;
  readonly writes: readonly WriteDifference[];
}

/** Differences in pairs: under the first hardfork and under the second. */
export interface HardforkComparison {
  readonly hardforks: Pair<Hardfork>;
  /** In the order of the calls or transactions. Each runs on the state that those before it left under its hardfork. */
  readonly runs: readonly ComparedRun[];
  /** Gas of all of them that counts towards the gas limit of a block: from Amsterdam on the larger dimension. */
  readonly blockGas: Pair<bigint>;
}

/** Sources of blocks and states, and the time limit. */
export interface ComparisonParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
}

/** Serves `hindcast_compareHardforks` and `node.compareHardforks()`. */
export class ComparisonService {
  readonly #parts: ComparisonParts;

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
  }

  /**
   * Runs calls or a block's transactions under two hardforks. Nothing is stored. Nonces are not checked, so that a
   * transaction runs even if one before it is refused.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE` for the transactions of the first block
   * @throws {InvalidParamsError} for overrides that are not valid
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async compare(request: ComparisonRequest, bounds: TraceBounds = {}): Promise<HardforkComparison> {
    const { chain, views, limits } = this.#parts;
    const found = await views.require(request.block ?? LATEST);
    const hardforks = request.hardforks ?? hardforksAround(found.rules.hardfork);
    const clock = chain.executor.clock({ timeoutMs: bounds.timeoutMs ?? limits.traceTimeoutMs, signal: bounds.signal });
    const { calls } = request;
    if (calls === undefined) {
      const sides = await this.#sidesOfBlock(hardforks, found, clock);
      const { transactions } = found.block;
      const of = transactions.map((tx): Compared => ({ txHash: tx.hash, run: (side) => side.transaction(tx) }));
      return compared(hardforks, sides, of);
    }
    const view = await overrideView(chain.spec, found, request.overrides ?? {});
    const sides = this.#sides(hardforks, view, clock, () => view.state());
    return compared(
      hardforks,
      sides,
      calls.map((call) => ({ txHash: undefined, run: (side) => side.call(call) })),
    );
  }

  async #sidesOfBlock(hardforks: Pair<Hardfork>, view: BlockView, limits: ExecutionClock): Promise<Pair<HardforkSide>> {
    const { chain } = this.#parts;
    if (equalBytes(view.block.hash, chain.genesis.hash)) throw genesisNotTraceable();
    const before = await stateBeforeTransaction(chain, view.block, 0, limits);
    return this.#sides(hardforks, view, limits, () => before.fork());
  }

  #sides(
    [left, right]: Pair<Hardfork>,
    view: Pick<BlockView, "context" | "slotAt">,
    limits: ExecutionClock,
    state: () => ReturnType<BlockView["state"]>,
  ): Pair<HardforkSide> {
    const { chain, limits: bounds } = this.#parts;
    const side = (hardfork: Hardfork): HardforkSide =>
      new HardforkSide({ executor: chain.executor, hardfork, view, state: state(), limits, bounds });
    return [side(left), side(right)];
  }
}

/** The default pair. It never has the same hardfork twice, because that comparison would show nothing. */
function hardforksAround(present: Hardfork): Pair<Hardfork> {
  const newest = HARDFORKS.at(-1) as Hardfork;
  return [present === newest ? NEWEST_STABLE_HARDFORK : present, newest];
}

/** A call or transaction that runs under both hardforks. */
interface Compared {
  readonly txHash: Bytes | undefined;
  readonly run: (side: HardforkSide) => Promise<HardforkRun>;
}

async function compared(
  hardforks: Pair<Hardfork>,
  sides: Pair<HardforkSide>,
  of: readonly Compared[],
): Promise<HardforkComparison> {
  const runs: ComparedRun[] = [];
  for (const { txHash, run } of of) {
    const pair = [await run(sides[0]), await run(sides[1])] as const;
    const logs = logDifferences([pair[0].logs, pair[1].logs]);
    const writes = await writeDifferences(sides);
    const isSame = hasSameResult(pair) && logs[0].length + logs[1].length + writes.length === 0;
    runs.push({ txHash, runs: pair, isSame, logs, writes });
  }
  return { hardforks, runs, blockGas: [sides[0].blockGas, sides[1].blockGas] };
}

function hasSameResult([left, right]: Pair<HardforkRun>): boolean {
  return left.status === right.status && left.reason === right.reason && equalBytes(left.output, right.output);
}
