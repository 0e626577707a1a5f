/**
 * Builds many consecutive blocks without transactions. Tries stay open between blocks, and most states are stored as
 * their writes (`state/derived/derived-state.ts`).
 *
 * The property test compares every block and state with those of {@link buildBlock}.
 */

import { ancestorHash, type ContextHeader, contextOfHeader } from "../chain/block-context.ts";
import type { Chain } from "../chain/chain.ts";
import type { ExecutedBlock } from "../chain/execute-block.ts";
import type { Hardfork } from "../chainspec/hardforks/hardforks.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { Block } from "../chainspec/header/block.ts";
import { encodeHeader, type Header } from "../chainspec/header/header.ts";
import type { ExecutionClock } from "../executor/clock.ts";
import { hashRequests } from "../executor/requests.ts";
import { BlockRunner } from "../executor/run-block.ts";
import { ByteArena } from "../primitives/bytes/byte-arena.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { EMPTY_BLOOM } from "../primitives/hash/bloom.ts";
import { EMPTY_TRIE_ROOT, EMPTY_UNCLES_HASH, keccak256, keccak256Into, ZERO_HASH } from "../primitives/hash/hash.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import { Breaks } from "../primitives/platform/turns.ts";
import { RlpWriter } from "../primitives/rlp/rlp-writer.ts";
import type { StateRun } from "../state/derived/state-run.ts";
import { ownStateId } from "../state/state-id.ts";
import type { StateCommit, StateWrite } from "../state/view.ts";
import { type BlockTemplate, blockNotMinable, draftHeader } from "./block-builder.ts";
import { EmptyBlockState } from "./empty-block-state.ts";

/** Fewer blocks are built one by one. */
export const FEWEST_EMPTY_BLOCKS = 16;
/**
 * Interval at which a whole state is stored. Reading a state in between computes the nodes of at most this many blocks.
 */
const STORED_EVERY = 4_096;

/** The series: where it begins and how long it may be. */
export interface EmptyBlocksRequest {
  readonly chain: Chain;
  /** There must be no edits on its state. */
  readonly parent: Block;
  /** Most blocks to build. */
  readonly count: number;
  /**
   * The next block; undefined if it is not to be empty. The parent is not stored yet, so the rules for its child are
   * passed too.
   */
  readonly next: (parent: Block, rulesAt: (timestamp: bigint) => Rules) => BlockTemplate | undefined;
  /** Called with each block. */
  readonly built: (block: Block) => void;
  readonly clock: ExecutionClock;
}

/** Blocks in order; undefined if they must be built one by one. */
export type BuiltEmptyBlocks = readonly ExecutedBlock[] | undefined;

/**
 * Builds empty blocks as long as they write only balances and slots. The state of the last one is stored whole, so that
 * any block can follow.
 *
 * @returns no blocks if the first is not to be empty; undefined if a block writes more, or the store has one of the
 * states with other writes
 */
export async function buildEmptyBlocks(request: EmptyBlocksRequest): Promise<BuiltEmptyBlocks> {
  const { chain } = request;
  const builder = new EmptyBlockBuilder(request);
  const { executed } = builder;
  try {
    while (executed.length < request.count && (await builder.buildNext()));
    return builder.isStuck && executed.length === 0 ? undefined : await withWholeEnd(executed, chain, builder.run);
  } catch (error) {
    giveUp(executed, chain);
    throw error;
  } finally {
    builder.close();
  }
}

class EmptyBlockBuilder {
  readonly #request: EmptyBlocksRequest;
  readonly run: StateRun;
  readonly executed: ExecutedBlock[] = [];
  /** True if the last block wrote other values than balances and slots. */
  isStuck = false;
  readonly #state: EmptyBlockState;
  readonly #arena = new ByteArena();
  readonly #writer = new RlpWriter(HEADER_CAPACITY, this.#arena);
  #parent: Block;
  #totalDifficulty: bigint;
  #runner: { readonly hardfork: Hardfork; readonly runner: BlockRunner } | undefined;

  constructor(request: EmptyBlocksRequest) {
    const { chain, parent } = request;
    this.#request = request;
    this.run = chain.states.openRun(ownStateId(parent.header.stateRoot));
    this.#state = new EmptyBlockState(this.run);
    this.#parent = parent;
    this.#totalDifficulty = chain.totalDifficultyOf(parent.hash) ?? 0n;
  }

  /** Builds the next block. Returns false if it is not to be empty, or {@link isStuck}. */
  async buildNext(): Promise<boolean> {
    const { chain, clock, count, next, built } = this.#request;
    const turn = clock.check();
    if (turn !== undefined) await turn;
    const number = this.#parent.header.number + 1n;
    const parentTotalDifficulty = this.#totalDifficulty;
    const rulesAt = (timestamp: bigint): Rules => chain.spec.rulesAt({ number, timestamp, parentTotalDifficulty });
    const template = next(this.#parent, rulesAt);
    if (template === undefined) return false;
    const { length } = this.executed;
    const isWhole = length % STORED_EVERY === STORED_EVERY - 1 || length === count - 1;
    const entry = await this.#build(template, rulesAt(template.timestamp), isWhole);
    this.isStuck = entry === undefined;
    if (entry === undefined) return false;
    this.executed.push(entry);
    this.#parent = entry.block;
    this.#totalDifficulty += entry.block.header.difficulty;
    built(entry.block);
    return true;
  }

  /**
   * Members are assigned one by one, because spreading objects would allocate more.
   *
   * @param isWhole - stores the state with its nodes, not as its writes
   */
  async #build(template: BlockTemplate, rules: Rules, isWhole: boolean): Promise<ExecutedBlock | undefined> {
    const draft = draftHeader(this.#request.chain, template, rules);
    const { parentHash, number, timestamp, coinbase } = draft;
    const parentBeaconBlockRoot = rules.has(4788) ? (template.parentBeaconBlockRoot ?? ZERO_HASH) : undefined;
    const runner = await this.#runnerOf(draft, rules);
    await runner.begin(parentHash, parentBeaconBlockRoot);
    const { requests, fault } = await runner.finish(NONE, NONE);
    if (fault !== undefined) throw blockNotMinable(number, fault);
    const blockAccessList = runner.accessList?.encode();
    const writes = this.#state.takeWrites();
    if (writes === undefined) return undefined;
    const commit = commitOf(this.run, writes, isWhole);
    const header: Header = {
      parentHash,
      unclesHash: EMPTY_UNCLES_HASH,
      coinbase,
      stateRoot: commit.stateRoot,
      transactionsRoot: EMPTY_TRIE_ROOT,
      receiptsRoot: EMPTY_TRIE_ROOT,
      logsBloom: EMPTY_BLOOM,
      difficulty: draft.difficulty,
      number,
      gasLimit: draft.gasLimit,
      gasUsed: 0n,
      timestamp,
      extraData: template.extraData ?? EMPTY_BYTES,
      mixHash: draft.mixHash,
      nonce: NO_NONCE,
      baseFeePerGas: draft.baseFeePerGas,
      withdrawalsRoot: rules.has(4895) ? EMPTY_TRIE_ROOT : undefined,
      blobGasUsed: rules.has(4844) ? 0n : undefined,
      excessBlobGas: draft.excessBlobGas,
      parentBeaconBlockRoot,
      requestsHash: !rules.has(7685) ? undefined : requests.length === 0 ? NO_REQUESTS : hashRequests(requests),
      blockAccessListHash: blockAccessList && keccak256(blockAccessList),
      slotNumber: draft.slotNumber,
    };
    const headerBytes = encodeHeader(header, this.#writer);
    const block: Block = {
      hash: keccak256Into(headerBytes, this.#arena.allocate(32)),
      header,
      transactions: NONE,
      uncles: NONE,
      withdrawals: rules.has(4895) ? NONE : undefined,
    };
    const traceAddresses = rules.has(3675) ? NONE : [coinbase];
    return { block, headerBytes, receipts: NONE, commit, startStateId: undefined, traceAddresses, blockAccessList };
  }

  /** Reuses the engine session, with its cached values, for all blocks. */
  async #runnerOf(draft: ContextHeader, rules: Rules): Promise<BlockRunner> {
    const { chain } = this.#request;
    const { hardfork } = rules;
    const block = contextOfHeader(draft, rules, chain.spec, (number) => this.#hashOf(number));
    if (this.#runner?.hardfork !== hardfork) {
      this.close();
      const state = this.#state;
      const run = { executor: chain.executor, rules, state, block, mayLackContracts: true };
      this.#runner = { hardfork, runner: await BlockRunner.open(run) };
    } else {
      this.#runner = { hardfork, runner: this.#runner.runner.next(block) };
    }
    return this.#runner.runner;
  }

  #hashOf(number: bigint): MaybePromise<Bytes | undefined> {
    const { chain, parent } = this.#request;
    const made = this.executed[Number(number - parent.header.number) - 1];
    return made?.block.hash ?? ancestorHash(parent.hash, parent.header.number, number, chain.archive);
  }

  close(): void {
    this.#runner?.runner.close();
    this.#runner = undefined;
  }
}

function commitOf(run: StateRun, writes: readonly StateWrite[], isWhole: boolean): StateCommit {
  if (!isWhole) return run.commitDerived(writes);
  run.apply(writes);
  return run.commitState();
}

/** The blocks, the last one with a whole state; undefined if the store has other writes for one of their states. */
async function withWholeEnd(executed: ExecutedBlock[], chain: Chain, run: StateRun): Promise<BuiltEmptyBlocks> {
  const last = executed.at(-1);
  if (last?.commit.derivedStates !== undefined) {
    const whole = { ...last, commit: run.commitState(last.commit) };
    chain.states.discard(last.commit);
    executed.splice(-1, 1, whole);
  }
  const breaks = new Breaks();
  for (const { commit } of executed) {
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    if (chain.states.agreesWith(commit.derivedStates ?? [])) continue;
    giveUp(executed, chain);
    return undefined;
  }
  return executed;
}

function giveUp(executed: readonly ExecutedBlock[], chain: Chain): void {
  for (const { commit } of executed) chain.states.discard(commit);
}

/** Longer than nearly all headers. */
const HEADER_CAPACITY = 1_024;
/** One empty list for all blocks. */
const NONE: readonly never[] = [];
const NO_NONCE: Bytes = new Uint8Array(8);
const NO_REQUESTS = hashRequests([]);
