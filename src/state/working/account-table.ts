/**
 * The accounts of a working state by address. A fork shares them copy-on-write.
 *
 * Values read from the base are cached in shared accounts too, because all views that share them have the same base.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { addressKey } from "../map-keys.ts";
import { type Stamp, WorkingAccount, type WorkingSlot, type WorkingStorage } from "./working-account.ts";

/** The accounts of one working state. */
export class AccountTable {
  /** Accounts that this table may change in place. */
  #own = new Map<string, WorkingAccount>();
  /** Accounts shared by several tables. They are not written, but values read from the base are added. */
  #shared: Map<string, WorkingAccount> | undefined;
  /** Owner stamp of the accounts in {@link #own}. */
  #owner: Stamp = {};

  // Caches the last key by identity, because the same array is often looked up again, such as the executing contract's
  // address.
  #lastAddress: Bytes | undefined;
  #lastAccount: WorkingAccount | undefined;
  #lastKey: Bytes | undefined;
  #lastStorage: WorkingStorage | undefined;
  #lastSlot: WorkingSlot | undefined;

  /** The account at an address, created on first access. Read-only unless the table {@link owns} it. */
  find(address: Bytes): WorkingAccount {
    if (address === this.#lastAddress) return this.#lastAccount as WorkingAccount;
    const key = addressKey(address);
    const account = this.#get(key) ?? this.#add(key, address);
    this.#lastAddress = address;
    this.#lastAccount = account;
    return account;
  }

  #get(key: string): WorkingAccount | undefined {
    return this.#own.get(key) ?? this.#shared?.get(key);
  }

  #add(key: string, address: Bytes): WorkingAccount {
    const account = new WorkingAccount(key, address, this.#shared === undefined ? this.#owner : undefined);
    (this.#shared ?? this.#own).set(key, account);
    return account;
  }

  /** A slot, created on first access. */
  slot(storage: WorkingStorage, slot: Bytes): WorkingSlot {
    if (slot === this.#lastKey && storage === this.#lastStorage) return this.#lastSlot as WorkingSlot;
    const found = storage.slot(slot);
    this.#lastKey = slot;
    this.#lastStorage = storage;
    this.#lastSlot = found;
    return found;
  }

  /** The present object for an account that was found earlier. */
  current(account: WorkingAccount): WorkingAccount {
    return this.#get(account.key) ?? account;
  }

  /** True if an account may be changed in place; otherwise {@link take} a copy first. */
  owns(account: WorkingAccount): boolean {
    return account.owner === this.#owner;
  }

  /** A writable copy, which replaces the account in this table. */
  take(account: WorkingAccount, period: Stamp): WorkingAccount {
    const copy = account.copy(this.#owner, period);
    this.#own.set(copy.key, copy);
    this.#lastAddress = undefined;
    return copy;
  }

  *values(): Iterable<WorkingAccount> {
    yield* this.#own.values();
    for (const [key, account] of this.#shared ?? []) if (!this.#own.has(key)) yield account;
  }

  /** An independent table with the same contents. Costs nothing if none was written since the last fork. */
  fork(): AccountTable {
    const shared = this.#share();
    const fork = new AccountTable();
    fork.#shared = shared;
    return fork;
  }

  #share(): Map<string, WorkingAccount> {
    const shared = this.#shared === undefined ? this.#own : this.#shared;
    if (this.#own.size === 0 || shared === this.#own) return this.#disown(shared);
    // Other tables use the shared map, so it is copied.
    return this.#disown(new Map([...shared, ...this.#own]));
  }

  #disown(shared: Map<string, WorkingAccount>): Map<string, WorkingAccount> {
    this.#shared = shared;
    this.#own = new Map();
    this.#owner = {};
    return shared;
  }
}

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
