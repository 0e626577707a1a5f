/** Accounts and slots written since the last root: what the tries do not know yet. Each is noted once. */
import type { Stamp, WorkingAccount, WorkingSlot } from "./working-account.ts";

export class RootTracker {
  stamp: Stamp = {};
  readonly #accounts: WorkingAccount[] = [];

  /** Accounts as they were found when they were first written; what stands for them now may be a copy. */
  get accounts(): readonly WorkingAccount[] {
    return this.#accounts;
  }

  /** To be called when the tries know everything. */
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
