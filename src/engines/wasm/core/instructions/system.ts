// Yellow paper appendix H.2, f0s: RETURN, REVERT (EIP-140) and SELFDESTRUCT (EIP-150, 161, 2929, 3529, 6780, 7708, 8037,
// 8246).

import { EIP_161, EIP_2929, EIP_6780, EIP_7708, EIP_7928, EIP_8037, EIP_8246 } from "../machine/eips";
import { fees } from "../machine/fees";
import { TRACE_FRAMES } from "../machine/layout";
import { frame, gas, hasEip } from "../machine/machine";
import { memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { REFUSED_STATIC } from "../machine/refusals";
import { leave, revertWith } from "../messages/frame-end";
import { addStatePrice, beginStatePrice, takeStateGas } from "../messages/state-gas";
import { addTransferLog } from "../messages/transfer-log";
import { requireAccount } from "../state/needs";
import {
  addBalance,
  clearBalance,
  ensureExists,
  markDestroyed,
  noteSeen,
  refund,
  setRefund,
  subtractBalance,
  touch,
} from "../state/substate";
import { accountAt, accountNumber, findAccount } from "../state/world-state";
import { tellSelfDestruct } from "../trace/events";
import { wants } from "../trace/recording";
import { Stack } from "../words/stack";
import { Word } from "../words/word";
import { noteAccess } from "./environment";

function priceOfOutput(stack: Stack): i32 {
  price.useRegion(stack.top, stack.second);
  price.addMemory();
  return 0;
}

export function priceReturn(stack: Stack): i32 {
  return priceOfOutput(stack);
}

export function priceRevert(stack: Stack): i32 {
  return priceOfOutput(stack);
}

/** STOP: ends the running frame without output. */
export function stop(): i32 {
  frame.gas = gas;
  return leave(0, memoryStart, 0);
}

/** Address of the region of memory that the operands of RETURN and REVERT name. */
function outputOf(stack: Stack, length: usize): usize {
  return length == 0 ? memoryStart : memoryStart + <usize>stack.top.lowest32;
}

export function runReturn(stack: Stack): i32 {
  frame.gas = gas;
  const length = <usize>stack.second.saturated;
  return leave(0, outputOf(stack, length), length);
}

export function runRevert(stack: Stack): i32 {
  frame.gas = gas;
  const length = <usize>stack.second.saturated;
  return revertWith(outputOf(stack, length), length);
}

// ---- SELFDESTRUCT.

export function priceSelfdestruct(stack: Stack): i32 {
  const account = findAccount(stack.top);
  price.account = accountNumber(account);
  const status = requireAccount(account);
  if (status != 0) return status;
  const self = accountAt(frame.self);
  if (hasEip(EIP_2929) && !account.isWarm) price.add(fees.coldAccount);
  const isStatic = frame.isStatic;
  if (hasEip(EIP_8037)) beginStatePrice();
  if (hasEip(EIP_7928) && !isStatic && price.gas <= <u64>gas) noteSeen(account);
  const makesAccount = hasEip(EIP_161) ? !self.balance.isZero && account.isEmpty : !account.exists;
  if (makesAccount) {
    price.add(fees.selfdestructNewAccount);
    if (hasEip(EIP_8037)) addStatePrice(fees.stateAccount);
  }
  return isStatic ? REFUSED_STATIC : 0;
}

const moved: Word = changetype<Word>(memory.data(32, 16));
const beneficiary: Word = changetype<Word>(memory.data(32, 16));

export function runSelfdestruct(stack: Stack): i32 {
  const self = accountAt(frame.self);
  const receiver = accountAt(price.account);
  noteAccess(receiver);
  if (hasEip(EIP_8037)) takeStateGas();
  moved.set(self.balance);
  beneficiary.setAddress(stack.top);
  touch(receiver);
  const isLost = !hasEip(EIP_6780) || self.isCreatedNow;
  if (receiver != self) {
    if (!moved.isZero || !hasEip(EIP_161)) ensureExists(receiver);
    subtractBalance(self, moved);
    addBalance(receiver, moved);
    if (hasEip(EIP_7708)) addTransferLog(frame.address, beneficiary, moved);
  } else if (isLost && !hasEip(EIP_8246)) clearBalance(self);
  if (isLost && markDestroyed(self)) setRefund(refund + <i64>fees.selfdestructRefund);
  if (wants(TRACE_FRAMES)) tellSelfDestruct(frame.address, beneficiary, moved);
  return stop();
}
