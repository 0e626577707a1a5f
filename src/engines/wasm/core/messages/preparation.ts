// Charges that are due before the outermost frame begins (EIP-2780, EIP-8037).

import { EIP_2780, EIP_7928 } from "../machine/eips";
import { fees } from "../machine/fees";
import { Frame } from "../machine/frame";
import { hasEip } from "../machine/machine";
import { price } from "../machine/price";
import { noteSeen } from "../state/substate";
import { accountAt } from "../state/world-state";
import { chargeState } from "./state-gas";

/** 1 if the outermost frame did not begin because its gas was too little for these charges. */
export let isUnprepared: u32 = 0;

/** Charges the account that a transaction creates. Returns false if the gas does not suffice. */
export function payForAccount(first: Frame): bool {
  return payState(first, fees.stateAccount);
}

function payState(first: Frame, amount: i64): bool {
  const left = chargeState(first, first.gas, amount);
  isUnprepared = u32(left < 0);
  if (left < 0) return false;
  first.gas = left;
  return true;
}

/** Resets the result of the last message. */
export function beginPreparation(): void {
  isUnprepared = 0;
}

/**
 * Charges the creation of the called account and the access to its delegate. Returns false if the gas does not suffice.
 */
export function prepareCalled(first: Frame): bool {
  const account = accountAt(price.account);
  if (hasEip(EIP_7928)) noteSeen(account);
  if (!first.value.isZero && account.isEmpty && !payForAccount(first)) return false;
  if (!price.isDelegated || !hasEip(EIP_2780)) return true;
  const cost = <i64>(accountAt(price.delegate).isWarm ? fees.warm : fees.coldAccount);
  const left = first.gas;
  isUnprepared = u32(cost > left);
  if (cost > left) return false;
  first.gas = left - cost;
  return true;
}
