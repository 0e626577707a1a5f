/** Executes mined transactions again on their original state and records them. */
import { planOfBlock } from "../../../chain/prefetch/block-plan.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { Header } from "../../../chainspec/header/header.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import { BlockRunner, type BlockState, type RanTransaction } from "../../../executor/run-block.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { replayChecks } from "../../../executor/transaction-checks.ts";
import type { StateId } from "../../../state/state-id.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { RecordingRequest } from "../../../tracer/recording.ts";
import type { WholeRecording } from "../../../tracer/step-table.ts";
import { receiptCheckOf, refusedHere, refuseForeignBlock } from "./foreign-receipts.ts";

/** A transaction that was run again. Its state is valid until the next one runs. */
export interface ReplayedTransaction<Sink extends EventSink> extends RanTransaction, NextTransaction {
  /** Its recorder; undefined for transactions that were run only for their effects. */
  readonly recorder: Sink | undefined;
}

/** A block to run again. */
export interface ReplayTarget {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly block: Block;
  readonly limits: ExecutionLimits;
  /** State before the block; default: the chain's. */
  readonly startStateId?: StateId | undefined;
}

/** A transaction about to run. */
export interface NextTransaction {
  readonly tx: Transaction;
  readonly index: number;
  /** Logs before this transaction in the block. */
  readonly firstLogIndex: number;
  readonly state: WorkingState;
}

/** The transactions of a block to run again, and their recorders. */
export interface ReplayRequest<Sink extends EventSink> extends ReplayTarget {
  /** Makes the recorder of the next wanted transaction; undefined runs it without one. */
  readonly recorderFor: (next: NextTransaction) => Sink | undefined | Promise<Sink | undefined>;
  /** Index of the only transaction that is wanted; default all. Those before it run too, for their effects. */
  readonly only?: number | undefined;
  /** Index of the last transaction to run, unless `only` says it; default the block's last. */
  readonly until?: number;
}

/** Runs a block's transactions in order, each once, and yields each wanted one as it is done. */
export async function* replayBlock<Sink extends EventSink>(
  request: ReplayRequest<Sink>,
): AsyncGenerator<ReplayedTransaction<Sink>> {
  const { block, recorderFor, only } = request;
  const until = only ?? request.until ?? block.transactions.length - 1;
  const opened = await openBlock(request, until + 1);
  const { state } = opened;
  try {
    let firstLogIndex = 0;
    for (const [index, tx] of block.transactions.entries()) {
      if (index > until) return;
      const isWanted = only === undefined || index === only;
      const recorder = isWanted ? await recorderFor({ tx, index, firstLogIndex, state }) : undefined;
      const ran = await opened.run(index, recorder);
      if (isWanted) yield { tx, index, firstLogIndex, recorder, state, ...ran };
      firstLogIndex += ran.receipt.logs.length;
    }
  } finally {
    opened.close();
  }
}

/** A block of which the system calls have run again. Its transactions run one by one, in order. */
export interface OpenedBlock {
  readonly runner: BlockRunner;
  readonly state: WorkingState;
  /**
   * Runs the next transaction.
   *
   * @throws {UnsupportedError} `FOREIGN_RULES` if it has another result than on the forked chain
   */
  run(index: number, recorder?: EventSink): Promise<RanTransaction>;
  /** Must be called in the end. */
  close(): void;
}

/**
 * Opens a block to run it again.
 *
 * @param count - of the transactions that are going to run: on a fork their reads are fetched ahead
 * @param seenBy - the state that the runner works on, if that is to see the writes
 * @throws {UnsupportedError} `FOREIGN_RULES`
 */
export async function openBlock(
  target: ReplayTarget,
  count: number,
  seenBy: (state: WorkingState) => BlockState = (state) => state,
): Promise<OpenedBlock> {
  const { chain, block } = target;
  refuseForeignBlock(chain, block);
  const state = await startingState(target);
  const ended = fetchReadsAhead(target, state, block.transactions.slice(0, count));
  let runner: BlockRunner | undefined;
  const close = (): void => {
    runner?.close();
    ended?.();
  };
  try {
    const opened = await openRunner(target, seenBy(state));
    runner = opened;
    const check = await receiptCheckOf(chain, block);
    const run = async (index: number, recorder?: EventSink): Promise<RanTransaction> => {
      const ran = await runAgain(opened, block.transactions[index] as Transaction, recorder).catch((cause: unknown) => {
        throw refusedHere(chain, block, index, cause);
      });
      check?.(index, ran.receipt);
      return ran;
    };
    return { runner: opened, state, run, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** As {@link replayBlock}, for callers that need only the recorders. */
export async function runBlockAgain(request: ReplayRequest<EventSink>): Promise<void> {
  for await (const _ran of replayBlock(request));
}

/** The state before a transaction of a block, after the block's system calls and the earlier transactions. */
export async function stateBeforeTransaction(
  chain: ChainBlocks & ChainRules & ChainStates,
  block: Block,
  index: number,
  limits: ExecutionLimits,
): Promise<WorkingState> {
  const opened = await openBlock({ chain, block, limits }, index);
  try {
    for (let position = 0; position < index; position++) await opened.run(position);
    return opened.state;
  } finally {
    opened.close();
  }
}

/** On a fork: starts to fetch the reads of a block ahead. Returns a function to call when the block has run. */
function fetchReadsAhead(
  { chain, block }: ReplayTarget,
  state: WorkingState,
  transactions: readonly Transaction[],
): (() => void) | undefined {
  const { history, executor } = chain;
  if (history === undefined) return undefined;
  const { header } = block;
  const rules = chain.rulesOf(header);
  const context = chain.contextOf(header);
  const plan = planOfBlock({ executor, rules, context, header, transactions, checksFor: replayChecks }, state);
  const listedBlock = header.blockAccessListHash === undefined ? undefined : block.hash;
  return history.fetchAhead({ ...plan, listedBlock }, parentOf(block));
}

function parentOf({ header }: Block): Pick<Block, "hash"> & { readonly header: Pick<Header, "number"> } {
  return { hash: header.parentHash, header: { number: header.number - 1n } };
}

async function startingState({ chain, block, startStateId }: ReplayTarget): Promise<WorkingState> {
  if (startStateId !== undefined) return chain.states.working(startStateId);
  return chain.workingStateBefore(block);
}

/** A runner that has made the system calls at the beginning of the block. */
export async function openRunner(target: ReplayTarget, state: BlockState): Promise<BlockRunner> {
  const { parentHash, parentBeaconBlockRoot } = target.block.header;
  const runner = await openRunnerWithin(target, state);
  try {
    await runner.begin(parentHash, parentBeaconBlockRoot);
    return runner;
  } catch (error) {
    runner.close();
    throw error;
  }
}

/** A runner for transactions on a state in the middle of a block. */
export function openRunnerWithin({ chain, block, limits }: ReplayTarget, state: BlockState): Promise<BlockRunner> {
  return BlockRunner.open({
    executor: chain.executor,
    rules: chain.rulesOf(block.header),
    state,
    block: chain.contextOf(block.header),
    limits,
    isImported: chain.isImported(block),
  });
}

/** Runs a mined transaction again. */
export function runAgain(runner: BlockRunner, tx: Transaction, recorder?: EventSink): Promise<RanTransaction> {
  return runner.run(tx, { checks: replayChecks(tx), withStateRoot: false, sink: recorder });
}

/** A transaction that was run again, with its recording. */
export interface RecordedTransaction {
  readonly tx: Transaction;
  /** Index in its block. */
  readonly index: number;
  readonly outcome: TransactionOutcome;
  readonly recording: WholeRecording;
}

/** The transactions of a block to record, and the parts to record. */
export interface RecordTarget extends ReplayTarget {
  /** The data to record. */
  readonly request: RecordingRequest;
  /** Index of the only transaction to record; default all. */
  readonly only?: number | undefined;
}

/** Runs a block's transactions in order, each once, and yields the wanted ones. */
export async function* recordTransactions(target: RecordTarget): AsyncGenerator<RecordedTransaction> {
  const { request, ...replay } = target;
  for await (const ran of replayBlock({ ...replay, recorderFor: () => new Recorder(request) })) {
    const { tx, index, outcome, recorder } = ran;
    if (recorder !== undefined) yield { tx, index, outcome, recording: recorder };
  }
}
