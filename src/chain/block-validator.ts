/** Validates imported blocks: header, body and uncles by the rules, and the rest by executing them. */

import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { Block } from "../chainspec/header/block.ts";
import { transactionFromBodyItem } from "../chainspec/transaction/decode-transaction.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { HindcastError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Chain } from "./chain.ts";
import { checkBody, type ExecutedBlock, executeBlock } from "./execute-block.ts";
import type { ForeignBlock } from "./rules/foreign-block.ts";
import { blockRejected, checkHeader } from "./rules/header-rules.ts";
import { checkUncles } from "./rules/uncle-rules.ts";

/** A valid block with the result of its execution. */
export interface ValidatedBlock {
  readonly executed: ExecutedBlock;
  /** Total difficulty of the chain that ends with the block. */
  readonly totalDifficulty: bigint;
  readonly isMerged: boolean;
}

/** A decoded block that was refused. */
export interface BadBlock {
  readonly block: Block;
  /** RLP */
  readonly bytes: Bytes;
}

/** As in geth. */
const MAX_BAD_BLOCKS = 10;

/** One for each chain. Keeps the last refused blocks for `debug_getBadBlocks`. */
export class BlockValidator {
  readonly #chain: Chain;
  readonly #badBlocks: BadBlock[] = [];

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** The last blocks that were refused, newest first (`debug_getBadBlocks`). */
  get badBlocks(): readonly BadBlock[] {
    return this.#badBlocks;
  }

  /** @throws {InvalidParamsError} `BLOCK_REJECTED` with number and broken rule */
  async execute(foreign: ForeignBlock): Promise<ValidatedBlock> {
    const { header, body, bytes } = foreign;
    const { archive, spec } = this.#chain;
    const parent = archive.getBlock(header.parentHash);
    if (parent === undefined) throw blockRejected(header.number, "its parent is unknown");
    const rules = this.#chain.rulesAfter(parent, header.timestamp);
    checkHeader(header, parent.header, rules, spec);
    const transactions = await this.#transactionsOf(foreign, rules);
    const block: Block = { hash: foreign.hash, header, ...body, transactions };
    const executed = await this.#run(block, parent, rules, bytes);
    const parentTotalDifficulty = archive.getTotalDifficulty(parent.hash) ?? 0n;
    return { executed, totalDifficulty: parentTotalDifficulty + header.difficulty, isMerged: rules.has(3675) };
  }

  async #transactionsOf({ header, body, ahead }: ForeignBlock, rules: Rules): Promise<readonly Transaction[]> {
    const isAhead = ahead?.hardfork === rules.hardfork;
    if (isAhead) await ahead.signed;
    const signatureRules = this.#chain.spec.signatureRules(rules.hardfork, header.number);
    return body.transactions.map((item, index) => {
      try {
        const tx = (isAhead ? ahead.transactions[index] : undefined) ?? transactionFromBodyItem(item, signatureRules);
        // The getter throws for an invalid signature.
        tx.sender;
        return tx;
      } catch (cause) {
        throw blockRejected(header.number, `transaction ${index}: ${(cause as Error).message}`, cause);
      }
    });
  }

  async #run(block: Block, parent: Block, rules: Rules, bytes: Bytes): Promise<ExecutedBlock> {
    const { executor, spec } = this.#chain;
    try {
      checkBody(block, rules, spec, bytes.length);
      checkUncles(parent, block.uncles, this.#chain, spec);
      const state = this.#chain.workingStateAfter(parent, this.#chain.stateIdOf(parent));
      const context = this.#chain.contextOf(block.header);
      return await executeBlock(block, { state, context, rules, executor, isImported: true });
    } catch (error) {
      if (error instanceof HindcastError && error.code === "BLOCK_REJECTED") {
        this.#badBlocks.unshift({ block, bytes: bytes.slice() });
        this.#badBlocks.splice(MAX_BAD_BLOCKS);
      }
      throw error;
    }
  }
}
