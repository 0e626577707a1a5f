// The journal of old values, newest last. When a frame fails, its changes are undone from it.

import { ByteBuffer } from "../machine/byte-buffer";
import { Word } from "../words/word";
import { Account } from "./account";
import { Slot } from "./slot";
import { accountAt, accountNumber, slotAt, slotNumber } from "./world-state";

/** Kinds of entries: a word, 32 bits or 64 bits of an account, or of a slot. */
namespace Saved {
  export const ACCOUNT_WORD: u32 = 0;
  export const ACCOUNT_HALF: u32 = 1;
  export const ACCOUNT_NUMBER: u32 = 2;
  export const SLOT_WORD: u32 = 3;
  export const SLOT_HALF: u32 = 4;
}

/** An entry: a member of an account or slot, and its old value. */
@unmanaged
class Entry {
  kind: u32;
  number: u32;
  /** Offset of the member. */
  field: u32;
  private oldLow: v128;
  private oldHigh: v128;

  /** The old value, as a word. */
  @inline get old(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Entry>("oldLow"));
  }
}

/** A member of 32 bits, by its address. */
@unmanaged
class Half {
  value: u32;
}

/** A member of 64 bits, by its address. */
@unmanaged
class Long {
  value: u64;
}

const journal: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));

/** Size of the journal in bytes. A caller keeps it as the mark for {@link undoTo}. @inline */
export function journalEnd(): u32 {
  return journal.length;
}

/** Adds an entry. Returns its old value, which is to be set. */
function newEntry(kind: u32, number: u32, field: usize): Word {
  const entry = changetype<Entry>(journal.add(offsetof<Entry>()));
  entry.kind = kind;
  entry.number = number;
  entry.field = <u32>field;
  return entry.old;
}

// A value is saved before it changes.

/** Saves a word of an account. Returns its entry. @inline */
export function keepWord(account: Account, field: usize): Word {
  const entry = newEntry(Saved.ACCOUNT_WORD, accountNumber(account), field);
  entry.set(changetype<Word>(changetype<usize>(account) + field));
  return entry;
}

/** Keeps a member of 32 bits. @inline */
export function keepHalf(account: Account, field: usize): void {
  const half = changetype<Half>(changetype<usize>(account) + field);
  newEntry(Saved.ACCOUNT_HALF, accountNumber(account), field).setSmall(half.value);
}

/** Keeps a member of 64 bits. @inline */
export function keepNumber(account: Account, field: usize): void {
  const number = changetype<Long>(changetype<usize>(account) + field);
  newEntry(Saved.ACCOUNT_NUMBER, accountNumber(account), field).setSmall(number.value);
}

/** Keeps the value of a slot. @inline */
export function keepValue(slot: Slot): void {
  newEntry(Saved.SLOT_WORD, slotNumber(slot), offsetof<Slot>("valueLow")).set(slot.value);
}

/** Keeps whether a slot is warm. @inline */
export function keepWarm(slot: Slot): void {
  newEntry(Saved.SLOT_HALF, slotNumber(slot), offsetof<Slot>("warm")).setSmall(slot.warm);
}

/** Undoes all changes made since a mark, newest first. */
export function undoTo(mark: u32): void {
  while (journal.length > mark) {
    journal.length -= <u32>offsetof<Entry>();
    const entry = changetype<Entry>(journal.at + journal.length);
    const kind = entry.kind;
    const number = entry.number;
    const record = kind >= Saved.SLOT_WORD ? changetype<usize>(slotAt(number)) : changetype<usize>(accountAt(number));
    const place = record + entry.field;
    if (kind == Saved.ACCOUNT_WORD || kind == Saved.SLOT_WORD) changetype<Word>(place).set(entry.old);
    else if (kind == Saved.ACCOUNT_NUMBER) changetype<Long>(place).value = entry.old.limb0;
    else changetype<Half>(place).value = <u32>entry.old.limb0;
  }
}

/** Empties the journal at the beginning of a transaction. */
export function beginJournal(): void {
  journal.clear();
}
