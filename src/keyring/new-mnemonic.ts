/** Mnemonics for development chains: random, or derived from a number. */
import { entropyToMnemonic, generateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { seededBytes } from "./seeded-bytes.ts";

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
