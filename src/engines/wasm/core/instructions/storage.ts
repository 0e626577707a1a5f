// Yellow paper appendix H.2, 50s: SLOAD and SSTORE at the prices of EIP-150, 1283, 1884, 2200, 2929, 3529, 8037 and 8038;
// TLOAD and TSTORE (EIP-1153).

import { EIP_1283, EIP_2200, EIP_2929, EIP_7928, EIP_8037, EIP_8038 } from "../machine/eips";
import { fees } from "../machine/fees";
import { frame, gas, hasEip } from "../machine/machine";
import { price } from "../machine/price";
import { REFUSED_SENTRY, REFUSED_STATIC } from "../machine/refusals";
import { addStatePrice, beginStatePrice, refundRunning, takeStateGas } from "../messages/state-gas";
import { requireSlot } from "../state/needs";
import { Slot } from "../state/slot";
import {
  beginTransient,
  noteSeenSlot,
  originalValue,
  refund,
  setRefund,
  setSlot,
  setTransient,
  warmSlot,
} from "../state/substate";
import { accountAt, findSlot, findStorage, knownSlot, slotAt, slotNumber, TRANSIENT } from "../state/world-state";
import { Stack } from "../words/stack";
import { Word } from "../words/word";

/** SSTORE fails unless more gas than this is left (EIP-2200). */
const STIPEND: i64 = 2300;

/** @inline */
function isStatic(): bool {
  return frame.isStatic;
}

/** Finds the slot whose key is on top of the stack. Returns zero if its value is loaded. @inline */
function findTop(stack: Stack): i32 {
  const slot = findStorage(accountAt(frame.self), stack.top);
  price.slot = slotNumber(slot);
  return requireSlot(slot);
}

export function priceSload(stack: Stack): i32 {
  const status = findTop(stack);
  if (status != 0) return status;
  if (hasEip(EIP_2929)) price.add(slotAt(price.slot).isWarm ? fees.warm : fees.coldSlot);
  return 0;
}

export function runSload(stack: Stack): void {
  const slot = slotAt(price.slot);
  if (hasEip(EIP_2929)) warmSlot(slot);
  if (hasEip(EIP_7928)) noteSeenSlot(slot);
  stack.top.set(slot.value);
}

export function priceSstore(stack: Stack): i32 {
  const status = findTop(stack);
  if (status != 0) return status;
  const slot = slotAt(price.slot);
  const value = stack.second;
  price.refund = 0;
  if (hasEip(EIP_8037 | EIP_8038)) return priceAccessAndWrite(slot, value);
  if (hasEip(EIP_2929) && !slot.isWarm) price.add(fees.coldSlot);
  if (hasEip(EIP_1283 | EIP_2200)) priceNetChange(slot, value);
  else priceChange(slot, value);
  if (isStatic()) return REFUSED_STATIC;
  return hasEip(EIP_2200) && gas <= STIPEND ? REFUSED_SENTRY : 0;
}

/** Gas of the first change of a slot in a transaction (EIP-8038). */
const STORAGE_WRITE: i64 = 10_000;
/** The price by EIP-8037 and EIP-8038, which presuppose each other: separate costs for access, write and state growth. */
function priceAccessAndWrite(slot: Slot, value: Word): i32 {
  price.add(slot.isWarm ? fees.warm : fees.coldSlot);
  beginStatePrice();
  price.stateRefund = 0;
  if (isStatic()) return REFUSED_STATIC;
  if (gas <= STIPEND) return REFUSED_SENTRY;
  if (hasEip(EIP_7928) && price.gas <= <u64>gas) noteSeenSlot(slot);
  const current = slot.value;
  if (current.isEqual(value)) return 0;
  const original = originalValue(slot);
  const wasZero = original.isZero;
  if (original.isEqual(current)) {
    price.add(STORAGE_WRITE);
    if (wasZero) addStatePrice(fees.stateSlot);
    else if (value.isZero) price.refund = fees.sstoreClearRefund;
    return 0;
  }
  if (!wasZero) {
    if (current.isZero) price.refund -= fees.sstoreClearRefund;
    else if (value.isZero) price.refund += fees.sstoreClearRefund;
  }
  if (original.isEqual(value)) {
    if (wasZero) price.stateRefund = fees.stateSlot;
    price.refund += STORAGE_WRITE;
  }
  return 0;
}

/** The price before EIP-1283. It depends only on whether the old and the new value are zero. */
function priceChange(slot: Slot, value: Word): void {
  const isSet = slot.value.isZero && !value.isZero;
  price.add(isSet ? fees.sstoreSet : fees.sstoreReset);
  if (!slot.value.isZero && value.isZero) price.refund = fees.sstoreClearRefund;
}

/** Net metering: the price also depends on the value at the beginning of the transaction (EIP-1283, EIP-2200). */
function priceNetChange(slot: Slot, value: Word): void {
  const current = slot.value;
  const original = originalValue(slot);
  if (current.isEqual(value)) return price.add(fees.sstoreNoop);
  const wasZero = original.isZero;
  if (original.isEqual(current)) {
    price.add(wasZero ? fees.sstoreSet : fees.sstoreReset);
    if (!wasZero && value.isZero) price.refund = fees.sstoreClearRefund;
    return;
  }
  price.add(fees.sstoreNoop);
  if (!wasZero) {
    if (current.isZero) price.refund -= fees.sstoreClearRefund;
    else if (value.isZero) price.refund += fees.sstoreClearRefund;
  }
  if (original.isEqual(value)) {
    price.refund += (wasZero ? fees.sstoreSet : fees.sstoreReset) - fees.sstoreNoop;
  }
}

export function runSstore(stack: Stack): void {
  const slot = slotAt(price.slot);
  if (hasEip(EIP_2929)) warmSlot(slot);
  setRefund(refund + price.refund);
  setSlot(slot, stack.second);
  if (hasEip(EIP_8037)) {
    takeStateGas();
    if (price.stateRefund != 0) refundRunning(price.stateRefund);
  }
}

export function runTload(stack: Stack): void {
  // Adds no entry for a slot that was never written.
  const slot = knownSlot(frame.self, TRANSIENT, stack.top);
  if (slot == null) return stack.top.setZero();
  beginTransient(slot);
  stack.top.set(slot.value);
}

export function priceTstore(_stack: Stack): i32 {
  return isStatic() ? REFUSED_STATIC : 0;
}

export function runTstore(stack: Stack): void {
  setTransient(findSlot(frame.self, TRANSIENT, stack.top), stack.second);
}
