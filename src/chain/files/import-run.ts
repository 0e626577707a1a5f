/**
 * Imports several consecutive blocks and writes them as one batch, which is faster than writing each. Blocks before an
 * invalid one are written too.
 */
import type { Block } from "../../chainspec/header/block.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { nextTurn } from "../../primitives/platform/event-loop.ts";
import type { BlockValidator } from "../block-validator.ts";
import type { Chain } from "../chain.ts";
import type { ExecutedBlock } from "../execute-block.ts";
import type { ForeignBlock } from "../rules/foreign-block.ts";

/** A source of blocks. */
export interface BlockSource {
  /** Returns the next block. An error ends the run, like an invalid block. */
  readonly next: () => ForeignBlock | undefined;
  /** Called when a block is in the chain, or was already. */
  readonly took?: (isNew: boolean) => void;
}

/** Parts of the chain that an import of several blocks uses. */
export interface ImportRun {
  readonly chain: Chain;
  readonly validator: BlockValidator;
  /** Writes blocks, each the parent of the next, in one batch, and makes `newHead` the head if it is given. */
  readonly write: (executed: readonly ExecutedBlock[], newHead: Block | undefined) => Promise<void>;
}

/** A batch ends at this age in milliseconds, or at this number of blocks. Other writers wait meanwhile. */
const BATCH_MS = 100;
const BATCH_BLOCKS = 32;

/**
 * Imports blocks until there are no more or the batch is full.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED`
 */
export async function importRun({ chain, validator, write }: ImportRun, { next, took }: BlockSource): Promise<void> {
  const { archive } = chain;
  const startedAt = performance.now();
  // Needed because a store in memory never waits.
  const clock = chain.executor.clock();
  let staged: ExecutedBlock[] = [];
  const last = (): Block => staged.at(-1)?.block ?? chain.head;
  const flush = async (becomesHead = true): Promise<void> => {
    const executed = staged;
    staged = [];
    if (executed.length === 0) return;
    try {
      // Executing the last of them may have taken a turn of the event loop; writing them is another.
      await nextTurn();
      await write(executed, becomesHead ? executed.at(-1)?.block : undefined);
    } finally {
      archive.unstage(executed);
    }
  };
  try {
    // At least one block is imported, even if the process was paused before it; otherwise the import might never
    // advance.
    const hasRoom = (): boolean => staged.length < BATCH_BLOCKS && performance.now() - startedAt < BATCH_MS;
    for (let isFirst = true; isFirst || hasRoom(); isFirst = false) {
      await clock.check();
      const foreign = next();
      if (foreign === undefined) break;
      const isNew = archive.getBlock(foreign.hash) === undefined;
      if (isNew) {
        const { executed, totalDifficulty, isMerged } = await validator.execute(foreign);
        const becomesHead = isMerged || totalDifficulty > (archive.getTotalDifficulty(last().hash) ?? 0n);
        const isNext = becomesHead && equalBytes(foreign.header.parentHash, last().hash);
        // Another branch needs a batch of its own.
        if (!isNext) await flush();
        archive.stage(executed);
        staged.push(executed);
        if (!isNext) await flush(becomesHead);
      }
      took?.(isNew);
    }
  } finally {
    await flush();
  }
}
