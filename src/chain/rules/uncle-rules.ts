/** Validates a block's uncles (yellow paper §11.1): at most two recent siblings of ancestors, none included twice. */

import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { type Header, hashHeader } from "../../chainspec/header/header.ts";
import { bytesKey } from "../../primitives/bytes/bytes.ts";
import { blockRejected, checkHeader } from "./header-rules.ts";

const MAXIMUM_UNCLES = 2;
/** An uncle's parent is at most this many generations above the block. */
export const UNCLE_GENERATIONS = 7;

/** Ancestor lookups that the rules need. */
export interface AncestorSource {
  readonly archive: { getBlock(hash: Uint8Array): Block | undefined };
  totalDifficultyOf(hash: Uint8Array): bigint | undefined;
}

/**
 * Checks the uncles of a block with a given parent.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` with the broken rule
 */
export function checkUncles(
  { hash: parentHash, header }: Block,
  uncles: readonly Header[],
  source: AncestorSource,
  spec: ChainSpec,
): void {
  if (uncles.length === 0) return;
  const number = header.number + 1n;
  if (uncles.length > MAXIMUM_UNCLES)
    throw blockRejected(number, `it has ${uncles.length} uncles, at most 2 are allowed`);
  const { ancestors, taken } = collectFamily(parentHash, source);
  for (const [index, uncle] of uncles.entries()) {
    const reject = (rule: string): Error => blockRejected(number, `uncle ${index} ${rule}`);
    const hash = bytesKey(hashHeader(uncle));
    if (taken.has(hash)) throw reject("is included twice");
    if (ancestors.has(hash)) throw reject("is an ancestor");
    taken.add(hash);
    const parent = ancestors.get(bytesKey(uncle.parentHash));
    if (parent === undefined) throw reject("has no ancestor of the last 7 generations as parent");
    if (bytesKey(parent.hash) === bytesKey(parentHash)) throw reject("is a sibling, its parent is the block's own");
    const parentTotalDifficulty = source.totalDifficultyOf(parent.hash) ?? 0n;
    const rules = spec.rulesAt({ number: uncle.number, timestamp: uncle.timestamp, parentTotalDifficulty });
    try {
      checkHeader(uncle, parent.header, rules, spec);
    } catch (cause) {
      throw blockRejected(number, `uncle ${index} is not a valid header: ${(cause as Error).message}`, cause);
    }
  }
}

/** The last generations before a block, and the uncles that they include. */
function collectFamily(parentHash: Uint8Array, source: AncestorSource) {
  const ancestors = new Map<string, Block>();
  const taken = new Set<string>();
  let hash = parentHash;
  for (let generation = 0; generation < UNCLE_GENERATIONS; generation++) {
    const ancestor = source.archive.getBlock(hash);
    if (ancestor === undefined) break;
    ancestors.set(bytesKey(ancestor.hash), ancestor);
    for (const uncle of ancestor.uncles) taken.add(bytesKey(hashHeader(uncle)));
    if (ancestor.header.number === 0n) break;
    hash = ancestor.header.parentHash;
  }
  return { ancestors, taken };
}
