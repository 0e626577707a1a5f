/**
 * EthereumJS' StateManagerInterface over a state view that can be exchanged, so that one EVM serves many states.
 *
 * Only what the EVM calls: roots, caches and copies belong to whoever owns the view.
 */
import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import { Account, type Address } from "@ethereumjs/util";
import type { Bytes } from "../primitives/bytes.ts";
import type { AccountState, WorkingStateView } from "../state/view.ts";

export class EvmStateManager implements StateManagerInterface {
  #view: WorkingStateView | undefined;
  readonly originalStorageCache = {
    get: async (address: Address, slot: Bytes): Promise<Bytes> => this.view.getOriginalStorage(address.bytes, slot),
    clear: (): void => {},
  };

  get view(): WorkingStateView {
    if (this.#view === undefined) throw new TypeError("EvmStateManager: used without a state");
    return this.#view;
  }

  /** Exchanges the view; undefined lets go of it. */
  setView(view: WorkingStateView | undefined): void {
    this.#view = view;
  }

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
    const account = (await this.getAccount(address)) ?? new Account();
    Object.assign(account, fields);
    await this.putAccount(address, account);
  }

  async putCode(address: Address, code: Bytes): Promise<void> {
    await this.view.putCode(address.bytes, code);
  }

  async getCode(address: Address): Promise<Bytes> {
    const found = this.view.getAccount(address.bytes);
    const account = found instanceof Promise ? await found : found;
    return account === undefined ? NO_CODE : this.view.getCode(account.codeHash);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: Address, slot: Bytes): Promise<Bytes> {
    return this.view.getStorage(address.bytes, slot);
  }

  async putStorage(address: Address, slot: Bytes, value: Bytes): Promise<void> {
    this.view.putStorage(address.bytes, slot, value);
  }

  async clearStorage(address: Address): Promise<void> {
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

  setStateRoot(): Promise<void> {
    throw notForTheEvm("setStateRoot");
  }

  hasStateRoot(): Promise<boolean> {
    throw notForTheEvm("hasStateRoot");
  }

  shallowCopy(): StateManagerInterface {
    throw notForTheEvm("shallowCopy");
  }

  clearCaches(): void {}
}

const NO_CODE: Bytes = new Uint8Array(0);

function accountState({ nonce, balance, storageRoot, codeHash }: Account): AccountState {
  return { nonce, balance, storageRoot, codeHash };
}

function notForTheEvm(method: string): TypeError {
  return new TypeError(`EvmStateManager.${method}: the EVM does not call this`);
}
