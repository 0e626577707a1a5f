// Yellow paper §4.1, world state: the accounts and slots that this session has accessed.
//
// Entries are numbered in order of first access. A hash table maps an address, or an account and a slot, to the number plus
// one.

import { moved, reserve } from "../machine/heap";
import { FLAG_ALWAYS_WARM } from "../machine/layout";
import { burn, mailbox } from "../machine/machine";
import { copyAddress, copyWord } from "../machine/words";
import { Account } from "./account";
import { Slot } from "./slot";

const ACCOUNT_BYTES: usize = offsetof<Account>();
const SLOT_BYTES: usize = offsetof<Slot>();
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
export function accountAt(number: u32): Account {
  return changetype<Account>(accounts + <usize>number * ACCOUNT_BYTES);
}

/** @inline */
export function accountNumber(account: Account): u32 {
  return <u32>((changetype<usize>(account) - accounts) / ACCOUNT_BYTES);
}

/** @inline */
export function slotAt(number: u32): Slot {
  return changetype<Slot>(slots + <usize>number * SLOT_BYTES);
}

/** @inline */
export function slotNumber(slot: Slot): u32 {
  return <u32>((changetype<usize>(slot) - slots) / SLOT_BYTES);
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
export function findAccount(address: usize): Account {
  const low = load<u64>(address);
  const middle = load<u64>(address, 8);
  const high = <u64>load<u32>(address, 16);
  let place = hashOfAddress(low, middle, high) & accountMask;
  while (true) {
    const number = load<u32>(accountIndex + ((<usize>place) << 2));
    if (number == 0) break;
    const entry = accountAt(number - 1);
    if (entry.keyLow == low && entry.keyMiddle == middle && entry.keyHigh == high) return entry;
    place = (place + 1) & accountMask;
  }
  return addAccount(address, place);
}

function addAccount(address: usize, place: u32): Account {
  store<u32>(accountIndex + ((<usize>place) << 2), accountCount + 1);
  const entry = accountAt(accountCount++);
  memory.fill(entry.key, 0, ACCOUNT_BYTES);
  entry.keyLow = load<u64>(address);
  entry.keyMiddle = load<u64>(address, 8);
  entry.keyHigh = <u64>load<u32>(address, 16);
  const special = specialOf(entry);
  if (special != 0) {
    entry.precompile = load<u32>(special, 24);
    entry.flags = load<u32>(special, 28);
  }
  if (accountCount < accountCapacity) return entry;
  growAccounts();
  return accountAt(accountCount - 1);
}

/** The registration of an account's address by {@link addPrecompile}; 0 if there is none. */
function specialOf(entry: Account): usize {
  for (let number: u32 = 0; number < precompileCount; number++) {
    const precompile = precompiles + <usize>number * 32;
    if (
      load<u64>(precompile) == entry.keyLow &&
      load<u64>(precompile, 8) == entry.keyMiddle &&
      load<u64>(precompile, 16) == entry.keyHigh
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
    let place = hashOfAddress(entry.keyLow, entry.keyMiddle, entry.keyHigh) & accountMask;
    while (load<u32>(accountIndex + ((<usize>place) << 2)) != 0) place = (place + 1) & accountMask;
    store<u32>(accountIndex + ((<usize>place) << 2), number + 1);
  }
}

/** @inline */
function hashOfSlot(key: usize, account: u32, incarnation: u32): u32 {
  return spread(
    load<u64>(key) ^
      rotl<u64>(load<u64>(key, 8), 17) ^
      rotl<u64>(load<u64>(key, 16), 31) ^
      rotl<u64>(load<u64>(key, 24), 47) ^
      ((<u64>account) << 7) ^
      ((<u64>incarnation) << 29),
  );
}

/** The place in the index at which {@link knownSlot} found no entry. */
let freePlace: u32 = 0;

/** Finds a slot of an account by its key, a word; null if it has no entry. */
export function knownSlot(account: u32, incarnation: u32, key: usize): Slot | null {
  let place = hashOfSlot(key, account, incarnation) & slotMask;
  while (true) {
    const number = load<u32>(slotIndex + ((<usize>place) << 2));
    if (number == 0) break;
    const entry = slotAt(number - 1);
    if (
      load<u64>(entry.key) == load<u64>(key) &&
      load<u64>(entry.key, 8) == load<u64>(key, 8) &&
      load<u64>(entry.key, 16) == load<u64>(key, 16) &&
      load<u64>(entry.key, 24) == load<u64>(key, 24) &&
      entry.account == account &&
      entry.incarnation == incarnation
    ) {
      return entry;
    }
    place = (place + 1) & slotMask;
  }
  freePlace = place;
  return null;
}

/** Finds a slot, or adds an entry for it. Like {@link findAccount}, it may move others. */
export function findSlot(account: u32, incarnation: u32, key: usize): Slot {
  const known = knownSlot(account, incarnation, key);
  if (known != null) return known;
  store<u32>(slotIndex + ((<usize>freePlace) << 2), slotCount + 1);
  const entry = slotAt(slotCount++);
  memory.fill(entry.key, 0, SLOT_BYTES);
  copyWord(entry.key, key);
  entry.account = account;
  entry.incarnation = incarnation;
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
    const hash = hashOfSlot(entry.key, entry.account, entry.incarnation);
    let place = hash & slotMask;
    while (load<u32>(slotIndex + ((<usize>place) << 2)) != 0) place = (place + 1) & slotMask;
    store<u32>(slotIndex + ((<usize>place) << 2), number + 1);
  }
}

/** Finds a slot in an account's current storage. @inline */
export function findStorage(account: Account, key: usize): Slot {
  return findSlot(accountNumber(account), account.incarnation, key);
}
