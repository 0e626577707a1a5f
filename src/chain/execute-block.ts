/** Executes an imported block on its parent's state and compares the result with its header. */

import type { ChainSpec } from "../chainspec/chain-spec.ts";
import { hardforkName } from "../chainspec/hardforks/hardforks.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { type Block, hashUncles, MAXIMUM_BLOCK_SIZE, withdrawalItem } from "../chainspec/header/block.ts";
import { BLOB_GAS_PER_BLOB } from "../chainspec/header/fees.ts";
import type { Header } from "../chainspec/header/header.ts";
import { encodeReceipts, type Receipt } from "../chainspec/transaction/receipt.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { InvalidParamsError, LimitError, TransactionRejectedError } from "../errors/hindcast-error.ts";
import type { BlockContext } from "../evm/engine.ts";
import type { Executor } from "../executor/executor.ts";
import { hashRequests } from "../executor/requests.ts";
import { BlockRunner } from "../executor/run-block.ts";
import { BLOCK_CHECKS, type ChecksWanted } from "../executor/transaction-checks.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { BLOOM_BYTES, EMPTY_BLOOM, mergeBloom } from "../primitives/hash/bloom.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import type { StateId } from "../state/state-id.ts";
import { listRoot } from "../state/trie/list-root.ts";
import type { StateCommit, WorkingStateView } from "../state/view.ts";
import { AddressCollector } from "../tracer/address-collector.ts";
import { blockRejected } from "./rules/header-rules.ts";

/** A block with all results of its execution. */
export interface ExecutedBlock {
  readonly block: Block;
  /** RLP of its header, if known. */
  readonly headerBytes?: Bytes;
  readonly receipts: readonly Receipt[];
  readonly commit: StateCommit;
  /** State root before the block, if edits made it differ from that after its parent. */
  readonly startStateId: StateId | undefined;
  /** Addresses in its traces. */
  readonly traceAddresses: readonly Bytes[];
  /** RLP of its access list; undefined without EIP-7928. */
  readonly blockAccessList?: Bytes | undefined;
}

/**
 * Checks the body against the roots and hashes in the header.
 *
 * @param size - bytes of the block's RLP
 * @throws {InvalidParamsError} `BLOCK_REJECTED`
 */
export function checkBody(block: Block, rules: Rules, spec: ChainSpec, size: number): void {
  const { header } = block;
  const reject = (rule: string): Error => blockRejected(header.number, rule);
  if (rules.has(7934) && size > MAXIMUM_BLOCK_SIZE) throw reject(`it has ${size} bytes, over ${MAXIMUM_BLOCK_SIZE}`);
  if (!equalBytes(header.transactionsRoot, listRoot(block.transactions.map((tx) => tx.encode())))) {
    throw reject("transactionsRoot does not match its transactions");
  }
  if (!equalBytes(header.unclesHash, hashUncles(block.uncles))) throw reject("sha3Uncles does not match its uncles");
  if (rules.has(4895) !== (block.withdrawals !== undefined)) {
    throw reject(`withdrawals are ${rules.has(4895) ? "missing" : "not allowed"} in ${hardforkName(rules.hardfork)}`);
  }
  if (block.withdrawals !== undefined) {
    const root = listRoot(block.withdrawals.map(withdrawalItem));
    if (!equalBytes(header.withdrawalsRoot as Bytes, root))
      throw reject("withdrawalsRoot does not match its withdrawals");
  }
  checkBlobCount(block, rules, spec, reject);
}

function checkBlobCount(block: Block, rules: Rules, spec: ChainSpec, reject: (rule: string) => Error): void {
  if (!rules.has(4844)) return;
  const blobs = block.transactions.reduce((count, tx) => count + tx.blobVersionedHashes.length, 0);
  const { max } = spec.blobSchedule(rules.hardfork);
  if (BigInt(blobs) > max) throw reject(`it has ${blobs} blobs, over ${max}`);
  if (block.header.blobGasUsed !== BigInt(blobs) * BLOB_GAS_PER_BLOB) {
    throw reject(`blobGasUsed ${block.header.blobGasUsed} is not that of its ${blobs} blobs`);
  }
}

/** The state, context and rules that a block is executed with. */
export interface BlockExecution {
  /** The parent's state; has the block's effects afterwards. */
  readonly state: WorkingStateView;
  readonly context: BlockContext;
  readonly rules: Rules;
  readonly executor: Executor;
  /** Checks of a transaction; default: all that a block's have to pass. */
  readonly checksFor?: (tx: Transaction) => ChecksWanted;
  /** As {@link BlockRun.mayLackContracts}. */
  readonly mayLackContracts?: boolean;
  /** As {@link BlockRun.isImported}. */
  readonly isImported: boolean;
}

/**
 * Executes a block whose header and body were checked.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` if a transaction is not valid or a result differs from the header
 * @throws {LimitError} `BLOCK_NOT_EXECUTED` if a transaction exceeds a limit of this node
 */
export async function executeBlock(
  block: Block,
  { state, context, checksFor = () => BLOCK_CHECKS, ...run }: BlockExecution,
): Promise<ExecutedBlock> {
  const { header } = block;
  const { rules } = run;
  const collector = new AddressCollector();
  const runner = await BlockRunner.open({ ...run, state, block: context, sink: collector });
  try {
    await runner.begin(header.parentHash, header.parentBeaconBlockRoot);
    for (const [index, tx] of block.transactions.entries()) {
      try {
        await runner.run(tx, { checks: checksFor(tx) });
      } catch (cause) {
        throw blockFailure(header.number, index, cause);
      }
    }
    const { requests, fault } = await runner.finish(block.uncles, block.withdrawals);
    if (fault !== undefined) throw blockRejected(header.number, fault);
    const blockAccessList = checkAccessList(header, runner);
    compare(block, runner, state.computeStateRoot(), rules.has(7685) ? hashRequests(requests) : undefined);
    // Committed last, because a commit stays in memory until it is stored or discarded.
    const commit = state.commitState();
    const traceAddresses = traceAddressesOf(block, rules, collector);
    return { block, receipts: [...runner.receipts], commit, startStateId: undefined, traceAddresses, blockAccessList };
  } finally {
    runner.close();
  }
}

/** The error of a block whose transaction did not run. Only one that the rules refuse makes the block invalid. */
function blockFailure(number: bigint, index: number, cause: unknown): unknown {
  if (cause instanceof TransactionRejectedError || cause instanceof InvalidParamsError) {
    return blockRejected(number, `transaction ${index}: ${cause.message}`, cause);
  }
  if (!(cause instanceof LimitError)) return cause;
  return new LimitError({
    code: "BLOCK_NOT_EXECUTED",
    data: cause.data,
    what: `Block ${number} could not be executed, and may be valid: transaction ${index} exceeds a limit of this node. ${cause.what}`,
    ...(cause.where === undefined ? {} : { where: cause.where }),
    ...(cause.fix === undefined ? {} : { fix: cause.fix }),
    cause,
  });
}

/** Compares the access list with its hash in the header (EIP-7928). Returns its RLP. */
function checkAccessList(header: Header, { accessList }: BlockRunner): Bytes | undefined {
  if (accessList === undefined) return undefined;
  const encoded = accessList.encode();
  if (equalBytes(header.blockAccessListHash as Bytes, keccak256(encoded))) return encoded;
  throw blockRejected(header.number, "blockAccessListHash does not match what it looks at and changes");
}

function compare(block: Block, runner: BlockRunner, stateRoot: Bytes, requestsHash: Bytes | undefined): void {
  const { header } = block;
  const reject = (rule: string): Error => blockRejected(header.number, rule);
  if (header.gasUsed !== runner.gasUsed) throw reject(`gasUsed ${header.gasUsed} is not ${runner.gasUsed}`);
  if (!equalBytes(header.logsBloom, blockBloom(runner.receipts))) throw reject("logsBloom does not match its logs");
  if (!equalBytes(header.receiptsRoot, receiptsRoot(runner.receipts))) {
    throw reject("receiptsRoot does not match its receipts");
  }
  if (!equalBytes(header.stateRoot, stateRoot)) {
    throw reject(`stateRoot ${encodeData(header.stateRoot)} is not ${encodeData(stateRoot)}`);
  }
  if (requestsHash !== undefined && !equalBytes(header.requestsHash as Bytes, requestsHash)) {
    throw reject("requestsHash does not match its requests");
  }
}

/**
 * The addresses in a block's traces: those collected during its execution, and before the Merge those of its rewards.
 */
export function traceAddressesOf(block: Block, rules: Rules, collector: AddressCollector): readonly Bytes[] {
  if (!rules.has(3675)) {
    collector.add(block.header.coinbase);
    for (const uncle of block.uncles) collector.add(uncle.coinbase);
  }
  return collector.addresses;
}

/** Bloom over all receipts of a block. */
export function blockBloom(receipts: readonly Receipt[]): Bytes {
  const withLogs = receipts.filter(({ logs }) => logs.length > 0);
  if (withLogs.length === 0) return EMPTY_BLOOM;
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const receipt of withLogs) mergeBloom(bloom, receipt.logsBloom);
  return bloom;
}

/** Root of the receipts trie. */
export function receiptsRoot(receipts: readonly Receipt[]): Bytes {
  return listRoot(encodeReceipts(receipts));
}
