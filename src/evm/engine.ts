/**
 * The engine port: runs messages of transactions on a state, which the engine reads through a port.
 *
 * An engine handles instructions, precompiles, frames, warm sets, refunds and destroyed accounts. The executor handles
 * nonces, fees, intrinsic gas, receipts and blocks; during a transaction it changes accounts through the session. All
 * values are bytes, bigints and numbers.
 */
import type { Hardfork } from "../chainspec/hardforks/hardforks.ts";
import type { ChosenSigners } from "../chainspec/transaction/signature-overrides.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import type { CoverageSink } from "./coverage-sink.ts";
import type { EventSink } from "./event-sink.ts";
import type { FailureDetail, FrameError } from "./frames.ts";
import type { EngineState, EvmAccount } from "./state-port.ts";

/** The block of a message: values of the opcodes NUMBER, TIMESTAMP and so on. */
export interface BlockContext {
  readonly hardfork: Hardfork;
  readonly number: bigint;
  /** Value of NUMBER where it is not the block's own number, as on Arbitrum. */
  readonly l1BlockNumber?: bigint | undefined;
  /** Default: the chain's id at this number. */
  readonly chainId?: bigint | undefined;
  /** Signers that were chosen for signatures. Default: those of the chain at this number. */
  readonly signers?: ChosenSigners | undefined;
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Bytes;
  readonly gasLimit: bigint;
  readonly difficulty: bigint;
  /** 32 bytes; value of PREVRANDAO from the Merge on. */
  readonly prevRandao: Bytes;
  /** wei per gas; undefined before London. */
  readonly baseFeePerGas: bigint | undefined;
  /** wei per blob gas; undefined before Cancun. */
  readonly blobBaseFee: bigint | undefined;
  /** Value of SLOTNUM; from EIP-7843 on. */
  readonly slotNumber?: bigint | undefined;
  /** Hash of an ancestor by number, for BLOCKHASH; undefined if there is none. */
  blockHash(number: bigint): MaybePromise<Bytes | undefined>;
}

/** Standard address of each precompile, by the address at which it can be called ({@link bytesKey}). */
export type PrecompileTable = ReadonlyMap<string, Bytes>;

/** Limits the time of a run, and shares the event loop with others. */
export interface Pace {
  /**
   * Must be called after about every millisecond of work, and before a run begins.
   *
   * @returns a promise if other runs have their turn first
   * @throws {LimitError} at the time limit, or if the caller aborted
   */
  check(): Promise<void> | undefined;
  /**
   * Must be called at intervals while a session waits to be opened.
   *
   * @throws {LimitError} as {@link check}
   */
  requireTime?(): void;
  /**
   * Must be called at the same intervals as {@link check}.
   *
   * @param recorded - bytes that a sink has recorded of the run
   * @throws {LimitError} `RECORDING_LIMIT`
   */
  requireRoom?(recorded: number): void;
  /** Time limit in milliseconds. Runs without one are the chain's own, which have priority. */
  readonly timeoutMs?: number | undefined;
}

/** Parameters of a session. */
export interface SessionRequest {
  readonly state: EngineState;
  /** True if the state never changes. An engine may then reuse values for the next session on the same object. */
  readonly isStateFixed?: boolean | undefined;
  /** Also names the hardfork. */
  readonly block: BlockContext;
  readonly chainId: bigint;
  /** Signers that `ecrecover` answers, for signatures in this map. Default: none. */
  readonly signers?: ChosenSigners | undefined;
  /** Most bytes of a contract's code from Spurious Dragon on (EIP-170, unless the chain has its own limit). */
  readonly maxCodeSize: number;
  /** Most bytes of a creation's init code from Shanghai on (EIP-3860). */
  readonly maxInitCodeSize: number;
  readonly pace: Pace;
  /** True for a block that is or was imported, whose executions may have more memory; default false. */
  readonly isImported?: boolean | undefined;
  /** Default: each precompile at its standard address. */
  readonly precompiles?: PrecompileTable | undefined;
  /** Receives at the end of each transaction which code ran, and how often. Default: nothing is counted. */
  readonly coverage?: CoverageSink | undefined;
}

/** Values shared by all messages of a transaction. */
export interface TransactionContext {
  /** Value of ORIGIN. */
  readonly origin: Bytes;
  /** Effective price in wei, for GASPRICE. */
  readonly gasPrice: bigint;
  readonly blobVersionedHashes: readonly Bytes[];
  readonly sink?: EventSink | undefined;
}

/** An outermost message: a call, or a creation. */
export interface Message {
  readonly from: Bytes;
  /** Recipient; undefined for a creation. */
  readonly to: Bytes | undefined;
  /** Address of the new contract; undefined for a call. */
  readonly createdAddress: Bytes | undefined;
  /** wei */
  readonly value: bigint;
  /** Call data, or init code. */
  readonly data: Bytes;
  /** Gas at the first instruction, at most 2^63 - 1: intrinsic gas is already subtracted. */
  readonly gasLimit: bigint;
  /** State gas, which is used before `gasLimit`; 0 without EIP-8037. */
  readonly stateGas: bigint;
  /** True if it cannot be paid for: it fails with `outOfGas` before it begins. Default false. */
  readonly isUnpaid?: boolean;
}

/** Outcome of an outermost message. */
export interface MessageResult {
  readonly error: FrameError | undefined;
  /** Set only if the outermost frame ended at an opcode that could not be dispatched, or in a precompile that failed. */
  readonly detail: FailureDetail | undefined;
  /** Return data, revert data, or for a creation the deployed code; empty on other failures. */
  readonly output: Bytes;
  /**
   * Part of `gasLimit` that is used, without intrinsic gas and refunds. With EIP-2780 it includes the charges
   * before the frame begins (EIP-2780), and state gas beyond `stateGas`.
   */
  readonly gasUsed: bigint;
  /** State gas used, from `stateGas` or `gasLimit`. */
  readonly stateGasUsed: bigint;
  /** Rest of {@link Message.stateGas}. */
  readonly stateGasLeft: bigint;
  /** True if the charges before the frame could not be paid: the preparations for the message are then reverted too. */
  readonly isUnprepared: boolean;
  /** Gas refund of the message, uncapped; 0 if it failed. */
  readonly gasRefund: bigint;
  /** Empty if it failed. */
  readonly logs: readonly Log[];
}

/** A slot and its new value: 32 bytes, and the value without leading zeros. */
export interface SlotWrite {
  readonly slot: Bytes;
  readonly value: Bytes;
}

/** The new values of an account after a transaction. */
export interface AccountWrite extends EvmAccount {
  readonly address: Bytes;
  /** True if the account is deleted with its storage; of the other members only `slots` is then valid. */
  readonly isDeleted: boolean;
  /** True if all slots that the account had before the transaction are zero, except those in `slots`. */
  readonly wipesStorage: boolean;
  /** Code of `codeHash`, if the transaction set it. */
  readonly code: Bytes | undefined;
  /** Slots that differ from before the transaction. For a deleted account: those it had written before. */
  readonly slots: readonly SlotWrite[];
}

/** An account and some of its slots. */
export interface AccountAccess {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/** Effects of a transaction on the state, and its accesses. */
export interface TransactionEffects {
  /** In the order of first change; may include unchanged accounts. */
  readonly writes: readonly AccountWrite[];
  /** Accounts that are warm at the end, with their warm slots (EIP-2929); empty before Berlin. */
  readonly accesses: () => readonly AccountAccess[];
  /** Accounts and slots that were accessed, also in failed frames; empty without EIP-7928. */
  readonly seen: () => readonly AccountAccess[];
}

/**
 * Runs transactions in sequence on one state, in one or more blocks of one hardfork.
 *
 * The effects returned by {@link end} must be written to the state before the next transaction begins. Nothing else may
 * change the state while a session is open.
 */
export interface EngineSession {
  /** Continues in another block of the same hardfork. Only between transactions. */
  enterBlock(block: BlockContext): void;

  /** Begins a transaction. From Berlin on precompiles are warm. */
  begin(transaction: TransactionContext): void;

  /** Marks an account as warm from the transaction's start (EIP-2929). */
  warmAddress(address: Bytes): void;
  /** Marks a slot and its account as warm from the transaction's start. */
  warmSlot(address: Bytes, slot: Bytes): void;

  /** The account with the transaction's changes. */
  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined>;
  /** Code by its hash, including code that the transaction set. */
  getCode(codeHash: Bytes): MaybePromise<Bytes>;
  /** Sets an account's nonce and touches the account (EIP-161). Creates the account if there is none. */
  setNonce(address: Bytes, nonce: bigint): MaybePromise<void>;
  /**
   * Adds wei to an account, or subtracts them if the amount is negative, and touches the account. Creates the account
   * if there is none.
   */
  addBalance(address: Bytes, amount: bigint): MaybePromise<void>;
  /** Sets an account's code. Creates the account if there is none. */
  setCode(address: Bytes, code: Bytes): MaybePromise<void>;

  /** Sets the point to which {@link revert} returns. Once per transaction, between its messages. */
  checkpoint(): MaybePromise<void>;
  /** Undoes the transaction's changes since {@link checkpoint}. */
  revert(): MaybePromise<void>;

  /**
   * Runs a message. The sender's nonce is not checked. The sender must have the transferred value.
   *
   * @throws {LimitError} at the time limit, if the caller aborted, or if the message needs too much memory. The
   * transaction then ends, as after {@link abandon}.
   * @throws {InternalError} if the engine failed; the session must not be used any more
   */
  run(message: Message): MaybePromise<MessageResult>;

  /** Ends the transaction: deletes destroyed accounts, and empty ones that were touched (EIP-161). */
  end(): MaybePromise<TransactionEffects>;
  /** Ends the transaction and drops its effects. */
  abandon(): void;

  /** Frees the session, which must not be used afterwards. */
  close(): void;
}

/** Names by which users choose an engine. */
export const ENGINE_NAMES = ["wasm", "ethereumjs"] as const;
/** The name of an engine, as the option `engine` has it. */
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Memory limits of executions, for engines that can enforce them. */
export interface EngineLimits {
  /**
   * Most bytes of memory of one execution. While all together have more than a quarter of it, those that have taken much
   * wait within their time limit, but for one.
   */
  readonly executionMemory: number;
  /** The same for blocks that were imported, since a valid block must not be refused; at least `executionMemory`. */
  readonly importMemory: number;
  /** Most executions in memory; further ones wait within their time limit. */
  readonly concurrentExecutions: number;
  /** Most waiting executions; further ones are refused. */
  readonly queuedExecutions: number;
}

/** An EVM. A node has one engine, and closes it when the node closes. */
export interface Engine {
  readonly name: EngineName;
  /**
   * Opens a session. Waits if the most allowed are open.
   *
   * @throws {LimitError} `EXECUTION_QUEUE_FULL` if too many wait, and as {@link Pace.check} while it waits
   */
  open(request: SessionRequest): MaybePromise<EngineSession>;
  close(): Promise<void>;
}
