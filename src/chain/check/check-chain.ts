/** Checks everything in a store, and repairs the parts that can be rebuilt. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { StateDatabase } from "../../state/state-database.ts";
import { settingKey } from "../../store/codecs/keys.ts";
import { restoreSpecChanges, SPEC_CHANGES } from "../blocks/spec-changes.ts";
import { checkBlocks } from "./check-blocks.ts";
import { checkIndexes } from "./check-indexes.ts";
import { checkStates } from "./check-states.ts";
import { type Finding, Findings, failureOf, findingText } from "./findings.ts";
import { type CheckedChain, repair } from "./repair.ts";

/** The number of things that were checked, and the errors found. */
export interface CheckReport {
  readonly blocks: number;
  readonly canonicalBlocks: number;
  /** Number of trie nodes that the states need, each counted once. */
  readonly trieNodes: number;
  /** Everything that was found, without duplicates; includes what was repaired. */
  readonly found: readonly Finding[];
  /** The errors that remain at the end. */
  readonly left: readonly Finding[];
  /** The last canonical block at the end; undefined if the head is not known. */
  readonly head: { readonly number: bigint; readonly hash: Bytes } | undefined;
}

/** Most rounds of checking. A repair may make data readable that could not be checked before. */
const MAX_ROUNDS = 10;

/**
 * Reads all blocks, receipts, indexes and states of a store. Nothing else may use the store meanwhile.
 *
 * Blocks are compared with their hashes, bodies and receipts with the roots in the headers, indexes with the blocks,
 * and trie nodes and codes with their hashes. Some data has no hash: senders of impersonated transactions, roots of
 * edited states, accounts of traces, and settings. For these only the form is checked.
 *
 * @param isRepaired - rebuilds what can be rebuilt: indexes, receipts, access lists, and states by executing blocks; and
 * goes back to before a block that has the right hash and cannot be read
 */
export async function checkChain(chain: CheckedChain, isRepaired: boolean): Promise<CheckReport> {
  const found = new Map<string, Finding>();
  for (let round = 1; ; round++) {
    const sizes = await look(chain);
    const { findings } = sizes;
    for (const finding of findings) found.set(findingText(finding), finding);
    const isLast = !isRepaired || round === MAX_ROUNDS || !(await repair(chain, findings));
    if (isLast) return { ...sizes, found: [...found.values()], left: findings };
  }
}

async function look({ store, genesis, executor }: CheckedChain) {
  const findings = new Findings();
  const failure = failureOf(() => restoreSpecChanges(executor.spec, store));
  if (failure !== undefined) findings.add("settings", settingKey(SPEC_CHANGES), failure);
  const states = new StateDatabase(store, { isPermanent: true });
  const blocks = await checkBlocks(store, genesis.block.hash, findings);
  const canonical = await checkIndexes(store, blocks, findings);
  const trieNodes = await checkStates({ store, states, genesis, findings }, blocks);
  const head = canonical.at(-1);
  const sizes = { blocks: blocks.sorted.length, canonicalBlocks: canonical.length, trieNodes };
  return { ...sizes, head, findings: findings.list };
}
