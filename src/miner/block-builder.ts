/** Builds one block on a parent: header, transactions as far as they fit, uncles, roots. Stores nothing. */

import type { ContextHeader } from "../chain/block-context.ts";
import { blockBloom, type ExecutedBlock, receiptsRoot, traceAddressesOf } from "../chain/execute-block.ts";
import { planOfBlock } from "../chain/prefetch/block-plan.ts";
import type { RunPlan } from "../chain/prefetch/run-plan.ts";
import type { ChainBlocks, ChainRules } from "../chain/readable-chain.ts";
import { checkUncles } from "../chain/rules/uncle-rules.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import {
  type Block,
  hashUncles,
  MAXIMUM_BLOCK_SIZE,
  makeBlock,
  type Withdrawal,
  withdrawalItem,
} from "../chainspec/header/block.ts";
import { nextDifficulty } from "../chainspec/header/difficulty.ts";
import { nextBaseFeePerGas, nextExcessBlobGas } from "../chainspec/header/fees.ts";
import { checkWidths, type Header, slotAfter } from "../chainspec/header/header.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { type RemoteError, TransactionRejectedError, UnsupportedError } from "../errors/hindcast-error.ts";
import type { BlockContext } from "../evm/engine.ts";
import { hashRequests } from "../executor/requests.ts";
import { BlockRunner } from "../executor/run-block.ts";
import { BLOCK_CHECKS, type ChecksWanted } from "../executor/transaction-checks.ts";
import { ConsoleCollector } from "../explain/console/console-collector.ts";
import type { ConsoleCall } from "../explain/console/console-logs.ts";
import { type Bytes, concatBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { keccak256, ZERO_HASH } from "../primitives/hash/hash.ts";
import { ownStateId, type StateId } from "../state/state-id.ts";
import { listRoot } from "../state/trie/list-root.ts";
import type { StateCommit } from "../state/view.ts";
import type { WorkingState } from "../state/working/working-state.ts";
import { BlockRecorder, type BlockRecording } from "../tracer/block-recorder.ts";
import { tee } from "../tracer/tee.ts";
import { BlockRoom } from "./block-room.ts";

/** A block to build: where, when, and of what. */
export interface BuildRequest {
  readonly chain: ChainBlocks & ChainRules;
  readonly parent: Block;
  /** State after the parent, with edits; has the block's effects afterwards. */
  readonly state: WorkingState;
  /** Root of `state` before the block, recorded if it differs from the parent's. */
  readonly startStateId: StateId;
  /** seconds */
  readonly timestamp: bigint;
  /** In the order in which they are tried; those that are not valid, or cannot be executed, are left out. */
  readonly transactions: readonly Transaction[];
  readonly uncles?: readonly Header[];
  readonly withdrawals?: readonly Withdrawal[];
  readonly coinbase: Bytes;
  readonly gasLimit: bigint;
  readonly baseFeePerGas?: bigint | undefined;
  readonly prevRandao?: Bytes | undefined;
  /** With EIP-7843; default: that of the time. */
  readonly slotNumber?: bigint | undefined;
  readonly extraData?: Bytes;
  readonly parentBeaconBlockRoot?: Bytes;
  /** True if the block is not stored: its state root is computed, but the trie nodes are not collected. */
  readonly isDraft?: boolean;
  /** True if the block may be one that could not be mined, as the pending block may; it can be read all the same. */
  readonly allowsFault?: boolean;
  /** Most bytes of call frames to record for the block's traces, all or none; default none. */
  readonly recordsBytes?: number;
  /** Checks for a transaction; those for impersonated senders leave out EIP-3607. */
  readonly checksFor?: (tx: Transaction) => ChecksWanted;
}

/** All inputs of a block except parent and state. */
export type BlockTemplate = Omit<BuildRequest, "chain" | "state" | "startStateId" | "transactions">;

/** The `console.log` calls of a transaction. */
export interface Printed {
  readonly tx: Transaction;
  readonly calls: readonly ConsoleCall[];
}

/** A transaction that was left out. */
export interface LeftOut {
  readonly tx: Transaction;
  /** A {@link TransactionRejectedError} if it is not valid in the block; any other if it could not be executed. */
  readonly error: unknown;
}

/** A block that was executed and is not stored yet. */
export interface BuiltBlock {
  readonly executed: ExecutedBlock;
  readonly leftOut: readonly LeftOut[];
  /** Transactions that printed something, in order. */
  readonly printed: readonly Printed[];
  /** Execution-layer requests, type byte and data each (EIP-7685); none before Prague. */
  readonly requests: readonly Bytes[];
  /** Call frames of its transactions, if they were asked for and are not too large. */
  readonly recording: BlockRecording | undefined;
  /** The reason why a fork with `verify` lacks a proof, so that the state root is that of the changes. */
  readonly unproven: RemoteError | undefined;
}

/**
 * Builds and executes a block.
 *
 * @throws {UnsupportedError} `UNCLES_NOT_ALLOWED` for uncles after the Merge
 * @throws {UnsupportedError} `BLOCK_NOT_MINABLE` if the block could not be valid, whatever its transactions
 * @throws {InvalidParamsError} `BLOCK_REJECTED` for uncles that the rules forbid
 */
export async function buildBlock(request: BuildRequest): Promise<BuiltBlock> {
  const { chain, parent } = request;
  const rules = chain.rulesAfter(parent, request.timestamp);
  const uncles = request.uncles ?? [];
  if (rules.has(3675) && uncles.length > 0) throw unclesNotAllowed(rules);
  checkUncles(parent, uncles, chain, chain.spec);
  const parentBeaconBlockRoot = rules.has(4788) ? (request.parentBeaconBlockRoot ?? ZERO_HASH) : undefined;
  const draft = { parentBeaconBlockRoot, ...draftHeader(chain, request, rules) };
  const begun = { rules, draft, context: chain.contextWith(draft, rules) };
  const ended = chain.history?.fetchAhead(planOf(request, begun), parent);
  try {
    return await runBlock(request, begun);
  } finally {
    ended?.();
  }
}

/** A block before its first transaction. */
interface BegunBlock {
  readonly rules: Rules;
  readonly draft: ContextHeader & Pick<Header, "parentBeaconBlockRoot">;
  readonly context: BlockContext;
}

/** The plan by which a fork fetches the state of the block ahead. */
function planOf(request: BuildRequest, { rules, draft: header, context }: BegunBlock): RunPlan {
  const { chain, transactions, checksFor = () => BLOCK_CHECKS, state } = request;
  return planOfBlock({ executor: chain.executor, rules, context, header, transactions, checksFor }, state);
}

async function runBlock(request: BuildRequest, { rules, draft, context }: BegunBlock): Promise<BuiltBlock> {
  const { chain, parent, state, uncles = [] } = request;
  const recorder = new BlockRecorder(request.recordsBytes ?? 0);
  const console = new ConsoleCollector();
  const sink = tee(recorder, console);
  const isCovered = request.isDraft !== true;
  const { executor } = chain;
  const run = { executor, rules, state, block: context, sink, isCovered, mayLackContracts: true };
  const runner = await BlockRunner.open(run);
  try {
    await runner.begin(parent.hash, draft.parentBeaconBlockRoot);
    const { number } = draft;
    const withdrawals = rules.has(4895) ? (request.withdrawals ?? []) : undefined;
    const extraData = request.extraData ?? EMPTY_BYTES;
    const maxBlobs = chain.spec.blobSchedule(rules.hardfork).max;
    const room = new BlockRoom({ rules, draft, extraData, withdrawals, maxBlobs });
    if (room.isExceeded) throw blockNotMinable(number, `it would have more than ${MAXIMUM_BLOCK_SIZE} bytes`);
    const { included, leftOut, printed } = await fill(request, { runner, recorder, console, room });
    const { requests, fault } = await runner.finish(uncles, withdrawals);
    if (fault !== undefined && request.allowsFault !== true) throw blockNotMinable(number, fault);
    const blockAccessList = runner.accessList?.encode();
    const unproven = await state.fetchProofs(({ isUnanswered }) => isUnanswered);
    const commit = request.isDraft === true ? draftCommit(state) : state.commitState();
    const header: Header = {
      unclesHash: hashUncles(uncles),
      stateRoot: commit.stateRoot,
      transactionsRoot: listRoot(included.map((tx) => tx.encode())),
      receiptsRoot: receiptsRoot(runner.receipts),
      logsBloom: blockBloom(runner.receipts),
      gasUsed: runner.gasUsed,
      extraData,
      nonce: new Uint8Array(8),
      withdrawalsRoot: withdrawals === undefined ? undefined : listRoot(withdrawals.map(withdrawalItem)),
      blobGasUsed: rules.has(4844) ? runner.blobGasUsed : undefined,
      requestsHash: rules.has(7685) ? hashRequests(requests) : undefined,
      blockAccessListHash: blockAccessList && keccak256(blockAccessList),
      ...draft,
    };
    const block = makeBlock(header, { transactions: included, uncles, withdrawals });
    const startStateId = equalBytes(request.startStateId, parent.header.stateRoot) ? undefined : request.startStateId;
    const traceAddresses = traceAddressesOf(block, rules, recorder);
    return {
      executed: { block, receipts: [...runner.receipts], commit, startStateId, traceAddresses, blockAccessList },
      leftOut,
      printed,
      requests,
      recording: recorder.recording,
      unproven,
    };
  } finally {
    runner.close();
  }
}

function draftCommit(state: WorkingState): StateCommit {
  return { stateRoot: ownStateId(state.computeStateRoot()), trieNodes: [], codes: [] };
}

/**
 * The members of a block's header that are known before its execution.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` for a number, a slot or a fee that no header has room for
 */
export function draftHeader(chain: ChainBlocks & ChainRules, request: BlockTemplate, rules: Rules): ContextHeader {
  const { parent, timestamp } = request;
  const schedule = chain.spec.blobSchedule(rules.hardfork);
  const draft: ContextHeader = {
    parentHash: parent.hash,
    number: parent.header.number + 1n,
    timestamp,
    coinbase: request.coinbase,
    gasLimit: request.gasLimit,
    difficulty: rules.has(3675) ? 0n : nextDifficulty(parent.header, timestamp, rules),
    // Derived from the parent, not random, so that equal histories have equal hashes.
    mixHash: rules.has(4399)
      ? (request.prevRandao ?? keccak256(concatBytes(parent.hash, RANDAO_DOMAIN)))
      : (request.prevRandao ?? ZERO_HASH),
    baseFeePerGas: rules.has(1559) ? (request.baseFeePerGas ?? nextBaseFeePerGas(parent.header)) : undefined,
    excessBlobGas: rules.has(4844) ? nextExcessBlobGas(parent.header, rules, schedule) : undefined,
    slotNumber: rules.has(7843)
      ? (request.slotNumber ?? slotAfter(parent.header, timestamp, chain.genesis.header))
      : undefined,
  };
  checkWidths(draft);
  return draft;
}

const RANDAO_DOMAIN = new TextEncoder().encode("hindcast prevRandao");

/** A block to which transactions are added, and their listeners. */
interface OpenBlock {
  readonly runner: BlockRunner;
  readonly recorder: BlockRecorder;
  readonly console: ConsoleCollector;
  readonly room: BlockRoom;
}

async function fill(
  request: BuildRequest,
  { runner, recorder, console, room }: OpenBlock,
): Promise<{ included: Transaction[]; leftOut: LeftOut[]; printed: Printed[] }> {
  const included: Transaction[] = [];
  const leftOut: LeftOut[] = [];
  const printed: Printed[] = [];
  for (const tx of request.transactions) {
    try {
      room.require(tx);
      await runner.run(tx, { checks: request.checksFor?.(tx) ?? BLOCK_CHECKS });
      recorder.endTransaction();
      included.push(tx);
      const calls = console.take();
      if (calls.length > 0) printed.push({ tx, calls });
      room.take(tx);
    } catch (error) {
      leftOut.push({ tx, error });
      if (error instanceof TransactionRejectedError) continue;
      // Any other error is a limit or a fault of this node. It is a matter of this transaction alone.
      await runner.goOn();
      console.take();
    }
  }
  return { included, leftOut, printed };
}

function unclesNotAllowed(rules: Rules): UnsupportedError {
  return new UnsupportedError({
    code: "UNCLES_NOT_ALLOWED",
    what: `A block of ${rules.hardfork} cannot have uncles: they ended with the Merge.`,
    fix: "Start the chain with a hardfork before paris, for example --hardfork london.",
  });
}

/** @param fault - names what makes the block invalid */
export function blockNotMinable(number: bigint, fault: string): UnsupportedError {
  return new UnsupportedError({
    code: "BLOCK_NOT_MINABLE",
    what: `Block ${number} would not be valid: ${fault}.`,
    fix: "Correct the contract that it names, in the genesis or with anvil_setCode and anvil_setStorageAt, or ask for a smaller block.",
  });
}
