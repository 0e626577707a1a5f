/**
 * The engine port: runs the messages of transactions on a state it reads through a port of its own.
 *
 * An engine knows instructions, precompiles, frames, warm sets, refunds and what a transaction destroys. It knows no nonce
 * rule, fee, intrinsic gas, receipt or block: those are the executor's, which changes accounts through the session while
 * a transaction runs. Everything crosses the port as bytes, bigints and numbers.
 */
import type { Hardfork } from "../chainspec/hardforks/hardforks.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import type { CoverageSink } from "./coverage-sink.ts";
import type { EventSink } from "./event-sink.ts";
import type { FailureDetail, FrameError } from "./frames.ts";
import type { EngineState, EvmAccount } from "./state-port.ts";

/** The block a message runs in: what the opcodes NUMBER, TIMESTAMP, … read. */
export interface BlockContext {
  readonly hardfork: Hardfork;
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Bytes;
  readonly gasLimit: bigint;
  readonly difficulty: bigint;
  /** 32 bytes; what PREVRANDAO reads from the Merge on. */
  readonly prevRandao: Bytes;
  /** wei per gas; undefined before London. */
  readonly baseFeePerGas: bigint | undefined;
  /** wei per blob gas; undefined before Cancun. */
  readonly blobBaseFee: bigint | undefined;
  /** What SLOTNUM reads (EIP-7843); from Amsterdam on. */
  readonly slotNumber?: bigint | undefined;
  /** Hash of an ancestor by number, for BLOCKHASH; undefined where there is none. */
  blockHash(number: bigint): MaybePromise<Bytes | undefined>;
}

/** Where precompiles answer: by address ({@link bytesKey}), the address at which each is at home. */
export type PrecompileTable = ReadonlyMap<string, Bytes>;

/** Bounds a run in time and shares the event loop with others. */
export interface Pace {
  /**
   * To be called after every millisecond or so of work, and before a run begins.
   *
   * @returns a promise where others have their turn first
   * @throws {LimitError} when time is up or the caller aborted
   */
  check(): Promise<void> | undefined;
  /**
   * To be called now and then while a session waits to be opened.
   *
   * @throws {LimitError} as {@link check}
   */
  requireTime?(): void;
  /** Milliseconds that the run may take. Without it the run is the chain's own, which is let in before others. */
  readonly timeoutMs?: number | undefined;
}

/** What a session is opened on. */
export interface SessionRequest {
  readonly state: EngineState;
  /** The state never changes: an engine may keep what it has read for the next session on the same object. */
  readonly isStateFixed?: boolean | undefined;
  /** Names the hardfork whose rules hold. */
  readonly block: BlockContext;
  readonly chainId: bigint;
  /** Bytes of code that a contract may have from Spurious Dragon on (EIP-170), unless the chain says otherwise. */
  readonly maxCodeSize: number;
  /** Bytes of init code that a creation may carry from Shanghai on (EIP-3860). */
  readonly maxInitCodeSize: number;
  readonly pace: Pace;
  /** Default: each precompile answers at home. */
  readonly precompiles?: PrecompileTable | undefined;
  /** Told at the end of each transaction which code ran, and how often. Default: nothing is counted. */
  readonly coverage?: CoverageSink | undefined;
}

/** What all messages of a transaction share. */
export interface TransactionContext {
  /** What ORIGIN reads. */
  readonly origin: Bytes;
  /** Effective price in wei, for GASPRICE. */
  readonly gasPrice: bigint;
  readonly blobVersionedHashes: readonly Bytes[];
  readonly sink?: EventSink | undefined;
}

/** An outermost message: a call, or a creation. */
export interface Message {
  readonly from: Bytes;
  /** Who is called; undefined for a creation. */
  readonly to: Bytes | undefined;
  /** Where a creation puts its contract; undefined for a call. */
  readonly createdAddress: Bytes | undefined;
  /** wei */
  readonly value: bigint;
  /** Call data, or init code. */
  readonly data: Bytes;
  /** Gas the first instruction sees, at most 2^63 - 1: intrinsic gas is already subtracted. */
  readonly gasLimit: bigint;
  /** Gas for growing the state alone, used up before any of `gasLimit` is (EIP-8037). 0 before Amsterdam. */
  readonly stateGas: bigint;
  /** It cannot be paid for: it fails by `outOfGas` before it begins. Default false. */
  readonly isUnpaid?: boolean;
}

/** Outcome of an outermost message. */
export interface MessageResult {
  readonly error: FrameError | undefined;
  /** Undefined unless the outermost frame ended by an opcode that could not be dispatched, or by a precompile. */
  readonly detail: FailureDetail | undefined;
  /** Return data, revert data, or for a creation the deployed code; empty on other failures. */
  readonly output: Bytes;
  /**
   * Gas of `gasLimit` that is used: no intrinsic gas, no refund. From Amsterdam on it includes what the message pays before
   * its frame begins (EIP-2780), and state gas for which `stateGas` did not suffice.
   */
  readonly gasUsed: bigint;
  /** Gas that growing the state took, from `stateGas` or from `gasLimit`. */
  readonly stateGasUsed: bigint;
  /** What is left of {@link Message.stateGas}. */
  readonly stateGasLeft: bigint;
  /** The message could not pay what it has to before its frame begins: nothing that was prepared for it holds either. */
  readonly isUnprepared: boolean;
  /** What the message earned back, in gas, before any cap; 0 if it failed. */
  readonly gasRefund: bigint;
  /** Empty if it failed. */
  readonly logs: readonly Log[];
}

/** A slot's new value: 32 bytes, and the value without leading zeros. */
export interface SlotWrite {
  readonly slot: Bytes;
  readonly value: Bytes;
}

/** What became of an account in a transaction. */
export interface AccountWrite extends EvmAccount {
  readonly address: Bytes;
  /** The account is gone, with its storage; of the other members only `slots` means something then. */
  readonly isDeleted: boolean;
  /** All slots that the account had before the transaction are zero, but for those among `slots`. */
  readonly wipesStorage: boolean;
  /** Code behind `codeHash`, where the transaction set it. */
  readonly code: Bytes | undefined;
  /** Slots that differ from before the transaction. Of a deleted account: what it had written before its end. */
  readonly slots: readonly SlotWrite[];
}

/** An account and some of its slots. */
export interface AccountAccess {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/** What a transaction did to the state, and what of it it looked at. */
export interface TransactionEffects {
  /** In the order in which accounts were first changed; accounts that are as before may be among them. */
  readonly writes: readonly AccountWrite[];
  /** Accounts that are warm at the end, with their warm slots (EIP-2929); empty before Berlin. */
  readonly accesses: () => readonly AccountAccess[];
  /** Accounts and slots that were looked at, be it in frames that failed (EIP-7928); empty before Amsterdam. */
  readonly seen: () => readonly AccountAccess[];
}

/**
 * Transactions one after the other on one state, in one block or in several of one hardfork.
 *
 * What {@link end} gives is written to the state before the next transaction begins; nothing else changes the state while
 * a session is open.
 */
export interface EngineSession {
  /** Goes on in another block of the same hardfork. Between transactions only. */
  enterBlock(block: BlockContext): void;

  /** Begins a transaction. From Berlin on the precompiles are warm. */
  begin(transaction: TransactionContext): void;

  /** Marks an account as accessed from the transaction's start (EIP-2929). */
  warmAddress(address: Bytes): void;
  /** Marks a slot as accessed from the transaction's start; its account too. */
  warmSlot(address: Bytes, slot: Bytes): void;

  /** The account as the transaction has it now. */
  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined>;
  /** The code behind the hash of such an account. */
  getCode(codeHash: Bytes): MaybePromise<Bytes>;
  /** Sets an account's nonce, creating it if there is none, and touches it (EIP-161). */
  setNonce(address: Bytes, nonce: bigint): MaybePromise<void>;
  /** Adds wei to an account, or takes them where the amount is negative; creates it if there is none, and touches it. */
  addBalance(address: Bytes, amount: bigint): MaybePromise<void>;
  /** Sets an account's code, creating it if there is none. */
  setCode(address: Bytes, code: Bytes): MaybePromise<void>;

  /** Marks where {@link revert} goes back to. Once a transaction, between its messages. */
  checkpoint(): MaybePromise<void>;
  /** Undoes what the transaction has changed since {@link checkpoint}. */
  revert(): MaybePromise<void>;

  /**
   * Runs a message. The sender's nonce is not looked at; the sender must have the value that moves.
   *
   * @throws {LimitError} when time is up, the caller aborted, or the message needs more memory than one may have. The
   * transaction is over then, as after {@link abandon}.
   * @throws {InternalError} when the engine broke; the session is of no more use.
   */
  run(message: Message): MaybePromise<MessageResult>;

  /** Ends the transaction: destroyed accounts are gone, and touched ones that are empty (EIP-161). */
  end(): MaybePromise<TransactionEffects>;
  /** Ends the transaction as if it had never begun. */
  abandon(): void;

  /** Gives back what the session holds. It must not be used afterwards. */
  close(): void;
}

/** Names by which users choose an engine. */
export const ENGINE_NAMES = ["wasm", "ethereumjs"] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Bounds of the memory that executions take of the process, where an engine can hold them. */
export interface EngineLimits {
  /** Bytes of memory that one execution may have. */
  readonly executionMemory: number;
  /** Executions that may stand in memory at a time; further ones wait, within their time limit. */
  readonly concurrentExecutions: number;
  /** Executions that may wait; further ones are refused. */
  readonly queuedExecutions: number;
}

export interface Engine {
  readonly name: EngineName;
  /**
   * Opens a session. Waits where as many are open as there may be.
   *
   * @throws {LimitError} `EXECUTION_QUEUE_FULL` where as many wait as may, and as {@link Pace.check} while it waits
   */
  open(request: SessionRequest): MaybePromise<EngineSession>;
  close(): Promise<void>;
}
