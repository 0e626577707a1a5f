/** Checks everything that a store holds, and repairs what can be made again. */
import { StateDatabase } from "../../state/state-database.ts";
import { checkBlocks } from "./check-blocks.ts";
import { checkIndexes } from "./check-indexes.ts";
import { checkStates } from "./check-states.ts";
import { type Finding, Findings, findingText } from "./findings.ts";
import { type CheckedChain, repair } from "./repair.ts";

/** Sizes of what was read, and what was wrong with it. */
export interface CheckReport {
  readonly blocks: number;
  readonly canonicalBlocks: number;
  /** Trie nodes that the states need, each counted once. */
  readonly trieNodes: number;
  /** All that was found, each once, the repaired among them. */
  readonly found: readonly Finding[];
  /** What is still wrong at the end. */
  readonly left: readonly Finding[];
}

/** Each round may lay bare what the one before has made readable. */
const MAX_ROUNDS = 10;

/**
 * Reads all blocks, receipts, indexes and states of a store that nobody else uses meanwhile.
 *
 * Blocks are held against their hashes, what belongs to them against the roots in their headers, the indexes against the
 * blocks, and trie nodes and codes against theirs. Nothing proves senders of impersonated transactions, roots of edited
 * states, the accounts of traces and the settings: of those only the form is known.
 *
 * @param isRepaired - write what can be made again: indexes, receipts, access lists, and states by executing blocks
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

async function look({ store, genesis }: CheckedChain) {
  const findings = new Findings();
  const states = new StateDatabase(store, { isPermanent: true });
  const blocks = await checkBlocks(store, findings);
  const canonical = await checkIndexes(store, blocks, findings);
  const trieNodes = await checkStates({ store, states, genesis, findings }, blocks);
  return { blocks: blocks.sorted.length, canonicalBlocks: canonical.length, trieNodes, findings: findings.list };
}
