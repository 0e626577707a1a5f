// Yellow paper §6.1, accrued substate: what the transaction changed and looked at.

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
  RULE_AMSTERDAM,
  RULE_SPURIOUS,
  SLOT_DIRTY,
  SLOT_ORIGINAL,
  SLOT_SEEN,
  SLOT_VALUE,
  SLOT_WARM,
  STORAGE_EMPTY,
} from "../machine/layout";
import { hasRule, transaction } from "../machine/machine";
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

// ---- What the transaction changed: numbers, each once, those of undone changes too.

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

/** Begins a transaction. */
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

// ---- What the transaction looked at, be it in frames that failed (EIP-7928): numbers, each once.

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

/** Notes an access to an account. */
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

/** Notes an access to a slot. */
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

/** Addresses of the lists of changed accounts and slots. */
export function changedAccountList(): usize {
  return changedAccounts;
}
export function changedSlotList(): usize {
  return changedSlots;
}

// ---- Accounts.

/** Marks an account as accessed (EIP-2929). */
// @ts-ignore: decorator
@inline
export function warmAccount(account: usize): void {
  if (load<u32>(account + ACCOUNT_WARM) == transaction) return;
  keepHalf(account, ACCOUNT_WARM);
  store<u32>(account + ACCOUNT_WARM, transaction);
}

// @ts-ignore: decorator
@inline
export function isWarmAccount(account: usize): bool {
  return load<u32>(account + ACCOUNT_WARM) == transaction || hasFlag(account, FLAG_ALWAYS_WARM);
}

/** RIPEMD-160's address: once touched it stays so, even in a frame that fails (EIP-161, EIP-716). */
// @ts-ignore: decorator
@inline
function isRipemd(account: usize): bool {
  return load<u64>(account) == 3 && (load<u64>(account, 8) | load<u64>(account, 16)) == 0;
}

/** Notes that an account was touched: if empty, it is gone at the end (EIP-161). */
export function touch(account: usize): void {
  noteChange(account);
  if (load<u32>(account + ACCOUNT_TOUCHED) == transaction) return;
  if (!isRipemd(account)) keepHalf(account, ACCOUNT_TOUCHED);
  store<u32>(account + ACCOUNT_TOUCHED, transaction);
}

/** Makes an account if there is none. */
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

/** Sets an account's code, which is in an object with its hash. */
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

/** Marks an account as created by this transaction (EIP-6780). It has no storage, or it could not have been. */
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

/** Adds wei to an account; true, with nothing changed, if it could not hold them. */
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
 * Moves wei that the sender has. Before EIP-161 a transfer of nothing makes the receiver, too.
 *
 * @returns true if the receiver could not hold them
 */
export function transfer(sender: usize, receiver: usize, amount: usize): bool {
  touch(sender);
  touch(receiver);
  const moves = !isZero(amount);
  if (!moves && hasRule(RULE_SPURIOUS)) return false;
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

// @ts-ignore: decorator
@inline
export function isWarmSlot(slot: usize): bool {
  return load<u32>(slot + SLOT_WARM) == transaction;
}

// @ts-ignore: decorator
@inline
export function warmSlot(slot: usize): void {
  if (isWarmSlot(slot)) return;
  store<u32>(newEntry(SLOT_HALF, slotNumber(slot), SLOT_WARM), load<u32>(slot + SLOT_WARM));
  store<u32>(slot + SLOT_WARM, transaction);
}

/** The value before the transaction changed it first (EIP-2200). */
// @ts-ignore: decorator
@inline
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

/** A slot of transient storage begins each transaction at zero (EIP-1153). */
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

// ---- The end.

/**
 * Deletes accounts that were destroyed, and from Spurious Dragon on touched ones that are empty. What the host reads of
 * changed accounts afterwards is what the transaction leaves.
 */
export function finishTransaction(): void {
  for (let index: u32 = 0; index < changedAccountCount; index++) {
    const account = accountAt(load<u32>(changedAccounts + (<usize>index << 2)));
    const isDestroyed = load<u32>(account + ACCOUNT_DESTROYED) == transaction;
    const isTouched = hasRule(RULE_SPURIOUS) && load<u32>(account + ACCOUNT_TOUCHED) == transaction;
    if (isDestroyed && hasRule(RULE_AMSTERDAM) && !isZero(account + ACCOUNT_BALANCE)) clearAccount(account);
    else if (isDestroyed || (isTouched && isEmpty(account))) deleteAccount(account);
  }
}

/** Codes that the last transaction set lie where the next one's creations go: they have to be asked for anew. */
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

/** Takes all from an account but its balance (EIP-8246). */
function clearAccount(account: usize): void {
  store<u32>(account + ACCOUNT_FLAGS, load<u32>(account + ACCOUNT_FLAGS) & ~FLAG_HAS_CODE);
  store<u64>(account + ACCOUNT_NONCE, 0);
  store<u32>(account + ACCOUNT_CODE, 0);
  store<u32>(account + ACCOUNT_STORAGE_FLAG, 0);
  store<u32>(account + ACCOUNT_INCARNATION, load<u32>(account + ACCOUNT_INCARNATION) + 1);
  store<u32>(account + ACCOUNT_DELETED, transaction);
}
