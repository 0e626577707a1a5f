// Yellow paper §8, message calls: their price.

import { Code } from "../code/code";
import { emptyCode } from "../code/new-code";
import { FrameKind } from "../facts.generated";
import { noteAccess, priceAccess } from "../instructions/environment";
import { EIP_150, EIP_161, EIP_7702, EIP_7928, EIP_8037 } from "../machine/eips";
import { fees } from "../machine/fees";
import { frame, gas, hasEip } from "../machine/machine";
import { price } from "../machine/price";
import { REFUSED_STATIC } from "../machine/refusals";
import { Account } from "../state/account";
import { requireCode, requireCodeLength } from "../state/needs";
import { noteSeen } from "../state/substate";
import { accountAt, accountNumber, findAccount } from "../state/world-state";
import { Stack } from "../words/stack";
import { Word } from "../words/word";
import { addStatePrice, beginStatePrice } from "./state-gas";

/** Finds the called account and its code. Returns zero if both are loaded. */
export function findCalled(address: Word): i32 {
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
 * @param regions - the stack from four items on: offset and length of the input, then of the output
 * @param value - the transferred value, null if the kind of call has none
 */
function priceOfCall(stack: Stack, kind: u32, regions: Stack, value: Word | null): i32 {
  const status = findCalled(stack.second);
  if (status != 0) return status;
  price.gasWithoutChild = 0;
  price.useRegion(regions.top, regions.second);
  price.useRegion(regions.third, regions.fourth);
  price.addMemory();
  const account = accountAt(price.account);
  priceAccess(account);
  const moves = value != null && !value.isZero;
  if (moves) price.add(fees.callValue);
  const isRefused = kind == FrameKind.CALL && moves && isStatic();
  if (hasEip(EIP_7928) && !isRefused && price.gas <= <u64>gas) noteSeen(account);
  // An account that delegates to itself is warm at this point.
  if (price.isDelegated && price.delegate == price.account) price.add(fees.warm);
  else if (price.isDelegated) priceAccess(accountAt(price.delegate));
  if (hasEip(EIP_7928) && price.isDelegated && !isRefused && price.gas <= <u64>gas) noteSeen(accountAt(price.delegate));
  if (hasEip(EIP_8037)) priceGrowth(kind == FrameKind.CALL && moves && account.isEmpty);
  else if (kind == FrameKind.CALL && makesAccount(account, moves)) price.add(fees.callNewAccount);
  if (!hasEip(EIP_150) && price.gas <= <u64>gas && stack.top.saturated > <u64>gas - price.gas) {
    price.gasWithoutChild = price.gas;
    price.setUnpayable();
  }
  return isRefused ? REFUSED_STATIC : 0;
}

/** Adds the price of the account that a call creates (EIP-8037). */
function priceGrowth(growsState: bool): void {
  beginStatePrice();
  if (growsState) addStatePrice(fees.stateAccount);
  price.accountGas = growsState ? fees.stateAccount : 0;
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

export function priceCall(stack: Stack): i32 {
  return priceOfCall(stack, FrameKind.CALL, stack.below(3), stack.third);
}
export function priceCallcode(stack: Stack): i32 {
  return priceOfCall(stack, FrameKind.CALL_CODE, stack.below(3), stack.third);
}
export function priceDelegatecall(stack: Stack): i32 {
  return priceOfCall(stack, FrameKind.DELEGATE_CALL, stack.below(2), null);
}
export function priceStaticcall(stack: Stack): i32 {
  return priceOfCall(stack, FrameKind.STATIC_CALL, stack.below(2), null);
}

/** Gas that a call passes to its frame, given the requested gas (EIP-150). */
export function forwardedOf(requested: u64, available: i64): i64 {
  if (!hasEip(EIP_150)) return <i64>requested;
  const most = available - available / 64;
  return requested < <u64>most ? <i64>requested : most;
}
