/** The search of eth_estimateGas for the smallest gas limit, and its result in the two dimensions of gas. */

import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { exceedsGasCap, TRANSACTION_GAS_CAP } from "../../../chainspec/transaction/intrinsic-gas.ts";
import { type ErrorDetails, ExecutionError, TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { equalBytes } from "../../../primitives/bytes/bytes.ts";
import { minBigInt } from "../../../primitives/bytes/limits.ts";
import { EMPTY_CODE_HASH, ZERO_ADDRESS } from "../../../primitives/hash/hash.ts";
import { type BoundWords, capBound, type GasBound } from "./gas-bound.ts";
import type { SimulationView } from "./overridden-view.ts";
import { callGasCap, type SimulatedCall, type SimulationLimits } from "./simulation.ts";

/** Gas of a transfer without EIP-2780. */
const TRANSFER_GAS = 21_000n;
const CALL_STIPEND = 2_300n;
/** The search ends at this relative error, as in geth. */
const ESTIMATE_ERROR_RATIO = 0.015;

/** An estimate, and what determines it. */
export interface GasEstimate {
  /** A gas limit with which the call succeeds, as eth_estimateGas gives it. */
  readonly gas: bigint;
  /** Gas used with this limit, before refunds: for everything but growth of the state. */
  readonly executionGas: bigint;
  /** Gas used with this limit for growth of the state; 0 without EIP-8037. */
  readonly stateGas: bigint;
  /**
   * `floor`: the least price of calldata is above what is used (EIP-7623, EIP-7976). Otherwise the dimension that used
   * more, which is the one that counts in a block with this transaction alone.
   */
  readonly binds: "execution" | "state" | "floor";
}

/** A gas limit and the run that succeeded with it. */
export interface Enough {
  readonly gas: bigint;
  readonly outcome: TransactionOutcome;
}

/** Runs the call with a gas limit; undefined if that does not cover the intrinsic gas. */
export type Execute = (gasLimit: bigint) => Promise<TransactionOutcome | undefined>;

/** The dimensions of an estimate. */
export function estimateOf({ gas, outcome }: Enough): GasEstimate {
  const { stateGasUsed: stateGas, gasUsedBeforeRefund } = outcome;
  const used = usedBy(outcome);
  const executionGas = used - stateGas;
  const larger = stateGas > executionGas ? "state" : "execution";
  return { gas, executionGas, stateGas, binds: gasUsedBeforeRefund > used ? "floor" : larger };
}

/** Gas used before refunds and without the floor. */
function usedBy({ intrinsicGas, executionGasUsed }: TransactionOutcome): bigint {
  return intrinsicGas + executionGasUsed;
}

/** Narrows the limit down from one that is enough, by geth's search. */
export async function searchGas(execute: Execute, first: Enough): Promise<Enough> {
  let best = first;
  let low = first.outcome.gasUsed - 1n;
  const tryWith = async (gas: bigint): Promise<void> => {
    const outcome = await execute(gas);
    if (outcome === undefined || outcome.error !== undefined) low = gas;
    else best = { gas, outcome };
  };
  const optimistic = ((first.outcome.gasUsedBeforeRefund + CALL_STIPEND) * 64n) / 63n;
  if (optimistic < best.gas) await tryWith(optimistic);
  while (low + 1n < best.gas) {
    if (Number(best.gas - low) / Number(best.gas) < ESTIMATE_ERROR_RATIO) break;
    const middle = (best.gas + low) / 2n;
    // Most calls need little more than they use, so the search starts near the low end.
    await tryWith(minBigInt(middle, low * 2n));
  }
  return best;
}

/** The estimate of a plain transfer: no code runs, so it needs what it uses. Undefined if it fails with that. */
export async function transferGas(execute: Execute, view: SimulationView, high: bigint): Promise<Enough | undefined> {
  // Since EIP-2780 the gas depends on the recipient.
  const gas = view.rules.has(2780) ? ((await execute(high))?.gasUsed ?? TRANSFER_GAS) : TRANSFER_GAS;
  const outcome = await execute(gas);
  return outcome === undefined || outcome.error !== undefined ? undefined : { gas, outcome };
}

/**
 * The most gas that a call may have: by its own gas, by its sender's balance, and by the limits of block and node. With
 * the cap of calls, if it is less than the others.
 */
export async function highestGas(
  { executor, limits, fees }: Pick<SimulatedCall, "executor" | "fees"> & { readonly limits: SimulationLimits },
  view: SimulationView,
  call: CallRequest,
): Promise<{ readonly gas: bigint; readonly bound: GasBound | undefined }> {
  let high = view.context.gasLimit;
  if (call.gasLimit !== undefined && call.gasLimit >= TRANSFER_GAS) high = call.gasLimit;
  if (executor.spec.capsSentGas && exceedsGasCap(high, view.rules)) high = TRANSACTION_GAS_CAP;
  const price = call.maxFeePerGas ?? call.gasPrice ?? 0n;
  if (price > 0n && fees !== "lent" && fees !== "free") {
    const sender = await view.reader.getAccount(call.from ?? ZERO_ADDRESS);
    const available = (sender?.balance ?? 0n) - (call.value ?? 0n);
    if (available < 0n || (available === 0n && (call.value ?? 0n) > 0n)) {
      throw new TransactionRejectedError({
        code: "INSUFFICIENT_FUNDS",
        what: "insufficient funds for transfer",
        where: `The sender has ${sender?.balance ?? 0n}, the value is ${call.value}.`,
      });
    }
    if (available / price < high) high = available / price;
  }
  const cap = callGasCap(view.rules, limits);
  return high <= cap ? { gas: high, bound: undefined } : { gas: cap, bound: capBound(cap, view.rules) };
}

/** True for a call without data of an account without code. */
export async function isPlainTransfer(view: SimulationView, call: CallRequest): Promise<boolean> {
  if (call.to === undefined || (call.data?.length ?? 0) > 0) return false;
  const account = await view.reader.getAccount(call.to);
  return account === undefined || equalBytes(account.codeHash, EMPTY_CODE_HASH);
}

/** With this gas limit only execution gas can run out: all above EIP-7825's cap is for state. */
export const UNLIMITED_GAS = TRANSACTION_GAS_CAP + 2n ** 40n;

/**
 * The error of a call for which no allowed limit is enough.
 *
 * @param details.where - the dimension that did not fit, or the bound, in a sentence
 */
export function exceedsAllowance(
  allowance: bigint,
  details: Pick<ErrorDetails, "where" | "fix" | "data">,
): ExecutionError {
  return new ExecutionError({
    code: "GAS_REQUIRED_EXCEEDS_ALLOWANCE",
    what: `gas required exceeds allowance (${allowance})`,
    ...details,
  });
}

/**
 * Says which dimension does not fit an allowance, and which bound that is.
 *
 * @param outcome - of the call with {@link UNLIMITED_GAS}; undefined if that does not cover the intrinsic gas
 */
export function shortageOf(
  allowance: bigint,
  outcome: TransactionOutcome | undefined,
  bound: GasBound | undefined,
): Partial<BoundWords> {
  if (outcome === undefined || outcome.error === "outOfGas") {
    return { where: `Execution gas does not fit: a transaction has at most ${TRANSACTION_GAS_CAP} of it (EIP-7825).` };
  }
  if (outcome.error !== undefined) return { ...bound?.() };
  const where = shortageText(allowance, outcome);
  if (bound === undefined) return { where };
  const words = bound();
  return { where: `${where} ${words.where}`, fix: words.fix };
}

function shortageText(allowance: bigint, outcome: TransactionOutcome): string {
  const { stateGasUsed: state, gasUsedBeforeRefund: least } = outcome;
  const used = usedBy(outcome);
  if (least > used && least > allowance) return `The floor for calldata does not fit: ${least} gas (EIP-7976).`;
  const amounts = `${used - state} gas is for execution and ${state} for state.`;
  if (used <= allowance) return `Execution gas does not fit, because a call passes on at most 63/64 of it. ${amounts}`;
  return `${used - state > allowance ? "Execution" : "State"} gas does not fit: ${amounts}`;
}
