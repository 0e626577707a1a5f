/**
 * Development accounts: keys from a mnemonic, signing, and impersonated senders.
 *
 * The keys are not protected, because the default mnemonic is publicly known.
 */
import { type Bytes, bytesKey, keyBytes } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { publicKeyOf } from "./hd-key.ts";

/** The mnemonic that Anvil and Hardhat use. */
export const DEV_MNEMONIC = "test test test test test test test test test test test junk";
/** Path of account i, without the i at its end. */
export const DEV_DERIVATION_PATH = "m/44'/60'/0'/0/";

/** A key that is stored unprotected, and its address. */
export interface DevAccount {
  /** 20 bytes */
  readonly address: Bytes;
  /** 32 bytes */
  readonly privateKey: Bytes;
}

/** The account of a private key. */
export function accountOf(privateKey: Bytes): DevAccount {
  return { address: keccak256(publicKeyOf(privateKey)).slice(12), privateKey };
}

/** The passphrase and the lock of an account that was added later. */
interface Lock {
  readonly passphrase: string;
  /** Milliseconds since 1970 until which it is open; 0: it is locked; Infinity: until it is locked again. */
  openUntil: number;
}

/** The accounts a node can sign for, and those it lets act unsigned. */
export class Keyring {
  /** Those it began with: of the mnemonic, or given. */
  readonly first: readonly DevAccount[];
  readonly #added: DevAccount[] = [];
  readonly #byAddress: Map<string, DevAccount>;
  /** Of those that were added with a passphrase, or locked. */
  readonly #locks = new Map<string, Lock>();
  /** Addresses that were added without a key, as map keys. */
  readonly #withoutKey = new Set<string>();
  readonly #impersonated = new Set<string>();
  #impersonatesAll = false;

  constructor(accounts: readonly DevAccount[]) {
    this.first = accounts;
    this.#byAddress = new Map(accounts.map((account) => [bytesKey(account.address), account]));
  }

  /** In derivation order; those that were added come last. */
  get accounts(): readonly DevAccount[] {
    return [...this.first, ...this.#added].filter(({ address }) => this.#byAddress.has(bytesKey(address)));
  }

  /** Addresses that may send: of {@link accounts}, then those without a key, in the order of their first. */
  get senders(): readonly Bytes[] {
    const others = new Set([...this.#withoutKey, ...this.#impersonated]);
    const withoutKey = [...others].filter((key) => !this.#byAddress.has(key));
    return [...this.accounts.map(({ address }) => address), ...withoutKey.map(keyBytes)];
  }

  /** The account that may sign; undefined for one that is locked, or not here. */
  getAccount(address: Bytes): DevAccount | undefined {
    return this.isLocked(address) ? undefined : this.#byAddress.get(bytesKey(address));
  }

  /** Adds an account, locked until {@link unlock}. Returns false if it is here already. */
  add(account: DevAccount, passphrase: string): boolean {
    const key = bytesKey(account.address);
    if (this.#byAddress.has(key)) return false;
    this.#added.push(account);
    this.#byAddress.set(key, account);
    this.#locks.set(key, { passphrase, openUntil: 0 });
    return true;
  }

  /** Adds an address without a key, which may send without a signature once {@link unlock} opened it. False if it is here. */
  addWithoutKey(address: Bytes, passphrase: string): boolean {
    const key = bytesKey(address);
    if (this.has(address)) return false;
    this.#withoutKey.add(key);
    this.#locks.set(key, { passphrase, openUntil: 0 });
    return true;
  }

  /** Removes an account, with or without a key. Returns false if it is not here. */
  remove(address: Bytes): boolean {
    const was = this.has(address);
    const key = bytesKey(address);
    this.#byAddress.delete(key);
    this.#withoutKey.delete(key);
    this.#locks.delete(key);
    return was;
  }

  isLocked(address: Bytes): boolean {
    const lock = this.#locks.get(bytesKey(address));
    return lock !== undefined && lock.openUntil <= Date.now();
  }

  /** Locks an account; one without a passphrase gets the empty one. Returns false if it is not here. */
  lock(address: Bytes): boolean {
    const key = bytesKey(address);
    if (!this.has(address)) return false;
    this.#locks.set(key, { passphrase: this.#locks.get(key)?.passphrase ?? "", openUntil: 0 });
    return true;
  }

  /**
   * Lets an account sign again.
   *
   * @param openUntil - milliseconds since 1970, or Infinity
   */
  unlock(address: Bytes, openUntil: number): void {
    const lock = this.#locks.get(bytesKey(address));
    if (lock !== undefined) lock.openUntil = openUntil;
  }

  /** Whether the passphrase is that of an account; one without has the empty one. */
  opensWith(address: Bytes, passphrase: string): boolean {
    return passphrase === (this.#locks.get(bytesKey(address))?.passphrase ?? "");
  }

  /** The account, locked or not; undefined for an address without a key. */
  withKey(address: Bytes): DevAccount | undefined {
    return this.#byAddress.get(bytesKey(address));
  }

  /** Whether an address is here, locked or not: with a key, or added without one. */
  has(address: Bytes): boolean {
    const key = bytesKey(address);
    return this.#byAddress.has(key) || this.#withoutKey.has(key);
  }

  /** True if transactions of this sender are accepted without a signature. */
  isImpersonated(address: Bytes): boolean {
    const key = bytesKey(address);
    if (this.#impersonatesAll || this.#impersonated.has(key)) return true;
    return this.#withoutKey.has(key) && !this.isLocked(address);
  }

  /** Lets an address send without a signature. Returns false if it already may. */
  impersonate(address: Bytes): boolean {
    const isNew = !this.isImpersonated(address);
    this.#impersonated.add(bytesKey(address));
    return isNew;
  }

  /** Ends {@link impersonate}. Returns false if the address was not impersonated. */
  stopImpersonating(address: Bytes): boolean {
    const was = this.isImpersonated(address);
    this.#impersonated.delete(bytesKey(address));
    return was;
  }

  setAutoImpersonate(enabled: boolean): void {
    this.#impersonatesAll = enabled;
  }

  /** A keyring with the same accounts, locks and impersonations, that goes its own way from here. */
  branch(): Keyring {
    const branch = new Keyring(this.first);
    for (const account of this.#added) branch.add(account, "");
    for (const { address } of branch.accounts) if (!this.has(address)) branch.remove(address);
    for (const [key, lock] of this.#locks) branch.#locks.set(key, { ...lock });
    for (const key of this.#withoutKey) branch.#withoutKey.add(key);
    for (const sender of this.#impersonated) branch.#impersonated.add(sender);
    branch.#impersonatesAll = this.#impersonatesAll;
    return branch;
  }
}
