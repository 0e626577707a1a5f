// Yellow paper §4.1, world state: the accounts and slots that this session has accessed, and the list of missing state.
//
// Entries are numbered in order of first access. A hash table maps an address, or an account and a slot, to the number plus
// one.

import { EIP_7610 } from "../machine/eips";
import {
  ACCOUNT_BALANCE,
  ACCOUNT_BYTES,
  ACCOUNT_CODE,
  ACCOUNT_CREATED,
  ACCOUNT_FLAGS,
  ACCOUNT_INCARNATION,
  ACCOUNT_KEY,
  ACCOUNT_NONCE,
  ACCOUNT_PRECOMPILE,
  ACCOUNT_STORAGE_FLAG,
  FLAG_ALWAYS_WARM,
  FLAG_EXISTS,
  FLAG_HAS_CODE,
  FLAG_LOADED,
  MAIL_NEED_COUNT,
  MAIL_NEEDS,
  NEED_ACCOUNT,
  NEED_BYTES,
  NEED_CODE,
  NEED_SLOT,
  NEED_STORAGE_FLAG,
  NEEDS,
  SLOT_ACCOUNT,
  SLOT_BYTES,
  SLOT_INCARNATION,
  SLOT_KEY,
  SLOT_LOADED,
  SLOT_VALUE,
} from "../machine/layout";
import { moved, reserve } from "../machine/heap";
import { burn, hasEip, mailbox, transaction } from "../machine/machine";
import { copyAddress, copyWord, isZero, setZero } from "../machine/words";

const FIRST_ACCOUNTS: u32 = 128;
const FIRST_SLOTS: u32 = 256;
/** Used in place of an incarnation: marks a slot of transient storage (EIP-1153). */
export const TRANSIENT: u32 = 0xffffffff;

let accounts: usize = 0;
let accountCapacity: u32 = 0;
export let accountCount: u32 = 0;
let accountIndex: usize = 0;
let accountMask: u32 = 0;

let slots: usize = 0;
let slotCapacity: u32 = 0;
export let slotCount: u32 = 0;
let slotIndex: usize = 0;
let slotMask: u32 = 0;

/** Registered addresses with their precompile, see {@link addPrecompile}. */
const precompiles = memory.data(2048, 16);
let precompileCount: u32 = 0;

/** Forgets all accounts and slots. */
export function forgetState(): void {
  if (accountCapacity == 0) {
    accountCapacity = FIRST_ACCOUNTS;
    accounts = reserve(FIRST_ACCOUNTS * ACCOUNT_BYTES);
    accountMask = FIRST_ACCOUNTS * 2 - 1;
    accountIndex = reserve(FIRST_ACCOUNTS * 2 * 4);
    slotCapacity = FIRST_SLOTS;
    slots = reserve(FIRST_SLOTS * SLOT_BYTES);
    slotMask = FIRST_SLOTS * 2 - 1;
    slotIndex = reserve(FIRST_SLOTS * 2 * 4);
  }
  accountCount = 0;
  slotCount = 0;
  memory.fill(accountIndex, 0, (<usize>accountMask + 1) << 2);
  memory.fill(slotIndex, 0, (<usize>slotMask + 1) << 2);
}

/** Removes all registrations of {@link addPrecompile}. */
export function clearPrecompiles(): void {
  precompileCount = 0;
}

/**
 * Registers an address, which is in the mailbox as a word, as a precompile or as always warm. Must be called before any
 * account is looked up.
 *
 * @param home - standard address of the precompile, 0 if there is no precompile at this address
 * @param isWarm - the address is warm from the beginning of every transaction (EIP-2929)
 */
export function addPrecompile(home: u32, isWarm: bool): void {
  const entry = precompiles + <usize>precompileCount * 32;
  copyAddress(entry, mailbox);
  store<u32>(entry, home, 24);
  store<u32>(entry, isWarm ? FLAG_ALWAYS_WARM : 0, 28);
  precompileCount++;
}

/** @inline */
export function accountAt(number: u32): usize {
  return accounts + <usize>number * ACCOUNT_BYTES;
}

/** @inline */
export function accountNumber(account: usize): u32 {
  return <u32>((account - accounts) / ACCOUNT_BYTES);
}

/** @inline */
export function slotAt(number: u32): usize {
  return slots + <usize>number * SLOT_BYTES;
}

/** @inline */
export function slotNumber(slot: usize): u32 {
  return <u32>((slot - slots) / SLOT_BYTES);
}

/** @inline */
function spread(mix: u64): u32 {
  return <u32>((mix * 0x9e3779b97f4a7c15) >> 32);
}

/** @inline */
function hashOfAddress(low: u64, middle: u64, high: u64): u32 {
  return spread(low ^ rotl<u64>(middle, 23) ^ (high << 11));
}

/**
 * Finds the account at an address, or adds an entry for it. Bits of the word above the address are ignored. Adding an
 * entry may move all others in memory, so callers keep an account's number, not its pointer.
 */
export function findAccount(address: usize): usize {
  const low = load<u64>(address);
  const middle = load<u64>(address, 8);
  const high = <u64>load<u32>(address, 16);
  let place = hashOfAddress(low, middle, high) & accountMask;
  while (true) {
    const number = load<u32>(accountIndex + (<usize>place << 2));
    if (number == 0) break;
    const entry = accountAt(number - 1);
    if (load<u64>(entry) == low && load<u64>(entry, 8) == middle && load<u64>(entry, 16) == high) return entry;
    place = (place + 1) & accountMask;
  }
  return addAccount(address, place);
}

function addAccount(address: usize, place: u32): usize {
  store<u32>(accountIndex + (<usize>place << 2), accountCount + 1);
  const entry = accountAt(accountCount++);
  memory.fill(entry, 0, ACCOUNT_BYTES);
  const key = entry + ACCOUNT_KEY;
  store<u64>(key, load<u64>(address));
  store<u64>(key, load<u64>(address, 8), 8);
  store<u64>(key, <u64>load<u32>(address, 16), 16);
  const special = specialOf(entry);
  if (special != 0) {
    store<u32>(entry + ACCOUNT_PRECOMPILE, load<u32>(special, 24));
    store<u32>(entry + ACCOUNT_FLAGS, load<u32>(special, 28));
  }
  if (accountCount < accountCapacity) return entry;
  growAccounts();
  return accountAt(accountCount - 1);
}

/** The registration of an account's address by {@link addPrecompile}; 0 if there is none. */
function specialOf(entry: usize): usize {
  for (let number: u32 = 0; number < precompileCount; number++) {
    const precompile = precompiles + <usize>number * 32;
    if (
      load<u64>(precompile) == load<u64>(entry) &&
      load<u64>(precompile, 8) == load<u64>(entry, 8) &&
      load<u64>(precompile, 16) == load<u64>(entry, 16)
    ) {
      return precompile;
    }
  }
  return 0;
}

function growAccounts(): void {
  accounts = moved(accounts, <usize>accountCount * ACCOUNT_BYTES, <usize>accountCapacity * 2 * ACCOUNT_BYTES);
  accountCapacity *= 2;
  accountMask = accountCapacity * 2 - 1;
  accountIndex = reserve((<usize>accountMask + 1) << 2);
  burn(<usize>accountCount * ACCOUNT_BYTES);
  for (let number: u32 = 0; number < accountCount; number++) {
    const entry = accountAt(number);
    let place = hashOfAddress(load<u64>(entry), load<u64>(entry, 8), load<u64>(entry, 16)) & accountMask;
    while (load<u32>(accountIndex + (<usize>place << 2)) != 0) place = (place + 1) & accountMask;
    store<u32>(accountIndex + (<usize>place << 2), number + 1);
  }
}

/** @inline */
function hashOfSlot(key: usize, account: u32, incarnation: u32): u32 {
  return spread(
    load<u64>(key) ^
      rotl<u64>(load<u64>(key, 8), 17) ^
      rotl<u64>(load<u64>(key, 16), 31) ^
      rotl<u64>(load<u64>(key, 24), 47) ^
      (<u64>account << 7) ^
      (<u64>incarnation << 29),
  );
}

/** The place in the index at which {@link knownSlot} found no entry. */
let freePlace: u32 = 0;

/** Finds a slot of an account by its key, a word; 0 if it has no entry. */
export function knownSlot(account: u32, incarnation: u32, key: usize): usize {
  let place = hashOfSlot(key, account, incarnation) & slotMask;
  while (true) {
    const number = load<u32>(slotIndex + (<usize>place << 2));
    if (number == 0) break;
    const entry = slotAt(number - 1);
    if (
      load<u64>(entry) == load<u64>(key) &&
      load<u64>(entry, 8) == load<u64>(key, 8) &&
      load<u64>(entry, 16) == load<u64>(key, 16) &&
      load<u64>(entry, 24) == load<u64>(key, 24) &&
      load<u32>(entry + SLOT_ACCOUNT) == account &&
      load<u32>(entry + SLOT_INCARNATION) == incarnation
    ) {
      return entry;
    }
    place = (place + 1) & slotMask;
  }
  freePlace = place;
  return 0;
}

/** Finds a slot, or adds an entry for it. Like {@link findAccount}, it may move others. */
export function findSlot(account: u32, incarnation: u32, key: usize): usize {
  const known = knownSlot(account, incarnation, key);
  if (known != 0) return known;
  store<u32>(slotIndex + (<usize>freePlace << 2), slotCount + 1);
  const entry = slotAt(slotCount++);
  memory.fill(entry, 0, SLOT_BYTES);
  copyWord(entry + SLOT_KEY, key);
  store<u32>(entry + SLOT_ACCOUNT, account);
  store<u32>(entry + SLOT_INCARNATION, incarnation);
  if (slotCount < slotCapacity) return entry;
  growSlots();
  return slotAt(slotCount - 1);
}

function growSlots(): void {
  slots = moved(slots, <usize>slotCount * SLOT_BYTES, <usize>slotCapacity * 2 * SLOT_BYTES);
  slotCapacity *= 2;
  slotMask = slotCapacity * 2 - 1;
  slotIndex = reserve((<usize>slotMask + 1) << 2);
  burn(<usize>slotCount * SLOT_BYTES);
  for (let number: u32 = 0; number < slotCount; number++) {
    const entry = slotAt(number);
    const hash = hashOfSlot(entry, load<u32>(entry + SLOT_ACCOUNT), load<u32>(entry + SLOT_INCARNATION));
    let place = hash & slotMask;
    while (load<u32>(slotIndex + (<usize>place << 2)) != 0) place = (place + 1) & slotMask;
    store<u32>(slotIndex + (<usize>place << 2), number + 1);
  }
}

/** Finds a slot in an account's current storage. @inline */
export function findStorage(account: usize, key: usize): usize {
  return findSlot(accountNumber(account), load<u32>(account + ACCOUNT_INCARNATION), key);
}

// ---- Properties of accounts.

/** @inline */
export function hasFlag(account: usize, flag: u32): bool {
  return (load<u32>(account + ACCOUNT_FLAGS) & flag) != 0;
}

/** No nonce, no balance, no code (EIP-161); an absent account is empty too. */
export function isEmpty(account: usize): bool {
  return (
    load<u64>(account + ACCOUNT_NONCE) == 0 && isZero(account + ACCOUNT_BALANCE) && !hasFlag(account, FLAG_HAS_CODE)
  );
}

/** @inline */
export function isCreatedNow(account: usize): bool {
  return load<u32>(account + ACCOUNT_CREATED) == transaction;
}

// ---- Missing state. A request has a kind and the number of an entry; the host fills in the entry.

/** @inline */
function beginNeeds(): void {
  store<u32>(mailbox + MAIL_NEED_COUNT, 0);
}

function addNeed(kind: u32, number: u32): void {
  const count = load<u32>(mailbox + MAIL_NEED_COUNT);
  const need = mailbox + MAIL_NEEDS + <usize>count * NEED_BYTES;
  store<u32>(need, kind);
  store<u32>(need, number, 4);
  store<u32>(mailbox + MAIL_NEED_COUNT, count + 1);
}

/** Returns zero if the account is loaded, otherwise the code that `run` returns for missing state. @inline */
export function requireAccount(account: usize): i32 {
  return hasFlag(account, FLAG_LOADED) ? 0 : needOf(NEED_ACCOUNT, accountNumber(account));
}

/** The same for two accounts by their numbers, which are requested together. */
export function requireAccounts(first: u32, second: u32): i32 {
  beginNeeds();
  if (!hasFlag(accountAt(first), FLAG_LOADED)) addNeed(NEED_ACCOUNT, first);
  if (second != first && !hasFlag(accountAt(second), FLAG_LOADED)) addNeed(NEED_ACCOUNT, second);
  return load<u32>(mailbox + MAIL_NEED_COUNT) == 0 ? 0 : NEEDS;
}

/** The same for an account and its code. @inline */
export function requireCode(account: usize): i32 {
  if (!hasFlag(account, FLAG_LOADED)) return needOf(NEED_ACCOUNT, accountNumber(account));
  if (load<u32>(account + ACCOUNT_CODE) != 0 || !hasFlag(account, FLAG_HAS_CODE)) return 0;
  return needOf(NEED_CODE, accountNumber(account));
}

/** The same for a slot's value. @inline */
export function requireSlot(slot: usize): i32 {
  return load<u32>(slot + SLOT_LOADED) != 0 ? 0 : loadSlot(slot);
}

function loadSlot(slot: usize): i32 {
  const account = accountAt(load<u32>(slot + SLOT_ACCOUNT));
  if (!isCreatedNow(account)) return needOf(NEED_SLOT, slotNumber(slot));
  // The storage of a new contract is empty, which was checked when it was created.
  setZero(slot + SLOT_VALUE);
  store<u32>(slot + SLOT_LOADED, 1);
  return 0;
}

/** Returns zero if it is known whether the account has storage, or does not matter, as without EIP-7610. */
export function requireStorageFlag(account: usize): i32 {
  if (!hasEip(EIP_7610)) return 0;
  if (load<u32>(account + ACCOUNT_STORAGE_FLAG) != 0 || !hasFlag(account, FLAG_EXISTS)) return 0;
  return needOf(NEED_STORAGE_FLAG, accountNumber(account));
}

function needOf(kind: u32, number: u32): i32 {
  beginNeeds();
  addNeed(kind, number);
  return NEEDS;
}
