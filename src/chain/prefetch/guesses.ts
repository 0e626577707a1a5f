/** Values that a repeated run reads in place of those that are not known yet. */
import { type Bytes, bigIntToBytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { decodeData } from "../../primitives/bytes/hex.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { type AccountState, EMPTY_ACCOUNT } from "../../state/view.ts";

/**
 * Value of an unknown slot: zero; one, which is true and often "unlocked"; an amount that passes most comparisons; or
 * several such amounts in one word, as Uniswap's pairs keep their reserves.
 */
export type SlotGuess = "zero" | "one" | "amount" | "packed";

/**
 * The one of two amounts that is guessed. A key that a run reads with either does not depend on the amount; a key that it computed
 * of a guess, such as the slot of a mapping, differs.
 */
export type Variant = 0 | 1;

/** The guesses of one repetition. */
export interface Assumptions {
  readonly slots: SlotGuess;
  /** Unknown accounts are absent, or contracts that return one. */
  readonly accounts: "absent" | "contract";
  /** Other guesses for single slots, by key. */
  readonly exceptions: ReadonlyMap<string, SlotGuess>;
}

const AMOUNTS = [1n << 88n, 3n << 87n] as const;
/** Difference of two guessed amounts in one run: more than rounding and fees take away. */
const STEP = 1n << 70n;
/** Bits of a packed word above its two amounts: a time in pairs of Uniswap 2, and "unlocked" in pools of Uniswap 3. */
const FLAGS = (1n << 240n) | (1n << 224n);

/** The guessed value, without leading zeros. @param number - of the guess in its run, so that no two amounts are equal */
export function guessedSlot(guess: SlotGuess, number: number, variant: Variant): Bytes {
  if (guess === "zero") return EMPTY_BYTES;
  if (guess === "one") return Uint8Array.of(1);
  const amount = AMOUNTS[variant] + BigInt(number) * STEP;
  return bigIntToBytes(guess === "amount" ? amount : FLAGS | (amount << 112n) | amount);
}

/** Returns the word 1: PUSH1 1, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const CODE = decodeData("0x600160005260206000f3");
const CODE_HASH = keccak256(CODE);

/** An unknown account that is assumed to be a contract. */
export const GUESSED_CONTRACT: AccountState = { ...EMPTY_ACCOUNT, nonce: 1n, codeHash: CODE_HASH };

/** Its code; undefined for other hashes. */
export function guessedCode(codeHash: Bytes): Bytes | undefined {
  return equalBytes(codeHash, CODE_HASH) ? CODE : undefined;
}
