/** The gas of a transaction after its intrinsic gas; with EIP-8037 in two dimensions. */
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { TRANSACTION_GAS_CAP } from "../chainspec/transaction/intrinsic-gas.ts";
import { minBigInt } from "../primitives/bytes/limits.ts";

/** Gas that is left. */
export interface GasBudget {
  /** For all purposes. */
  readonly gas: bigint;
  /** Only for growth of the state; used first. */
  readonly stateGas: bigint;
}

/**
 * Splits the gas after the intrinsic gas: the part above EIP-7825's cap is state gas, even if the cap is not enforced.
 */
export function gasBudget(gasLimit: bigint, intrinsic: bigint, rules: Rules): GasBudget {
  const left = gasLimit - intrinsic;
  const gas = rules.has(8037) ? minBigInt(TRANSACTION_GAS_CAP - intrinsic, left) : left;
  return { gas, stateGas: left - gas };
}

/** The gas left after a charge in both dimensions; undefined if there is too little. */
export function charge(budget: GasBudget, gas: bigint, stateGas: bigint): GasBudget | undefined {
  const spilled = stateGas > budget.stateGas ? stateGas - budget.stateGas : 0n;
  const left = budget.gas - gas - spilled;
  return left < 0n ? undefined : { gas: left, stateGas: budget.stateGas - (stateGas - spilled) };
}
