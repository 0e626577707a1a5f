// Yellow paper appendix H.2, 50s: SLOAD and SSTORE at the prices of EIP-150, 1283, 1884, 2200, 2929, 3529, 8037 and 8038;
// TLOAD and TSTORE (EIP-1153).

import { EIP_1283, EIP_2200, EIP_2929, EIP_7928, EIP_8037, EIP_8038 } from "../machine/eips";
import {
  FEE_COLD_SLOT,
  FEE_SSTORE_CLEAR_REFUND,
  FEE_SSTORE_NOOP,
  FEE_SSTORE_RESET,
  FEE_SSTORE_SET,
  FEE_STATE_SLOT,
  FEE_WARM,
} from "../machine/layout";
import { fee, frame, gas, hasEip } from "../machine/machine";
import { price } from "../machine/price";
import { REFUSED_SENTRY, REFUSED_STATIC } from "../machine/refusals";
import { copyWord, isEqual, isZero, setZero } from "../machine/words";
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

/** SSTORE fails unless more gas than this is left (EIP-2200). */
const STIPEND: i64 = 2300;

/** @inline */
function isStatic(): bool {
  return frame.isStatic;
}

/** Finds the slot whose key is on top of the stack. Returns zero if its value is loaded. @inline */
function findTop(sp: usize): i32 {
  const slot = findStorage(accountAt(frame.self), sp - 32);
  price.slot = slotNumber(slot);
  return requireSlot(slot);
}

export function priceSload(sp: usize): i32 {
  const status = findTop(sp);
  if (status != 0) return status;
  if (hasEip(EIP_2929)) price.add(slotAt(price.slot).isWarm ? fee(FEE_WARM) : fee(FEE_COLD_SLOT));
  return 0;
}

export function runSload(sp: usize): void {
  const slot = slotAt(price.slot);
  if (hasEip(EIP_2929)) warmSlot(slot);
  if (hasEip(EIP_7928)) noteSeenSlot(slot);
  copyWord(sp - 32, slot.value);
}

export function priceSstore(sp: usize): i32 {
  const status = findTop(sp);
  if (status != 0) return status;
  const slot = slotAt(price.slot);
  const value = sp - 64;
  price.refund = 0;
  if (hasEip(EIP_8037 | EIP_8038)) return priceAccessAndWrite(slot, value);
  if (hasEip(EIP_2929) && !slot.isWarm) price.add(fee(FEE_COLD_SLOT));
  if (hasEip(EIP_1283 | EIP_2200)) priceNetChange(slot, value);
  else priceChange(slot, value);
  if (isStatic()) return REFUSED_STATIC;
  return hasEip(EIP_2200) && gas <= STIPEND ? REFUSED_SENTRY : 0;
}

/** Gas of the first change of a slot in a transaction (EIP-8038). */
const STORAGE_WRITE: i64 = 10_000;
/** The price by EIP-8037 and EIP-8038, which presuppose each other: separate costs for access, write and state growth. */
function priceAccessAndWrite(slot: Slot, value: usize): i32 {
  price.add(slot.isWarm ? fee(FEE_WARM) : fee(FEE_COLD_SLOT));
  beginStatePrice();
  price.stateRefund = 0;
  if (isStatic()) return REFUSED_STATIC;
  if (gas <= STIPEND) return REFUSED_SENTRY;
  if (hasEip(EIP_7928) && price.gas <= <u64>gas) noteSeenSlot(slot);
  const current = slot.value;
  if (isEqual(current, value)) return 0;
  const original = originalValue(slot);
  const wasZero = isZero(original);
  if (isEqual(original, current)) {
    price.add(STORAGE_WRITE);
    if (wasZero) addStatePrice(fee(FEE_STATE_SLOT));
    else if (isZero(value)) price.refund = fee(FEE_SSTORE_CLEAR_REFUND);
    return 0;
  }
  if (!wasZero) {
    if (isZero(current)) price.refund -= fee(FEE_SSTORE_CLEAR_REFUND);
    else if (isZero(value)) price.refund += fee(FEE_SSTORE_CLEAR_REFUND);
  }
  if (isEqual(original, value)) {
    if (wasZero) price.stateRefund = fee(FEE_STATE_SLOT);
    price.refund += STORAGE_WRITE;
  }
  return 0;
}

/** The price before EIP-1283. It depends only on whether the old and the new value are zero. */
function priceChange(slot: Slot, value: usize): void {
  const isSet = isZero(slot.value) && !isZero(value);
  price.add(isSet ? fee(FEE_SSTORE_SET) : fee(FEE_SSTORE_RESET));
  if (!isZero(slot.value) && isZero(value)) price.refund = fee(FEE_SSTORE_CLEAR_REFUND);
}

/** Net metering: the price also depends on the value at the beginning of the transaction (EIP-1283, EIP-2200). */
function priceNetChange(slot: Slot, value: usize): void {
  const current = slot.value;
  const original = originalValue(slot);
  if (isEqual(current, value)) return price.add(fee(FEE_SSTORE_NOOP));
  const wasZero = isZero(original);
  if (isEqual(original, current)) {
    price.add(wasZero ? fee(FEE_SSTORE_SET) : fee(FEE_SSTORE_RESET));
    if (!wasZero && isZero(value)) price.refund = fee(FEE_SSTORE_CLEAR_REFUND);
    return;
  }
  price.add(fee(FEE_SSTORE_NOOP));
  if (!wasZero) {
    if (isZero(current)) price.refund -= fee(FEE_SSTORE_CLEAR_REFUND);
    else if (isZero(value)) price.refund += fee(FEE_SSTORE_CLEAR_REFUND);
  }
  if (isEqual(original, value)) {
    price.refund += (wasZero ? fee(FEE_SSTORE_SET) : fee(FEE_SSTORE_RESET)) - fee(FEE_SSTORE_NOOP);
  }
}

export function runSstore(sp: usize): void {
  const slot = slotAt(price.slot);
  if (hasEip(EIP_2929)) warmSlot(slot);
  setRefund(refund + price.refund);
  setSlot(slot, sp - 64);
  if (hasEip(EIP_8037)) {
    takeStateGas();
    if (price.stateRefund != 0) refundRunning(price.stateRefund);
  }
}

export function runTload(sp: usize): void {
  // Adds no entry for a slot that was never written.
  const slot = knownSlot(frame.self, TRANSIENT, sp - 32);
  if (slot == null) return setZero(sp - 32);
  beginTransient(slot);
  copyWord(sp - 32, slot.value);
}

export function priceTstore(_sp: usize): i32 {
  return isStatic() ? REFUSED_STATIC : 0;
}

export function runTstore(sp: usize): void {
  setTransient(findSlot(frame.self, TRANSIENT, sp - 32), sp - 64);
}
