/** What was written since when: since the transaction began, and since the last root. Each thing is noted once. */
import type { Stamp, WorkingAccount, WorkingSlot } from "./working-account.ts";

/** Accounts and slots written in the current transaction, with what they were when it began. */
export class TransactionTracker {
  stamp: Stamp = {};
  readonly #accounts: WorkingAccount[] = [];

  /** Accounts as they were found when they were first written; what stands for them now may be a copy. */
  get accounts(): readonly WorkingAccount[] {
    return this.#accounts;
  }

  begin(): void {
    this.stamp = {};
    this.#accounts.length = 0;
  }

  /** To be called before an account changes. */
  noteAccount(account: WorkingAccount): void {
    if (account.transaction === this.stamp) return;
    account.transaction = this.stamp;
    account.originalRecord = account.record;
    account.originalStorage = account.storage;
    this.#accounts.push(account);
  }

  /** To be called before a slot changes. */
  noteSlot(account: WorkingAccount, slot: WorkingSlot): void {
    if (slot.transaction === this.stamp) return;
    this.noteAccount(account);
    const { storage } = account;
    slot.transaction = this.stamp;
    slot.original = slot.value;
    if (storage.transaction !== this.stamp) {
      storage.transaction = this.stamp;
      storage.touched = [];
    }
    storage.touched.push(slot);
  }
}

/** Accounts and slots written since the last root: what the tries do not know yet. */
export class RootTracker {
  stamp: Stamp = {};
  readonly #accounts: WorkingAccount[] = [];

  /** As in {@link TransactionTracker.accounts}. */
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
