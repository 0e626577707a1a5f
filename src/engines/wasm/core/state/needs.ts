// The list of missing state. A request has a kind and the number of an entry; the host fills in the entry.

import { NO_CODE } from "../code/code";
import { EIP_7610 } from "../machine/eips";
import { NEED_ACCOUNT, NEED_CODE, NEED_SLOT, NEED_STORAGE_FLAG, NEEDS } from "../machine/layout";
import { hasEip } from "../machine/machine";
import { mailbox } from "../machine/mailbox";
import { Account } from "./account";
import { Slot } from "./slot";
import { accountAt, accountNumber, slotNumber } from "./world-state";

/** Returns zero if the account is loaded, otherwise the code that `run` returns for missing state. @inline */
export function requireAccount(account: Account): i32 {
  return account.isLoaded ? 0 : needOf(NEED_ACCOUNT, accountNumber(account));
}

/** The same for two accounts by their numbers, which are requested together. */
export function requireAccounts(first: u32, second: u32): i32 {
  mailbox.needCount = 0;
  if (!accountAt(first).isLoaded) mailbox.addNeed(NEED_ACCOUNT, first);
  if (second != first && !accountAt(second).isLoaded) mailbox.addNeed(NEED_ACCOUNT, second);
  return mailbox.needCount == 0 ? 0 : NEEDS;
}

/** The same for an account and the length of its code. */
export function requireCodeLength(account: Account): i32 {
  if (!account.isLoaded) return needOf(NEED_ACCOUNT, accountNumber(account));
  if (!account.hasCode || account.code != NO_CODE) return 0;
  return needOf(NEED_CODE, accountNumber(account));
}

/** The same for an account and its code. @inline */
export function requireCode(account: Account): i32 {
  if (!account.isLoaded) return needOf(NEED_ACCOUNT, accountNumber(account));
  if (!account.hasCode || (account.code != NO_CODE && account.code.isLoaded)) return 0;
  return needOf(NEED_CODE, accountNumber(account));
}

/** The same for a slot's value. @inline */
export function requireSlot(slot: Slot): i32 {
  return slot.loaded != 0 ? 0 : loadSlot(slot);
}

function loadSlot(slot: Slot): i32 {
  const account = accountAt(slot.account);
  if (!account.isCreatedNow) return needOf(NEED_SLOT, slotNumber(slot));
  // The storage of a new contract is empty, which was checked when it was created.
  slot.value.setZero();
  slot.loaded = 1;
  return 0;
}

/** Returns zero if it is known whether the account has storage, or does not matter, as without EIP-7610. */
export function requireStorageFlag(account: Account): i32 {
  if (!hasEip(EIP_7610)) return 0;
  if (account.storageFlag != 0 || !account.exists) return 0;
  return needOf(NEED_STORAGE_FLAG, accountNumber(account));
}

function needOf(kind: u32, number: u32): i32 {
  mailbox.needCount = 0;
  mailbox.addNeed(kind, number);
  return NEEDS;
}
