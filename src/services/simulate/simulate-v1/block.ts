/** Runs one block of eth_simulateV1 and makes its header, with the roots of a real block. */
import { contextOfHeader } from "../../../chain/block-context.ts";
import { blockBloom, receiptsRoot } from "../../../chain/execute-block.ts";
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import { sizeOfParts, type Withdrawal, withdrawalItem } from "../../../chainspec/header/block.ts";
import { nextBaseFeePerGas, nextExcessBlobGas } from "../../../chainspec/header/fees.ts";
import { type Header, hashHeader } from "../../../chainspec/header/header.ts";
import { checkCallChainId } from "../../../chainspec/transaction/call-request.ts";
import { unsignedBytes } from "../../../chainspec/transaction/transaction-bytes.ts";
import type { TransactionFields } from "../../../chainspec/transaction/transaction-fields.ts";
import { InvalidParamsError, TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { BlockContext } from "../../../evm/engine.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import { hashRequests } from "../../../executor/requests.ts";
import { BlockRunner } from "../../../executor/run-block.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { SIMULATION_CHECKS } from "../../../executor/transaction-checks.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT, EMPTY_UNCLES_HASH, keccak256, ZERO_HASH } from "../../../primitives/hash/hash.ts";
import { listRoot } from "../../../state/trie/list-root.ts";
import { applyAccountOverrides } from "../../../state/working/overrides.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import type { GasBound } from "../call/gas-bound.ts";
import { overridePrecompiles } from "../call/overridden-view.ts";
import { rejectionOf, transactionOf, VALIDATION_CHECKS } from "./call.ts";
import type { PlannedBlock } from "./plan.ts";
import { type SimulatedLog, SimulatedLogs } from "./simulated-logs.ts";

/** The unsigned transaction of a simulated call. */
export interface SimulatedTransaction extends TransactionFields {
  readonly chainId: bigint;
  /** EIP-2718 bytes with an all-zero signature. */
  readonly bytes: Bytes;
  readonly hash: Bytes;
}

/** Result of a simulated call. */
export interface SimulatedCallResult {
  readonly outcome: TransactionOutcome;
  /** Its logs, with ether transfers if they were asked for; none if the call failed. */
  readonly logs: readonly SimulatedLog[];
  /** The bound that its gas was at. */
  readonly bound: GasBound | undefined;
}

/** A simulated block, complete with hash and roots. */
export interface SimulatedBlock {
  readonly header: Header;
  readonly hash: Bytes;
  /** bytes */
  readonly size: number;
  readonly transactions: readonly SimulatedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | undefined;
  /** One for each transaction. */
  readonly calls: readonly SimulatedCallResult[];
}

/** State shared by all blocks of a simulation. */
export interface SimulationRun {
  readonly executor: Executor;
  /** Holds the effects of all blocks so far. */
  readonly state: WorkingState;
  readonly clock: ExecutionClock;
  readonly validation: boolean;
  readonly traceTransfers: boolean;
  /** Hash of an earlier block, simulated or on the chain. */
  readonly blockHash: BlockContext["blockHash"];
  /** Gas of all calls together. */
  readonly gasLimit: bigint;
  /** Gas left for the rest of the simulation. */
  gasLeft: bigint;
}

/**
 * Runs a block on its parent.
 *
 * @throws {TransactionRejectedError} for a call that is not valid, with eth_simulateV1's numbers
 * @throws {InvalidParamsError} for overrides that contradict each other
 */
export async function runSimulatedBlock(
  run: SimulationRun,
  planned: PlannedBlock,
  parent: Pick<SimulatedBlock, "header" | "hash">,
  rules: Rules,
): Promise<SimulatedBlock> {
  const { executor, state } = run;
  const draft = draftHeader(run, planned, parent, rules);
  const withdrawals = withdrawalsOf(planned, rules);
  const precompiles = overridePrecompiles(rules.hardfork, planned.accounts);
  await applyAccountOverrides(state, planned.accounts, () => {
    // The root is needed at the end of the block anyway; computing it after each call spreads the work.
    state.hashWrites();
    return run.clock.check();
  });
  const context = contextOf(run, planned, draft, rules);
  const runner = await BlockRunner.open({ executor, rules, state, block: context, limits: run.clock, precompiles });
  try {
    await runner.begin(parent.hash, draft.parentBeaconBlockRoot);
    const { transactions, calls } = await runCalls(run, planned.calls, { runner, rules, gasLimit: draft.gasLimit });
    const { requests } = await runner.finish([], withdrawals);
    const blockAccessList = runner.accessList?.encode();
    const header: Header = {
      ...draft,
      ...(await rootsOf(run, transactions, runner)),
      gasUsed: runner.gasUsed,
      withdrawalsRoot: withdrawals === undefined ? undefined : listRoot(withdrawals.map(withdrawalItem)),
      blobGasUsed: rules.has(4844) ? runner.blobGasUsed : undefined,
      requestsHash: rules.has(7685) ? hashRequests(requests) : undefined,
      blockAccessListHash: blockAccessList && keccak256(blockAccessList),
    };
    const size = sizeOfParts(header, transactions, withdrawals);
    return { header, hash: hashHeader(header), size, transactions, withdrawals, calls };
  } finally {
    runner.close();
  }
}

/** The roots and the bloom. Yields to the event loop, because a block may have thousands of calls. */
async function rootsOf(
  { state, clock }: SimulationRun,
  transactions: readonly SimulatedTransaction[],
  runner: BlockRunner,
): Promise<Pick<Header, "stateRoot" | "transactionsRoot" | "receiptsRoot" | "logsBloom">> {
  await state.fetchProofs();
  const stateRoot = state.computeStateRoot();
  await clock.check();
  const transactionsRoot = listRoot(transactions.map(({ bytes }) => bytes));
  await clock.check();
  return {
    stateRoot,
    transactionsRoot,
    receiptsRoot: receiptsRoot(runner.receipts),
    logsBloom: blockBloom(runner.receipts),
  };
}

/**
 * The header before execution. Overrides of coinbase and gas limit also apply to later blocks. Without validation the
 * base fee is zero, so that calls are free.
 */
function draftHeader(
  run: SimulationRun,
  { number, timestamp, overrides }: PlannedBlock,
  parent: Pick<SimulatedBlock, "header" | "hash">,
  rules: Rules,
): Header {
  const { header } = parent;
  const baseFee = run.validation ? nextBaseFeePerGas(header) : 0n;
  const schedule = run.executor.spec.blobSchedule(rules.hardfork);
  return {
    parentHash: parent.hash,
    unclesHash: EMPTY_UNCLES_HASH,
    coinbase: overrides.coinbase ?? header.coinbase,
    stateRoot: header.stateRoot,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: rules.has(3675) ? 0n : (overrides.difficulty ?? header.difficulty),
    number,
    gasLimit: overrides.gasLimit ?? header.gasLimit,
    gasUsed: 0n,
    timestamp,
    extraData: EMPTY_BYTES,
    mixHash: overrides.prevRandao ?? ZERO_HASH,
    nonce: new Uint8Array(8),
    baseFeePerGas: rules.has(1559) ? (overrides.baseFeePerGas ?? baseFee) : undefined,
    excessBlobGas: rules.has(4844) ? nextExcessBlobGas(header, rules, schedule) : undefined,
    slotNumber: rules.has(7843) ? (overrides.slotNumber ?? slotAfter(header)) : undefined,
    parentBeaconBlockRoot: rules.has(4788) ? (overrides.parentBeaconBlockRoot ?? ZERO_HASH) : undefined,
    ...NOT_YET_KNOWN,
  };
}

/** A header with all members is completed without a new hidden class each time: see "Object literals" in bench/README.md. */
const NOT_YET_KNOWN = {
  withdrawalsRoot: undefined,
  blobGasUsed: undefined,
  requestsHash: undefined,
  blockAccessListHash: undefined,
};

/** The next slot: no consensus layer says which slots were missed. None after a parent without one (execution-apis#881). */
function slotAfter({ slotNumber }: Header): bigint | undefined {
  return slotNumber === undefined ? undefined : slotNumber + 1n;
}

function withdrawalsOf({ overrides }: PlannedBlock, rules: Rules): readonly Withdrawal[] | undefined {
  const { withdrawals = [] } = overrides;
  if (rules.has(4895)) return withdrawals;
  if (withdrawals.length === 0) return undefined;
  throw new InvalidParamsError({
    code: "BLOCK_OVERRIDE_UNSUPPORTED",
    what: "withdrawals set before Shanghai activation",
    fix: "Leave them out, or give the block a later time.",
  });
}

function contextOf(run: SimulationRun, { overrides }: PlannedBlock, header: Header, rules: Rules): BlockContext {
  const { blobBaseFee, blockHashes } = overrides;
  const blockHash: BlockContext["blockHash"] = (number) => blockHashes?.get(number) ?? run.blockHash(number);
  const context = contextOfHeader(header, rules, run.executor.spec, blockHash);
  return { ...context, blobBaseFee: rules.has(4844) ? (blobBaseFee ?? context.blobBaseFee) : undefined };
}

/** The block in which calls run. */
interface OpenBlock {
  readonly runner: BlockRunner;
  readonly rules: Rules;
  readonly gasLimit: bigint;
}

async function runCalls(
  run: SimulationRun,
  planned: PlannedBlock["calls"],
  { runner, rules, gasLimit }: OpenBlock,
): Promise<{ transactions: SimulatedTransaction[]; calls: SimulatedCallResult[] }> {
  const checks = run.validation ? VALIDATION_CHECKS : SIMULATION_CHECKS;
  const transactions: SimulatedTransaction[] = [];
  const calls: SimulatedCallResult[] = [];
  // Transfers that the protocol logs itself (EIP-7708) are not added a second time (execution-apis#881).
  const sink = run.traceTransfers && !rules.has(7708) ? new SimulatedLogs() : undefined;
  let logCount = 0;
  for (const call of planned) {
    checkCallChainId(call, run.executor.spec.chainId);
    const allowance = { inBlock: gasLimit - runner.gasUsed, inSimulation: run.gasLeft, simulation: run.gasLimit };
    const { tx, bound } = await transactionOf(call, run.state, rules, allowance);
    const { outcome } = await runOne(runner, { tx, bound }, { checks, sink });
    run.gasLeft -= outcome.gasUsed;
    const { chainId } = run.executor.spec;
    const bytes = unsignedBytes(tx, chainId);
    transactions.push({ bytes, hash: keccak256(bytes), chainId, ...tx });
    const firstIndex = logCount;
    logCount += outcome.logs.length;
    const mined = () => outcome.logs.map((log, position) => ({ log, index: firstIndex + position }));
    calls.push({ outcome, logs: sink?.logs ?? mined(), bound });
  }
  return { transactions, calls };
}

async function runOne(
  runner: BlockRunner,
  { tx, bound }: Awaited<ReturnType<typeof transactionOf>>,
  options: Parameters<BlockRunner["run"]>[1],
) {
  try {
    return await runner.run(tx, options);
  } catch (error) {
    if (error instanceof TransactionRejectedError) throw rejectionOf(error, tx.gasLimit, bound);
    throw error;
  }
}
