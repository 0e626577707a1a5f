/**
 * Flat traces: one entry per call, creation and self-destruct, depth first (the `trace_` API of Parity/OpenEthereum).
 *
 * Plain values: bytes, bigint, number. Only `error` already has the client's wording.
 */

import type { SelfDestruct } from "../../evm/event-sink.ts";
import { FrameKind, isCreation } from "../../evm/frames.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { countBelow, visits } from "../frame-walk.ts";
import type { CallFrame, Recording } from "../recording.ts";
import { TracePath } from "../trace-address.ts";
import { flatErrorText, type TraceClient } from "./flat-errors.ts";

/** The action of a call: the values that it was given. */
export interface CallAction {
  readonly callType: "call" | "callcode" | "delegatecall" | "staticcall";
  readonly from: Bytes;
  readonly to: Bytes;
  /** wei */
  readonly value: bigint;
  readonly gas: bigint;
  readonly input: Bytes;
}

/** A creation. `value` is in wei. */
export interface CreateAction {
  /** Absent for OpenEthereum, which did not have it. */
  readonly creationMethod?: "create" | "create2";
  readonly from: Bytes;
  readonly value: bigint;
  readonly gas: bigint;
  readonly init: Bytes;
}

/** A SELFDESTRUCT, which is a trace of its own. */
export interface SelfDestructAction {
  readonly address: Bytes;
  readonly refundAddress: Bytes;
  /** wei, before the transfer */
  readonly balance: bigint;
}

/** A reward of proof of work, which no transaction pays. */
export interface RewardAction {
  readonly author: Bytes;
  readonly rewardType: "block" | "uncle";
  /** wei */
  readonly value: bigint;
}

/** The result of a call that did not fail. */
export interface CallResult {
  readonly gasUsed: bigint;
  readonly output: Bytes;
}

/** The result of a creation that did not fail: the deployed code. */
export interface CreateResult {
  readonly gasUsed: bigint;
  readonly code: Bytes;
  readonly address: Bytes;
}

interface FlatTraceBase {
  /** Present only on failures. */
  readonly error?: string;
  /** Number of direct children in the list. */
  readonly subtraces: number;
  /** Indexes of the children on the path from the outermost entry; `[]` is that entry. */
  readonly traceAddress: readonly number[];
}

/** `result` is null if there is nothing to show, and absent if the client leaves the member out. */
export type FlatTrace =
  | (FlatTraceBase & { readonly type: "call"; readonly action: CallAction; readonly result?: CallResult | null })
  | (FlatTraceBase & { readonly type: "create"; readonly action: CreateAction; readonly result?: CreateResult | null })
  | (FlatTraceBase & { readonly type: "suicide"; readonly action: SelfDestructAction; readonly result: null })
  | (FlatTraceBase & { readonly type: "reward"; readonly action: RewardAction; readonly result: null });

/** Block and transaction of a trace. For rewards the transaction is null, or absent for Erigon. */
export interface TraceLocation {
  readonly blockHash: Bytes;
  readonly blockNumber: bigint;
  readonly transactionHash?: Bytes | null;
  readonly transactionPosition?: number | null;
}

/** Options of a request beside the client. */
export interface FlatTraceOptions {
  /** Shows calls of precompiles that are hidden by default (Erigon's option). */
  readonly includePrecompiles?: boolean;
}

/** A trace with its block and transaction. */
export type LocalizedTrace = FlatTrace & TraceLocation;

/** The flat traces of a recording, in depth-first order, each made when it is read. */
export function* flatTraces(
  { frames }: Pick<Recording, "frames">,
  client: TraceClient = "hindcast",
  { includePrecompiles = false }: FlatTraceOptions = {},
): Generator<FlatTrace, void, undefined> {
  const hides = (frame: CallFrame): boolean => !(includePrecompiles && frame.isStarted) && isHidden(frame, client);
  const path = new TracePath();
  for (const { frame, selfDestruct, depth } of visits(frames, hides)) {
    const traceAddress = path.enter(depth);
    if (selfDestruct !== undefined) yield selfDestructTrace(selfDestruct, traceAddress);
    else yield frameTrace(frame, client, { subtraces: countBelow(frame, frames, hides), traceAddress });
  }
}

/**
 * Adds block and transaction to a trace.
 *
 * Uses Object.assign, because V8 gives an object literal with a spread before other members a new hidden class each
 * time, which slows down later reads.
 */
export function localize(trace: FlatTrace, location: TraceLocation): LocalizedTrace {
  return Object.assign({}, trace, location);
}

/** The trace of a block or uncle reward, before the Merge. */
export function rewardTrace(action: RewardAction): FlatTrace {
  return { type: "reward", action, result: null, subtraces: 0, traceAddress: [] };
}

/**
 * True for frames that a client leaves out: calls that never started, and calls of precompiles.
 *
 * OpenEthereum tests the executing account, so it shows a precompile that is called by DELEGATECALL or CALLCODE. reth
 * and Erigon test the address of the code.
 */
function isHidden(frame: CallFrame, client: TraceClient): boolean {
  if (!frame.isStarted) return client !== "reth";
  if (!frame.isPrecompile || frame.value !== 0n) return false;
  const isDirect = frame.kind === FrameKind.call || frame.kind === FrameKind.staticCall;
  return isDirect || client === "reth" || client === "erigon";
}

function frameTrace(
  frame: CallFrame,
  client: TraceClient,
  place: { readonly subtraces: number; readonly traceAddress: readonly number[] },
): FlatTrace {
  const failure = failureOf(frame, client);
  if (isCreation(frame.kind)) {
    return {
      type: "create",
      action: createAction(frame, client),
      ...failure,
      ...createResult(frame, client),
      ...place,
    };
  }
  return { type: "call", action: callAction(frame), ...failure, ...callResult(frame, client), ...place };
}

function failureOf({ error, detail }: CallFrame, client: TraceClient): { readonly error?: string } {
  return error === undefined ? {} : { error: flatErrorText(error, client, detail) };
}

const CALL_TYPES: Readonly<Record<number, CallAction["callType"]>> = {
  [FrameKind.call]: "call",
  [FrameKind.callCode]: "callcode",
  [FrameKind.delegateCall]: "delegatecall",
  [FrameKind.staticCall]: "staticcall",
};

function callAction({ kind, from, to, value, gas, input }: CallFrame): CallAction {
  return { callType: CALL_TYPES[kind] ?? "call", from, to: to as Bytes, value, gas, input };
}

function createAction({ kind, from, value, gas, input }: CallFrame, client: TraceClient): CreateAction {
  const action = { from, value, gas, init: input };
  if (client === "openethereum") return action;
  return { creationMethod: kind === FrameKind.create2 ? "create2" : "create", ...action };
}

/** The result shown for a failed frame: absent, null, or the return data of a revert. */
function withoutResult({ error }: CallFrame, client: TraceClient): { readonly result?: null } | undefined {
  if (error === undefined) return undefined;
  if (client === "openethereum") return {};
  return error === "reverted" ? undefined : { result: null };
}

function callResult(frame: CallFrame, client: TraceClient): { readonly result?: CallResult | null } {
  return withoutResult(frame, client) ?? { result: { gasUsed: frame.gasUsed, output: frame.output } };
}

function createResult(frame: CallFrame, client: TraceClient): { readonly result?: CreateResult | null } {
  const address = frame.to;
  if (address === undefined) return withoutResult(frame, client) ?? { result: null };
  return withoutResult(frame, client) ?? { result: { gasUsed: frame.gasUsed, code: frame.output, address } };
}

function selfDestructTrace({ address, beneficiary, balance }: SelfDestruct, path: readonly number[]): FlatTrace {
  const action = { address, refundAddress: beneficiary, balance };
  return { type: "suicide", action, result: null, subtraces: 0, traceAddress: path };
}
