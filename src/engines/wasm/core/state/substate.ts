// Yellow paper §6.1, accrued substate: the accounts and slots that the transaction changed and accessed.

import { EIP_161, EIP_8246 } from "../machine/eips";
import { moved, reserve } from "../machine/heap";
import {
  ACCOUNT_BALANCE,
  ACCOUNT_CODE,
  ACCOUNT_CODE_HASH,
  ACCOUNT_CREATED,
  ACCOUNT_DELETED,
  ACCOUNT_DESTROYED,
  ACCOUNT_DIRTY,
  ACCOUNT_FLAGS,
  ACCOUNT_INCARNATION,
  ACCOUNT_NEW_CODE,
  ACCOUNT_NONCE,
  ACCOUNT_SEEN,
  ACCOUNT_STORAGE_FLAG,
  ACCOUNT_TOUCHED,
  ACCOUNT_WARM,
  FLAG_ALWAYS_WARM,
  FLAG_EXISTS,
  FLAG_HAS_CODE,
  SLOT_DIRTY,
  SLOT_ORIGINAL,
  SLOT_SEEN,
  SLOT_VALUE,
  SLOT_WARM,
  STORAGE_EMPTY,
} from "../machine/layout";
import { hasEip, transaction } from "../machine/machine";
import { copyWord, difference, isEqual, isZero, setZero, sum } from "../machine/words";
import {
  ACCOUNT_NUMBER,
  ACCOUNT_WORD,
  SLOT_HALF,
  SLOT_WORD,
  beginJournal,
  keepHalf,
  keepWord,
  newEntry,
} from "./journal";
import { accountAt, accountNumber, hasFlag, isEmpty, slotNumber } from "./world-state";

// ---- Numbers of changed accounts and slots, each once. Includes those whose changes were undone.

let changedAccounts: usize = 0;
let changedAccountCapacity: u32 = 0;
export let changedAccountCount: u32 = 0;
let changedSlots: usize = 0;
let changedSlotCapacity: u32 = 0;
export let changedSlotCount: u32 = 0;

/** Refund counter, in gas. */
export let refund: i64 = 0;
export function setRefund(amount: i64): void {
  refund = amount;
}

/** Resets the substate at the beginning of a transaction. */
export function beginSubstate(): void {
  beginJournal();
  if (changedAccountCapacity == 0) {
    changedAccountCapacity = 128;
    changedAccounts = reserve(changedAccountCapacity * 4);
    changedSlotCapacity = 256;
    changedSlots = reserve(changedSlotCapacity * 4);
  }
  changedAccountCount = 0;
  changedSlotCount = 0;
  seenAccountCount = 0;
  seenSlotCount = 0;
  refund = 0;
}

function noteChange(account: usize): void {
  if (load<u32>(account + ACCOUNT_DIRTY) == transaction) return;
  store<u32>(account + ACCOUNT_DIRTY, transaction);
  if (changedAccountCount == changedAccountCapacity) {
    changedAccounts = moved(changedAccounts, <usize>changedAccountCount << 2, <usize>changedAccountCount << 3);
    changedAccountCapacity *= 2;
  }
  store<u32>(changedAccounts + (<usize>changedAccountCount << 2), accountNumber(account));
  changedAccountCount++;
}

// ---- Numbers of accessed accounts and slots, each once. Includes accesses in frames that failed (EIP-7928).

let seenAccounts: usize = 0;
let seenAccountCapacity: u32 = 0;
export let seenAccountCount: u32 = 0;
let seenSlots: usize = 0;
let seenSlotCapacity: u32 = 0;
export let seenSlotCount: u32 = 0;

export function seenAccountList(): usize {
  return seenAccounts;
}
export function seenSlotList(): usize {
  return seenSlots;
}

/** Adds an account to the accessed ones. */
export function noteSeen(account: usize): void {
  if (load<u32>(account + ACCOUNT_SEEN) == transaction) return;
  store<u32>(account + ACCOUNT_SEEN, transaction);
  if (seenAccountCount == seenAccountCapacity) {
    const capacity = max<u32>(seenAccountCapacity * 2, 128);
    seenAccounts = moved(seenAccounts, <usize>seenAccountCount << 2, <usize>capacity << 2);
    seenAccountCapacity = capacity;
  }
  store<u32>(seenAccounts + (<usize>seenAccountCount << 2), accountNumber(account));
  seenAccountCount++;
}

/** Adds a slot to the accessed ones. */
export function noteSeenSlot(slot: usize): void {
  if (load<u32>(slot + SLOT_SEEN) == transaction) return;
  store<u32>(slot + SLOT_SEEN, transaction);
  if (seenSlotCount == seenSlotCapacity) {
    const capacity = max<u32>(seenSlotCapacity * 2, 256);
    seenSlots = moved(seenSlots, <usize>seenSlotCount << 2, <usize>capacity << 2);
    seenSlotCapacity = capacity;
  }
  store<u32>(seenSlots + (<usize>seenSlotCount << 2), slotNumber(slot));
  seenSlotCount++;
}

/** Addresses of the lists of changed accounts and changed slots. */
export function changedAccountList(): usize {
  return changedAccounts;
}
export function changedSlotList(): usize {
  return changedSlots;
}

// ---- Accounts.

/** Marks an account as accessed (EIP-2929). @inline */
export function warmAccount(account: usize): void {
  if (load<u32>(account + ACCOUNT_WARM) == transaction) return;
  keepHalf(account, ACCOUNT_WARM);
  store<u32>(account + ACCOUNT_WARM, transaction);
}

/** @inline */
export function isWarmAccount(account: usize): bool {
  return load<u32>(account + ACCOUNT_WARM) == transaction || hasFlag(account, FLAG_ALWAYS_WARM);
}

/** True for RIPEMD-160's address. It stays touched even if the frame that touched it fails (EIP-161, EIP-716). @inline */
function isRipemd(account: usize): bool {
  return load<u64>(account) == 3 && (load<u64>(account, 8) | load<u64>(account, 16)) == 0;
}

/** Marks an account as touched. If it is empty at the end of the transaction, it is deleted (EIP-161). */
export function touch(account: usize): void {
  noteChange(account);
  if (load<u32>(account + ACCOUNT_TOUCHED) == transaction) return;
  if (!isRipemd(account)) keepHalf(account, ACCOUNT_TOUCHED);
  store<u32>(account + ACCOUNT_TOUCHED, transaction);
}

/** Creates an account if it does not exist. */
export function ensureExists(account: usize): void {
  if (hasFlag(account, FLAG_EXISTS)) return;
  noteChange(account);
  keepHalf(account, ACCOUNT_FLAGS);
  store<u32>(account + ACCOUNT_FLAGS, load<u32>(account + ACCOUNT_FLAGS) | FLAG_EXISTS);
}

export function setNonce(account: usize, nonce: u64): void {
  noteChange(account);
  store<u64>(newEntry(ACCOUNT_NUMBER, accountNumber(account), ACCOUNT_NONCE), load<u64>(account + ACCOUNT_NONCE));
  store<u64>(account + ACCOUNT_NONCE, nonce);
}

/** Sets an account's code, given as a code object and its hash. */
export function setCode(account: usize, code: usize, hash: usize, isPresent: bool): void {
  noteChange(account);
  keepHalf(account, ACCOUNT_CODE);
  keepHalf(account, ACCOUNT_FLAGS);
  keepHalf(account, ACCOUNT_NEW_CODE);
  keepWord(account, ACCOUNT_CODE_HASH);
  store<u32>(account + ACCOUNT_CODE, <u32>code);
  const flags = load<u32>(account + ACCOUNT_FLAGS);
  store<u32>(account + ACCOUNT_FLAGS, isPresent ? flags | FLAG_HAS_CODE : flags & ~FLAG_HAS_CODE);
  store<u32>(account + ACCOUNT_NEW_CODE, transaction);
  copyWord(account + ACCOUNT_CODE_HASH, hash);
}

/**
 * Marks an account as created by this transaction (EIP-6780). Its storage is empty: a creation requires that
 * (EIP-7610), or without that rule clears it.
 */
export function markCreated(account: usize): void {
  noteChange(account);
  keepHalf(account, ACCOUNT_CREATED);
  keepHalf(account, ACCOUNT_STORAGE_FLAG);
  store<u32>(account + ACCOUNT_CREATED, transaction);
  store<u32>(account + ACCOUNT_STORAGE_FLAG, STORAGE_EMPTY);
}

/** Marks an account for deletion at the end of the transaction; false if it was marked already. */
export function markDestroyed(account: usize): bool {
  noteChange(account);
  if (load<u32>(account + ACCOUNT_DESTROYED) == transaction) return false;
  keepHalf(account, ACCOUNT_DESTROYED);
  store<u32>(account + ACCOUNT_DESTROYED, transaction);
  return true;
}

/** Adds wei to an account. Returns true, with nothing changed, if the balance would overflow. */
export function addBalance(account: usize, amount: usize): bool {
  const balance = account + ACCOUNT_BALANCE;
  const kept = newEntry(ACCOUNT_WORD, accountNumber(account), ACCOUNT_BALANCE);
  copyWord(kept, balance);
  if (sum(balance, balance, amount)) {
    copyWord(balance, kept);
    return true;
  }
  noteChange(account);
  return false;
}

export function subtractBalance(account: usize, amount: usize): void {
  noteChange(account);
  keepWord(account, ACCOUNT_BALANCE);
  difference(account + ACCOUNT_BALANCE, account + ACCOUNT_BALANCE, amount);
}

export function clearBalance(account: usize): void {
  noteChange(account);
  keepWord(account, ACCOUNT_BALANCE);
  setZero(account + ACCOUNT_BALANCE);
}

/**
 * Moves wei from a sender whose balance suffices. Before EIP-161 a transfer of zero creates the receiver, too.
 *
 * @returns true if the receiver's balance would overflow
 */
export function transfer(sender: usize, receiver: usize, amount: usize): bool {
  touch(sender);
  touch(receiver);
  const moves = !isZero(amount);
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
export function isWarmSlot(slot: usize): bool {
  return load<u32>(slot + SLOT_WARM) == transaction;
}

/** @inline */
export function warmSlot(slot: usize): void {
  if (isWarmSlot(slot)) return;
  store<u32>(newEntry(SLOT_HALF, slotNumber(slot), SLOT_WARM), load<u32>(slot + SLOT_WARM));
  store<u32>(slot + SLOT_WARM, transaction);
}

/** The slot's value at the beginning of the transaction (EIP-2200). @inline */
export function originalValue(slot: usize): usize {
  return load<u32>(slot + SLOT_DIRTY) == transaction ? slot + SLOT_ORIGINAL : slot + SLOT_VALUE;
}

export function setSlot(slot: usize, value: usize): void {
  if (isEqual(slot + SLOT_VALUE, value)) return;
  if (load<u32>(slot + SLOT_DIRTY) != transaction) {
    store<u32>(slot + SLOT_DIRTY, transaction);
    copyWord(slot + SLOT_ORIGINAL, slot + SLOT_VALUE);
    noteChangedSlot(slot);
  }
  copyWord(newEntry(SLOT_WORD, slotNumber(slot), SLOT_VALUE), slot + SLOT_VALUE);
  copyWord(slot + SLOT_VALUE, value);
}

function noteChangedSlot(slot: usize): void {
  if (changedSlotCount == changedSlotCapacity) {
    changedSlots = moved(changedSlots, <usize>changedSlotCount << 2, <usize>changedSlotCount << 3);
    changedSlotCapacity *= 2;
  }
  store<u32>(changedSlots + (<usize>changedSlotCount << 2), slotNumber(slot));
  changedSlotCount++;
}

/** Sets a slot of transient storage to zero on its first use in a transaction (EIP-1153). */
export function beginTransient(slot: usize): void {
  if (load<u32>(slot + SLOT_DIRTY) == transaction) return;
  store<u32>(slot + SLOT_DIRTY, transaction);
  setZero(slot + SLOT_VALUE);
}

export function setTransient(slot: usize, value: usize): void {
  beginTransient(slot);
  copyWord(newEntry(SLOT_WORD, slotNumber(slot), SLOT_VALUE), slot + SLOT_VALUE);
  copyWord(slot + SLOT_VALUE, value);
}

// ---- End of the transaction.

/**
 * Deletes destroyed accounts, and by EIP-161 also touched accounts that are empty. Afterwards the host
 * reads the changed accounts as the result of the transaction.
 */
export function finishTransaction(): void {
  for (let index: u32 = 0; index < changedAccountCount; index++) {
    const account = accountAt(load<u32>(changedAccounts + (<usize>index << 2)));
    const isDestroyed = load<u32>(account + ACCOUNT_DESTROYED) == transaction;
    const isTouched = hasEip(EIP_161) && load<u32>(account + ACCOUNT_TOUCHED) == transaction;
    if (isDestroyed && hasEip(EIP_8246) && !isZero(account + ACCOUNT_BALANCE)) clearAccount(account);
    else if (isDestroyed || (isTouched && isEmpty(account))) deleteAccount(account);
  }
}

/**
 * Forgets codes that the last transaction set, because the next one reuses their memory. They are requested from the
 * host again.
 */
export function forgetNewCodes(): void {
  for (let index: u32 = 0; index < changedAccountCount; index++) {
    const account = accountAt(load<u32>(changedAccounts + (<usize>index << 2)));
    if (load<u32>(account + ACCOUNT_NEW_CODE) == transaction) store<u32>(account + ACCOUNT_CODE, 0);
  }
}

function deleteAccount(account: usize): void {
  clearAccount(account);
  store<u32>(account + ACCOUNT_FLAGS, load<u32>(account + ACCOUNT_FLAGS) & ~FLAG_EXISTS);
  setZero(account + ACCOUNT_BALANCE);
}

/** Removes everything from an account except its balance (EIP-8246). */
function clearAccount(account: usize): void {
  store<u32>(account + ACCOUNT_FLAGS, load<u32>(account + ACCOUNT_FLAGS) & ~FLAG_HAS_CODE);
  store<u64>(account + ACCOUNT_NONCE, 0);
  store<u32>(account + ACCOUNT_CODE, 0);
  store<u32>(account + ACCOUNT_STORAGE_FLAG, 0);
  store<u32>(account + ACCOUNT_INCARNATION, load<u32>(account + ACCOUNT_INCARNATION) + 1);
  store<u32>(account + ACCOUNT_DELETED, transaction);
}
