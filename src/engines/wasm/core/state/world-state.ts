// Yellow paper §4.1, world state: the accounts and slots that this session has accessed.
//
// Entries are numbered in order of first access. A hash table maps an address, or an account and a slot, to the number plus
// one.

import { moved, reserve } from "../machine/heap";
import { FLAG_ALWAYS_WARM } from "../machine/layout";
import { burn } from "../machine/machine";
import { mailbox } from "../machine/mailbox";
import { Word } from "../words/word";
import { Account } from "./account";
import { Slot } from "./slot";

const ACCOUNT_BYTES: usize = offsetof<Account>();
const SLOT_BYTES: usize = offsetof<Slot>();
const FIRST_ACCOUNTS: u32 = 128;
const FIRST_SLOTS: u32 = 256;
/** Used in place of an incarnation: marks a slot of transient storage (EIP-1153). */
export const TRANSIENT: u32 = 0xffffffff;

/** A table of accounts or slots, with its index. The host reads the number of entries. */
@unmanaged
class Table {
  /** Address of the entries. */
  at: usize;
  capacity: u32;
  count: u32;
  /** Address of the index: for each hash, reduced by the mask, the number of an entry plus one. */
  private index: usize;
  private mask: u32;

  /** Empties the table, which has room for so many entries at first. */
  forget(bytes: usize, capacity: u32): void {
    if (this.capacity == 0) {
      this.capacity = capacity;
      this.at = reserve(<usize>capacity * bytes);
      this.makeIndex();
    }
    this.count = 0;
    memory.fill(this.index, 0, (<usize>this.mask + 1) << 2);
  }

  private makeIndex(): void {
    this.mask = this.capacity * 2 - 1;
    this.index = reserve((<usize>this.mask + 1) << 2);
  }

  /** Makes room for twice as many entries, and an empty index. */
  grow(bytes: usize): void {
    const used = <usize>this.count * bytes;
    this.at = moved(this.at, used, <usize>this.capacity * 2 * bytes);
    this.capacity *= 2;
    this.makeIndex();
    burn(used);
  }

  /** The first place of a hash in the index. */
  @inline placeOf(hash: u32): u32 {
    return hash & this.mask;
  }

  @inline placeAfter(place: u32): u32 {
    return (place + 1) & this.mask;
  }

  /** Number plus one of the entry at a place of the index; 0 for none. */
  @inline entryAt(place: u32): u32 {
    return load<u32>(this.index + ((<usize>place) << 2));
  }

  /** Takes a number for an entry, whose place in the index is free. */
  add(place: u32): u32 {
    store<u32>(this.index + ((<usize>place) << 2), this.count + 1);
    return this.count++;
  }

  /** Puts an entry into the index of a table that has grown. */
  putBack(hash: u32, number: u32): void {
    let place = this.placeOf(hash);
    while (this.entryAt(place) != 0) place = this.placeAfter(place);
    store<u32>(this.index + ((<usize>place) << 2), number + 1);
  }
}

export const accounts: Table = changetype<Table>(memory.data(offsetof<Table>(), 16));
export const slots: Table = changetype<Table>(memory.data(offsetof<Table>(), 16));

/** A registered address, as a word without its highest eight bytes, with its precompile; see {@link addPrecompile}. */
@unmanaged
class SpecialAddress {
  low: u64;
  middle: u64;
  high: u64;
  home: u32;
  flags: u32;

  @inline get key(): Word {
    return changetype<Word>(this);
  }
}

const specialAddresses = memory.data(2048, 16);
let specialCount: u32 = 0;

/** @inline */
function specialAt(number: u32): SpecialAddress {
  return changetype<SpecialAddress>(specialAddresses + <usize>number * offsetof<SpecialAddress>());
}

/** Forgets all accounts and slots. */
export function forgetState(): void {
  accounts.forget(ACCOUNT_BYTES, FIRST_ACCOUNTS);
  slots.forget(SLOT_BYTES, FIRST_SLOTS);
}

/** Removes all registrations of {@link addPrecompile}. */
export function clearPrecompiles(): void {
  specialCount = 0;
}

/**
 * Registers an address, which is in the mailbox as a word, as a precompile or as always warm. Must be called before any
 * account is looked up.
 *
 * @param home - standard address of the precompile, 0 if there is no precompile at this address
 * @param isWarm - the address is warm from the beginning of every transaction (EIP-2929)
 */
export function addPrecompile(home: u32, isWarm: bool): void {
  const entry = specialAt(specialCount++);
  entry.key.setAddress(mailbox.word);
  entry.home = home;
  entry.flags = isWarm ? FLAG_ALWAYS_WARM : 0;
}

/** @inline */
export function accountAt(number: u32): Account {
  return changetype<Account>(accounts.at + <usize>number * ACCOUNT_BYTES);
}

/** @inline */
export function accountNumber(account: Account): u32 {
  return <u32>((changetype<usize>(account) - accounts.at) / ACCOUNT_BYTES);
}

/** @inline */
export function slotAt(number: u32): Slot {
  return changetype<Slot>(slots.at + <usize>number * SLOT_BYTES);
}

/** @inline */
export function slotNumber(slot: Slot): u32 {
  return <u32>((changetype<usize>(slot) - slots.at) / SLOT_BYTES);
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
export function findAccount(address: Word): Account {
  const low = address.limb0;
  const middle = address.limb1;
  const high = address.limb2 & 0xffffffff;
  let place = accounts.placeOf(hashOfAddress(low, middle, high));
  while (true) {
    const number = accounts.entryAt(place);
    if (number == 0) break;
    const entry = accountAt(number - 1);
    if (entry.keyLow == low && entry.keyMiddle == middle && entry.keyHigh == high) return entry;
    place = accounts.placeAfter(place);
  }
  return addAccount(low, middle, high, place);
}

function addAccount(low: u64, middle: u64, high: u64, place: u32): Account {
  const number = accounts.add(place);
  const entry = accountAt(number);
  memory.fill(changetype<usize>(entry), 0, ACCOUNT_BYTES);
  entry.keyLow = low;
  entry.keyMiddle = middle;
  entry.keyHigh = high;
  markSpecial(entry);
  if (accounts.count < accounts.capacity) return entry;
  growAccounts();
  return accountAt(number);
}

/** Notes in an account what {@link addPrecompile} registered for its address. */
function markSpecial(entry: Account): void {
  for (let number: u32 = 0; number < specialCount; number++) {
    const special = specialAt(number);
    if (special.low != entry.keyLow || special.middle != entry.keyMiddle || special.high != entry.keyHigh) continue;
    entry.precompile = special.home;
    entry.flags = special.flags;
    return;
  }
}

function growAccounts(): void {
  accounts.grow(ACCOUNT_BYTES);
  for (let number: u32 = 0; number < accounts.count; number++) {
    const entry = accountAt(number);
    accounts.putBack(hashOfAddress(entry.keyLow, entry.keyMiddle, entry.keyHigh), number);
  }
}

/** @inline */
function hashOfSlot(key: Word, account: u32, incarnation: u32): u32 {
  return spread(
    key.limb0 ^
      rotl<u64>(key.limb1, 17) ^
      rotl<u64>(key.limb2, 31) ^
      rotl<u64>(key.limb3, 47) ^
      ((<u64>account) << 7) ^
      ((<u64>incarnation) << 29),
  );
}

/** The place in the index at which {@link knownSlot} found no entry. */
let freePlace: u32 = 0;

/** Finds a slot of an account by its key, a word; null if it has no entry. */
export function knownSlot(account: u32, incarnation: u32, key: Word): Slot | null {
  let place = slots.placeOf(hashOfSlot(key, account, incarnation));
  while (true) {
    const number = slots.entryAt(place);
    if (number == 0) break;
    const entry = slotAt(number - 1);
    if (entry.key.isEqual(key) && entry.account == account && entry.incarnation == incarnation) return entry;
    place = slots.placeAfter(place);
  }
  freePlace = place;
  return null;
}

/** Finds a slot, or adds an entry for it. Like {@link findAccount}, it may move others. */
export function findSlot(account: u32, incarnation: u32, key: Word): Slot {
  const known = knownSlot(account, incarnation, key);
  if (known != null) return known;
  const number = slots.add(freePlace);
  const entry = slotAt(number);
  memory.fill(changetype<usize>(entry), 0, SLOT_BYTES);
  entry.key.set(key);
  entry.account = account;
  entry.incarnation = incarnation;
  if (slots.count < slots.capacity) return entry;
  growSlots();
  return slotAt(number);
}

function growSlots(): void {
  slots.grow(SLOT_BYTES);
  for (let number: u32 = 0; number < slots.count; number++) {
    const entry = slotAt(number);
    slots.putBack(hashOfSlot(entry.key, entry.account, entry.incarnation), number);
  }
}

/** Finds a slot in an account's current storage. @inline */
export function findStorage(account: Account, key: Word): Slot {
  return findSlot(accountNumber(account), account.incarnation, key);
}
