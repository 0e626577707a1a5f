/** Accounts that this node can sign for: those of its options, and those that are added with a passphrase. */
import { InvalidParamsError, NotFoundError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { accountOf, type DevAccount, type Keyring } from "../../keyring/keyring.ts";
import { checksumAddress } from "../../primitives/address.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { isPrivateKey } from "../../primitives/curves/secp256k1.ts";

/** Seconds that an account stays unlocked by default (as in geth and Ganache). */
const DEFAULT_UNLOCK_SECONDS = 300;

/** Behaviours in which development nodes differ. */
export interface AccountsHabits {
  /** An address that is added without a key: it may send at once, or once it is unlocked with its passphrase. */
  readonly addedAccounts: "impersonated" | "locked";
}

/** Serves `eth_accounts`, and those `personal_*` and `evm_*` methods that add, remove, lock and unlock accounts. */
export class AccountsService {
  readonly #keyring: Keyring;
  readonly #habits: AccountsHabits;

  constructor(keyring: Keyring, habits: AccountsHabits) {
    this.#keyring = keyring;
    this.#habits = habits;
  }

  /** Addresses that the node has keys of, in derivation order; those that were added come last. */
  list(): readonly Bytes[] {
    return this.#keyring.accounts.map(({ address }) => address);
  }

  /** Addresses that may send without a signature of their own: those of {@link list}, then impersonated ones. */
  senders(): readonly Bytes[] {
    return this.#keyring.senders;
  }

  /**
   * Adds an account by its key, locked until it is unlocked.
   *
   * @param privateKey - default: a new one
   * @throws {InvalidParamsError} `INVALID_PARAMS` for an invalid key, and for an account that the node already has
   */
  add(passphrase: string, privateKey: Bytes = newPrivateKey()): Bytes {
    if (!isPrivateKey(privateKey)) throw invalid("params[0]: expected a private key of secp256k1.");
    const account = accountOf(privateKey);
    if (this.#keyring.add(account, passphrase)) return account.address;
    throw invalid(`account already exists: ${checksumAddress(account.address)}.`);
  }

  /** Adds an address without a key. Returns false if it is here already. */
  addAddress(address: Bytes, passphrase: string): boolean {
    const { addedAccounts } = this.#habits;
    return addedAccounts === "locked"
      ? this.#keyring.addWithoutKey(address, passphrase)
      : this.#keyring.impersonate(address);
  }

  /**
   * Undoes {@link addAddress}; where added addresses are locked, it removes any account. Returns false if it is not here.
   *
   * @throws {InvalidParamsError} `WRONG_PASSPHRASE`
   */
  removeAddress(address: Bytes, passphrase: string): boolean {
    if (this.#habits.addedAccounts === "impersonated") return this.#keyring.stopImpersonating(address);
    if (this.#keyring.has(address)) this.#checkPassphrase(address, passphrase);
    return this.#keyring.remove(address);
  }

  /** Locks an account. Returns false if the node does not have it. */
  lock(address: Bytes): boolean {
    return this.#keyring.lock(address);
  }

  /**
   * Lets an account sign for some seconds; 0 means without end, as in geth.
   *
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   * @throws {InvalidParamsError} `WRONG_PASSPHRASE`
   */
  unlock(address: Bytes, passphrase: string, seconds: number = DEFAULT_UNLOCK_SECONDS): void {
    if (!this.#keyring.has(address)) throw unknownAccount(address, NO_KEY);
    this.#checkPassphrase(address, passphrase);
    this.#keyring.unlock(address, seconds === 0 ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000);
  }

  /** The account, if the passphrase is right, as for {@link unlock}; it stays locked. */
  open(address: Bytes, passphrase: string): DevAccount {
    const account = this.#keyring.withKey(address);
    if (account === undefined) throw unknownAccount(address, NO_KEY);
    this.#checkPassphrase(address, passphrase);
    return account;
  }

  #checkPassphrase(address: Bytes, passphrase: string): void {
    if (this.#keyring.opensWith(address, passphrase)) return;
    throw new InvalidParamsError({
      code: "WRONG_PASSPHRASE",
      what: "could not decrypt key with given password",
      fix: "Give the passphrase that the account was made with; accounts of the mnemonic have an empty one.",
    });
  }
}

/**
 * The account that may sign.
 *
 * @param fix - the error's advice if the node does not have the account
 * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
 * @throws {UnsupportedError} `ACCOUNT_LOCKED`
 */
export function requireAccount(keyring: Keyring, address: Bytes, fix: string = NO_KEY): DevAccount {
  const account = keyring.getAccount(address);
  if (account !== undefined) return account;
  if (!keyring.isLocked(address)) throw unknownAccount(address, fix);
  throw new UnsupportedError({
    code: "ACCOUNT_LOCKED",
    what: "authentication needed: passphrase or unlock",
    fix: "Unlock the account with personal_unlockAccount, or send with personal_sendTransaction.",
  });
}

const NO_KEY = "The node has no key for it; personal_listAccounts lists the accounts that it has keys of.";

/** The error for an address that the node has no key of. */
export function unknownAccount(address: Bytes | undefined, fix: string): NotFoundError {
  const shown = address === undefined ? "" : ` ${checksumAddress(address)}`;
  return new NotFoundError({ code: "UNKNOWN_ACCOUNT", what: `unknown account${shown}`, fix });
}

function newPrivateKey(): Bytes {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    if (isPrivateKey(bytes)) return bytes;
  }
}

function invalid(what: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_PARAMS", what });
}
