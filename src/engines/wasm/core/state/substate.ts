// Yellow paper §6.1, accrued substate: the accounts and slots that the transaction changed and accessed.

import { Code, NO_CODE } from "../code/code";
import { EIP_161, EIP_8246 } from "../machine/eips";
import { FLAG_EXISTS, FLAG_HAS_CODE, STORAGE_EMPTY } from "../machine/layout";
import { hasEip, transaction } from "../machine/machine";
import { copyHash, Word } from "../words/word";
import { Account } from "./account";
import { beginJournal, keepHalf, keepNumber, keepValue, keepWarm, keepWord } from "./journal";
import { changedAccounts, changedSlots, clearLists, seenAccounts, seenSlots } from "./number-list";
import { Slot } from "./slot";
import { accountAt, accountNumber, slotNumber } from "./world-state";

/** Refund counter, in gas. */
export let refund: i64 = 0;

/** Sets the refund counter, in gas. */
export function setRefund(amount: i64): void {
  refund = amount;
}

/** Resets the substate at the beginning of a transaction. */
export function beginSubstate(): void {
  beginJournal();
  clearLists();
  refund = 0;
}

function noteChange(account: Account): void {
  if (account.dirty == transaction) return;
  account.dirty = transaction;
  changedAccounts.add(accountNumber(account));
}

/** Adds an account to the accessed ones (EIP-7928). */
export function noteSeen(account: Account): void {
  if (account.seen == transaction) return;
  account.seen = transaction;
  seenAccounts.add(accountNumber(account));
}

/** Adds a slot to the accessed ones (EIP-7928). */
export function noteSeenSlot(slot: Slot): void {
  if (slot.seen == transaction) return;
  slot.seen = transaction;
  seenSlots.add(slotNumber(slot));
}

// ---- Accounts.

/** Marks an account as accessed (EIP-2929). @inline */
export function warmAccount(account: Account): void {
  if (account.warm == transaction) return;
  keepHalf(account, offsetof<Account>("warm"));
  account.warm = transaction;
}

/** True for RIPEMD-160's address. It stays touched even if the frame that touched it fails (EIP-161, EIP-716). @inline */
function isRipemd(account: Account): bool {
  return account.keyLow == 3 && (account.keyMiddle | account.keyHigh) == 0;
}

/** Marks an account as touched. If it is empty at the end of the transaction, it is deleted (EIP-161). */
export function touch(account: Account): void {
  noteChange(account);
  if (account.touched == transaction) return;
  if (!isRipemd(account)) keepHalf(account, offsetof<Account>("touched"));
  account.touched = transaction;
}

/** Creates an account if it does not exist. */
export function ensureExists(account: Account): void {
  if (account.exists) return;
  noteChange(account);
  keepHalf(account, offsetof<Account>("flags"));
  account.flags |= FLAG_EXISTS;
}

/** Sets the nonce of an account. */
export function setNonce(account: Account, nonce: u64): void {
  noteChange(account);
  keepNumber(account, offsetof<Account>("nonce"));
  account.nonce = nonce;
}

/** Sets an account's code, given as a code object and its hash. */
export function setCode(account: Account, code: Code, hash: usize, isPresent: bool): void {
  noteChange(account);
  keepHalf(account, offsetof<Account>("code"));
  keepHalf(account, offsetof<Account>("flags"));
  keepHalf(account, offsetof<Account>("newCode"));
  keepWord(account, offsetof<Account>("codeHashLow"));
  account.code = code;
  const flags = account.flags;
  account.flags = isPresent ? flags | FLAG_HAS_CODE : flags & ~FLAG_HAS_CODE;
  account.newCode = transaction;
  copyHash(account.codeHash, hash);
}

/**
 * Marks an account as created by this transaction (EIP-6780). Its storage is empty: a creation requires that
 * (EIP-7610), or without that rule clears it.
 */
export function markCreated(account: Account): void {
  noteChange(account);
  keepHalf(account, offsetof<Account>("created"));
  keepHalf(account, offsetof<Account>("storageFlag"));
  account.created = transaction;
  account.storageFlag = STORAGE_EMPTY;
}

/** Marks an account for deletion at the end of the transaction; false if it was marked already. */
export function markDestroyed(account: Account): bool {
  noteChange(account);
  if (account.destroyed == transaction) return false;
  keepHalf(account, offsetof<Account>("destroyed"));
  account.destroyed = transaction;
  return true;
}

/** Adds wei to an account. Returns true, with nothing changed, if the balance would overflow. */
export function addBalance(account: Account, amount: Word): bool {
  const balance = account.balance;
  const old = keepWord(account, offsetof<Account>("balanceLow"));
  if (balance.setSum(balance, amount)) {
    balance.set(old);
    return true;
  }
  noteChange(account);
  return false;
}

/** Takes wei from an account, whose balance suffices. */
export function subtractBalance(account: Account, amount: Word): void {
  noteChange(account);
  keepWord(account, offsetof<Account>("balanceLow"));
  account.balance.setDifference(account.balance, amount);
}

/** Sets the balance of an account to zero. */
export function clearBalance(account: Account): void {
  noteChange(account);
  keepWord(account, offsetof<Account>("balanceLow"));
  account.balance.setZero();
}

/**
 * Moves wei from a sender whose balance suffices. Before EIP-161 a transfer of zero creates the receiver, too.
 *
 * @returns true if the receiver's balance would overflow
 */
export function transfer(sender: Account, receiver: Account, amount: Word): bool {
  touch(sender);
  touch(receiver);
  const moves = !amount.isZero;
  if (!moves && hasEip(EIP_161)) return false;
  ensureExists(receiver);
  if (!moves) {
    ensureExists(sender);
    return false;
  }
  if (sender == receiver) return false;
  subtractBalance(sender, amount);
  return addBalance(receiver, amount);
}

// ---- Slots.

/** @inline */
export function warmSlot(slot: Slot): void {
  if (slot.isWarm) return;
  keepWarm(slot);
  slot.warm = transaction;
}

/** The slot's value at the beginning of the transaction (EIP-2200). @inline */
export function originalValue(slot: Slot): Word {
  return slot.dirty == transaction ? slot.original : slot.value;
}

/** Sets the value of a slot. */
export function setSlot(slot: Slot, value: Word): void {
  if (slot.value.isEqual(value)) return;
  if (slot.dirty != transaction) {
    slot.dirty = transaction;
    slot.original.set(slot.value);
    changedSlots.add(slotNumber(slot));
  }
  keepValue(slot);
  slot.value.set(value);
}

/** Sets a slot of transient storage to zero on its first use in a transaction (EIP-1153). */
export function beginTransient(slot: Slot): void {
  if (slot.dirty == transaction) return;
  slot.dirty = transaction;
  slot.value.setZero();
}

/** Sets the value of a slot of transient storage. */
export function setTransient(slot: Slot, value: Word): void {
  beginTransient(slot);
  keepValue(slot);
  slot.value.set(value);
}

// ---- End of the transaction.

/**
 * Deletes destroyed accounts, and by EIP-161 also touched accounts that are empty. Afterwards the host
 * reads the changed accounts as the result of the transaction.
 */
export function finishTransaction(): void {
  for (let index: u32 = 0; index < changedAccounts.count; index++) {
    const account = accountAt(changedAccounts.get(index));
    const isDestroyed = account.destroyed == transaction;
    const isTouched = hasEip(EIP_161) && account.touched == transaction;
    if (isDestroyed && hasEip(EIP_8246) && !account.balance.isZero) clearAccount(account);
    else if (isDestroyed || (isTouched && account.isEmpty)) deleteAccount(account);
  }
}

/**
 * Forgets codes that the last transaction set, because the next one reuses their memory. They are requested from the
 * host again.
 */
export function forgetNewCodes(): void {
  for (let index: u32 = 0; index < changedAccounts.count; index++) {
    const account = accountAt(changedAccounts.get(index));
    if (account.newCode == transaction) account.code = NO_CODE;
  }
}

function deleteAccount(account: Account): void {
  clearAccount(account);
  account.flags &= ~FLAG_EXISTS;
  account.balance.setZero();
}

/** Removes everything from an account except its balance (EIP-8246). */
function clearAccount(account: Account): void {
  account.flags &= ~FLAG_HAS_CODE;
  account.nonce = 0;
  account.code = NO_CODE;
  account.storageFlag = 0;
  account.incarnation += 1;
  account.deleted = transaction;
}
