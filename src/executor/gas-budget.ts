/** The gas of a transaction once what is unavoidable is taken off: of two dimensions from Amsterdam on (EIP-8037). */
import type { Rules } from "../chainspec/hardforks/hardforks.ts";
import { TRANSACTION_GAS_CAP } from "../chainspec/transaction/intrinsic-gas.ts";
import { minBigInt } from "../primitives/bytes/limits.ts";

/** Gas that is left. */
export interface GasBudget {
  /** For everything. */
  readonly gas: bigint;
  /** For growing the state alone; used up first. */
  readonly stateGas: bigint;
}

/**
 * Divides the gas that a transaction has after its intrinsic gas: what exceeds EIP-7825's cap is for growing the state. It
 * is divided so whether or not the cap is checked.
 */
export function gasBudget(gasLimit: bigint, intrinsic: bigint, rules: Rules): GasBudget {
  const left = gasLimit - intrinsic;
  const gas = rules.isAmsterdam ? minBigInt(TRANSACTION_GAS_CAP - intrinsic, left) : left;
  return { gas, stateGas: left - gas };
}

/** What is left after a charge in both dimensions; undefined where it is too little. */
export function charge(budget: GasBudget, gas: bigint, stateGas: bigint): GasBudget | undefined {
  const spilled = stateGas > budget.stateGas ? stateGas - budget.stateGas : 0n;
  const left = budget.gas - gas - spilled;
  return left < 0n ? undefined : { gas: left, stateGas: budget.stateGas - (stateGas - spilled) };
}
