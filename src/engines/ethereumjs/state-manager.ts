/** EthereumJS' state manager over a {@link StateOverlay}: the one door through which its EVM sees the state. */
import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import { Account, type Address } from "@ethereumjs/util";
import type { EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../primitives/hash.ts";
import type { StateOverlay } from "./overlay.ts";

/** EthereumJS asks of a storage root only whether it is that of an empty trie (EIP-7610). This one is not. */
const SOME_TRIE_ROOT: Bytes = new Uint8Array(32).fill(0xff);

const NEW_ACCOUNT: EvmAccount = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

export class OverlayStateManager implements StateManagerInterface {
  readonly #overlay: StateOverlay;

  readonly originalStorageCache = {
    get: async (address: Address, slot: Bytes): Promise<Bytes> => this.#overlay.getOriginalStorage(address.bytes, slot),
    clear: (): void => {},
  };

  constructor(overlay: StateOverlay) {
    this.#overlay = overlay;
  }

  /** A fresh object each time: the EVM changes it before it puts it back. */
  async getAccount(address: Address): Promise<Account | undefined> {
    const account = await this.#overlay.getAccount(address.bytes);
    if (account === undefined) return undefined;
    const { nonce, balance, codeHash } = account;
    // Only where a contract could be created the answer makes a difference.
    const mayBeCreated = nonce === 0n && equalBytes(codeHash, EMPTY_CODE_HASH);
    const hasStorage = mayBeCreated && (await this.#overlay.hasStorage(address.bytes));
    return new Account(nonce, balance, hasStorage ? SOME_TRIE_ROOT : EMPTY_TRIE_ROOT, codeHash);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    this.#overlay.putAccount(
      address.bytes,
      account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash },
    );
  }

  async deleteAccount(address: Address): Promise<void> {
    this.#overlay.putAccount(address.bytes, undefined);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.#overlay.getAccount(address.bytes)) ?? NEW_ACCOUNT;
    this.#overlay.putAccount(address.bytes, {
      nonce: fields.nonce ?? account.nonce,
      balance: fields.balance ?? account.balance,
      codeHash: fields.codeHash ?? account.codeHash,
    });
  }

  async putCode(address: Address, code: Bytes): Promise<void> {
    const account = (await this.#overlay.getAccount(address.bytes)) ?? NEW_ACCOUNT;
    this.#overlay.putAccount(address.bytes, { ...account, codeHash: this.#overlay.addCode(code) });
  }

  async getCode(address: Address): Promise<Bytes> {
    const account = await this.#overlay.getAccount(address.bytes);
    return account === undefined ? EMPTY_BYTES : this.#overlay.getCode(account.codeHash);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: Address, slot: Bytes): Promise<Bytes> {
    return this.#overlay.getStorage(address.bytes, slot);
  }

  async putStorage(address: Address, slot: Bytes, value: Bytes): Promise<void> {
    this.#overlay.putStorage(address.bytes, slot, value);
  }

  async clearStorage(address: Address): Promise<void> {
    this.#overlay.wipeStorage(address.bytes);
  }

  async checkpoint(): Promise<void> {
    this.#overlay.checkpoint();
  }

  async commit(): Promise<void> {
    this.#overlay.commit();
  }

  async revert(): Promise<void> {
    this.#overlay.revert();
  }

  clearCaches(): void {}

  /** @throws {TypeError} as the four below: an EVM has no business with roots, and is not copied here */
  async getStateRoot(): Promise<Bytes> {
    throw new TypeError("OverlayStateManager: the state has no root here");
  }

  async setStateRoot(): Promise<void> {
    throw new TypeError("OverlayStateManager: the state has no root here");
  }

  async hasStateRoot(): Promise<boolean> {
    throw new TypeError("OverlayStateManager: the state has no root here");
  }

  shallowCopy(): StateManagerInterface {
    throw new TypeError("OverlayStateManager: it serves one session");
  }
}
