/** Runs one call on a temporary state, for eth_call, eth_estimateGas and trace_call. */

import type { ReadableState } from "../../../chain/prefetch/guessed-state.ts";
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import {
  type CallRequest,
  checkCallChainId,
  statesPrice,
  transactionOfCall,
} from "../../../chainspec/transaction/call-request.ts";
import type { TransactionFields } from "../../../chainspec/transaction/transaction-fields.ts";
import type { BlockContext } from "../../../evm/engine.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import { DEFAULT_RECORDING_MEMORY, type Executor } from "../../../executor/executor.ts";
import { type EffectsTarget, runAlone, type TransactionOutcome } from "../../../executor/run-transaction.ts";
import { type FeePolicy, SIMULATION_CHECKS } from "../../../executor/transaction-checks.ts";
import { minBigInt } from "../../../primitives/bytes/limits.ts";
import { ZERO_ADDRESS } from "../../../primitives/hash/hash.ts";
import { after, type MaybePromise } from "../../../primitives/maybe-promise.ts";
import { atBound, blockBound, capBound, type GasBound } from "./gas-bound.ts";
import type { SimulationView } from "./overridden-view.ts";

/** Limits of one request: of what it simulates, mines and waits for. */
export interface SimulationLimits {
  /**
   * Gas of a call that states none, and the upper limit for any call. Default: 50 million, and 200 million with
   * EIP-8037, by which gas also pays for state.
   */
  readonly callGasLimit?: bigint | undefined;
  /** Longest time of a call in milliseconds, waiting included; default 5,000, and 60,000 on a fork. */
  readonly callTimeoutMs: number;
  /** Longest time of a trace in milliseconds, waiting included; default 60,000, and 300,000 on a fork. */
  readonly traceTimeoutMs: number;
  /** Most blocks in the range of trace_filter; default unlimited. */
  readonly traceFilterBlocks?: number | undefined;
  /** Most blocks that one request may mine. */
  readonly minedBlocks: number;
  /** Longest time in milliseconds that a request may wait until its transaction is mined. */
  readonly waitTimeoutMs: number;
  /** Most bytes of a state file after unpacking. */
  readonly stateFileBytes: number;
  /** Most JSON values or RLP items of a state file. */
  readonly stateFileValues: number;
  /** Most bytes that may be recorded of one execution for its trace, estimated. */
  readonly recordingMemory: number;
}

/** Limits unless the node's options say otherwise; times in milliseconds. */
export const DEFAULT_SIMULATION_LIMITS: SimulationLimits = {
  callTimeoutMs: 5_000,
  traceTimeoutMs: 60_000,
  minedBlocks: 100_000,
  waitTimeoutMs: 60_000,
  stateFileBytes: 512 * 1024 * 1024,
  stateFileValues: 2_000_000,
  recordingMemory: DEFAULT_RECORDING_MEMORY,
};

/** Gas of a call that states none: as geth's default for `eth_call` (`--rpc.gascap`). */
export const DEFAULT_CALL_GAS_LIMIT = 50_000_000n;
/** The gas limit of a development chain's block. */
const CALL_GAS_LIMIT_WITH_STATE = 200_000_000n;

/** A call with the state and block it runs in. The caller owns the state. */
export interface SimulatedCall {
  readonly executor: Executor;
  readonly view: SimulationView;
  /** The state before the call. Without a target it never changes. */
  readonly state: ReadableState;
  /** Receives the effects of the call. */
  readonly target?: EffectsTarget | undefined;
  readonly call: CallRequest;
  /** Gas for a call that states none. */
  readonly gasLimit: bigint;
  /** The bound that the gas is at; undefined if the call has the gas that it states. */
  readonly bound?: GasBound | undefined;
  readonly limits: ExecutionLimits;
  readonly recorder?: EventSink | undefined;
  /** Default: the protocol's rules. */
  readonly fees?: FeePolicy | undefined;
  /** As {@link SessionOptions.isCovered}. */
  readonly isCovered?: boolean | undefined;
}

/** The outcome of a call, with the bound that its gas was at, for the errors of calls that lack gas. */
export interface CallOutcome extends TransactionOutcome {
  readonly bound: GasBound | undefined;
}

/** A call as a transaction, in the block as that transaction sees it. */
export interface PreparedCall {
  readonly tx: TransactionFields;
  readonly block: BlockContext;
}

/**
 * Makes a transaction of a call. Its nonce is the sender's next. Without a price it is free, and BASEFEE reads zero.
 *
 * @throws {TransactionRejectedError} if the call names another chain id
 */
export function prepareCall(
  simulated: Pick<SimulatedCall, "executor" | "view" | "state" | "call" | "gasLimit">,
): MaybePromise<PreparedCall> {
  const { executor, view, state, call, gasLimit } = simulated;
  checkCallChainId(call, executor.spec.chainId);
  return after(state.getAccount(call.from ?? ZERO_ADDRESS), (sender) => ({
    tx: transactionOfCall(call, gasLimit, sender?.nonce ?? 0n),
    block: contextFor(contextOfNext(view.context, executor.spec), call),
  }));
}

/**
 * Runs a call as a transaction of its sender, without the checks of signature, nonce, EIP-3607 and EIP-7825.
 *
 * A call without a price is free; one with a price pays it.
 *
 * @param prepared - result of {@link prepareCall}, if the caller has it already
 * @throws {TransactionRejectedError} for intrinsic gas, funds, fee caps, another chain's id
 * @throws {LimitError} at the time limit, or if the caller aborts
 */
export async function runCall(simulated: SimulatedCall, prepared?: PreparedCall): Promise<CallOutcome> {
  const { executor, view, state, target, call, limits, recorder: sink, fees, isCovered, bound } = simulated;
  const { rules, precompiles } = view;
  const ended = view.fetchAhead?.({
    state,
    calls: [call],
    repeat: (guessed, within) => repeatCall(simulated, guessed, within),
  });
  try {
    const preparing = prepared ?? prepareCall(simulated);
    const { tx, block } = preparing instanceof Promise ? await preparing : preparing;
    const checks = fees === undefined ? SIMULATION_CHECKS : { fees, ...SIMULATION_CHECKS };
    const parts = { executor, rules, state, target, block, limits, precompiles, tx, checks, sink, isCovered };
    return Object.assign(await runAlone(parts), { bound });
  } catch (error) {
    throw bound === undefined ? error : atBound(error, bound);
  } finally {
    ended?.();
  }
}

/**
 * Runs a call only to learn what it reads.
 *
 * @param target - receives its effects; without one the state never changes
 */
export function repeatCall(
  simulated: SimulatedCall,
  state: ReadableState,
  limits: ExecutionLimits,
  target?: EffectsTarget,
): Promise<CallOutcome> {
  const view = { ...simulated.view, fetchAhead: undefined };
  return runCall({ ...simulated, view, state, limits, target, recorder: undefined, isCovered: false });
}

/** The block of a call that runs after another block: with the chain id and the signers of the next block. */
export function contextOfNext(context: BlockContext, spec: ChainSpec): BlockContext {
  if (!spec.isChanged) return context;
  const next = context.number + 1n;
  return { ...context, chainId: spec.chainIdAt(next), signers: spec.signersAt(next) };
}

function contextFor(context: BlockContext, call: CallRequest): BlockContext {
  const freeGas = !statesPrice(call) && context.baseFeePerGas !== undefined;
  const freeBlobs = isBlobPriceZero(call) && context.blobBaseFee !== undefined;
  if (!freeGas && !freeBlobs) return context;
  return {
    ...context,
    baseFeePerGas: freeGas ? 0n : context.baseFeePerGas,
    blobBaseFee: freeBlobs ? 0n : context.blobBaseFee,
  };
}

/** True for a call with blobs whose blob price is missing or zero. BLOBBASEFEE then reads zero. */
function isBlobPriceZero({ maxFeePerBlobGas, blobVersionedHashes }: CallRequest): boolean {
  return maxFeePerBlobGas === undefined ? blobVersionedHashes !== undefined : maxFeePerBlobGas === 0n;
}

/** A call with the gas that it may have. */
export type BoundedCall = Pick<SimulatedCall, "call" | "gasLimit" | "bound">;

/** The call with its gas reduced to the cap of calls; one that states none gets that of a block, within the cap. */
export function boundCall(
  call: CallRequest,
  { rules, context }: SimulationView,
  limits: SimulationLimits,
): BoundedCall {
  const cap = callGasCap(rules, limits);
  const gasLimit = minBigInt(context.gasLimit, cap);
  const asked = call.gasLimit;
  if (asked === undefined)
    return { call, gasLimit, bound: gasLimit < cap ? blockBound(gasLimit, cap) : capBound(cap, rules) };
  if (asked < cap) return { call, gasLimit, bound: undefined };
  return { call: { ...call, gasLimit: cap }, gasLimit, bound: capBound(cap, rules) };
}

/** The most gas that a call may have under the rules. */
export function callGasCap(rules: Rules, { callGasLimit }: SimulationLimits): bigint {
  return callGasLimit ?? (rules.has(8037) ? CALL_GAS_LIMIT_WITH_STATE : DEFAULT_CALL_GAS_LIMIT);
}
