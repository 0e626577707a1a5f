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
import type { AccountState, WorkingStateView } from "./view.ts";

export class EthereumJsStateManager implements StateManagerInterface {
  #view: WorkingStateView | undefined;

  readonly originalStorageCache = {
    get: async (address: Address, key: Bytes): Promise<Bytes> => this.view.getOriginalStorage(address.bytes, key),
    clear: (): void => this.view.beginTransaction(),
  };

  constructor(view?: WorkingStateView) {
    this.#view = view;
  }

  /**
   * The state that the EVM works on. EVMs are pooled: each run sets its own, and afterwards undefined, to let go of it.
   *
   * @throws {TypeError} if none is set
   */
  get view(): WorkingStateView {
    if (this.#view === undefined) throw new TypeError("EthereumJsStateManager: used without a view");
    return this.#view;
  }

  set view(view: WorkingStateView | undefined) {
    this.#view = view;
  }

  /** A fresh object each time: the EVM changes it before it puts it back. */
  async getAccount(address: Address): Promise<Account | undefined> {
    const found = this.view.getAccount(address.bytes);
    const account = found instanceof Promise ? await found : found;
    return account && new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    if (account === undefined) this.view.deleteAccount(address.bytes);
    else this.view.putAccount(address.bytes, accountState(account));
  }

  async deleteAccount(address: Address): Promise<void> {
    this.view.deleteAccount(address.bytes);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.view.getAccount(address.bytes)) ?? accountState(new Account());
    this.view.putAccount(address.bytes, {
      nonce: fields.nonce ?? account.nonce,
      balance: fields.balance ?? account.balance,
      storageRoot: fields.storageRoot ?? account.storageRoot,
      codeHash: fields.codeHash ?? account.codeHash,
    });
  }

  async putCode(address: Address, code: Bytes): Promise<void> {
    return this.view.putCode(address.bytes, code);
  }

  async getCode(address: Address): Promise<Bytes> {
    const found = this.view.getAccount(address.bytes);
    const account = found instanceof Promise ? await found : found;
    return account === undefined ? EMPTY_BYTES : this.view.getCode(account.codeHash);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: Address, key: Bytes): Promise<Bytes> {
    return this.view.getStorage(address.bytes, key);
  }

  /** Rejects, as MerkleStateManager does, for an account that does not exist and for a value over 32 bytes. */
  async putStorage(address: Address, key: Bytes, value: Bytes): Promise<void> {
    const found = this.view.getAccount(address.bytes);
    const account = found instanceof Promise ? await found : found;
    if (account === undefined) throw new TypeError("putStorage() called on non-existing account");
    if (value.length > 32) throw new TypeError("Storage value cannot be longer than 32 bytes");
    this.view.putStorage(address.bytes, key, value);
  }

  /** Creates the account if there is none, as MerkleStateManager does. */
  async clearStorage(address: Address): Promise<void> {
    const account = await this.view.getAccount(address.bytes);
    if (account === undefined) this.view.putAccount(address.bytes, accountState(new Account()));
    this.view.clearStorage(address.bytes);
  }

  async checkpoint(): Promise<void> {
    this.view.checkpoint();
  }

  async commit(): Promise<void> {
    this.view.commitCheckpoint();
  }

  async revert(): Promise<void> {
    this.view.revertCheckpoint();
  }

  async getStateRoot(): Promise<Bytes> {
    return this.view.computeStateRoot();
  }

  /** @throws {TypeError} always: another root is another view, see {@link view} */
  async setStateRoot(): Promise<void> {
    throw new TypeError("setStateRoot: set `view` to a view of the root instead");
  }

  /** @throws {TypeError} always: a view knows its own state only */
  async hasStateRoot(): Promise<boolean> {
    throw new TypeError("hasStateRoot: ask the StateDatabase");
  }

  clearCaches(): void {
    // The view is no cache: nothing in it can be loaded again.
  }

  /** @throws {TypeError} always: an EVM is not copied, it is given another view */
  shallowCopy(): StateManagerInterface {
    throw new TypeError("shallowCopy: make another EthereumJsStateManager over a fork of the view");
  }
}

function accountState({ nonce, balance, storageRoot, codeHash }: Account): AccountState {
  return { nonce, balance, storageRoot, codeHash };
}
