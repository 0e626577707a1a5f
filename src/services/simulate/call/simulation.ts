/** Runs one call on a state that nobody keeps: what eth_call, eth_estimateGas and trace_call have in common. */

import {
  type CallRequest,
  checkCallChainId,
  statesPrice,
  transactionOfCall,
} from "../../../chainspec/transaction/call-request.ts";
import type { TransactionFields } from "../../../chainspec/transaction/transaction-fields.ts";
import type { BlockContext } from "../../../evm/engine.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { EngineState } from "../../../evm/state-port.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import { type EffectsTarget, runAlone, type TransactionOutcome } from "../../../executor/run-transaction.ts";
import { type FeePolicy, SIMULATION_CHECKS } from "../../../executor/transaction-checks.ts";
import { ZERO_ADDRESS } from "../../../primitives/hash/hash.ts";
import type { SimulationView } from "./overridden-view.ts";

/** Limits of everything that runs without being kept, and of what one request may have mined or wait for. */
export interface SimulationLimits {
  /** Gas a call gets that states none, and at most. */
  readonly callGasLimit: bigint;
  readonly callTimeoutMs: number;
  readonly traceTimeoutMs: number;
  /** Most blocks between the bounds of trace_filter; default any. */
  readonly traceFilterBlocks?: number | undefined;
  /** Most blocks that one request may have mined. */
  readonly minedBlocks: number;
  /** Longest that a request may wait until its transaction is mined, milliseconds. */
  readonly waitTimeoutMs: number;
  /** Bytes that a state file may come to when it is unpacked. */
  readonly stateFileBytes: number;
  /** Values of JSON, or items of RLP, that a state file may have. */
  readonly stateFileValues: number;
}

export const DEFAULT_SIMULATION_LIMITS: SimulationLimits = {
  callGasLimit: 50_000_000n,
  callTimeoutMs: 5_000,
  traceTimeoutMs: 60_000,
  minedBlocks: 100_000,
  waitTimeoutMs: 60_000,
  stateFileBytes: 512 * 1024 * 1024,
  stateFileValues: 2_000_000,
};

/** What a call gets on a chain of Amsterdam, where gas pays for state too: as much as a block of a development chain. */
export const CALL_GAS_LIMIT_AMSTERDAM = 200_000_000n;

export interface SimulatedCall {
  readonly executor: Executor;
  readonly view: SimulationView;
  /** What the call finds. Without a target nobody changes it, ever. */
  readonly state: EngineState;
  /** Takes over what the call did. */
  readonly target?: EffectsTarget | undefined;
  readonly call: CallRequest;
  /** Gas for a call that states none. */
  readonly gasLimit: bigint;
  readonly limits: ExecutionLimits;
  readonly recorder?: EventSink | undefined;
  /** Default: as the protocol says. */
  readonly fees?: FeePolicy | undefined;
}

/** A call as the transaction it runs as, in the block as that transaction finds it. */
export interface PreparedCall {
  readonly tx: TransactionFields;
  readonly block: BlockContext;
}

/**
 * The transaction of a call: the sender's next, at price zero unless the call states one. BASEFEE reads zero then.
 *
 * @throws {TransactionRejectedError} for a call of another chain
 */
export async function prepareCall(
  simulated: Pick<SimulatedCall, "executor" | "view" | "state" | "call" | "gasLimit">,
): Promise<PreparedCall> {
  const { executor, view, state, call, gasLimit } = simulated;
  checkCallChainId(call, executor.spec.chainId);
  const sender = await state.getAccount(call.from ?? ZERO_ADDRESS);
  return { tx: transactionOfCall(call, gasLimit, sender?.nonce ?? 0n), block: contextFor(view.context, call) };
}

/**
 * Runs a call as a transaction of its sender, without signature, nonce, EIP-3607 and EIP-7825 checks.
 *
 * A call without a price is free; one with a price pays it.
 *
 * @param prepared - what {@link prepareCall} made of the call, where it has been asked already
 * @throws {TransactionRejectedError} for intrinsic gas, funds, fee caps, another chain's id
 * @throws {LimitError} when time is up or the caller aborted
 */
export async function runCall(simulated: SimulatedCall, prepared?: PreparedCall): Promise<TransactionOutcome> {
  const { executor, view, state, target, limits, recorder: sink, fees } = simulated;
  const { rules, precompiles } = view;
  const { tx, block } = prepared ?? (await prepareCall(simulated));
  const checks = fees === undefined ? SIMULATION_CHECKS : { ...SIMULATION_CHECKS, fees };
  return runAlone({ executor, rules, state, target, block, limits, precompiles, tx, checks, sink });
}

function contextFor(context: BlockContext, call: CallRequest): BlockContext {
  const freeGas = !statesPrice(call) && context.baseFeePerGas !== undefined;
  const freeBlobs = isBlobPriceZero(call) && context.blobBaseFee !== undefined;
  if (!freeGas && !freeBlobs) return context;
  return {
    ...context,
    ...(freeGas ? { baseFeePerGas: 0n } : {}),
    ...(freeBlobs ? { blobBaseFee: 0n } : {}),
  };
}

/** True for a call with blobs that names no price for them, and for one that names zero. BLOBBASEFEE reads zero then. */
function isBlobPriceZero({ maxFeePerBlobGas, blobVersionedHashes }: CallRequest): boolean {
  return maxFeePerBlobGas === undefined ? blobVersionedHashes !== undefined : maxFeePerBlobGas === 0n;
}

/** Gas for a call that states none: what fits in the block and the limit. */
export function defaultGas(view: SimulationView, limits: SimulationLimits): bigint {
  const { gasLimit } = view.context;
  return gasLimit < limits.callGasLimit ? gasLimit : limits.callGasLimit;
}

/** The call with its gas cut to the limit, if it states any. */
export function capGas(call: CallRequest, limits: SimulationLimits): CallRequest {
  if (call.gasLimit === undefined || call.gasLimit <= limits.callGasLimit) return call;
  return { ...call, gasLimit: limits.callGasLimit };
}
