/**
 * The accounts of a working state, found by address. A fork shares them all at first; whoever writes one takes a copy.
 *
 * What is read is remembered in shared accounts too: all who share have the same base, so the answer is the same.
 */
import type { Bytes } from "../primitives/bytes.ts";
import { addressKey } from "./map-keys.ts";
import { type Stamp, WorkingAccount, type WorkingSlot, type WorkingStorage } from "./working-account.ts";

export class AccountTable {
  #accounts = new Map<string, WorkingAccount>();
  /** True while another table may use the same map: whoever writes first takes a copy of it. */
  #isShared = false;
  /** Marks the accounts that may be changed in place. */
  #owner: Stamp = {};

  // The very same array is asked for again and again: the running contract's address, the slot of an SSTORE.
  #lastAddress: Bytes | undefined;
  #lastAccount: WorkingAccount | undefined;
  #lastKey: Bytes | undefined;
  #lastStorage: WorkingStorage | undefined;
  #lastSlot: WorkingSlot | undefined;

  /** The account at an address, made on first sight. To be read only: see {@link own}. */
  find(address: Bytes): WorkingAccount {
    if (address === this.#lastAddress) return this.#lastAccount as WorkingAccount;
    const key = addressKey(address);
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = new WorkingAccount(key, address, this.#isShared ? undefined : this.#owner);
      this.#accounts.set(key, account);
    }
    this.#lastAddress = address;
    this.#lastAccount = account;
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
    return this.#accounts.get(account.key) ?? account;
  }

  /** The account itself if it may be changed in place, else a copy that takes its place. */
  own(account: WorkingAccount): WorkingAccount {
    if (account.owner === this.#owner) return account;
    if (this.#isShared) {
      this.#accounts = new Map(this.#accounts);
      this.#isShared = false;
    }
    const copy = account.copy(this.#owner);
    this.#accounts.set(copy.key, copy);
    this.#lastAddress = undefined;
    return copy;
  }

  values(): Iterable<WorkingAccount> {
    return this.#accounts.values();
  }

  /** A table with the same contents, independent from now on. Costs nothing until one of the two is written. */
  fork(): AccountTable {
    const fork = new AccountTable();
    fork.#accounts = this.#accounts;
    fork.#isShared = true;
    this.#isShared = true;
    this.#owner = {};
    return fork;
  }
}
