/**
 * Runs mined transactions again with other code, storage or transactions, beside the history as it was recorded, and lists
 * what differs.
 *
 * In a range of blocks the changed state flows on: each transaction sees what those before it have left. Block numbers,
 * times, base fees, coinbases, system calls and withdrawals stay those of the mined blocks, and so do the gas limits of
 * transactions. A transaction that no longer fits, by its nonce or its funds, is refused with its reason, and the run goes
 * on. State roots are not computed.
 */
import type { BlockViews } from "../../../chain/block-views.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { InvalidParamsError, NotFoundError } from "../../../errors/hindcast-error.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { filledCode } from "../../../explain/source/filled-code.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, stripLeadingZeros } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { StateReader } from "../../../state/view.ts";
import { applyAccountOverrides } from "../../../state/working/overrides.ts";
import { WorkingState } from "../../../state/working/working-state.ts";
import { precompilesOf } from "../call/overridden-view.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { TraceBounds } from "../debug/options.ts";
import { openBlock, openRunner, openRunnerWithin, type ReplayTarget } from "../replay/replay.ts";
import { type BlockPair, runPair } from "./changed-block.ts";
import { type ComparedTransaction, Comparer } from "./comparison.ts";
import { withErrors } from "./named-errors.ts";
import { withNames } from "./named-slots.ts";
import { NotedState } from "./noted-state.ts";
import type { WhatIfRequest } from "./request.ts";
import { StateDifferences } from "./state-differences.ts";
import { type BalanceSum, type ReplayTotals, TotalCounter } from "./totals.ts";
import { WhatIfPlan } from "./what-if-plan.ts";

/** A block in both histories. */
export interface ReplayedBlock {
  readonly number: bigint;
  readonly hash: Bytes;
  /** Transactions that differ, in order. */
  readonly transactions: readonly ComparedTransaction[];
  /** Sums of all blocks so far. */
  readonly totals: ReplayTotals;
}

/** All that differs in a part of history. */
export interface HistoryComparison {
  /** The first transactions that differ, as many as the request allows. */
  readonly transactions: readonly ComparedTransaction[];
  /** Number of further transactions that differ, which are only counted. */
  readonly omitted: number;
  readonly totals: ReplayTotals;
  /** Of all transactions together. */
  readonly balances: readonly BalanceSum[];
}

/** Time limit, abort signal, and the most transactions of an answer. */
export interface ReplayBounds extends TraceBounds {
  /** Most transactions that differ to list; default 1,000. */
  readonly limit?: number | undefined;
}

/** Sources of blocks, states and names, and the limits. */
export interface WhatIfParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly views: BlockViews;
  readonly abi: AbiRegistry;
  readonly limits: SimulationLimits;
}

const DEFAULT_LIMIT = 1_000;

/** Serves `hindcast_replay`, `node.replay()` and `node.eachReplayedBlock()`. */
export class WhatIfService {
  readonly #parts: WhatIfParts;

  constructor(parts: WhatIfParts) {
    this.#parts = parts;
  }

  /**
   * Runs the part of history and lists what differs.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for changes that contradict themselves or do not fit
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`, `HEADER_NOT_FOUND`, `STATE_NOT_AVAILABLE`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`, `FOREIGN_RULES`
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async replay(request: WhatIfRequest, bounds: ReplayBounds = {}): Promise<HistoryComparison> {
    const { limit = DEFAULT_LIMIT } = bounds;
    const clock = this.#clock(bounds);
    const listed: ComparedTransaction[] = [];
    let omitted = 0;
    const run = await this.#run(request);
    for await (const { transactions } of this.#blocks(run, () => clock)) {
      for (const transaction of transactions) {
        if (listed.length < limit) listed.push(transaction);
        else omitted++;
      }
    }
    const { totals, balances } = run.counter;
    return { transactions: listed, omitted, totals, balances };
  }

  /**
   * The blocks of {@link replay} one by one, each as soon as it has run, also those in which nothing differs. The time
   * limit is for each block, because the consumer may pause between blocks.
   */
  async *eachBlock(request: WhatIfRequest, bounds: TraceBounds = {}): AsyncGenerator<ReplayedBlock> {
    yield* this.#blocks(await this.#run(request), () => this.#clock(bounds));
  }

  #clock({ timeoutMs, signal }: TraceBounds): ExecutionLimits {
    const { chain, limits } = this.#parts;
    return chain.executor.clock({ timeoutMs: timeoutMs ?? limits.traceTimeoutMs, signal });
  }

  async #run(request: WhatIfRequest): Promise<WhatIfRun> {
    const { traceFilterBlocks } = this.#parts.limits;
    return new WhatIfRun(this.#parts, await WhatIfPlan.of(this.#parts, request, traceFilterBlocks), request);
  }

  async *#blocks(run: WhatIfRun, clockOf: () => ExecutionLimits): AsyncGenerator<ReplayedBlock> {
    const { from, to } = run.plan;
    for (let number = from; number <= to; number++) {
      const block = await this.#parts.chain.getBlockByNumber(number);
      if (block === undefined) throw vanished(number);
      yield await run.block(block, clockOf());
    }
  }
}

/** One run through the blocks of a plan. */
class WhatIfRun {
  readonly #parts: WhatIfParts;
  readonly plan: WhatIfPlan;
  readonly counter = new TotalCounter();
  readonly #request: WhatIfRequest;
  readonly #differences = new StateDifferences();
  readonly #comparer = new Comparer();

  constructor(parts: WhatIfParts, plan: WhatIfPlan, request: WhatIfRequest) {
    this.#parts = parts;
    this.plan = plan;
    this.#request = request;
  }

  async block(block: Block, limits: ExecutionLimits): Promise<ReplayedBlock> {
    const { chain } = this.#parts;
    const { only } = this.plan;
    const isOnFork = chain.history !== undefined;
    const target: ReplayTarget = { chain, block, limits };
    let recorded: NotedState | undefined;
    let base: StateReader | undefined;
    const opened = await openBlock(target, (only ?? block.transactions.length - 1) + 1, (state) => {
      base = state.fork();
      recorded = new NotedState(state, { isOnFork });
      return recorded;
    });
    try {
      if (recorded === undefined || base === undefined) throw new TypeError("the block was opened without a state");
      for (let index = 0; index < (only ?? 0); index++) await opened.run(index);
      if (only !== undefined) {
        base = recorded.fork();
        recorded.forgetWrites();
      }
      const transactions = await this.#compared({ target, opened, recorded, base, isOnFork });
      return { number: block.header.number, hash: block.hash, transactions, totals: this.counter.endBlock() };
    } finally {
      opened.close();
    }
  }

  async #compared({
    target,
    opened,
    recorded,
    base,
    isOnFork,
  }: ComparedBlock): Promise<readonly ComparedTransaction[]> {
    const { chain, limits, abi } = this.#parts;
    const { block } = target;
    const { only } = this.plan;
    const changed = await this.#changedState(block, base, isOnFork);
    const runner = await (only === undefined ? openRunner(target, changed) : openRunnerWithin(target, changed));
    const { header, uncles, withdrawals } = block;
    const view = {
      rules: chain.rulesOf(header),
      context: chain.contextOf(header),
      slotAt: () => header.slotNumber ?? 0n,
    };
    const keepsStates = !abi.builds.isEmpty;
    const pair: BlockPair = { target, view, limits, opened, recorded, runner, changed, keepsStates };
    const found: ComparedTransaction[] = [];
    try {
      for (const planned of this.plan.transactionsOf(block)) {
        const ran = await runPair(pair, planned);
        const compared = await this.#comparer.compare(ran, { blockNumber: header.number, recorded, changed });
        this.counter.count(ran, compared);
        if (compared === undefined) continue;
        const named = { ...compared, runs: await withErrors(compared.runs, abi) };
        found.push(keepsStates ? { ...named, storage: await withNames(named.storage, ran, abi) } : named);
      }
      if (only !== undefined) return found;
      await opened.runner.finish(uncles, withdrawals);
      await runner.finish(uncles, withdrawals);
      await this.#differences.settle(recorded, changed, base);
      return found;
    } finally {
      runner.close();
    }
  }

  async #changedState(block: Block, base: StateReader, isOnFork: boolean): Promise<NotedState> {
    const differences = this.#differences;
    const state = new WorkingState(differences.over(base));
    const hasMoreStorage = (address: Bytes): boolean => differences.hasStorage(address);
    const changed = new NotedState(state, { isOnFork, hasMoreStorage });
    if (block.header.number === this.plan.from) await this.#change(block, changed, base);
    return changed;
  }

  /** Applies the changes of code and storage. */
  async #change(block: Block, changed: NotedState, base: StateReader): Promise<void> {
    const { code = [], storage = [] } = this.#request;
    const precompiles = precompilesOf(this.#parts.chain.rulesOf(block.header).hardfork);
    requireOnce(code);
    requireOnce(storage);
    for (const { address, code: given } of code) {
      if (precompiles.has(bytesKey(address))) throw notReplaceable(address);
      const bytes = given instanceof Uint8Array ? given : filledCode(given, await codeAt(base, address), address);
      await changed.edit(address, [], (state) => state.putCode(address, bytes));
    }
    for (const { address, slots } of storage) {
      const stateDiff = slots.map(({ slot, value }) => ({ slot, value: stripLeadingZeros(value) }));
      const written = stateDiff.map(({ slot }) => slot);
      await changed.edit(address, written, (state) => applyAccountOverrides(state, [{ address, stateDiff }]));
    }
  }
}

/** A block that is open, with the states of the recorded history. */
interface ComparedBlock {
  readonly target: ReplayTarget;
  readonly opened: Awaited<ReturnType<typeof openBlock>>;
  readonly recorded: NotedState;
  /** The recorded state where the changed one begins. */
  readonly base: StateReader;
  readonly isOnFork: boolean;
}

async function codeAt(state: StateReader, address: Bytes): Promise<Bytes> {
  const account = await state.getAccount(address);
  return account === undefined ? EMPTY_BYTES : state.getCode(account.codeHash);
}

function requireOnce(changes: readonly { readonly address: Bytes }[]): void {
  const seen = new Set<string>();
  for (const { address } of changes) {
    if (seen.has(bytesKey(address))) {
      const what = `${encodeData(address)} is changed twice.`;
      throw new InvalidParamsError({ code: "INVALID_PARAMS", what, fix: "Name each address once." });
    }
    seen.add(bytesKey(address));
  }
}

function notReplaceable(address: Bytes): InvalidParamsError {
  const what = `${encodeData(address)} is a precompile, whose code cannot be replaced.`;
  return new InvalidParamsError({
    code: "INVALID_PARAMS",
    what,
    fix: "Replace the code of the contracts that call it.",
  });
}

function vanished(number: bigint): NotFoundError {
  const what = `Block ${number} is no longer on the chain.`;
  return new NotFoundError({
    code: "BLOCK_NOT_FOUND",
    what,
    fix: "Run the replay again: the chain has changed meanwhile.",
  });
}
