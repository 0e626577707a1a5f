/**
 * The executor's EVM: runs messages of one transaction at a time on a state view, in bounds, and tells a recorder.
 *
 * In: bytes and bigints. Out: an {@link EvmResult}. EthereumJS is behind this door and shows nowhere outside the room.
 */
import type { Common } from "@ethereumjs/common";
import type { EventSink } from "../evm/event-sink.ts";
import type { Bytes } from "../primitives/bytes.ts";
import type { AccountState, WorkingStateView } from "../state/view.ts";
import type { AccessedAccount } from "./access-journal.ts";
import { type CoreBlock, toCoreBlock } from "./evm-block.ts";
import { ExecutionClock } from "./evm-clock.ts";
import { EvmCore } from "./evm-core.ts";
import { frameErrorOf, isEvmError } from "./evm-errors.ts";
import { refusedResult, toEvmResult } from "./evm-result.ts";
import { runTransfer } from "./evm-transfer.ts";
import type { PrecompileTable } from "./precompile-overrides.ts";
import { SinkBridge } from "./sink-bridge.ts";
import type { BlockContext, EvmMessage, EvmResult, ExecutionLimits } from "./types.ts";

/** Idle cores kept per Common: as many as calls usually interleave. */
const MAX_IDLE = 8;
/** What a message costs beside its opcodes, in the clock's work units. */
const MESSAGE_WORK = 50_000;

/** What an EVM is opened with. */
export interface EvmRequest {
  /** Rules of one hardfork; never changed while an EVM is open on it. */
  readonly common: Common;
  readonly state: WorkingStateView;
  readonly block: BlockContext;
  readonly recorder?: EventSink;
  /**
   * Bound everything run until {@link Evm.close}; the time starts at {@link Evm.open}, or with the clock that is given.
   */
  readonly limits?: ExecutionLimits;
  /** Which precompile answers where; default: each at home. */
  readonly precompiles?: PrecompileTable | undefined;
}

export type { AccessedAccount };

export class Evm {
  /**
   * Idle cores by the Common they were made for: making one costs 0.4 ms (measured), more than a small call. Keyed
   * weakly by an object of one chain, so nodes share nothing and a closed node's cores go with it.
   */
  static readonly #idle = new WeakMap<Common, EvmCore[]>();

  readonly #common: Common;
  readonly #state: WorkingStateView;
  readonly #clock: ExecutionClock;
  readonly #core: EvmCore;
  #recorder: EventSink | undefined;
  #block: CoreBlock;

  /** Opens an EVM on a state and a block. Cheap when one of the same Common is idle. */
  static open(request: EvmRequest): Evm {
    return new Evm(request);
  }

  private constructor(request: EvmRequest) {
    this.#common = request.common;
    this.#state = request.state;
    const { limits } = request;
    this.#clock = limits instanceof ExecutionClock ? limits : new ExecutionClock(limits);
    this.#core = Evm.#idle.get(this.#common)?.pop() ?? new EvmCore(this.#common);
    this.#core.attach(this.#state, request.precompiles);
    this.#recorder = request.recorder;
    this.#block = toCoreBlock(request.block);
  }

  setRecorder(recorder: EventSink | undefined): void {
    this.#recorder = recorder;
  }

  setBlock(block: BlockContext): void {
    this.#block = toCoreBlock(block);
  }

  /** Marks an account as accessed from the transaction's start (EIP-2929). */
  warmAddress(address: Bytes): void {
    this.#core.accesses.addWarmedAddress(address);
  }

  /** Marks a 32-byte slot as accessed from the transaction's start; its account too. */
  warmSlot(address: Bytes, slot: Bytes): void {
    this.#core.accesses.addWarmedAddress(address);
    this.#core.accesses.addWarmedStorage(address, slot);
  }

  /** Marks the hardfork's precompiles as accessed, those at home even where one was moved. */
  warmPrecompiles(): void {
    this.#core.warmPrecompiles();
  }

  /** Collects what is looked at, until {@link finishTransaction}. */
  startAccessList(): void {
    this.#core.accesses.startReport();
  }

  /** What was looked at since {@link startAccessList}, reverted frames included. */
  accessedSlots(): readonly AccessedAccount[] {
    return this.#core.accesses.reported();
  }

  /** Notes that the transaction touched an account: if empty, it is removed at the end (EIP-161). */
  touch(address: Bytes): void {
    this.#core.accesses.touch(address);
  }

  /** Writes an account and touches it. */
  putAccount(address: Bytes, account: AccountState): void {
    this.touch(address);
    this.#state.putAccount(address, account);
  }

  /** Deletes an account and touches it. */
  deleteAccount(address: Bytes): void {
    this.touch(address);
    this.#state.deleteAccount(address);
  }

  /**
   * Runs an outermost message; its effects are in the state afterwards, or undone if it failed.
   *
   * The sender's nonce is not bumped: whoever calls has done so, and a creation's address follows from the nonce before.
   *
   * @throws {LimitError} when time is up or the caller aborted. The state is as before the message, all access sets are
   * empty, and the EVM can be used again.
   */
  async run(message: EvmMessage): Promise<EvmResult> {
    // Short messages one after the other must let the event loop have its turn, too.
    this.#clock.budget -= MESSAGE_WORK;
    if (this.#clock.budget < 0) await this.#checkClock();
    const bridge = this.#recorder && new SinkBridge(this.#recorder, this.#state, this.#clock);
    return runTransfer(message, this.#core, bridge) ?? this.#runCode(message, bridge);
  }

  async #checkClock(): Promise<void> {
    try {
      await this.#clock.check();
    } catch (error) {
      this.#core.forgetTransaction();
      throw error;
    }
  }

  async #runCode(message: EvmMessage, bridge: SinkBridge | undefined): Promise<EvmResult> {
    const core = this.#core;
    try {
      const result = await core.runMessage(message, {
        block: this.#block.block,
        blockchain: this.#block.blockchain,
        gasPrice: message.gasPrice,
        clock: this.#clock,
        sink: bridge,
      });
      if (bridge !== undefined) await bridge.end();
      return toEvmResult(result, {
        ...core.notes.at(0),
        onlyCreatedAreDestroyed: this.#common.isActivatedEIP(6780),
      });
    } catch (error) {
      await core.undoCheckpoints();
      if (!isEvmError(error)) {
        core.forgetTransaction();
        throw error;
      }
      // A creation whose sender lacks the value is thrown, not answered, by EthereumJS.
      const reason = frameErrorOf(error.error);
      core.observer?.abandon(message.gasLimit, reason);
      return refusedResult(reason, message.gasLimit);
    }
  }

  /** Ends a transaction: removes touched empty accounts (EIP-161), forgets accesses and transient storage. */
  async finishTransaction(): Promise<void> {
    await this.#core.finishTransaction();
  }

  /** Gives the core back for others to use. The EVM must not be used afterwards. */
  close(): void {
    const core = this.#core;
    core.detach();
    const idle = Evm.#idle.get(this.#common);
    if (idle === undefined) Evm.#idle.set(this.#common, [core]);
    else if (idle.length < MAX_IDLE) idle.push(core);
  }
}
