/** Runs the transactions of a block on the changed state, beside the recorded one. */
import type { BlockView } from "../../../chain/block-views.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { FrameError } from "../../../evm/frames.ts";
import type { BlockRunner } from "../../../executor/run-block.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { ConsoleCollector } from "../../../explain/console/console-collector.ts";
import type { ConsoleCall } from "../../../explain/console/console-logs.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../../primitives/hash/hash.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import { EMPTY_ACCOUNT } from "../../../state/view.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { failureOf } from "../call/failure.ts";
import { boundCall, runCall, type SimulationLimits } from "../call/simulation.ts";
import { type OpenedBlock, openRunnerWithin, type ReplayTarget, runAgain } from "../replay/replay.ts";
import type { NotedState, NotedWrite } from "./noted-state.ts";
import type { PlannedTransaction } from "./what-if-plan.ts";

/** A transaction in one of the two histories. */
export interface ReplayedRun {
  /** `refused`: it cannot be in the block. `failed`: it ran into an exceptional halt. */
  readonly status: "succeeded" | "reverted" | "failed" | "refused";
  /** Reason of a failure or a refusal, in geth's words. */
  readonly reason: string | undefined;
  /** Return data, revert data or deployed code. */
  readonly output: Bytes;
  /** Gas that the sender pays for; 0 if it is refused. */
  readonly gasUsed: bigint;
  readonly logs: readonly Log[];
  /** Address of a creation. */
  readonly contractAddress: Bytes | undefined;
}

/** A run with what it printed and wrote. */
export interface NotedRun {
  readonly run: ReplayedRun;
  readonly printed: readonly ConsoleCall[];
  readonly writes: readonly NotedWrite[];
  /** Runs it again with a recorder, on the state that it began with; undefined if there is no copy of that. */
  readonly again: ((recorder: EventSink) => Promise<unknown>) | undefined;
}

/** One transaction in both histories; undefined where it is not part of one. */
export interface RunPair {
  readonly planned: PlannedTransaction;
  readonly recorded: NotedRun | undefined;
  readonly changed: NotedRun | undefined;
}

/** The two histories of a block. */
export interface BlockPair {
  readonly target: ReplayTarget;
  readonly view: Pick<BlockView, "rules" | "context" | "slotAt">;
  readonly limits: SimulationLimits;
  /** The block as it was mined. */
  readonly opened: OpenedBlock;
  readonly recorded: NotedState;
  /** Runs on {@link changed}. */
  readonly runner: BlockRunner;
  readonly changed: NotedState;
  /** Keeps the state before each transaction. */
  readonly keepsStates: boolean;
}

/** Runs a transaction in both histories, after those before it. */
export async function runPair(pair: BlockPair, planned: PlannedTransaction): Promise<RunPair> {
  const recorded = planned.change === "inserted" ? undefined : await runRecorded(pair, planned.index);
  return { planned, recorded, changed: await runChanged(pair, planned) };
}

async function runRecorded(pair: BlockPair, index: number): Promise<NotedRun> {
  const { opened, recorded: state } = pair;
  const tx = pair.target.block.transactions[index] as Transaction;
  return noted(pair, state, (console) => opened.run(index, console), minedAgain(pair, tx));
}

function runChanged(pair: BlockPair, planned: PlannedTransaction): Promise<NotedRun | undefined> {
  const { runner, changed: state } = pair;
  switch (planned.change) {
    case "none":
      return noted(pair, state, (console) => runAgain(runner, planned.tx, console), minedAgain(pair, planned.tx));
    case "dropped":
      return runDropped(pair, planned.tx);
    case "replaced":
      return runReplaced(pair, planned.tx, planned.call);
    case "inserted":
      return runInserted(pair, planned.call);
  }
}

/** The nonce of a dropped transaction counts as used, so that the sender's later transactions still fit. */
async function runDropped(pair: BlockPair, tx: Transaction): Promise<undefined> {
  await useNonce(pair.changed, tx);
  await pair.runner.goOn();
}

async function runReplaced(pair: BlockPair, tx: Transaction, call: CallRequest): Promise<NotedRun> {
  const { changed: state, runner } = pair;
  const ran = await runCallIn(pair, call);
  if (!equalBytes(call.from ?? ZERO_ADDRESS, tx.sender)) await giveNonceBack(state, call, ran);
  await useNonce(state, tx);
  await runner.goOn();
  return ran;
}

/** An inserted transaction uses no nonce, so that the sender's later transactions still fit. */
async function runInserted(pair: BlockPair, call: CallRequest): Promise<NotedRun> {
  const ran = await runCallIn(pair, call);
  await giveNonceBack(pair.changed, call, ran);
  await pair.runner.goOn();
  return ran;
}

async function useNonce(state: NotedState, { sender, nonce }: Transaction): Promise<void> {
  const account = (await state.getAccount(sender)) ?? EMPTY_ACCOUNT;
  if (account.nonce !== nonce) return;
  await state.edit(sender, [], (edited) => edited.putAccount(sender, { ...account, nonce: nonce + 1n }));
}

async function giveNonceBack(
  state: NotedState,
  { from = ZERO_ADDRESS }: CallRequest,
  { run }: NotedRun,
): Promise<void> {
  const account = await state.getAccount(from);
  if (run.status === "refused" || account === undefined || account.nonce === 0n) return;
  await state.edit(from, [], (edited) => edited.putAccount(from, { ...account, nonce: account.nonce - 1n }));
}

function runCallIn(pair: BlockPair, call: CallRequest): Promise<NotedRun> {
  const { target, view, limits, changed: state } = pair;
  const { executor } = target.chain;
  const run = async (on: NotedState | WorkingState, recorder: EventSink, writesTo: NotedState | undefined) => {
    const simulated = { ...view, reader: on, state: () => state.fork(), fetchAhead: undefined };
    const bounded = boundCall(call, simulated, limits);
    return runCall({
      executor,
      view: simulated,
      state: on,
      target: writesTo,
      ...bounded,
      limits: target.limits,
      recorder,
    });
  };
  return noted(
    pair,
    state,
    async (console) => ({ outcome: await run(state, console, state) }),
    (before) => (recorder) => run(before, recorder, undefined),
  );
}

/** Runs a mined transaction again on a state before it. Its writes are dropped with that state. */
function minedAgain({ target }: BlockPair, tx: Transaction) {
  return (before: WorkingState) => async (recorder: EventSink) => {
    const runner = await openRunnerWithin(target, before);
    try {
      await runAgain(runner, tx, recorder);
    } finally {
      runner.close();
    }
  };
}

async function noted(
  pair: BlockPair,
  state: NotedState,
  run: (console: ConsoleCollector) => Promise<{ readonly outcome: TransactionOutcome }>,
  againOn: (before: WorkingState) => (recorder: EventSink) => Promise<unknown>,
): Promise<NotedRun> {
  const console = new ConsoleCollector();
  const again = pair.keepsStates ? againOn(state.fork()) : undefined;
  state.beginTransaction();
  let ran: ReplayedRun;
  try {
    ran = ranAs((await run(console)).outcome);
  } catch (error) {
    if (!(error instanceof TransactionRejectedError)) throw error;
    ran = refusedFor(error);
  }
  return { run: ran, printed: console.take(), writes: state.transactionWrites, again };
}

function ranAs(outcome: TransactionOutcome): ReplayedRun {
  const { error, output, gasUsed, logs, contractAddress } = outcome;
  const reason = error === undefined ? undefined : failureOf(error, outcome).what;
  return { status: statusOf(error), reason, output, gasUsed, logs, contractAddress };
}

function statusOf(error: FrameError | undefined): ReplayedRun["status"] {
  if (error === undefined) return "succeeded";
  return error === "reverted" ? "reverted" : "failed";
}

function refusedFor({ what }: TransactionRejectedError): ReplayedRun {
  return { status: "refused", reason: what, output: EMPTY_BYTES, gasUsed: 0n, logs: [], contractAddress: undefined };
}
