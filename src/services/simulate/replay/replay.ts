/** Executes mined transactions again on their original state and records them. */
import { planOfBlock } from "../../../chain/prefetch/block-plan.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { Header } from "../../../chainspec/header/header.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import { BlockRunner, type RanTransaction } from "../../../executor/run-block.ts";
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
  refuseForeignBlock(request.chain, block);
  const state = await startingState(request);
  const ended = fetchReadsAhead(request, state, block.transactions.slice(0, until + 1));
  const runner = await openRunner(request, state);
  try {
    const check = await receiptCheckOf(request.chain, block);
    let firstLogIndex = 0;
    for (const [index, tx] of block.transactions.entries()) {
      if (index > until) return;
      const isWanted = only === undefined || index === only;
      const recorder = isWanted ? await recorderFor({ tx, index, firstLogIndex, state }) : undefined;
      const ran = await runAgain(request, runner, index, recorder);
      check?.(index, ran.receipt);
      if (isWanted) yield { tx, index, firstLogIndex, recorder, state, ...ran };
      firstLogIndex += ran.receipt.logs.length;
    }
  } finally {
    runner.close();
    ended?.();
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
  refuseForeignBlock(chain, block);
  const target: ReplayTarget = { chain, block, limits };
  const state = await startingState(target);
  const transactions = block.transactions.slice(0, index);
  const ended = fetchReadsAhead(target, state, transactions);
  const runner = await openRunner(target, state);
  try {
    const check = await receiptCheckOf(chain, block);
    for (const position of transactions.keys()) {
      const { receipt } = await runAgain(target, runner, position);
      check?.(position, receipt);
    }
    return state;
  } finally {
    runner.close();
    ended?.();
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
async function openRunner({ chain, block, limits }: ReplayTarget, state: WorkingState): Promise<BlockRunner> {
  const runner = await BlockRunner.open({
    executor: chain.executor,
    rules: chain.rulesOf(block.header),
    state,
    block: chain.contextOf(block.header),
    limits,
    isImported: chain.isImported(block),
  });
  try {
    await runner.begin(block.header.parentHash, block.header.parentBeaconBlockRoot);
    return runner;
  } catch (error) {
    runner.close();
    throw error;
  }
}

async function runAgain(
  { chain, block }: ReplayTarget,
  runner: BlockRunner,
  index: number,
  recorder?: EventSink,
): Promise<RanTransaction> {
  const tx = block.transactions[index] as Transaction;
  try {
    return await runner.run(tx, { checks: replayChecks(tx), withStateRoot: false, sink: recorder });
  } catch (cause) {
    throw refusedHere(chain, block, index, cause);
  }
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
