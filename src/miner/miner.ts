/** Mines: picks transactions from the pool, builds blocks on the head, stores them, and does so when the mode says. */

import type { Chain } from "../chain/chain.ts";
import type { ExecutedBlock } from "../chain/execute-block.ts";
import type { HeadChange } from "../chain/head-change.ts";
import type { Block } from "../chainspec/block.ts";
import { nextBaseFeePerGas } from "../chainspec/fees.ts";
import type { Rules } from "../chainspec/hardforks.ts";
import type { Header } from "../chainspec/header.ts";
import type { Transaction } from "../chainspec/transaction.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { ExecutionClock } from "../executor/evm-clock.ts";
import { BLOCK_CHECKS, type ChecksWanted } from "../executor/transaction-checks.ts";
import { type Bytes, bytesKey } from "../primitives/bytes.ts";
import type { BlockRecording } from "../tracer/block-recorder.ts";
import type { SenderAccount, TxPool } from "../txpool/tx-pool.ts";
import { type BlockTemplate, type BuiltBlock, buildBlock, type LeftOut, type Printed } from "./block-builder.ts";
import type { Clock } from "./clock.ts";
import { type BuiltEmptyBlocks, buildEmptyBlocks, FEWEST_EMPTY_BLOCKS } from "./empty-blocks.ts";
import { type PendingBlock, PendingBlockCache } from "./pending-block.ts";

/** When blocks are made: with each transaction, by hand, every so many milliseconds, or both with `automine`. */
export type MiningMode = "auto" | "manual" | { readonly intervalMs: number; readonly automine?: boolean };

export interface MinerSettings {
  readonly coinbase: Bytes;
  /** Gas limit of new blocks; undefined keeps the parent's. */
  readonly gasLimit: bigint | undefined;
  /** wei per gas of the next block only, instead of the rule's. */
  readonly nextBaseFeePerGas: bigint | undefined;
  /** PREVRANDAO of the next block only. */
  readonly nextPrevRandao: Bytes | undefined;
  /** `extraData` of new blocks, at most 32 bytes. */
  readonly extraData: Bytes;
  /** wei per gas that a transaction must offer to be taken in; without a base fee only. */
  readonly minGasPrice: bigint | undefined;
}

export interface MineOptions {
  /** How many blocks; default 1. */
  readonly blocks?: number;
  /** Timestamp of the first block in seconds, instead of the clock's. */
  readonly timestamp?: bigint;
  /** Seconds between the blocks; default: the clock's. */
  readonly interval?: bigint;
  /** Uncles of the first block (proof of work only). */
  readonly uncles?: readonly Header[];
  /** Transactions of the first block, instead of the pool's. */
  readonly transactions?: readonly Transaction[];
}

interface MineRequest extends MineOptions {
  /** Block that the first one follows; default the head. The blocks after it leave the chain in the same batch. */
  readonly parent?: Block;
  /** Transactions of each block, instead of the pool's. */
  readonly contents?: readonly (readonly Transaction[])[];
  /** Make no block when no transaction can stand in it. */
  readonly skipEmpty?: boolean;
}

/** Keeps the call frames of mined blocks, for whoever asks for their traces. */
export interface TraceKeeper {
  /** Most bytes of frames to record of one block. */
  readonly maxBytesOfBlock: number;
  /** Hears of each block with transactions once it is written; without the frames where they came to more. */
  keep(block: Block, recording: BlockRecording | undefined): void;
}

export interface MinerOptions {
  readonly chain: Chain;
  readonly pool: TxPool;
  readonly clock: Clock;
  readonly settings: MinerSettings;
  /** True for transactions that stand without a valid signature. */
  readonly isImpersonated: (tx: Transaction) => boolean;
  /** Hears what transactions printed, once their block is written. */
  readonly onPrinted?: (printed: Printed) => void;
  readonly traces?: TraceKeeper;
}

/** Blocks without transactions that a request has still to make. */
interface EmptyRun {
  readonly count: number;
  readonly options: MineOptions;
  /** Transactions that stand in earlier blocks of the request. */
  readonly included: ReadonlySet<string>;
  readonly clock: ExecutionClock;
}

const NO_SENDER_ACCOUNT: SenderAccount = { nonce: 0n, balance: 0n };
const IMPERSONATION_CHECKS: ChecksWanted = { ...BLOCK_CHECKS, senderIsEoa: false };

/** Why a transaction is left out of one block and may stand in another. */
const MAY_FIT_LATER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "GAS_LIMIT_EXCEEDS_BLOCK",
  "NONCE_TOO_HIGH",
  "FEE_CAP_BELOW_BASE_FEE",
  "BLOB_FEE_CAP_BELOW_BASE_FEE",
]);

export class Miner {
  readonly #chain: Chain;
  readonly #pool: TxPool;
  readonly #clock: Clock;
  readonly #isImpersonated: (tx: Transaction) => boolean;
  readonly #onPrinted: ((printed: Printed) => void) | undefined;
  readonly #traces: TraceKeeper | undefined;
  readonly #pending = new PendingBlockCache();
  #settings: MinerSettings;
  #settingsVersion = 0;
  readonly #checksFor = (tx: Transaction): ChecksWanted =>
    this.#isImpersonated(tx) ? IMPERSONATION_CHECKS : BLOCK_CHECKS;

  constructor(options: MinerOptions) {
    this.#chain = options.chain;
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#settings = options.settings;
    this.#isImpersonated = options.isImpersonated;
    this.#onPrinted = options.onPrinted;
    this.#traces = options.traces;
  }

  get settings(): MinerSettings {
    return this.#settings;
  }

  configure(changes: Partial<MinerSettings>): void {
    this.#settings = { ...this.#settings, ...changes };
    this.#settingsVersion++;
  }

  /**
   * Mines blocks on the head. All of them are one batch of the store, written when this resolves.
   *
   * @throws {InvalidParamsError} for a timestamp that is not after the head's, or uncles that the rules forbid
   * @throws {UnsupportedError} `UNCLES_NOT_ALLOWED` for uncles after the Merge
   */
  mine(options: MineOptions = {}): Promise<readonly Block[]> {
    return this.#chain.exclusively(() => this.mineNow(options));
  }

  /** Mines blocks as long as transactions wait that can be mined; none when nothing waits. */
  mineWaiting(): Promise<readonly Block[]> {
    return this.#chain.exclusively(async () => {
      const blocks: Block[] = [];
      for (;;) {
        const { head } = this.#chain;
        const timestamp = this.#clock.timestampAfter(head.header.timestamp);
        if (this.#candidates(head, this.#chain.rulesAfter(head, timestamp), new Set()).length === 0) return blocks;
        const mined = await this.mineNow({ skipEmpty: true });
        if (mined.length === 0) return blocks;
        blocks.push(...mined);
      }
    });
  }

  /** {@link mine} inside the chain's write queue. */
  async mineNow(options: MineRequest = {}): Promise<readonly Block[]> {
    const chain = this.#chain;
    const executed: ExecutedBlock[] = [];
    const leftOut: LeftOut[] = [];
    const printed: Printed[] = [];
    const recorded = new Map<Block, BlockRecording | undefined>();
    let parent = options.parent ?? chain.head;
    let startRoot = chain.stateRootAfter(parent);
    let state = chain.states.working(startRoot);
    const included = new Set<string>();
    const count = options.blocks ?? 1;
    let triesEmpty = options.contents === undefined;
    // Thousands of blocks are one request: between them the event loop has its turn.
    const clock = new ExecutionClock();
    try {
      for (let index = 0; index < count; index++) {
        await clock.check();
        const isFirst = index === 0;
        if (triesEmpty && !isFirst && count - index >= FEWEST_EMPTY_BLOCKS) {
          const empty = await this.#buildEmpty(parent, { count: count - index, options, included, clock });
          triesEmpty = empty !== undefined;
          const last = empty?.at(-1)?.block;
          if (empty !== undefined && last !== undefined) {
            // A block that follows may ask for their hashes.
            if (index + empty.length < count) for (const entry of empty) chain.archive.stage(entry);
            executed.push(...empty);
            parent = last;
            startRoot = last.header.stateRoot;
            state = chain.states.working(startRoot);
            index += empty.length - 1;
            continue;
          }
        }
        const timestamp = this.#timestamp(parent, options, isFirst);
        const given = options.contents?.[index] ?? (isFirst ? options.transactions : undefined);
        const built: BuiltBlock = await buildBlock({
          ...this.#template(parent, timestamp),
          chain,
          state,
          startRoot,
          transactions: given ?? this.#candidates(parent, chain.rulesAfter(parent, timestamp), included),
          uncles: isFirst ? (options.uncles ?? []) : [],
          recordsBytes: this.#traces?.maxBytesOfBlock ?? 0,
        });
        leftOut.push(...built.leftOut);
        printed.push(...built.printed);
        if (options.skipEmpty === true && built.executed.block.transactions.length === 0) {
          chain.states.discard(built.executed.commit);
          break;
        }
        chain.archive.stage(built.executed);
        executed.push(built.executed);
        if (built.executed.block.transactions.length > 0) recorded.set(built.executed.block, built.recording);
        parent = built.executed.block;
        startRoot = parent.header.stateRoot;
        for (const tx of parent.transactions) included.add(bytesKey(tx.hash));
        this.#clock.used(timestamp);
        this.#forgetOneTimeSettings();
      }
    } catch (error) {
      for (const { commit } of executed) chain.states.discard(commit);
      chain.archive.unstage(executed);
      throw error;
    }
    try {
      if (executed.length > 0) await chain.append(executed);
    } finally {
      chain.archive.unstage(executed);
    }
    for (const [block, recording] of recorded) this.#traces?.keep(block, recording);
    for (const each of printed) this.#onPrinted?.(each);
    this.#dropInvalid(leftOut);
    return executed.map(({ block }) => block);
  }

  /** Blocks in which nothing would stand, up to the first in which something does. */
  #buildEmpty(parent: Block, { count, options, included, clock }: EmptyRun): Promise<BuiltEmptyBlocks> {
    return buildEmptyBlocks({
      chain: this.#chain,
      parent,
      count,
      clock,
      next: (before, rulesAt) => {
        const timestamp = this.#timestamp(before, options, false);
        const rules = rulesAt(timestamp);
        const isEmpty = this.#candidates(before, rules, included).length === 0;
        return isEmpty ? this.#template(before, timestamp, rules) : undefined;
      },
      built: ({ header }) => {
        this.#clock.used(header.timestamp);
        this.#forgetOneTimeSettings();
      },
    });
  }

  #timestamp(parent: Block, options: MineOptions, isFirst: boolean): bigint {
    const { timestamp: before } = parent.header;
    if (isFirst && options.timestamp !== undefined) {
      if (options.timestamp > before) return options.timestamp;
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `Timestamp ${options.timestamp} is not after the parent's ${before}.`,
        fix: `Give at least ${before + 1n}.`,
      });
    }
    if (!isFirst && options.interval !== undefined && options.interval > 0n) return before + options.interval;
    return this.#clock.timestampAfter(before);
  }

  #template(parent: Block, timestamp: bigint, rules = this.#chain.rulesAfter(parent, timestamp)): BlockTemplate {
    const { coinbase, gasLimit, nextBaseFeePerGas, nextPrevRandao, extraData } = this.#settings;
    const doubles = rules.isLondon && parent.header.baseFeePerGas === undefined;
    return {
      parent,
      timestamp,
      coinbase,
      gasLimit: gasLimit ?? (doubles ? parent.header.gasLimit * 2n : parent.header.gasLimit),
      baseFeePerGas: nextBaseFeePerGas,
      prevRandao: nextPrevRandao,
      extraData,
      checksFor: this.#checksFor,
    };
  }

  /** @param rules - of the block that is to follow */
  #candidates(parent: Block, rules: Rules, exclude: ReadonlySet<string>): readonly Transaction[] {
    if (this.#pool.size === 0) return [];
    const baseFee = this.#nextBaseFee(parent, rules);
    return this.#pool.executable(baseFee).filter((tx) => !exclude.has(bytesKey(tx.hash)));
  }

  /** Base fee of a child of `parent`, in wei per gas; undefined before London. */
  nextBaseFee(parent: Block, timestamp: bigint): bigint | undefined {
    return this.#nextBaseFee(parent, this.#chain.rulesAfter(parent, timestamp));
  }

  #nextBaseFee(parent: Block, rules: Rules): bigint | undefined {
    if (!rules.isLondon) return undefined;
    return this.#settings.nextBaseFeePerGas ?? nextBaseFeePerGas(parent.header);
  }

  #forgetOneTimeSettings(): void {
    const { nextBaseFeePerGas, nextPrevRandao } = this.#settings;
    if (nextBaseFeePerGas === undefined && nextPrevRandao === undefined) return;
    this.configure({ nextBaseFeePerGas: undefined, nextPrevRandao: undefined });
  }

  /** What did not fit waits on; what can never run is dropped, or the pool would try it forever. */
  #dropInvalid(leftOut: readonly LeftOut[]): void {
    for (const { tx, error } of leftOut) {
      if (!MAY_FIT_LATER.has(error.code)) this.#pool.reject(tx.hash, error);
    }
  }

  /**
   * Mines a valid block beside the chain, for use as an uncle (proof of work only). The head stays.
   *
   * @param parent - block it follows, an ancestor of the head
   * @param options.timestamp - seconds; default the first after the parent's that makes a block nobody knows yet, since
   * an empty block mined right after its parent comes out as the canonical one
   */
  mineSideBlock(
    parent: Block,
    options: { timestamp?: bigint; coinbase?: Bytes; extraData?: Bytes } = {},
  ): Promise<Block> {
    return this.#chain.exclusively(async () => {
      const chain = this.#chain;
      for (let timestamp = options.timestamp ?? parent.header.timestamp + 1n; ; timestamp++) {
        const executed = await this.#buildSideBlock(parent, { ...options, timestamp });
        const isNew = chain.getBlockByHash(executed.block.hash) === undefined;
        if (isNew) await chain.appendSideBlock(executed);
        else chain.states.discard(executed.commit);
        if (isNew || options.timestamp !== undefined) return executed.block;
      }
    });
  }

  async #buildSideBlock(
    parent: Block,
    options: { timestamp: bigint; coinbase?: Bytes; extraData?: Bytes },
  ): Promise<ExecutedBlock> {
    const startRoot = parent.header.stateRoot;
    const { timestamp, ...header } = options;
    const { executed } = await buildBlock({
      ...this.#template(parent, timestamp),
      ...header,
      chain: this.#chain,
      state: this.#chain.workingStateAfter(parent, startRoot),
      startRoot,
      transactions: [],
    });
    return executed;
  }

  /** The block that would be mined now, and the state after it. */
  pending(): Promise<PendingBlock> {
    const chain = this.#chain;
    const parent = chain.head;
    const timestamp = this.#clock.timestampAfter(parent.header.timestamp);
    const startRoot = chain.headStateRoot;
    const key = {
      headHash: parent.hash,
      headStateRoot: startRoot,
      poolVersion: this.#pool.version,
      settingsVersion: this.#settingsVersion,
      timestamp,
    };
    return this.#pending.get(key, async () => {
      const state = chain.states.working(startRoot);
      const { executed } = await buildBlock({
        ...this.#template(parent, timestamp),
        chain,
        state,
        startRoot,
        isDraft: true,
        transactions: this.#candidates(parent, chain.rulesAfter(parent, timestamp), new Set()),
      });
      return { block: executed.block, receipts: executed.receipts, state };
    });
  }

  /** After a change of head: drops what was mined and puts back what left with a reorg, unless it is to be forgotten. */
  async syncPool(change: HeadChange): Promise<void> {
    const state = this.#chain.stateAfter(this.#chain.head);
    const accountOf = async (sender: Bytes): Promise<SenderAccount> =>
      (await state.getAccount(sender)) ?? NO_SENDER_ACCOUNT;
    const mined = new Set(change.added.flatMap((block) => block.transactions.map((tx) => bytesKey(tx.hash))));
    for (const block of change.forgetsTransactions === true ? [] : change.removed) {
      for (const tx of block.transactions) {
        if (mined.has(bytesKey(tx.hash)) || this.#pool.get(tx.hash) !== undefined) continue;
        const account = await accountOf(tx.sender);
        if (tx.nonce >= account.nonce) this.#readd(tx, account);
      }
    }
    const isOnlyEmptyBlocks =
      change.removed.length === 0 &&
      change.added.length > 0 &&
      change.added.every((block) => block.transactions.length === 0);
    if (!isOnlyEmptyBlocks) {
      for (const sender of this.#pool.senders()) this.#pool.updateSender(sender, await accountOf(sender));
    }
  }

  #readd(tx: Transaction, account: SenderAccount): void {
    try {
      this.#pool.add(tx, account);
    } catch {
      // A better-paid transaction took the nonce meanwhile, or the pool is full: the reorged one is lost, as anywhere.
    }
  }
}
