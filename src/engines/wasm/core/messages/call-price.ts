// Yellow paper §8, message calls: their price.

import { Code } from "../code/code";
import { emptyCode } from "../code/new-code";
import { FrameKind } from "../facts.generated";
import { noteAccess, priceAccess } from "../instructions/environment";
import { EIP_150, EIP_161, EIP_7702, EIP_7928, EIP_8037 } from "../machine/eips";
import { FEE_CALL_NEW_ACCOUNT, FEE_CALL_VALUE, FEE_STATE_ACCOUNT, FEE_WARM } from "../machine/layout";
import { fee, frame, gas, hasEip } from "../machine/machine";
import { price } from "../machine/price";
import { REFUSED_STATIC } from "../machine/refusals";
import { isZero, saturated } from "../machine/words";
import { Account } from "../state/account";
import { requireCode, requireCodeLength } from "../state/needs";
import { noteSeen } from "../state/substate";
import { accountAt, accountNumber, findAccount } from "../state/world-state";
import { addStatePrice, beginStatePrice } from "./state-gas";

/** Finds the called account and its code. Returns zero if both are loaded. */
export function findCalled(address: usize): i32 {
  const account = findAccount(address);
  price.account = accountNumber(account);
  price.isDelegated = false;
  if (!hasEip(EIP_7702)) return requireCode(account);
  const status = requireCodeLength(account);
  if (status != 0) return status;
  if (!account.hasCode || !account.code.isDelegation) return requireCode(account);
  price.isDelegated = true;
  const delegate = findAccount(account.code.delegate);
  price.delegate = accountNumber(delegate);
  return requireCode(delegate);
}

/** The code that a call runs. If the delegate has a delegation itself, that is run as ordinary code. */
export function codeOfCalled(): Code {
  const account = accountAt(price.isDelegated ? price.delegate : price.account);
  return account.hasCode ? account.code : emptyCode;
}

/** Marks the delegate of the called account as accessed, if there is one. */
export function noteDelegateAccess(): void {
  if (price.isDelegated) noteAccess(accountAt(price.delegate));
}

/**
 * @param regions - end of the first of four items: offset and length of the input, then of the output
 * @param value - pointer to the item with the transferred value, 0 if the kind of call has none
 */
function priceOfCall(sp: usize, kind: u32, regions: usize, value: usize): i32 {
  const status = findCalled(sp - 64);
  if (status != 0) return status;
  price.gasWithoutChild = 0;
  price.useRegion(regions - 32, regions - 64);
  price.useRegion(regions - 96, regions - 128);
  price.addMemory();
  const account = accountAt(price.account);
  priceAccess(account);
  const moves = value != 0 && !isZero(value);
  if (moves) price.add(fee(FEE_CALL_VALUE));
  const isRefused = kind == FrameKind.CALL && moves && isStatic();
  if (hasEip(EIP_7928) && !isRefused && price.gas <= <u64>gas) noteSeen(account);
  // An account that delegates to itself is warm at this point.
  if (price.isDelegated && price.delegate == price.account) price.add(fee(FEE_WARM));
  else if (price.isDelegated) priceAccess(accountAt(price.delegate));
  if (hasEip(EIP_7928) && price.isDelegated && !isRefused && price.gas <= <u64>gas) noteSeen(accountAt(price.delegate));
  if (hasEip(EIP_8037)) priceGrowth(kind == FrameKind.CALL && moves && account.isEmpty);
  else if (kind == FrameKind.CALL && makesAccount(account, moves)) price.add(fee(FEE_CALL_NEW_ACCOUNT));
  if (!hasEip(EIP_150) && price.gas <= <u64>gas && saturated(sp - 32) > <u64>gas - price.gas) {
    price.gasWithoutChild = price.gas;
    price.setUnpayable();
  }
  return isRefused ? REFUSED_STATIC : 0;
}

/** Adds the price of the account that a call creates (EIP-8037). */
function priceGrowth(growsState: bool): void {
  beginStatePrice();
  if (growsState) addStatePrice(fee(FEE_STATE_ACCOUNT));
  price.accountGas = growsState ? fee(FEE_STATE_ACCOUNT) : 0;
}

/**
 * True if the call pays for a new account: before EIP-161 any that does not exist, since then only if it receives
 * value.
 *
 * @inline
 */
function makesAccount(account: Account, moves: bool): bool {
  return hasEip(EIP_161) ? moves && account.isEmpty : !account.exists;
}

/** @inline */
function isStatic(): bool {
  return frame.isStatic;
}

export function priceCall(sp: usize): i32 {
  return priceOfCall(sp, FrameKind.CALL, sp - 96, sp - 96);
}
export function priceCallcode(sp: usize): i32 {
  return priceOfCall(sp, FrameKind.CALL_CODE, sp - 96, sp - 96);
}
export function priceDelegatecall(sp: usize): i32 {
  return priceOfCall(sp, FrameKind.DELEGATE_CALL, sp - 64, 0);
}
export function priceStaticcall(sp: usize): i32 {
  return priceOfCall(sp, FrameKind.STATIC_CALL, sp - 64, 0);
}

/** Gas that a call passes to its frame, given the requested gas (EIP-150). */
export function forwardedOf(requested: u64, available: i64): i64 {
  if (!hasEip(EIP_150)) return <i64>requested;
  const most = available - available / 64;
  return requested < <u64>most ? <i64>requested : most;
}
