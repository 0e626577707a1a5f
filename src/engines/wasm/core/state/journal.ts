// The journal of old values, newest last. When a frame fails, its changes are undone from it.

import { moved, reserve } from "../machine/heap";
import { burn } from "../machine/machine";
import { copyWord } from "../machine/words";
import { Account } from "./account";
import { accountAt, accountNumber, slotAt } from "./world-state";

// An entry: the address of the value, its kind, and 32 bytes. The kind says how many of the bytes are used.

const ENTRY_BYTES: u32 = 48;
export const ACCOUNT_WORD: u32 = 0;
const ACCOUNT_HALF: u32 = 1;
export const ACCOUNT_NUMBER: u32 = 2;
export const SLOT_WORD: u32 = 3;
export const SLOT_HALF: u32 = 4;

let journal: usize = 0;
let journalCapacity: u32 = 0;
/** Size of the journal in bytes. A caller keeps it as the mark for {@link undoTo}. */
export let journalEnd: u32 = 0;

/** Adds an entry for a member of an account or slot. Returns the address for its old value. */
export function newEntry(kind: u32, number: u32, field: usize): usize {
  if (journalEnd + ENTRY_BYTES > journalCapacity) {
    journal = moved(journal, journalEnd, <usize>journalCapacity * 2);
    journalCapacity *= 2;
    burn(journalEnd);
  }
  const entry = journal + journalEnd;
  store<u32>(entry, kind);
  store<u32>(entry, number, 4);
  store<u32>(entry, <u32>field, 8);
  journalEnd += ENTRY_BYTES;
  return entry + 16;
}

/** Adds an old value of 32 bytes to the journal. Must be called before the value changes. @inline */
export function keepWord(account: Account, field: usize): void {
  copyWord(newEntry(ACCOUNT_WORD, accountNumber(account), field), changetype<usize>(account) + field);
}

/** @inline */
export function keepHalf(account: Account, field: usize): void {
  store<u32>(newEntry(ACCOUNT_HALF, accountNumber(account), field), load<u32>(changetype<usize>(account) + field));
}

/** Undoes all changes made since a mark, newest first. */
export function undoTo(mark: u32): void {
  while (journalEnd > mark) {
    journalEnd -= ENTRY_BYTES;
    const entry = journal + journalEnd;
    const kind = load<u32>(entry);
    const number = load<u32>(entry, 4);
    const record = kind >= SLOT_WORD ? changetype<usize>(slotAt(number)) : changetype<usize>(accountAt(number));
    const place = record + load<u32>(entry, 8);
    if (kind == ACCOUNT_WORD || kind == SLOT_WORD) copyWord(place, entry + 16);
    else if (kind == ACCOUNT_NUMBER) store<u64>(place, load<u64>(entry, 16));
    else store<u32>(place, load<u32>(entry, 16));
  }
}

/** Empties the journal at the beginning of a transaction. */
export function beginJournal(): void {
  if (journalCapacity == 0) {
    journalCapacity = 256 * ENTRY_BYTES;
    journal = reserve(journalCapacity);
  }
  journalEnd = 0;
}
