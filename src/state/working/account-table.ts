/**
 * The accounts of a working state, found by address. A fork shares them all at first; whoever writes one takes a copy.
 *
 * What is read is remembered in shared accounts too: all who share have the same base, so the answer is the same.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { addressKey } from "../map-keys.ts";
import { type Stamp, WorkingAccount, type WorkingSlot, type WorkingStorage } from "./working-account.ts";

export class AccountTable {
  /** Accounts that may be changed in place. */
  #own = new Map<string, WorkingAccount>();
  /** Accounts that several tables use. None is written any more, but what is read is added. */
  #shared: Map<string, WorkingAccount> | undefined;
  /** Marks the accounts in {@link #own}. */
  #owner: Stamp = {};

  // The very same array is asked for again and again: the running contract's address, the slot of an SSTORE.
  #lastAddress: Bytes | undefined;
  #lastAccount: WorkingAccount | undefined;
  #lastKey: Bytes | undefined;
  #lastStorage: WorkingStorage | undefined;
  #lastSlot: WorkingSlot | undefined;

  /** The account at an address, made on first sight. To be read only, unless the table {@link owns} it. */
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

  /** A slot, made on first sight. */
  slot(storage: WorkingStorage, slot: Bytes): WorkingSlot {
    if (slot === this.#lastKey && storage === this.#lastStorage) return this.#lastSlot as WorkingSlot;
    const found = storage.slot(slot);
    this.#lastKey = slot;
    this.#lastStorage = storage;
    this.#lastSlot = found;
    return found;
  }

  /** What now stands for an account that was found earlier. */
  current(account: WorkingAccount): WorkingAccount {
    return this.#get(account.key) ?? account;
  }

  /** True for an account that may be changed in place; of any other, {@link take} a copy first. */
  owns(account: WorkingAccount): boolean {
    return account.owner === this.#owner;
  }

  /** A copy that may be changed and stands for the account from now on. */
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

  /** A table with the same contents, independent from now on. Costs nothing if none was written since the last fork. */
  fork(): AccountTable {
    const shared = this.#share();
    const fork = new AccountTable();
    fork.#shared = shared;
    return fork;
  }

  #share(): Map<string, WorkingAccount> {
    const shared = this.#shared === undefined ? this.#own : this.#shared;
    if (this.#own.size === 0 || shared === this.#own) return this.#disown(shared);
    // Others use the shared map as it is.
    return this.#disown(new Map([...shared, ...this.#own]));
  }

  #disown(shared: Map<string, WorkingAccount>): Map<string, WorkingAccount> {
    this.#shared = shared;
    this.#own = new Map();
    this.#owner = {};
    return shared;
  }
}
