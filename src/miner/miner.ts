/** Mines blocks on the head and beside the chain, and builds the pending block. */
import type { PendingBlock, PendingBlocks } from "../chain/block-views.ts";
import type { Chain } from "../chain/chain.ts";
import type { ChainWriter } from "../chain/chain-writer.ts";
import type { ExecutedBlock } from "../chain/execute-block.ts";
import type { Block } from "../chainspec/header/block.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import { RemoteError, TransactionRejectedError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesKey } from "../primitives/bytes/bytes.ts";
import { ownStateId, type StateId } from "../state/state-id.ts";
import type { TxPool } from "../txpool/tx-pool.ts";
import { buildBlock, type LeftOut, type Printed } from "./block-builder.ts";
import { BlockPlan, type BlockPlanOptions, type MinerSettings } from "./block-plan.ts";
import { type MineOptions, type MineRequest, MiningRun, type MiningTools, type TraceKeeper } from "./mining-run.ts";

/** Milliseconds between blocks; of a pair, each time another number from the first to the second. */
export type MiningInterval = number | readonly [least: number, most: number];

/** When blocks are made: with each transaction, by hand, by interval, or both with `automine`. */
export type MiningMode = "auto" | "manual" | { readonly intervalMs: MiningInterval; readonly automine?: boolean };

/** Sources of blocks, and listeners to them. */
export interface MinerOptions extends BlockPlanOptions {
  readonly writer: ChainWriter;
  /** Called with the console.log calls of transactions, after their block is written. */
  readonly onPrinted?: (printed: Printed) => void;
  /**
   * Called with the error of a transaction that could not be executed, if its sender does not wait for it, and with the
   * one that took from a fork its true state roots.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly traces?: TraceKeeper;
  /** See {@link MiningTools}. */
  readonly onProgress?: ((blocks: number, total: number) => void) | undefined;
}

/** Reasons to leave a transaction out of one block that do not exclude it from later ones. */
const MAY_FIT_LATER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "GAS_LIMIT_EXCEEDS_BLOCK",
  "NONCE_TOO_HIGH",
  "FEE_CAP_BELOW_BASE_FEE",
  "BLOB_FEE_CAP_BELOW_BASE_FEE",
]);

/** One for each node. Mining waits for the chain's other writes. */
export class Miner implements PendingBlocks {
  readonly #chain: Chain;
  readonly #writer: ChainWriter;
  readonly #pool: TxPool;
  readonly #plan: BlockPlan;
  readonly #onPrinted: ((printed: Printed) => void) | undefined;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #traces: TraceKeeper | undefined;
  readonly #onProgress: MiningTools["onProgress"];
  readonly #pending = new PendingBlockCache();
  /** Transactions that wait for an upstream node, which was reported. */
  readonly #waiting = new WeakSet<Transaction>();

  constructor(options: MinerOptions) {
    this.#chain = options.chain;
    this.#writer = options.writer;
    this.#pool = options.pool;
    this.#plan = new BlockPlan(options);
    this.#onPrinted = options.onPrinted;
    this.#onError = options.onError;
    this.#traces = options.traces;
    this.#onProgress = options.onProgress;
    // The state of a pending block may be as large as the chain that was left.
    this.#chain.headListeners.add(() => this.#pending.drop());
  }

  get settings(): MinerSettings {
    return this.#plan.settings;
  }

  configure(changes: Partial<MinerSettings>): void {
    this.#plan.configure(changes);
  }

  /** Base fee of a child of `parent`, in wei per gas; undefined before London. */
  nextBaseFee(parent: Block, timestamp: bigint): bigint | undefined {
    return this.#plan.nextBaseFee(parent, timestamp);
  }

  /**
   * Mines blocks on the head. All of them are one batch of the store, written when this resolves.
   *
   * @throws {InvalidParamsError} for a timestamp that is not after the head's, or uncles that the rules forbid
   * @throws {UnsupportedError} `UNCLES_NOT_ALLOWED` for uncles after the Merge
   */
  mine(options: MineOptions = {}): Promise<readonly Block[]> {
    return this.#writer.exclusively(() => this.mineNow(options));
  }

  /** Mines blocks as long as there are waiting transactions that can be mined. */
  mineWaiting(): Promise<readonly Block[]> {
    return this.#writer.exclusively(async () => {
      const blocks: Block[] = [];
      for (;;) {
        const { head } = this.#chain;
        const timestamp = this.#plan.clockAfter(head);
        if (this.#plan.candidates(head, this.#chain.rulesAfter(head, timestamp), new Set()).length === 0) return blocks;
        const { version } = this.#pool;
        const mined = await this.mineNow({ skipEmpty: true });
        if (mined.length === 0 && version === this.#pool.version) return blocks;
        for (const block of mined) blocks.push(block);
      }
    });
  }

  /**
   * Mines one block of these transactions alone.
   *
   * @returns undefined, and there is no block, if one of them fails
   * @throws {TransactionRejectedError} if one of them is not valid in the block; there is no block then either
   */
  mineTogether(transactions: readonly Transaction[]): Promise<Block | undefined> {
    return this.#writer.exclusively(async () => {
      const { blocks, leftOut } = await this.#run({ transactions, allOrNone: true });
      if (leftOut[0] !== undefined) throw leftOut[0].error;
      return blocks[0];
    });
  }

  /** As {@link mine}, inside the chain's write queue. */
  async mineNow(request: MineRequest = {}): Promise<readonly Block[]> {
    return (await this.#run(request)).blocks;
  }

  async #run(request: MineRequest): Promise<{ blocks: readonly Block[]; leftOut: readonly LeftOut[] }> {
    const run = new MiningRun(
      {
        chain: this.#chain,
        writer: this.#writer,
        plan: this.#plan,
        traces: this.#traces,
        onProgress: this.#onProgress,
      },
      request,
    );
    const blocks = await run.make();
    if (blocks.length > 0) for (const each of run.printed) this.#onPrinted?.(each);
    if (blocks.length > 0 && run.unproven !== undefined) this.#reportUnproven(run.unproven);
    this.#drop(run.leftOut);
    return { blocks, leftOut: run.leftOut };
  }

  #reportUnproven({ number, cause }: NonNullable<MiningRun["unproven"]>): void {
    // Offline it is what the user asked for.
    if (cause.code === "REMOTE_OFFLINE") return;
    const what = `Block ${number} and those after it have no true state roots, because a proof is missing: ${cause.what}`;
    const fix = "For true ones go back to before it (anvil_rollback) when the upstream node answers again.";
    this.#onError?.(new RemoteError({ code: "REMOTE_UNREACHABLE", what, fix, cause }));
  }

  /**
   * Drops transactions that can never be valid, or cannot be executed, so that not every block tries them. Others stay
   * in the pool.
   */
  #drop(leftOut: readonly LeftOut[]): void {
    for (const { tx, error } of leftOut) {
      const isRejected = error instanceof TransactionRejectedError;
      if (isRejected && MAY_FIT_LATER.has(error.code)) continue;
      // An upstream that does not answer may do so later.
      const isRetried = error instanceof RemoteError && !this.#pool.isAwaited(tx.hash);
      const isHeard = isRetried ? this.#waiting.has(tx) : this.#pool.reject(tx.hash, error);
      if (isRetried) this.#waiting.add(tx);
      if (!isRejected && !isHeard) this.#onError?.(error);
    }
  }

  /**
   * Mines a valid side block, for use as an uncle (proof of work only). The head stays.
   *
   * @param parent - its parent, an ancestor of the head
   * @param options.timestamp - seconds; default: the first after the parent's with which the block is new, because an
   * empty block with the canonical block's timestamp would equal it
   */
  mineSideBlock(
    parent: Block,
    options: { timestamp?: bigint; coinbase?: Bytes; extraData?: Bytes } = {},
  ): Promise<Block> {
    return this.#writer.exclusively(async () => {
      const chain = this.#chain;
      for (let timestamp = options.timestamp ?? parent.header.timestamp + 1n; ; timestamp++) {
        const executed = await this.#buildSideBlock(parent, { ...options, timestamp });
        const isNew = chain.archive.getBlock(executed.block.hash) === undefined;
        if (isNew) await this.#writer.appendSideBlock(executed);
        else chain.states.discard(executed.commit);
        if (isNew || options.timestamp !== undefined) return executed.block;
      }
    });
  }

  async #buildSideBlock(
    parent: Block,
    options: { timestamp: bigint; coinbase?: Bytes; extraData?: Bytes },
  ): Promise<ExecutedBlock> {
    const startStateId = ownStateId(parent.header.stateRoot);
    const { timestamp, ...header } = options;
    const { executed } = await buildBlock({
      chain: this.#chain,
      state: this.#chain.workingStateAfter(parent, startStateId),
      startStateId,
      transactions: [],
      ...this.#plan.template(parent, timestamp),
      ...header,
    });
    return executed;
  }

  /** The pending block, and the state after it. */
  pending(): Promise<PendingBlock> {
    const chain = this.#chain;
    const parent = chain.head;
    const timestamp = this.#plan.clockAfter(parent);
    const startStateId = chain.headStateId;
    const key = {
      headHash: parent.hash,
      headStateId: startStateId,
      poolVersion: this.#pool.version,
      settingsVersion: this.#plan.settingsVersion,
      timestamp,
    };
    return this.#pending.get(key, () =>
      this.#draft(timestamp, this.#plan.candidates(parent, chain.rulesAfter(parent, timestamp), new Set())),
    );
  }

  /** The block that would be mined now of these transactions, and the state after it. Those not valid are left out. */
  draft(transactions: readonly Transaction[]): Promise<PendingBlock> {
    return this.#draft(this.#plan.clockAfter(this.#chain.head), transactions);
  }

  async #draft(timestamp: bigint, transactions: readonly Transaction[]): Promise<PendingBlock> {
    const chain = this.#chain;
    const startStateId = chain.headStateId;
    const state = chain.states.working(startStateId);
    const { executed } = await buildBlock({
      chain,
      state,
      startStateId,
      isDraft: true,
      allowsFault: true,
      transactions,
      ...this.#plan.template(chain.head, timestamp),
    });
    return { block: executed.block, receipts: executed.receipts, state };
  }
}

/** All inputs of a pending block. */
export interface PendingKey {
  readonly headHash: Uint8Array;
  readonly headStateId: StateId;
  readonly poolVersion: number;
  readonly settingsVersion: number;
  readonly timestamp: bigint;
}

/** Caches the last pending block until one of its inputs changes. */
export class PendingBlockCache {
  #key: string | undefined;
  #value: Promise<PendingBlock> | undefined;

  /** Frees it, because one of its inputs has changed. */
  drop(): void {
    this.#key = undefined;
    this.#value = undefined;
  }

  get(key: PendingKey, build: () => Promise<PendingBlock>): Promise<PendingBlock> {
    const text = [
      bytesKey(key.headHash),
      bytesKey(key.headStateId),
      key.poolVersion,
      key.settingsVersion,
      key.timestamp,
    ].join("/");
    if (this.#value === undefined || this.#key !== text) {
      this.#key = text;
      this.#value = build();
      this.#value.catch(() => {
        if (this.#key === text) this.#value = undefined;
      });
    }
    return this.#value;
  }
}
