/**
 * EthereumJS' state manager over a working state: the one door through which its EVM sees ours.
 *
 * Observable behaviour is that of `MerkleStateManager` of @ethereumjs/statemanager, except where the view differs by
 * design: originals count from {@link WorkingStateView.beginTransaction}, an account's storage is dropped with the
 * account, and an account's storage root is never taken from what the EVM hands back.
 */
import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import { Account, type Address } from "@ethereumjs/util";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import type { AccountState, MaybePromise, WorkingStateView } from "./view.ts";

export class EthereumJsStateManager implements StateManagerInterface {
  /** The state that the EVM works on. EVMs are pooled: each run sets the view it is for. */
  view: WorkingStateView;

  readonly #done: Promise<void> = Promise.resolve();
  readonly originalStorageCache = {
    get: (address: Address, key: Bytes): Promise<Bytes> =>
      settled(this.view.getOriginalStorage(address.bytes, checkedSlot(key))),
    clear: (): void => this.view.beginTransaction(),
  };

  constructor(view: WorkingStateView) {
    this.view = view;
  }

  /** A fresh object each time: the EVM changes it before it puts it back. */
  getAccount(address: Address): Promise<Account | undefined> {
    const account = this.view.getAccount(address.bytes);
    return account instanceof Promise ? account.then(toAccount) : Promise.resolve(toAccount(account));
  }

  putAccount(address: Address, account?: Account): Promise<void> {
    if (account === undefined) this.view.deleteAccount(address.bytes);
    else this.view.putAccount(address.bytes, fromAccount(account));
    return this.#done;
  }

  deleteAccount(address: Address): Promise<void> {
    this.view.deleteAccount(address.bytes);
    return this.#done;
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.view.getAccount(address.bytes)) ?? fromAccount(new Account());
    this.view.putAccount(address.bytes, {
      nonce: fields.nonce ?? account.nonce,
      balance: fields.balance ?? account.balance,
      storageRoot: fields.storageRoot ?? account.storageRoot,
      codeHash: fields.codeHash ?? account.codeHash,
    });
  }

  putCode(address: Address, value: Bytes): Promise<void> {
    const putting = this.view.putCode(address.bytes, value);
    return putting instanceof Promise ? putting : this.#done;
  }

  getCode(address: Address): Promise<Bytes> {
    const account = this.view.getAccount(address.bytes);
    return account instanceof Promise ? account.then((loaded) => this.#codeOf(loaded)) : settled(this.#codeOf(account));
  }

  #codeOf(account: AccountState | undefined): MaybePromise<Bytes> {
    return account === undefined ? EMPTY_BYTES : this.view.getCode(account.codeHash);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  getStorage(address: Address, key: Bytes): Promise<Bytes> {
    return settled(this.view.getStorage(address.bytes, checkedSlot(key)));
  }

  /** Rejects, as MerkleStateManager does, for an account that does not exist and for a value over 32 bytes. */
  async putStorage(address: Address, key: Bytes, value: Bytes): Promise<void> {
    const known = this.view.getAccount(address.bytes);
    const account = known instanceof Promise ? await known : known;
    if (account === undefined) throw new TypeError("putStorage() called on non-existing account");
    if (value.length > 32) throw new TypeError("Storage value cannot be longer than 32 bytes");
    this.view.putStorage(address.bytes, checkedSlot(key), value);
  }

  /** Creates the account if there is none, as MerkleStateManager does. */
  async clearStorage(address: Address): Promise<void> {
    const account = await this.view.getAccount(address.bytes);
    if (account === undefined) this.view.putAccount(address.bytes, fromAccount(new Account()));
    this.view.clearStorage(address.bytes);
  }

  checkpoint(): Promise<void> {
    this.view.checkpoint();
    return this.#done;
  }

  commit(): Promise<void> {
    this.view.commitCheckpoint();
    return this.#done;
  }

  revert(): Promise<void> {
    this.view.revertCheckpoint();
    return this.#done;
  }

  async getStateRoot(): Promise<Bytes> {
    return this.view.computeStateRoot();
  }

  /** @throws {TypeError} always: another root is another view, see {@link view} */
  setStateRoot(): Promise<void> {
    return Promise.reject(new TypeError("setStateRoot: set `view` to a view of the root instead"));
  }

  /** @throws {TypeError} always: a view knows its own state only */
  hasStateRoot(): Promise<boolean> {
    return Promise.reject(new TypeError("hasStateRoot: ask the StateDatabase"));
  }

  clearCaches(): void {
    // The view is no cache: nothing in it can be loaded again.
  }

  /** @throws {TypeError} always: an EVM is not copied, it is given another view */
  shallowCopy(): StateManagerInterface {
    throw new TypeError("shallowCopy: make another EthereumJsStateManager over a fork of the view");
  }
}

function settled<T>(value: MaybePromise<T>): Promise<T> {
  return value instanceof Promise ? value : Promise.resolve(value);
}

function toAccount(account: AccountState | undefined): Account | undefined {
  if (account === undefined) return undefined;
  return new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
}

function fromAccount({ nonce, balance, storageRoot, codeHash }: Account): AccountState {
  return { nonce, balance, storageRoot, codeHash };
}

function checkedSlot(key: Bytes): Bytes {
  if (key.length !== 32) throw new TypeError("Storage key must be 32 bytes long");
  return key;
}
