// Yellow paper appendix H.2, f0s: RETURN, REVERT (EIP-140) and SELFDESTRUCT (EIP-150, 161, 2929, 3529, 6780, 7708, 8037,
// 8246).

import { EIP_161, EIP_2929, EIP_6780, EIP_7708, EIP_7928, EIP_8037, EIP_8246 } from "../machine/eips";
import {
  FEE_COLD_ACCOUNT,
  FEE_SELFDESTRUCT_NEW_ACCOUNT,
  FEE_SELFDESTRUCT_REFUND,
  FEE_STATE_ACCOUNT,
  TRACE_FRAMES,
} from "../machine/layout";
import { fee, frame, gas, hasEip } from "../machine/machine";
import { memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { REFUSED_STATIC } from "../machine/refusals";
import { copyAddress, copyWord, isZero, saturated } from "../machine/words";
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
import { noteAccess } from "./environment";

function priceOfOutput(sp: usize): i32 {
  price.useRegion(sp - 32, sp - 64);
  price.addMemory();
  return 0;
}

export function priceReturn(sp: usize): i32 {
  return priceOfOutput(sp);
}

export function priceRevert(sp: usize): i32 {
  return priceOfOutput(sp);
}

/** STOP: ends the running frame without output. */
export function stop(): i32 {
  frame.gas = gas;
  return leave(0, memoryStart, 0);
}

/** Address of the region of memory that the operands of RETURN and REVERT name. */
function outputOf(sp: usize, length: usize): usize {
  return length == 0 ? memoryStart : memoryStart + <usize>load<u32>(sp - 32);
}

export function runReturn(sp: usize): i32 {
  frame.gas = gas;
  const length = <usize>saturated(sp - 64);
  return leave(0, outputOf(sp, length), length);
}

export function runRevert(sp: usize): i32 {
  frame.gas = gas;
  const length = <usize>saturated(sp - 64);
  return revertWith(outputOf(sp, length), length);
}

// ---- SELFDESTRUCT.

export function priceSelfdestruct(sp: usize): i32 {
  const account = findAccount(sp - 32);
  price.account = accountNumber(account);
  const status = requireAccount(account);
  if (status != 0) return status;
  const self = accountAt(frame.self);
  if (hasEip(EIP_2929) && !account.isWarm) price.add(fee(FEE_COLD_ACCOUNT));
  const isStatic = frame.isStatic;
  if (hasEip(EIP_8037)) beginStatePrice();
  if (hasEip(EIP_7928) && !isStatic && price.gas <= <u64>gas) noteSeen(account);
  const makesAccount = hasEip(EIP_161) ? !isZero(self.balance) && account.isEmpty : !account.exists;
  if (makesAccount) {
    price.add(fee(FEE_SELFDESTRUCT_NEW_ACCOUNT));
    if (hasEip(EIP_8037)) addStatePrice(fee(FEE_STATE_ACCOUNT));
  }
  return isStatic ? REFUSED_STATIC : 0;
}

const moved = memory.data(32, 16);
const beneficiary = memory.data(32, 16);

export function runSelfdestruct(sp: usize): i32 {
  const self = accountAt(frame.self);
  const receiver = accountAt(price.account);
  noteAccess(receiver);
  if (hasEip(EIP_8037)) takeStateGas();
  copyWord(moved, self.balance);
  copyAddress(beneficiary, sp - 32);
  touch(receiver);
  const isLost = !hasEip(EIP_6780) || self.isCreatedNow;
  if (receiver != self) {
    if (!isZero(moved) || !hasEip(EIP_161)) ensureExists(receiver);
    subtractBalance(self, moved);
    addBalance(receiver, moved);
    if (hasEip(EIP_7708)) addTransferLog(frame.address, beneficiary, moved);
  } else if (isLost && !hasEip(EIP_8246)) clearBalance(self);
  if (isLost && markDestroyed(self)) setRefund(refund + <i64>fee(FEE_SELFDESTRUCT_REFUND));
  if (wants(TRACE_FRAMES)) tellSelfDestruct(frame.address, beneficiary, moved);
  return stop();
}
