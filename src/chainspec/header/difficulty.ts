/** Canonical difficulty of a proof-of-work block (yellow paper §4.4.3; EIP-2, EIP-100 and the bomb delays). */

import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { minBigInt } from "../../primitives/bytes/limits.ts";
import { EMPTY_UNCLES_HASH } from "../../primitives/hash/hash.ts";
import type { Rules } from "../hardforks/rules.ts";
import type { Header } from "./header.ts";

/** The difficulty never falls below it (yellow paper §4.4.3). */
export const MINIMUM_DIFFICULTY = 131_072n;
const BOUND_DIVISOR = 2048n;

/**
 * The required difficulty of a block with this timestamp.
 *
 * @param rules - of the block, not of its parent
 * @param timestamp - seconds
 */
export function nextDifficulty(parent: Header, timestamp: bigint, rules: Rules): bigint {
  const number = parent.number + 1n;
  const step = parent.difficulty / BOUND_DIVISOR;
  const adjusted = parent.difficulty + step * adjustment(parent, timestamp, rules);
  const period = (number > rules.difficultyBombDelay ? number - rules.difficultyBombDelay : 0n) / 100_000n;
  // A header has 256 bits for the sum, so that a larger bomb need not be computed.
  const bomb = period >= 2n ? 1n << minBigInt(period - 2n, 256n) : 0n;
  // The minimum applies to the sum, as in the yellow paper; geth applies it before it adds the bomb. The results differ
  // only near the minimum with an active bomb, which mainnet never had.
  const difficulty = adjusted + bomb;
  return difficulty < MINIMUM_DIFFICULTY ? MINIMUM_DIFFICULTY : difficulty;
}

function adjustment(parent: Header, timestamp: bigint, rules: Rules): bigint {
  const elapsed = timestamp - parent.timestamp;
  if (rules.has(100)) {
    const base = equalBytes(parent.unclesHash, EMPTY_UNCLES_HASH) ? 1n : 2n;
    return atLeast(base - elapsed / 9n, -99n);
  }
  if (rules.has(2)) return atLeast(1n - elapsed / 10n, -99n);
  return elapsed < 13n ? 1n : -1n;
}

function atLeast(value: bigint, floor: bigint): bigint {
  return value < floor ? floor : value;
}
