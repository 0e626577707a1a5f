/** A whole chain as values, for state files: blocks, receipts, states, and edits after the head. */
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import { hardforkName } from "../chainspec/hardforks/hardforks.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { type Block, hashUncles } from "../chainspec/header/block.ts";
import type { Header } from "../chainspec/header/header.ts";
import { encodeReceipts, type Receipt } from "../chainspec/transaction/receipt.ts";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { Breaks, type Steps } from "../primitives/platform/turns.ts";
import { ownStateId, type StateId } from "../state/state-id.ts";
import { listRoot } from "../state/trie/list-root.ts";
import type { HashedBytes, StateCommit } from "../state/view.ts";
import type { ExecutedBlock } from "./execute-block.ts";
import type { ChainBlocks, ChainStates } from "./readable-chain.ts";

/** A block of the copy, with what cannot be computed from it. */
export interface CopiedBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  /** State before the block, if edits made it differ from that after its parent. */
  readonly startStateId: StateId | undefined;
  /** Addresses in its traces. */
  readonly traceAddresses: readonly Bytes[];
  /** RLP; undefined if it is empty, without EIP-7928, and in files of older versions. */
  readonly blockAccessList?: Bytes | undefined;
}

/** The block at which a fork begins, with its total difficulty. */
export interface PinnedBelow {
  readonly block: Block;
  readonly totalDifficulty: bigint;
}

/**
 * Complete: a chain opened from it needs nothing else. Byte arrays are shared with the store and must not be changed.
 */
export interface ChainCopy {
  /** The canonical chain from its first block to the head; on a fork, from the block after the pinned one. */
  readonly blocks: readonly CopiedBlock[];
  /** Hash of the block at which a fork begins. */
  readonly pinnedHash?: Bytes | undefined;
  /** RLP of all nodes of the states from {@link oldestState} on. */
  readonly trieNodes: readonly Bytes[];
  readonly codes: readonly Bytes[];
  /** On a fork: entries of the store's table `derivedStates`, for states with true roots. */
  readonly derivedStates?: readonly HashedBytes[] | undefined;
  /** State of the head with edits, if there are any. */
  readonly editedStateId: StateId | undefined;
  /** Number of the newest block that counts as final because it was imported. */
  readonly importedNumber: bigint;
  /** Number of the first block whose state is included. */
  readonly oldestState: bigint;
}

/** The blocks of a copy without their states, for writing. */
export function blocksToWrite({ blocks }: ChainCopy): readonly ExecutedBlock[] {
  return blocks.map((entry) => ({
    ...entry,
    commit: { stateRoot: ownStateId(entry.block.header.stateRoot), trieNodes: [], codes: [] },
  }));
}

/** The states of a copy, for writing. */
export function statesToWrite({ trieNodes, codes, derivedStates = [] }: ChainCopy): Omit<StateCommit, "stateRoot"> {
  const hashed = (bytes: Bytes) => ({ hash: keccak256(bytes), bytes });
  return { trieNodes: trieNodes.map(hashed), codes: codes.map(hashed), derivedStates };
}

/**
 * Checks that a copy is consistent and fits the chain's hardforks: each block follows the one before it, bodies, receipts
 * and access lists match the roots in the headers, and each header has the members of its hardfork.
 *
 * Nothing is executed, because a development chain may have headers that break the rules. Yields to the event loop
 * between blocks.
 *
 * @param pinned - the parent of the first block on a fork
 * @throws {InvalidParamsError} `STATE_FILE_INVALID`, `STATE_FILE_MISMATCH`
 */
export async function checkCopy({ blocks }: ChainCopy, spec: ChainSpec, pinned?: PinnedBelow): Promise<void> {
  const breaks = new Breaks();
  let parent = pinned?.block;
  let parentTotalDifficulty = pinned?.totalDifficulty ?? 0n;
  for (const copied of blocks) {
    const { block } = copied;
    const { header } = block;
    const broken = brokenPromise(copied, parent);
    if (broken !== undefined) throw invalidStateFile(`Block ${header.number}: ${broken}.`);
    checkShape(header, spec.rulesAt({ number: header.number, timestamp: header.timestamp, parentTotalDifficulty }));
    parent = block;
    parentTotalDifficulty += header.difficulty;
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  if (parent === undefined) throw invalidStateFile("It holds no block.");
}

function brokenPromise(
  { block, receipts, blockAccessList }: CopiedBlock,
  parent: Block | undefined,
): string | undefined {
  const { header, transactions, uncles } = block;
  if (parent !== undefined) {
    if (header.number !== parent.header.number + 1n) return `it follows block ${parent.header.number}`;
    if (!equalBytes(header.parentHash, parent.hash)) return "its parentHash is not the hash of the block before it";
  }
  if (!equalBytes(header.unclesHash, hashUncles(uncles))) return "sha3Uncles does not match its uncles";
  if (receipts.length !== transactions.length) {
    return `it has ${transactions.length} transactions and ${receipts.length} receipts`;
  }
  if (!equalBytes(header.transactionsRoot, listRoot(transactions.map((tx) => tx.encode())))) {
    return "transactionsRoot does not match its transactions";
  }
  if (!equalBytes(header.receiptsRoot, listRoot(encodeReceipts(receipts)))) {
    return "receiptsRoot does not match its receipts";
  }
  const { blockAccessListHash: listHash } = header;
  const isListRight = blockAccessList === undefined || areSame(listHash, keccak256(blockAccessList));
  return isListRight ? undefined : "blockAccessListHash does not match its access list";
}

function areSame(left: Bytes | undefined, right: Bytes): boolean {
  return left !== undefined && equalBytes(left, right);
}

function checkShape(header: Header, rules: Rules): void {
  const expected = [
    ["baseFeePerGas", rules.has(1559), header.baseFeePerGas],
    ["withdrawalsRoot", rules.has(4895), header.withdrawalsRoot],
    ["blobGasUsed", rules.has(4844), header.blobGasUsed],
    ["requestsHash", rules.has(7685), header.requestsHash],
    ["blockAccessListHash", rules.has(7928), header.blockAccessListHash],
  ] as const;
  for (const [name, isDue, value] of expected) {
    if (isDue === (value !== undefined)) continue;
    throw new InvalidParamsError({
      code: "STATE_FILE_MISMATCH",
      what: `The file holds the state of a chain with other hardforks.`,
      where: `Block ${header.number} has ${isDue ? "no" : "a"} ${name}, which ${hardforkName(rules.hardfork)} ${isDue ? "demands" : "does not know"}.`,
      fix: "Start the node with the hardfork that the file was written with.",
    });
  }
}

/** The error for a malformed or incomplete state file. */
export function invalidStateFile(what: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "STATE_FILE_INVALID",
    what: `The state file cannot be loaded. ${what}`,
    fix: "Give what dumpState or --dump-state of this node or of Anvil wrote.",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** On a fork the pinned block belongs to the forked chain. */
function firstNumber({ genesis, history }: ChainBlocks): bigint {
  return history === undefined ? genesis.header.number : history.pin.header.number + 1n;
}

/**
 * Copies the canonical chain with all its states. The cost grows with their size. Nothing may write to the chain until the
 * last step.
 */
export function* copyChain(chain: ChainBlocks & ChainStates): Steps<ChainCopy> {
  const { archive, head, headStateId } = chain;
  const blocks: CopiedBlock[] = [];
  const states: StateId[] = [];
  for (let number = firstNumber(chain); number <= head.header.number; number++) {
    const block = chain.getStoredBlock(number);
    if (block === undefined) continue;
    const startStateId = archive.getStartStateId(block.hash);
    blocks.push({
      block,
      receipts: chain.getStoredReceipts(block),
      startStateId,
      traceAddresses: archive.getTraceAddresses(block.hash),
      blockAccessList: archive.getBlockAccessList(block.hash),
    });
    if (number < chain.oldestState) continue;
    states.push(ownStateId(block.header.stateRoot));
    if (startStateId !== undefined) states.push(startStateId);
    yield;
  }
  // The last one, since a state that is not stored is computed from the one before it.
  states.push(headStateId);
  const { trieNodes, codes, derivedStates } = yield* chain.states.collect(states);
  return {
    blocks,
    pinnedHash: chain.history?.pin.hash,
    trieNodes: trieNodes.map(({ bytes }) => bytes),
    codes: codes.map(({ bytes }) => bytes),
    derivedStates,
    editedStateId: equalBytes(headStateId, head.header.stateRoot) ? undefined : headStateId,
    importedNumber: archive.importedNumber(),
    oldestState: chain.oldestState,
  };
}
