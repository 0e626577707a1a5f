/**
 * Runs the parts of a block on a state, in order: system calls, transactions, withdrawals, rewards, requests.
 *
 * Imports, mining and replays use the same runner: they call {@link BlockRunner.run} for each transaction.
 *
 * It has over 300 lines, because the steps of a block stand in their order in one place.
 */

import type { Withdrawal } from "../chainspec/header/block.ts";
import { blockReward, uncleReward } from "../chainspec/header/fees.ts";
import type { Header } from "../chainspec/header/header.ts";
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  SYSTEM_ADDRESS,
  SYSTEM_CALL_GAS,
  SYSTEM_CALL_STATE_GAS,
} from "../chainspec/system-contracts.ts";
import { TRANSACTION_GAS_CAP } from "../chainspec/transaction/intrinsic-gas.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import { Transaction } from "../chainspec/transaction/transaction.ts";
import { LEGACY_TYPE, type TransactionFields } from "../chainspec/transaction/transaction-fields.ts";
import { InternalError, TransactionRejectedError } from "../errors/hindcast-error.ts";
import type { BlockContext, Engine, EngineSession, TransactionEffects } from "../evm/engine.ts";
import type { EngineState } from "../evm/state-port.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { maxBigInt, minBigInt } from "../primitives/bytes/limits.ts";
import { bloomSteps, EMPTY_BLOOM } from "../primitives/hash/bloom.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash/hash.ts";
import { inTurns } from "../primitives/platform/turns.ts";
import { ACCESS_LIST_ITEM_GAS, BlockAccessListBuilder } from "./block-access-list.ts";
import type { Executor, SessionOptions } from "./executor.ts";
import { clearOverwritten } from "./overwritten-slots.ts";
import { type CollectedRequests, checkDeposits, collectRequests, type SystemCallError } from "./requests.ts";
import {
  runTransaction,
  type TransactionOutcome,
  type TransactionRun,
  type TransactionSink,
} from "./run-transaction.ts";
import { BLOCK_CHECKS, blobGasOf, type ChecksWanted } from "./transaction-checks.ts";

const GWEI = 1_000_000_000n;

/** The state that a block runs on. */
export interface BlockState extends EngineState {
  /** True on a fork of another chain. */
  readonly isOnFork?: boolean;
  /** True on a fork whose values are proven, if the root is computed from them. */
  readonly hasProofs?: boolean;
  apply(effects: Pick<TransactionEffects, "writes">): void;
  /** Used before Byzantium, when receipts have the root after each transaction. */
  computeStateRoot(): Bytes;
}

/** A block and the state that it changes. If the block fails, the state must be dropped. */
export interface BlockRun extends Omit<SessionOptions, "state" | "isStateFixed" | "engine"> {
  readonly executor: Executor;
  /** State at the start of the block; holds the block's effects afterwards. */
  readonly state: BlockState;
  /** Receives the events of transactions that have no sink of their own. */
  readonly sink?: TransactionSink | undefined;
  /**
   * True for a block of this node, whose genesis may lack the contracts of requests: it is mined, as in go-ethereum,
   * although EIP-7002 and EIP-7251 make it invalid for others.
   */
  readonly mayLackContracts?: boolean | undefined;
}

/** Outcome and receipt of one transaction. */
export interface RanTransaction {
  readonly outcome: TransactionOutcome;
  readonly receipt: Receipt;
}

/** Options of the run of one transaction. */
export interface RunOptions {
  readonly checks?: ChecksWanted;
  /** Receives the events of the transaction. */
  readonly sink?: TransactionSink | undefined;
  /** Computes the state root for receipts before Byzantium; a replay that does not show it can skip that. */
  readonly withStateRoot?: boolean;
}

/**
 * Lives for one block: {@link open}, {@link begin}, a {@link run} for each transaction, {@link finish}. It must be
 * closed, which frees the engine's session.
 */
export class BlockRunner {
  readonly #run: BlockRun;
  #session: EngineSession;
  readonly #receipts: Receipt[] = [];
  #gasUsed = 0n;
  /** Gas that counts towards the block's limit so far; with EIP-8037 in two dimensions. */
  #blockGas = 0n;
  #stateGas = 0n;
  #blobGasUsed = 0n;
  /** undefined without EIP-7928 */
  readonly #accessList: BlockAccessListBuilder | undefined;
  /** Present index in the access list. */
  #index = 0;
  #isOpen = true;

  /** Opens an engine session for the block; {@link close} closes it. */
  static async open(run: BlockRun): Promise<BlockRunner> {
    return new BlockRunner(run, await run.executor.open(run));
  }

  private constructor(run: BlockRun, session: EngineSession) {
    this.#run = run;
    this.#session = session;
    this.#accessList = run.rules.has(7928) ? new BlockAccessListBuilder() : undefined;
  }

  /** A runner for the next block, by the same rules, in the same session. Close only the last runner. */
  next(block: BlockContext): BlockRunner {
    this.#session.enterBlock(block);
    return new BlockRunner({ ...this.#run, block }, this.#session);
  }

  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  /** Gas used as in the header: of the dimension that used more. */
  get gasUsed(): bigint {
    return maxBigInt(this.#blockGas, this.#stateGas);
  }

  /** The access list so far; undefined without EIP-7928. */
  get accessList(): BlockAccessListBuilder | undefined {
    return this.#accessList;
  }

  get blobGasUsed(): bigint {
    return this.#blobGasUsed;
  }

  /**
   * Runs the operations before the first transaction: the DAO fork's transfer, system calls for beacon root and block
   * hash.
   */
  async begin(parentHash: Bytes, parentBeaconBlockRoot: Bytes | undefined): Promise<void> {
    const { executor, rules, block } = this.#run;
    const { schedule, firstNumber } = executor.spec;
    const { daoForkSupport, daoForkBlock } = schedule;
    if (daoForkSupport && daoForkBlock === block.number) await this.#applyDaoFork();
    if (rules.has(4788) && parentBeaconBlockRoot !== undefined && block.number > firstNumber) {
      await this.#systemCall(BEACON_ROOTS_ADDRESS, parentBeaconBlockRoot);
    }
    if (rules.has(2935) && block.number > firstNumber) await this.#systemCall(BLOCK_HASH_HISTORY_ADDRESS, parentHash);
  }

  /**
   * Runs the next transaction.
   *
   * @throws {TransactionRejectedError} if it is not valid at this point of the block; the block is unchanged
   * @throws any other error if it cannot be executed; the block is unchanged, and can go on after {@link goOn}
   */
  async run(tx: TransactionFields, options: RunOptions = {}): Promise<RanTransaction> {
    if (!this.#hasRoomFor(tx)) {
      throw new TransactionRejectedError({ code: "GAS_LIMIT_EXCEEDS_BLOCK", what: "gas limit reached" });
    }
    this.#index = this.#receipts.length + 1;
    let outcome: TransactionOutcome;
    try {
      outcome = await this.#execute(tx, options);
    } catch (error) {
      throw withTransaction(error, tx);
    }
    this.#gasUsed += outcome.gasUsed;
    this.#blockGas += outcome.blockGas;
    this.#stateGas += outcome.stateGasUsed;
    this.#blobGasUsed += blobGasOf(tx);
    const { logs } = outcome;
    const logsBloom = logs.length === 0 ? EMPTY_BLOOM : await inTurns(bloomSteps(logs));
    const receipt = this.#receipt(tx, outcome, logsBloom, options.withStateRoot ?? true);
    this.#receipts.push(receipt);
    return { outcome, receipt };
  }

  /** Prepares for the next transaction after one that could not be executed, which may have broken the session. */
  async goOn(): Promise<void> {
    this.#isOpen = false;
    this.#session.close();
    this.#session = await this.#run.executor.open(this.#run);
    this.#isOpen = true;
  }

  readonly #checkOutcome = ({ logs }: TransactionOutcome): void => checkDeposits(logs, this.#run.executor.spec);

  #hasRoomFor({ gasLimit }: TransactionFields): boolean {
    const { rules, block } = this.#run;
    const most = rules.has(8037) ? minBigInt(gasLimit, TRANSACTION_GAS_CAP) : gasLimit;
    return this.#blockGas + most <= block.gasLimit && this.#stateGas + gasLimit <= block.gasLimit;
  }

  #execute(tx: TransactionFields, options: RunOptions): Promise<TransactionOutcome> {
    const { executor, rules, state, block } = this.#run;
    const sink = options.sink ?? this.#run.sink;
    const target =
      this.#accessList === undefined ? state : { apply: (effects: TransactionEffects) => this.#apply(effects) };
    const { checks = BLOCK_CHECKS } = options;
    const run = {
      ...{ spec: executor.spec, rules, session: this.#session, state, target, block, tx, checks, sink },
      checkOutcome: rules.has(6110) ? this.#checkOutcome : undefined,
    };
    return sink?.engine === undefined ? runTransaction(run) : this.#executeElsewhere(run, sink.engine);
  }

  /** Runs a transaction by another engine than the block's. */
  async #executeElsewhere(run: TransactionRun, engine: Engine): Promise<TransactionOutcome> {
    const session = await this.#run.executor.open({ ...this.#run, engine });
    try {
      return await runTransaction({ ...run, session });
    } finally {
      session.close();
      await this.#openAnew();
    }
  }

  /** Replaces the session after another one has run a transaction, because its cached values are out of date. */
  async #openAnew(): Promise<void> {
    const session = await this.#run.executor.open(this.#run);
    this.#session.close();
    this.#session = session;
  }

  #receipt(tx: TransactionFields, outcome: TransactionOutcome, logsBloom: Bytes, withStateRoot: boolean): Receipt {
    const { rules, state } = this.#run;
    const hasRoot = tx.type === LEGACY_TYPE && !rules.has(658);
    return {
      type: tx.type,
      status: hasRoot ? undefined : outcome.error === undefined,
      stateRoot: hasRoot && withStateRoot ? state.computeStateRoot() : undefined,
      cumulativeGasUsed: this.#gasUsed,
      logsBloom,
      logs: outcome.logs,
      contractAddress: outcome.contractAddress,
      dimensions: outcome.dimensions,
    };
  }

  /**
   * Runs the operations after the last transaction. Returns the requests, none without EIP-7685, and the fault that
   * makes the block invalid, if there is one. It has no transaction to blame.
   */
  async finish(uncles: readonly Header[], withdrawals: readonly Withdrawal[] | undefined): Promise<CollectedRequests> {
    const { executor, rules, state } = this.#run;
    this.#index = this.#receipts.length + 1;
    if (!rules.has(3675) || (withdrawals ?? []).length > 0) await this.#credit(uncles, withdrawals ?? []);
    if (!rules.has(7685)) return { requests: [], fault: undefined };
    // A fork may be of a chain that has no such contracts, as OP chains have none.
    const mayLackContracts = this.#run.mayLackContracts === true || state.isOnFork === true;
    const chain = { spec: executor.spec, rules, mayLackContracts };
    const { requests, fault } = await collectRequests(chain, this.#receipts, (contract) =>
      this.#systemCall(contract, EMPTY_BYTES),
    );
    return { requests, fault: fault ?? this.#accessListFault() };
  }

  /** The gas limit bounds the access list (EIP-7928), and withdrawals add to it without gas. */
  #accessListFault(): string | undefined {
    const most = this.#run.block.gasLimit / ACCESS_LIST_ITEM_GAS;
    const items = this.#accessList?.items ?? 0;
    return BigInt(items) > most ? `its access list has ${items} items, over ${most}` : undefined;
  }

  /** Applies withdrawals, and rewards before the Merge. */
  async #credit(uncles: readonly Header[], withdrawals: readonly Withdrawal[]): Promise<void> {
    const { rules, block } = this.#run;
    const session = this.#session;
    this.#beginUnpaid();
    for (const { address, amount } of withdrawals) await session.addBalance(address, amount * GWEI);
    if (!rules.has(3675)) {
      for (const uncle of uncles) await session.addBalance(uncle.coinbase, uncleReward(rules, block.number, uncle));
      await session.addBalance(block.coinbase, blockReward(rules, uncles.length));
    }
    await this.#end();
  }

  close(): void {
    if (this.#isOpen) this.#session.close();
  }

  /** Begins a system call, which costs nothing and is not traced. */
  #beginUnpaid(): void {
    this.#session.begin({ origin: SYSTEM_ADDRESS, gasPrice: 0n, blobVersionedHashes: [] });
  }

  async #end(): Promise<void> {
    await this.#apply(await this.#session.end());
  }

  /** Writes effects to the state and the access list. */
  async #apply(effects: TransactionEffects): Promise<void> {
    const { state } = this.#run;
    if (this.#accessList !== undefined) {
      this.#accessList.see(effects.seen());
      for (const write of effects.writes) {
        this.#accessList.change(this.#index, await state.getAccount(write.address), write);
      }
    }
    state.apply(effects);
  }

  /** The caller has no account, and none is created. A contract that is not there is looked at (EIP-7928). */
  async #systemCall(contract: Bytes, data: Bytes): Promise<{ output: Bytes; error: SystemCallError | undefined }> {
    const account = await this.#run.state.getAccount(contract);
    this.#accessList?.see([{ address: contract, slots: [] }]);
    if (account === undefined || equalBytes(account.codeHash, EMPTY_CODE_HASH)) {
      return { output: EMPTY_BYTES, error: "noCode" };
    }
    const callee = { address: contract, account, isListed: this.#accessList !== undefined };
    await clearOverwritten(this.#run.state, this.#run.block, callee);
    this.#beginUnpaid();
    const { error, output } = await this.#session.run({
      from: SYSTEM_ADDRESS,
      to: contract,
      createdAddress: undefined,
      value: 0n,
      data,
      gasLimit: SYSTEM_CALL_GAS,
      stateGas: this.#run.rules.has(8037) ? SYSTEM_CALL_STATE_GAS : 0n,
    });
    await this.#end();
    return { output: error === undefined ? output : EMPTY_BYTES, error };
  }

  async #applyDaoFork(): Promise<void> {
    const { DAO_ACCOUNTS, DAO_REFUND_CONTRACT } = await import("../chainspec/dao-accounts.ts");
    const session = this.#session;
    this.#beginUnpaid();
    for (const address of DAO_ACCOUNTS) {
      const balance = (await session.getAccount(address))?.balance ?? 0n;
      if (balance === 0n) continue;
      await session.addBalance(address, -balance);
      await session.addBalance(DAO_REFUND_CONTRACT, balance);
    }
    await this.#end();
  }
}

/** Names the transaction in an internal error, such as that of an engine's core that trapped. */
function withTransaction(error: unknown, tx: TransactionFields): unknown {
  if (!(error instanceof InternalError) || !(tx instanceof Transaction)) return error;
  const transaction = encodeData(tx.hash);
  const where = `Transaction ${transaction}.${error.where === undefined ? "" : ` ${error.where}`}`;
  const { what, cause } = error;
  return new InternalError({ code: "INTERNAL_ERROR", what, where, cause }).concerning({ transaction });
}
