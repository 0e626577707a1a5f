/**
 * Resolves block ids, "pending" included, to one shape that all services read: a block with its receipts and its state.
 */

import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { Block } from "../chainspec/header/block.ts";
import { type Header, slotAfter } from "../chainspec/header/header.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { NotFoundError } from "../errors/hindcast-error.ts";
import type { BlockContext } from "../evm/engine.ts";
import type { EngineState } from "../evm/state-port.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { after, type MaybePromise } from "../primitives/maybe-promise.ts";
import type { StateId } from "../state/state-id.ts";
import type { StateReader } from "../state/view.ts";
import type { WorkingState } from "../state/working/working-state.ts";
import type { BlockId } from "./blocks/block-id.ts";
import type { Chain } from "./chain.ts";
import type { RunPlan } from "./prefetch/run-plan.ts";

/** One block at the time when it was resolved; later blocks and edits do not change it. */
export interface BlockView {
  readonly block: Block;
  readonly isPending: boolean;
  readonly rules: Rules;
  readonly context: BlockContext;
  /** The slot that the block would have at another time, or by EIP-7843. */
  readonly slotAt: (timestamp: bigint) => bigint;
  /** Total difficulty of the chain that ends with the block. */
  readonly totalDifficulty: bigint;
  receipts(): MaybePromise<readonly Receipt[]>;
  /** The state after the block, read-only. */
  readonly reader: StateReader & EngineState;
  /** A writable copy of the state after the block. Writes to it are not stored. */
  state(): WorkingState;
  /**
   * On a fork: fetches ahead what a run on this state reads. Returns a function to call when the run has ended.
   */
  readonly fetchAhead?: ((plan: RunPlan) => () => void) | undefined;
}

/** A block that is not stored. Its hash changes with the next transaction. */
export interface PendingBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  /** State after the pending block. Must not be written: use a `fork()`. */
  readonly state: WorkingState;
}

/** Makes blocks that are not stored. */
export interface PendingBlocks {
  /** The block that would be mined now. */
  pending(): Promise<PendingBlock>;
  /** The block that would be mined now of these transactions. */
  draft(transactions: readonly Transaction[]): Promise<PendingBlock>;
}

/** One for each node. Views of "pending" are built again after each change of the pool. */
export class BlockViews {
  readonly #chain: Chain;
  readonly #unmined: PendingBlocks;
  /**
   * The last view and its state, cached because most requests read the head (`bench/CLAIMS.md`, "The view of the
   * block").
   */
  #last: { readonly view: BlockView; readonly stateId: StateId } | undefined;

  constructor(chain: Chain, unmined: PendingBlocks) {
    this.#chain = chain;
    this.#unmined = unmined;
  }

  /** The chain's first block. */
  get genesis(): Block {
    return this.#chain.genesis;
  }

  /** The block; undefined if there is none with that id. */
  resolve(id: BlockId): MaybePromise<BlockView | undefined> {
    if ("tag" in id && id.tag === "pending") return this.#pending();
    return after(this.#find(id), (block) => (block === undefined ? undefined : this.of(block)));
  }

  /**
   * The block.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`; `HEADER_NOT_FOUND` with geth's text if `words` is "geth"
   */
  require(id: BlockId, words: "geth" | "plain" = "geth"): MaybePromise<BlockView> {
    return after(this.resolve(id), (view) => {
      if (view !== undefined) return view;
      const fix = describeHead(this.#chain.head);
      if (words === "plain") {
        throw new NotFoundError({ code: "BLOCK_NOT_FOUND", what: `block not found: ${describeBlockId(id)}.`, fix });
      }
      const where = `There is no block ${describeBlockId(id)}.`;
      const block = "number" in id ? id.number : describeBlockId(id);
      const values = { block, head: this.#chain.head.header.number };
      throw new NotFoundError({ code: "HEADER_NOT_FOUND", what: "header not found", where, fix, values });
    });
  }

  /** A view of a known block. */
  of(block: Block): BlockView {
    const chain = this.#chain;
    // Resolved now, so that later edits are not seen.
    const stateId = chain.stateIdAfter(block);
    const last = this.#last;
    if (last?.view.block === block && equalBytes(last.stateId, stateId)) return last.view;
    const view = this.#viewOf(block, stateId);
    this.#last = { view, stateId };
    return view;
  }

  #viewOf(block: Block, stateId: StateId): BlockView {
    const chain = this.#chain;
    const rules = chain.rulesOf(block.header);
    return {
      block,
      isPending: false,
      rules,
      context: chain.contextOf(block.header),
      slotAt: this.#slotAt(block.header),
      totalDifficulty: chain.totalDifficultyAt(block),
      receipts: () => chain.getReceipts(block),
      get reader() {
        return chain.readerAfter(block, stateId);
      },
      state: () => chain.workingStateAfter(block, stateId),
      fetchAhead: this.#fetchAheadOn(block),
    };
  }

  /** The block that would be mined now of these transactions. */
  async draft(transactions: readonly Transaction[]): Promise<BlockView> {
    return this.#viewOfDraft(await this.#unmined.draft(transactions));
  }

  async #pending(): Promise<BlockView> {
    return this.#viewOfDraft(await this.#unmined.pending());
  }

  #viewOfDraft(pending: PendingBlock): BlockView {
    const chain = this.#chain;
    const headTotalDifficulty = chain.totalDifficultyOf(pending.block.header.parentHash) ?? 0n;
    return {
      block: pending.block,
      isPending: true,
      rules: chain.rulesOf(pending.block.header),
      context: chain.contextOf(pending.block.header),
      slotAt: this.#slotAt(pending.block.header),
      totalDifficulty: headTotalDifficulty + pending.block.header.difficulty,
      receipts: () => pending.receipts,
      reader: pending.state,
      state: () => pending.state.fork(),
      fetchAhead: this.#fetchAheadOn(pending.block),
    };
  }

  #slotAt(header: Header): BlockView["slotAt"] {
    return (timestamp) => slotAfter(header, timestamp, this.#chain.genesis.header);
  }

  #fetchAheadOn(block: Block): BlockView["fetchAhead"] {
    const { history } = this.#chain;
    return history === undefined ? undefined : (plan) => history.fetchAhead(plan, block);
  }

  #find(id: BlockId): MaybePromise<Block | undefined> {
    const chain = this.#chain;
    if ("number" in id) return chain.getBlockByNumber(id.number);
    if ("hash" in id) return this.#byHash(id.hash, id.requireCanonical);
    switch (id.tag) {
      case "earliest":
        return chain.earliest;
      case "safe":
        return chain.getBlockByNumber(chain.safeNumber);
      case "finalized":
        return chain.getBlockByNumber(chain.finalizedNumber);
      default:
        return chain.wholeBlock(chain.head);
    }
  }

  async #byHash(hash: Bytes, requireCanonical: boolean): Promise<Block | undefined> {
    const block = await this.#chain.getBlockByHash(hash);
    if (block === undefined || !requireCanonical || this.#chain.isCanonical(block)) return block;
    throw new NotFoundError({
      code: "HEADER_NOT_FOUND",
      what: "hash is not currently canonical",
      where: `Block ${block.header.number} of the chain has another hash.`,
      fix: "Leave requireCanonical out to read side blocks too.",
    });
  }
}

/** Describes the head, for errors about missing blocks. */
export function describeHead(head: Block): string {
  return `The head is block ${head.header.number} (0x${head.header.number.toString(16)}).`;
}

/** A block id as text for errors. */
export function describeBlockId(id: BlockId): string {
  if ("number" in id) return `0x${id.number.toString(16)}`;
  return "tag" in id ? id.tag : encodeData(id.hash);
}
