/**
 * Loads everything that the page of a transaction shows first, with three methods. Without a trace, as for a transaction
 * of another chain that the node cannot run, it shows what transaction and receipt say.
 */
import { loadStandards } from "../abi/standards.ts";
import { ask } from "../rpc/client.ts";
import type { Call, CallPart, Log, Receipt, StorageChange, Transaction } from "../rpc/types.ts";
import { isUnnamed, withEvent, withStandards } from "./standards.ts";

/** Calls in one request. */
const PART = 2_000;
/** Calls in the first request: enough to fill the screen, and few enough to come at once. */
const FIRST_PART = 100;

/** A log, of a call or of the receipt. */
export interface Event extends Omit<Log, "position"> {
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
      /** True for what a SELFDESTRUCT sent to its beneficiary. */
      readonly isSelfDestruct: boolean;
      readonly isUndone: boolean;
    };

/** A transaction with everything that ran in it. */
export interface WholeTransaction {
  readonly tx: Transaction;
  /** Undefined while the transaction is pending. */
  readonly receipt: Receipt | undefined;
  readonly timestamp: string | undefined;
  /** Why there are no calls; undefined if the transaction was traced, or waits. */
  readonly traceError: Error | undefined;
  /** Number of all calls, of which {@link calls} may be the first. */
  readonly callCount: number;
  readonly calls: readonly Call[];
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
  readonly stepCount: number;
  /** By index of a call: true if the call, or one that contains it, failed. */
  readonly isUndone: readonly boolean[];
}

/**
 * Loads a transaction with its first calls. {@link loadOthers} loads the others.
 *
 * @throws {Error} if the node does not know the hash
 */
export async function loadTransaction(hash: string): Promise<WholeTransaction> {
  // All requests are sent at once, since nearly every transaction that is opened is mined.
  const [tx, receipt, first] = await Promise.all([
    ask<Transaction | null>("eth_getTransactionByHash", hash),
    ask<Receipt | null>("eth_getTransactionReceipt", hash),
    ask<CallPart>("hindcast_getCalls", hash, { from: 0, count: FIRST_PART }).catch((error: Error) => error),
  ]);
  if (tx === null) throw new Error("The node does not know this transaction. A revert may have removed it.");
  if (receipt === null) return { tx, receipt: undefined, timestamp: undefined, ...NOTHING };
  const mined = { tx, receipt, timestamp: tx.blockTimestamp ?? undefined };
  if (!(first instanceof Error)) return { ...mined, ...(await tracedOf([first])) };
  await loadStandards();
  const events = receipt.logs.map((log) => withEvent({ ...log, text: null, isUndone: false }));
  return { ...mined, ...NOTHING, traceError: first, events };
}

/** The transaction with all of its calls. Those that were loaded are loaded again: their changes belong together. */
export async function loadOthers(whole: WholeTransaction): Promise<WholeTransaction> {
  const starts: number[] = [];
  for (let from = 0; from < whole.callCount; from += PART) starts.push(from);
  const parts = starts.map((from) => ask<CallPart>("hindcast_getCalls", whole.tx.hash, { from, count: PART }));
  return { ...whole, ...(await tracedOf(await Promise.all(parts))) };
}

type Traced = Omit<WholeTransaction, "tx" | "receipt" | "timestamp">;

const NOTHING: Traced = {
  traceError: undefined,
  callCount: 0,
  calls: [],
  changes: [],
  events: [],
  isUndone: [],
  stepCount: 0,
};

async function tracedOf(parts: readonly CallPart[]): Promise<Traced> {
  const traced = parts.flatMap((part) => part.calls);
  if (traced.some(isUnnamed)) await loadStandards();
  const calls = traced.map(withStandards);
  const isUndone = undone(calls);
  const storage = parts.flatMap((part) => part.storage);
  return {
    traceError: undefined,
    callCount: parts[0]?.callCount ?? 0,
    calls,
    isUndone,
    changes: changesOf(calls, storage, isUndone),
    events: eventsOf(calls, isUndone),
    stepCount: parts[0]?.stepCount ?? 0,
  };
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
      events.push({ ...log, isUndone: isUndone[call.index] === true });
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
      changes.push({ ...common, from, to, value: BigInt(value), isSelfDestruct: false });
    if (selfDestruct !== null && account !== null) {
      const { beneficiary: to, balance } = selfDestruct;
      changes.push({ ...common, from: account, to, value: BigInt(balance), isSelfDestruct: true });
    }
  }
  return changes;
}
