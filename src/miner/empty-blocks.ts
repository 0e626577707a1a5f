/**
 * Builds many blocks without transactions in a row: tries stay open from block to block, and most of their states are kept
 * as what was written (`state/derived-state.ts`).
 *
 * The property test compares every block and every state with what {@link buildBlock} makes.
 */
import { ancestorHash, contextOfHeader } from "../chain/block-context.ts";
import type { Chain } from "../chain/chain.ts";
import type { ExecutedBlock } from "../chain/execute-block.ts";
import type { Block } from "../chainspec/block.ts";
import type { Rules } from "../chainspec/hardforks.ts";
import { encodeHeader, type Header } from "../chainspec/header.ts";
import type { BlockContext } from "../evm/engine.ts";
import type { ExecutionClock } from "../executor/clock.ts";
import { hashRequests } from "../executor/requests.ts";
import { BlockRunner } from "../executor/run-block.ts";
import { EMPTY_BLOOM } from "../primitives/bloom.ts";
import { ByteArena } from "../primitives/byte-arena.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import { EMPTY_TRIE_ROOT, EMPTY_UNCLES_HASH, keccak256Into, ZERO_HASH } from "../primitives/hash.ts";
import { RlpWriter } from "../primitives/rlp-writer.ts";
import type { StateRun } from "../state/state-run.ts";
import type { StateCommit, StateWrite } from "../state/view.ts";
import { type BlockTemplate, draftHeader } from "./block-builder.ts";
import { EmptyBlockState } from "./empty-block-state.ts";

/** Fewer are built one by one. */
export const FEWEST_EMPTY_BLOCKS = 16;
/** Every so many blocks the whole state is stored: reading one in between makes at most so many blocks' nodes again. */
const STORED_EVERY = 4_096;

export interface EmptyBlocksRequest {
  readonly chain: Chain;
  /** Its state has no edits on it. */
  readonly parent: Block;
  /** Most blocks to build. */
  readonly count: number;
  /** The next block; undefined where it is not to be empty. The parent is not stored: its child's rules come with it. */
  readonly next: (parent: Block, rulesAt: (timestamp: bigint) => Rules) => BlockTemplate | undefined;
  /** Hears of each block. */
  readonly built: (block: Block) => void;
  readonly clock: ExecutionClock;
}

/** Blocks in their order; undefined where they have to be built one by one. */
export type BuiltEmptyBlocks = readonly ExecutedBlock[] | undefined;

/**
 * Builds empty blocks as long as they can be told without an EVM. The state of the last one is whole, so that any block can
 * follow.
 *
 * @returns none where the first is not to be empty; undefined where it cannot be told, or the store has one of the states
 *   in another form
 */
export async function buildEmptyBlocks(request: EmptyBlocksRequest): Promise<BuiltEmptyBlocks> {
  const { chain, clock } = request;
  const run = chain.states.openRun(request.parent.header.stateRoot);
  const state = new EmptyBlockState(run);
  const executed: ExecutedBlock[] = [];
  const arena = new ByteArena();
  const writer = new RlpWriter(HEADER_CAPACITY, arena);
  let parent = request.parent;
  const { hash, header } = parent;
  const blockHash = (number: bigint): Bytes | undefined =>
    executed[Number(number - header.number) - 1]?.block.hash ??
    ancestorHash(hash, header.number, number, chain.archive);
  let parentTotalDifficulty = chain.totalDifficultyOf(parent.hash) ?? 0n;
  try {
    while (executed.length < request.count) {
      const turn = clock.check();
      if (turn !== undefined) await turn;
      const number = parent.header.number + 1n;
      const total = parentTotalDifficulty;
      const rulesAt = (timestamp: bigint): Rules =>
        chain.spec.rulesAt({ number, timestamp, parentTotalDifficulty: total });
      const template = request.next(parent, rulesAt);
      if (template === undefined) break;
      const rules = rulesAt(template.timestamp);
      const isWhole = executed.length % STORED_EVERY === STORED_EVERY - 1 || executed.length === request.count - 1;
      const entry = await buildNext({ chain, run, state, template, rules, isWhole, blockHash, writer, arena });
      if (entry === undefined && executed.length === 0) return undefined;
      if (entry === undefined) break;
      executed.push(entry);
      parent = entry.block;
      parentTotalDifficulty += parent.header.difficulty;
      request.built(parent);
    }
    return withWholeEnd(executed, chain, run);
  } catch (error) {
    giveUp(executed, chain);
    throw error;
  }
}

interface NextBlock {
  readonly chain: Chain;
  readonly run: StateRun;
  readonly state: EmptyBlockState;
  readonly template: BlockTemplate;
  readonly rules: Rules;
  /** Its state is stored, not what it derives from. */
  readonly isWhole: boolean;
  /** For BLOCKHASH. */
  readonly blockHash: BlockContext["blockHash"];
  /** Writes into the arena. */
  readonly writer: RlpWriter;
  readonly arena: ByteArena;
}

/** Objects are written out member by member: spreading three of them was a sixth of what a block allocates. */
async function buildNext({
  chain,
  run,
  state,
  template,
  rules,
  isWhole,
  blockHash,
  writer,
  arena,
}: NextBlock): Promise<ExecutedBlock | undefined> {
  const draft = draftHeader(chain, template, rules);
  const { parentHash, number, timestamp, coinbase } = draft;
  const parentBeaconBlockRoot = rules.isCancun ? (template.parentBeaconBlockRoot ?? ZERO_HASH) : undefined;
  const context = contextOfHeader(draft, rules, chain.spec, blockHash);
  const runner = await BlockRunner.open({ executor: chain.executor, rules, state, block: context });
  let requests: readonly Bytes[];
  try {
    await runner.begin(parentHash, parentBeaconBlockRoot);
    requests = await runner.finish(NONE, NONE);
  } finally {
    runner.close();
  }
  const writes = state.takeWrites();
  if (writes === undefined) return undefined;
  const commit = commitOf(run, writes, isWhole);
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
    withdrawalsRoot: rules.isShanghai ? EMPTY_TRIE_ROOT : undefined,
    blobGasUsed: rules.isCancun ? 0n : undefined,
    excessBlobGas: draft.excessBlobGas,
    parentBeaconBlockRoot,
    requestsHash: !rules.isPrague ? undefined : requests.length === 0 ? NO_REQUESTS : hashRequests(requests),
  };
  const headerBytes = encodeHeader(header, writer);
  const withdrawals = rules.isShanghai ? NONE : undefined;
  const block: Block = {
    hash: keccak256Into(headerBytes, arena.allocate(32)),
    header,
    transactions: NONE,
    uncles: NONE,
    withdrawals,
  };
  const traceAddresses = rules.isMerged ? NONE : [coinbase];
  return { block, headerBytes, receipts: NONE, commit, startRoot: undefined, traceAddresses };
}

function commitOf(run: StateRun, writes: readonly StateWrite[], isWhole: boolean): StateCommit {
  if (!isWhole) return run.commitDerived(writes);
  run.apply(writes);
  return run.commitState();
}

/** The blocks, the last one with a whole state; undefined if the store says something else of one of their states. */
function withWholeEnd(executed: ExecutedBlock[], chain: Chain, run: StateRun): BuiltEmptyBlocks {
  const last = executed.at(-1);
  if (last?.commit.derivedStates !== undefined) {
    const whole = { ...last, commit: run.commitState(last.commit) };
    chain.states.discard(last.commit);
    executed.splice(-1, 1, whole);
  }
  if (executed.every(({ commit }) => chain.states.agreesWith(commit.derivedStates ?? []))) return executed;
  giveUp(executed, chain);
  return undefined;
}

function giveUp(executed: readonly ExecutedBlock[], chain: Chain): void {
  for (const { commit } of executed) chain.states.discard(commit);
}

/** More than nearly all headers have. */
const HEADER_CAPACITY = 1_024;
/** One list for all of them, instead of half a dozen for each block. */
const NONE: readonly never[] = [];
const NO_NONCE: Bytes = new Uint8Array(8);
const NO_REQUESTS = hashRequests([]);
