/**
 * Runs a block's parts on a state in their order: system calls, transactions, withdrawals, rewards, requests.
 *
 * One runner serves importing, mining and replaying: whoever has the transactions calls {@link BlockRunner.run} for each.
 */

import type { Withdrawal } from "../chainspec/block.ts";
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import { DAO_ACCOUNTS, DAO_REFUND_CONTRACT } from "../chainspec/dao-fork.ts";
import type { Rules } from "../chainspec/hardforks.ts";
import type { Header } from "../chainspec/header.ts";
import { blockReward, uncleReward } from "../chainspec/rewards.ts";
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  SYSTEM_ADDRESS,
  SYSTEM_CALL_GAS,
} from "../chainspec/system-contracts.ts";
import { LEGACY_TYPE, type TransactionFields } from "../chainspec/transaction.ts";
import { TransactionRejectedError } from "../errors/hindcast-error.ts";
import type { EventSink } from "../evm/event-sink.ts";
import { bloomOfLogs, EMPTY_BLOOM } from "../primitives/bloom.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash.ts";
import { EMPTY_ACCOUNT } from "../state/empty-account.ts";
import type { WorkingStateView } from "../state/view.ts";
import { Evm } from "./evm.ts";
import type { PrecompileTable } from "./precompile-overrides.ts";
import type { Receipt } from "./receipt.ts";
import { collectRequests } from "./requests.ts";
import { addBalance, runTransaction, type TransactionOutcome } from "./run-transaction.ts";
import { shortSystemCall } from "./system-calls.ts";
import { BLOCK_CHECKS, blobGasOf, type ChecksWanted } from "./transaction-checks.ts";
import type { BlockContext, ExecutionLimits } from "./types.ts";

const GWEI = 1_000_000_000n;

export interface BlockRun {
  readonly spec: ChainSpec;
  readonly rules: Rules;
  /** State at the start of the block; holds the block's effects afterwards. */
  readonly state: WorkingStateView;
  readonly block: BlockContext;
  readonly limits?: ExecutionLimits;
  /** Which precompile answers where; default: each at home. */
  readonly precompiles?: PrecompileTable | undefined;
  /** Hears of every transaction that no recorder of its own listens to. */
  readonly sink?: EventSink;
}

/** One transaction's outcome and the receipt it leaves. */
export interface RanTransaction {
  readonly outcome: TransactionOutcome;
  readonly receipt: Receipt;
}

export interface RunOptions {
  readonly checks?: ChecksWanted;
  /** Records what the transaction does. */
  readonly recorder?: EventSink;
  /** Receipts before Byzantium hold the state root after each transaction; a replay that shows none can save it. */
  readonly withStateRoot?: boolean;
}

export class BlockRunner {
  readonly #run: BlockRun;
  readonly #evm: Evm;
  readonly #receipts: Receipt[] = [];
  #gasUsed = 0n;
  #blobGasUsed = 0n;

  /** Opens an EVM on the block; {@link close} gives it back. */
  static async open(run: BlockRun): Promise<BlockRunner> {
    const evm = await Evm.open({
      common: run.spec.common(run.rules.hardfork),
      state: run.state,
      block: run.block,
      precompiles: run.precompiles,
      ...(run.limits === undefined ? {} : { limits: run.limits }),
    });
    return new BlockRunner(run, evm);
  }

  private constructor(run: BlockRun, evm: Evm) {
    this.#run = run;
    this.#evm = evm;
  }

  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  get gasUsed(): bigint {
    return this.#gasUsed;
  }

  get blobGasUsed(): bigint {
    return this.#blobGasUsed;
  }

  /** What happens before the first transaction: the DAO fork's transfer, beacon root and block hash system calls. */
  async begin(parentHash: Bytes, parentBeaconBlockRoot: Bytes | undefined): Promise<void> {
    const { spec, rules, block } = this.#run;
    if (spec.schedule.daoForkSupport && spec.schedule.daoForkBlock === block.number) await this.#applyDaoFork();
    if (rules.isCancun && parentBeaconBlockRoot !== undefined && block.number > 0n) {
      await this.#systemCall(BEACON_ROOTS_ADDRESS, parentBeaconBlockRoot);
    }
    if (rules.isPrague && block.number > 0n) await this.#systemCall(BLOCK_HASH_HISTORY_ADDRESS, parentHash);
  }

  /**
   * Runs the next transaction.
   *
   * @throws {TransactionRejectedError} when it may not stand in this block here; the block is as before
   */
  async run(tx: TransactionFields, options: RunOptions = {}): Promise<RanTransaction> {
    const { block } = this.#run;
    if (this.#gasUsed + tx.gasLimit > block.gasLimit) {
      throw new TransactionRejectedError({ code: "GAS_LIMIT_EXCEEDS_BLOCK", what: "gas limit reached" });
    }
    this.#evm.setRecorder(options.recorder ?? this.#run.sink);
    const outcome = await this.#runNow(tx, options.checks ?? BLOCK_CHECKS);
    this.#gasUsed += outcome.gasUsed;
    this.#blobGasUsed += blobGasOf(tx);
    const receipt = this.#receipt(tx, outcome, options.withStateRoot ?? true);
    this.#receipts.push(receipt);
    return { outcome, receipt };
  }

  async #runNow(tx: TransactionFields, checks: ChecksWanted): Promise<TransactionOutcome> {
    const { spec, rules, state, block } = this.#run;
    try {
      return await runTransaction({ spec, rules, evm: this.#evm, state, block, tx, checks });
    } finally {
      // The system calls after it are in nobody's traces.
      this.#evm.setRecorder(undefined);
    }
  }

  #receipt(tx: TransactionFields, outcome: TransactionOutcome, withStateRoot: boolean): Receipt {
    const { rules, state } = this.#run;
    const hasRoot = tx.type === LEGACY_TYPE && !rules.isByzantium;
    return {
      type: tx.type,
      status: hasRoot ? undefined : outcome.error === undefined,
      stateRoot: hasRoot && withStateRoot ? state.computeStateRoot() : undefined,
      cumulativeGasUsed: this.#gasUsed,
      logsBloom: outcome.logs.length === 0 ? EMPTY_BLOOM : bloomOfLogs(outcome.logs),
      logs: outcome.logs,
      contractAddress: outcome.contractAddress,
    };
  }

  /** What happens after the last transaction. Returns the requests (EIP-7685) from Prague on. */
  async finish(uncles: readonly Header[], withdrawals: readonly Withdrawal[] | undefined): Promise<readonly Bytes[]> {
    const { spec, rules, state, block } = this.#run;
    for (const { address, amount } of withdrawals ?? []) await addBalance(this.#evm, state, address, amount * GWEI);
    if (!rules.isMerged) {
      for (const uncle of uncles) {
        await addBalance(this.#evm, state, uncle.coinbase, uncleReward(rules, block.number, uncle));
      }
      await addBalance(this.#evm, state, block.coinbase, blockReward(rules, uncles.length));
    }
    await this.#evm.finishTransaction();
    if (!rules.isPrague) return [];
    return collectRequests(spec, this.#receipts, (contract, data) => this.#systemCall(contract, data));
  }

  close(): void {
    this.#evm.close();
  }

  async #systemCall(contract: Bytes, data: Bytes): Promise<Bytes> {
    const { state } = this.#run;
    const account = await state.getAccount(contract);
    if (account === undefined || equalBytes(account.codeHash, EMPTY_CODE_HASH)) return EMPTY_BYTES;
    state.beginTransaction();
    const { codeHash } = account;
    const known = shortSystemCall({ state, block: this.#run.block, contract, codeHash, data });
    if (known !== undefined) return known;
    const result = await this.#evm.run({
      from: SYSTEM_ADDRESS,
      to: contract,
      value: 0n,
      data,
      gasLimit: SYSTEM_CALL_GAS,
      gasPrice: 0n,
      blobVersionedHashes: [],
    });
    await this.#evm.finishTransaction();
    return result.error === undefined ? result.output : EMPTY_BYTES;
  }

  async #applyDaoFork(): Promise<void> {
    const { state } = this.#run;
    let total = 0n;
    for (const address of DAO_ACCOUNTS) {
      const account = await state.getAccount(address);
      if (account === undefined) continue;
      total += account.balance;
      state.putAccount(address, { ...account, balance: 0n });
    }
    const refund = (await state.getAccount(DAO_REFUND_CONTRACT)) ?? EMPTY_ACCOUNT;
    state.putAccount(DAO_REFUND_CONTRACT, { ...refund, balance: refund.balance + total });
  }
}
