// Lists of numbers of accounts or slots, which the host reads after a transaction.

import { moved } from "../machine/heap";

const FIRST_CAPACITY: u32 = 128;

/** A list that grows. */
@unmanaged
export class NumberList {
  /** Address of the numbers, of 32 bits each. */
  private at: usize;
  count: u32;
  private capacity: u32;

  add(number: u32): void {
    if (this.count == this.capacity) this.grow();
    store<u32>(this.at + ((<usize>this.count) << 2), number);
    this.count++;
  }

  private grow(): void {
    const capacity = max<u32>(this.capacity * 2, FIRST_CAPACITY);
    this.at = moved(this.at, (<usize>this.count) << 2, (<usize>capacity) << 2);
    this.capacity = capacity;
  }

  @inline get(index: u32): u32 {
    return load<u32>(this.at + ((<usize>index) << 2));
  }

  clear(): void {
    this.count = 0;
  }
}

/** Changed accounts and slots of the transaction, each once. Includes those whose changes were undone. */
export const changedAccounts: NumberList = changetype<NumberList>(memory.data(16, 16));
export const changedSlots: NumberList = changetype<NumberList>(memory.data(16, 16));
/** Accessed accounts and slots, each once. Includes accesses in frames that failed (EIP-7928). */
export const seenAccounts: NumberList = changetype<NumberList>(memory.data(16, 16));
export const seenSlots: NumberList = changetype<NumberList>(memory.data(16, 16));

/** Empties all lists at the beginning of a transaction. */
export function clearLists(): void {
  changedAccounts.clear();
  changedSlots.clear();
  seenAccounts.clear();
  seenSlots.clear();
}
