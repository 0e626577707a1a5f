/**
 * Development accounts: keys from a mnemonic, signing, and impersonated senders.
 *
 * The keys are not protected, because the default mnemonic is publicly known.
 */
import { validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesKey } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { deriveChildren, deriveKey, masterKey, mnemonicSeed, publicKeyOf } from "./hd-key.ts";

/** The mnemonic that Anvil and Hardhat use. */
export const DEV_MNEMONIC = "test test test test test test test test test test test junk";
/** Default number of accounts. */
export const DEV_ACCOUNTS = 10;
/** Path of account i, without the i at its end. */
export const DEV_DERIVATION_PATH = "m/44'/60'/0'/0/";

export interface DevAccount {
  /** 20 bytes */
  readonly address: Bytes;
  /** 32 bytes */
  readonly privateKey: Bytes;
}

/**
 * Derives the first `count` accounts of a mnemonic.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for a mnemonic that fails its checksum
 * @see BIP-32, BIP-39, BIP-44
 */
export function deriveAccounts(mnemonic: string, count: number, path = DEV_DERIVATION_PATH): DevAccount[] {
  // Checking the default one at every start would only take time.
  if (mnemonic !== DEV_MNEMONIC && !validateMnemonic(mnemonic, wordlist)) {
    throw new InvalidParamsError({
      code: "INVALID_OPTION",
      what: "The mnemonic is not valid: its words or their checksum are wrong.",
      fix: "Use 12, 15, 18, 21 or 24 words of the English BIP-39 list.",
    });
  }
  const parent = deriveKey(masterKey(mnemonicSeed(mnemonic)), path.replace(/\/$/, ""));
  return deriveChildren(parent, count).map(({ privateKey }) => accountOf(privateKey));
}

/** The account of a private key. */
export function accountOf(privateKey: Bytes): DevAccount {
  return { address: keccak256(publicKeyOf(privateKey)).subarray(12), privateKey };
}

/** The accounts that a node can sign for, and the impersonated ones. */
export class Keyring {
  readonly #accounts: readonly DevAccount[];
  readonly #byAddress: ReadonlyMap<string, DevAccount>;
  readonly #impersonated = new Set<string>();
  #impersonatesAll = false;

  constructor(accounts: readonly DevAccount[]) {
    this.#accounts = accounts;
    this.#byAddress = new Map(accounts.map((account) => [bytesKey(account.address), account]));
  }

  /** In derivation order. */
  get accounts(): readonly DevAccount[] {
    return this.#accounts;
  }

  getAccount(address: Bytes): DevAccount | undefined {
    return this.#byAddress.get(bytesKey(address));
  }

  /** True if transactions of this sender are accepted without a signature. */
  isImpersonated(address: Bytes): boolean {
    return this.#impersonatesAll || this.#impersonated.has(bytesKey(address));
  }

  impersonate(address: Bytes): void {
    this.#impersonated.add(bytesKey(address));
  }

  stopImpersonating(address: Bytes): void {
    this.#impersonated.delete(bytesKey(address));
  }

  setAutoImpersonate(enabled: boolean): void {
    this.#impersonatesAll = enabled;
  }

  /** An independent keyring with the same accounts and impersonations. */
  branch(): Keyring {
    const branch = new Keyring(this.#accounts);
    for (const sender of this.#impersonated) branch.#impersonated.add(sender);
    branch.#impersonatesAll = this.#impersonatesAll;
    return branch;
  }
}
