/** Mnemonics and their development accounts. Loaded only for other accounts than the default ones, because of the list of words. */
import { entropyToMnemonic, generateMnemonic, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { deriveChildren, deriveKey, masterKey, mnemonicSeed } from "./hd-key.ts";
import { accountOf, DEV_DERIVATION_PATH, type DevAccount } from "./keyring.ts";
import { seededBytes } from "./seeded-bytes.ts";

/**
 * Derives the first `count` accounts of a mnemonic.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for a mnemonic that fails its checksum
 * @see BIP-32, BIP-39, BIP-44
 */
export function deriveAccounts(mnemonic: string, count: number, path = DEV_DERIVATION_PATH): DevAccount[] {
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new InvalidParamsError({
      code: "INVALID_OPTION",
      what: "The mnemonic is not valid: its words or their checksum are wrong.",
      fix: "Use 12, 15, 18, 21 or 24 words of the English BIP-39 list.",
    });
  }
  const parent = deriveKey(masterKey(mnemonicSeed(mnemonic)), path.replace(/\/$/, ""));
  return deriveChildren(parent, count).map(({ privateKey }) => accountOf(privateKey));
}

/** Bits of entropy per three words (BIP-39). */
const BITS_PER_TRIPLE = 32;

/** A new mnemonic of 12, 15, 18, 21 or 24 words. */
export function randomMnemonic(words: number): string {
  return generateMnemonic(wordlist, (words / 3) * BITS_PER_TRIPLE);
}

/** The 12 words derived from a number below 2^64, the same as Anvil's. Anyone who knows the number knows the keys. */
export function mnemonicOfSeed(seed: bigint): string {
  return entropyToMnemonic(seededBytes(seed), wordlist);
}
