/** Loads everything that the page of a transaction shows first, with three methods. */
import { ask } from "../rpc/client.ts";
import type { Call, CallPart, Log, Receipt, StorageChange, Transaction } from "../rpc/types.ts";

/** Calls in one request. */
const PART = 2_000;

/** A log with the call that emitted it. */
export interface Event extends Log {
  readonly call: Call;
  /** True if a call that contains it failed, so that it was undone. */
  readonly isUndone: boolean;
}

/** A write to storage, or a transfer of ether. */
export type Change =
  | ({ readonly what: "storage" } & StorageChange)
  | {
      readonly what: "transfer";
      readonly call: number;
      readonly from: string;
      readonly to: string;
      readonly value: bigint;
      readonly isUndone: boolean;
    };

/** A transaction with everything that ran in it. */
export interface WholeTransaction {
  readonly tx: Transaction;
  /** Undefined while the transaction is pending. */
  readonly receipt: Receipt | undefined;
  readonly timestamp: string | undefined;
  readonly calls: readonly Call[];
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
  readonly stepCount: number;
  /** By index of a call: true if the call, or one that contains it, failed. */
  readonly isUndone: readonly boolean[];
}

/** @throws {Error} if the node does not know the hash */
export async function loadTransaction(hash: string): Promise<WholeTransaction> {
  // All requests are sent at once, since nearly every transaction that is opened is mined.
  const [tx, receipt, first] = await Promise.all([
    ask<Transaction | null>("eth_getTransactionByHash", hash),
    ask<Receipt | null>("eth_getTransactionReceipt", hash),
    ask<CallPart>("hindcast_getCalls", hash, { from: 0, count: PART }).catch((error: Error) => error),
  ]);
  if (tx === null) throw new Error("The node knows no such transaction. It may have been taken back by a revert.");
  if (receipt === null) return { tx, receipt: undefined, timestamp: undefined, ...NOTHING };
  const parts = await loadOthers(hash, first);
  const calls = parts.flatMap((part) => part.calls);
  const isUndone = undone(calls);
  const storage = parts.flatMap((part) => part.storage);
  return {
    tx,
    receipt,
    timestamp: tx.blockTimestamp ?? undefined,
    calls,
    isUndone,
    changes: changesOf(calls, storage, isUndone),
    events: eventsOf(calls, isUndone),
    stepCount: parts[0]?.stepCount ?? 0,
  };
}

const NOTHING = { calls: [], changes: [], events: [], isUndone: [], stepCount: 0 } as const;

/** @throws {Error} the error of the first part, if there is one */
async function loadOthers(hash: string, first: CallPart | Error): Promise<readonly CallPart[]> {
  if (first instanceof Error) throw first;
  const starts: number[] = [];
  for (let from = PART; from < first.callCount; from += PART) starts.push(from);
  const others = starts.map((from) => ask<CallPart>("hindcast_getCalls", hash, { from, count: PART }));
  return [first, ...(await Promise.all(others))];
}

/** A failed call undoes everything that its inner calls did. */
function undone(calls: readonly Call[]): readonly boolean[] {
  const list: boolean[] = [];
  for (const { index, parent, failure } of calls) list[index] = failure !== null || list[parent] === true;
  return list;
}

/** The events in the order in which they were emitted: those of inner calls stand between those of the call around. */
function eventsOf(calls: readonly Call[], isUndone: readonly boolean[]): readonly Event[] {
  const events: Event[] = [];
  // The calls that are running, each with the number of its inner calls and logs so far.
  const running: { readonly call: Call; inner: number; logs: number }[] = [];
  const emit = (upTo: number): void => {
    const current = running.at(-1);
    if (current === undefined) return;
    const { call } = current;
    for (let log = call.logs[current.logs]; log !== undefined && log.position <= upTo; log = call.logs[++current.logs])
      events.push({ ...log, call, isUndone: isUndone[call.index] === true });
  };
  const leaveUntil = (depth: number): void => {
    while (running.length > depth) {
      emit(Number.POSITIVE_INFINITY);
      running.pop();
    }
  };
  for (const call of calls) {
    leaveUntil(call.depth);
    const outer = running.at(-1);
    if (outer !== undefined) emit(outer.inner++);
    running.push({ call, inner: 0, logs: 0 });
  }
  leaveUntil(0);
  return events;
}

const MOVING = new Set(["call", "create", "create2"]);

function changesOf(
  calls: readonly Call[],
  storage: readonly StorageChange[],
  isUndone: readonly boolean[],
): readonly Change[] {
  const written = storage.toSorted((left, right) => left.step - right.step);
  const changes: Change[] = written.map((change) => ({ what: "storage", ...change }));
  for (const { index, kind, from, to, value, account, selfDestruct } of calls) {
    const common = { what: "transfer", call: index, isUndone: isUndone[index] === true } as const;
    if (MOVING.has(kind) && to !== null && BigInt(value) > 0n)
      changes.push({ ...common, from, to, value: BigInt(value) });
    if (selfDestruct !== null && account !== null)
      changes.push({ ...common, from: account, to: selfDestruct.beneficiary, value: BigInt(selfDestruct.balance) });
  }
  return changes;
}
