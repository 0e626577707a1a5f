/** Accounts and slots written since the last root, which the tries do not have yet. Each is listed once. */
import type { Stamp, WorkingAccount, WorkingSlot } from "./working-account.ts";

/** One for each working state. The stamp on an account or slot tells that it is in the list. */
export class RootTracker {
  stamp: Stamp = {};
  readonly #accounts: WorkingAccount[] = [];

  /** Accounts as they were found at the first write; the table may have a copy by now. */
  get accounts(): readonly WorkingAccount[] {
    return this.#accounts;
  }

  /** Must be called after the tries were updated. */
  begin(): void {
    this.stamp = {};
    this.#accounts.length = 0;
  }

  noteAccount(account: WorkingAccount): void {
    if (account.period === this.stamp) return;
    account.period = this.stamp;
    account.isWritten = true;
    this.#accounts.push(account);
  }

  noteSlot(account: WorkingAccount, slot: WorkingSlot): void {
    if (slot.period === this.stamp) return;
    this.noteAccount(account);
    const { storage } = account;
    slot.period = this.stamp;
    slot.isWritten = true;
    if (storage.period !== this.stamp) {
      storage.period = this.stamp;
      storage.changed = [];
    }
    storage.changed.push(slot);
  }
}
