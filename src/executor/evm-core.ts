/**
 * EthereumJS' EVM with our run loop, journal and frames inside.
 *
 * EthereumJS looks every opcode up in `_opcodeMap`. Ours holds the same entry 256 times: whatever the first opcode of a
 * frame is, its handler takes the frame over and runs it to the end. From the second frame on EthereumJS' interpreter is
 * not asked at all. What a message is, creations, checkpoints, code deposit, delegation, gas of state and calls, and
 * precompiles stay EthereumJS' own; random programs on every hardfork compare the two.
 */
import { type Common, Hardfork } from "@ethereumjs/common";
import {
  EVM,
  type EVMError,
  EVMMockBlockchain,
  type EVMResult,
  type EVMRunCallOpts,
  type ExecResult,
  type Message,
  NobleBN254,
  type PrecompileFunc,
} from "@ethereumjs/evm";
import { Account } from "@ethereumjs/util";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import { EthereumJsStateManager } from "../state/ethereumjs-state-manager.ts";
import type { StateReader, WorkingStateView } from "../state/view.ts";
import { WorkingState } from "../state/working-state.ts";
import type { EventSink } from "../tracer/events.ts";
import { AccessJournal } from "./access-journal.ts";
import { ConsoleNotes } from "./console-notes.ts";
import { ExecutionClock } from "./evm-clock.ts";
import { isEvmError } from "./evm-errors.ts";
import { Frame } from "./evm-frame.ts";
import type { FrameHost } from "./evm-host.ts";
import {
  type CalledMessage,
  type FrameClasses,
  frameClassesOf,
  frameResult,
  type LoadedMessage,
  makeRunState,
} from "./evm-interpreter.ts";
import { runFrame } from "./evm-loop.ts";
import { FrameNotebook } from "./evm-notes.ts";
import { EvmObserver } from "./evm-observer.ts";
import { ProgramCache } from "./evm-program.ts";
import type { OpcodeMapEntry, RunState } from "./evm-types.ts";
import { buildOpcodeTable, type OpcodeEntry } from "./opcode-table.ts";
import { hexKey, PrecompileAddresses } from "./precompile-addresses.ts";
import type { PrecompileTable } from "./precompile-overrides.ts";

/** Everything a run is given beside its message. */
export interface CoreRun {
  readonly block: NonNullable<EVMRunCallOpts["block"]>;
  readonly blockchain: EVM["blockchain"];
  /** wei per gas */
  readonly gasPrice: bigint;
  readonly clock: ExecutionClock;
  readonly sink: EventSink | undefined;
}

const EMPTY_STATE: StateReader = {
  getAccount: () => undefined,
  getStorage: () => EMPTY_BYTES,
  getCode: () => EMPTY_BYTES,
};

export class EvmCore extends EVM implements FrameHost {
  // No initializer: EVM's constructor calls getActiveOpcodes() below, and an initializer would undo what that set.
  declare table: readonly OpcodeEntry[];
  clock = new ExecutionClock();
  observer: EvmObserver | undefined;
  steps: EventSink | undefined;
  /** What the run loop noted of the frame that ended last. */
  readonly notes = new FrameNotebook();
  readonly accesses: AccessJournal;
  /** What the last message printed. */
  readonly consoleNotes = new ConsoleNotes();
  readonly #precompileAddresses: PrecompileAddresses;
  #frameClasses: FrameClasses | undefined;
  readonly #programs = new ProgramCache();
  readonly #states: EthereumJsStateManager;
  /** What an idle core holds instead of somebody's state. */
  readonly #noState: WorkingStateView;
  /** EIP-161 holds. */
  readonly clearsEmptyAccounts: boolean;

  constructor(common: Common) {
    const noState = new WorkingState(EMPTY_STATE);
    const stateManager = new EthereumJsStateManager(noState);
    super({ common, stateManager, bn254: new NobleBN254(), blockchain: new EVMMockBlockchain() });
    stopListening(common);
    this.#states = stateManager;
    this.#noState = noState;
    this.accesses = new AccessJournal(stateManager);
    // EthereumJS' class has private members, so that no other class has its type; ours has all that is called.
    this.journal = this.accesses as unknown as EVM["journal"];
    this.clearsEmptyAccounts = common.gteHardfork(Hardfork.SpuriousDragon);
    this.#precompileAddresses = new PrecompileAddresses(this.precompiles);
  }

  get recordsAccesses(): boolean {
    return this.observer?.wantsAccesses === true;
  }

  get view(): WorkingStateView {
    return this.#states.view;
  }

  /** Lets the core work on a state, with precompiles at home or where a table says. */
  attach(view: WorkingStateView, precompiles?: PrecompileTable): void {
    this.#states.view = view;
    if (precompiles !== undefined) this._precompiles = this.#precompileAddresses.movedTo(precompiles);
  }

  /** Marks precompiles as accessed from the transaction's start (EIP-2929). */
  warmPrecompiles(): void {
    this.accesses.warmFromStart(this.#precompileAddresses.addresses);
  }

  /** Ends a transaction: empties what it touched, if its hardfork does that, and forgets it. */
  async finishTransaction(): Promise<void> {
    if (this.clearsEmptyAccounts) await this.accesses.clearEmptyAccounts();
    this.forgetTransaction();
  }

  /** Empties warm sets, touched accounts and transient storage. */
  forgetTransaction(): void {
    this.accesses.cleanJournal();
    this.transientStorage.clear();
  }

  /** Forgets the state and everything of the last run. */
  detach(): void {
    this.forgetTransaction();
    this.observer = undefined;
    this.steps = undefined;
    this.consoleNotes.clear();
    delete this._block;
    this._precompiles = this.#precompileAddresses.atHome;
    this.#states.view = this.#noState;
  }

  /** Undoes what a run that ended by a thrown error has written. */
  async undoCheckpoints(): Promise<void> {
    while (this.accesses.height > 0) {
      await this.accesses.revert();
      if (this.common.isActivatedEIP(1153)) this.transientStorage.revert();
    }
  }

  /** Runs an outermost message under a context. Does not bump the sender's nonce. */
  async runMessage(message: Message, run: CoreRun): Promise<EVMResult> {
    this.consoleNotes.clear();
    this._block = run.block;
    this._tx = { gasPrice: run.gasPrice, origin: message.caller };
    this.blockchain = run.blockchain;
    this.clock = run.clock;
    this.steps = run.sink?.wantsSteps === true ? run.sink : undefined;
    this.observer = run.sink && new EvmObserver(run.sink, (address) => this.isPrecompile(address));
    return this.runCall({ message, skipNonceIncrement: true });
  }

  /** Called by EVM's constructor: takes its opcode table and puts ours in its place. */
  override getActiveOpcodes(): ReturnType<EVM["getActiveOpcodes"]> {
    const opcodes = super.getActiveOpcodes();
    this.table = buildOpcodeTable(this._opcodeMap as readonly OpcodeMapEntry[], this.common);
    const takeOver = (state: RunState): Promise<void> => this.#takeOver(state);
    const stop = opcodes.get(0);
    if (stop === undefined) throw new TypeError("EthereumJS' opcode table has no STOP");
    // STOP's description: free, without dynamic gas, valid. Async, so that EthereumJS waits for the frame.
    const entry = { opcodeInfo: { ...stop, isAsync: true }, opHandler: takeOver, gasHandler: async () => 0n };
    this._opcodeMap = Array.from({ length: 256 }, () => entry);
    return opcodes;
  }

  #takeOver(state: RunState): Promise<void> {
    this.#frameClasses = frameClassesOf(state);
    return runFrame(new Frame(state, this.#programs.get(state.code), this), this);
  }

  /** Runs the code of a message. The first frame of a core goes through EthereumJS, which shows its classes by that. */
  protected override async runInterpreter(message: LoadedMessage, opts?: object): Promise<ExecResult> {
    if (this.#frameClasses === undefined || this._block === undefined || this._tx === undefined) {
      return super.runInterpreter(message, opts);
    }
    const context = { block: this._block, gasPrice: this._tx.gasPrice, origin: this._tx.origin };
    const state = await makeRunState(this, this.#frameClasses, message, context);
    try {
      await runFrame(new Frame(state, this.#programs.get(state.code), this), this);
    } catch (error) {
      return frameResult(state, message.gasLimit, error);
    }
    return frameResult(state, message.gasLimit, undefined);
  }

  /**
   * EthereumJS' own, for the hardforks we offer, without its copy of the message, and without writing accounts that a
   * call without value does not change (EIP-161 only wants to know that they were touched).
   */
  protected override async _executeCall(message: CalledMessage): Promise<EVMResult> {
    const failure = message.delegatecall ? undefined : await this.#transfer(message);
    await this._loadCode(message);
    const { code, gasRefund } = message;
    if (failure !== undefined || code === undefined || (code instanceof Uint8Array && code.length === 0)) {
      this.consoleNotes.note(message);
      const error = failure === undefined ? {} : { exceptionError: failure };
      return { execResult: { gasRefund, executionGasUsed: 0n, returnValue: EMPTY_BYTES, ...error } };
    }
    const execResult =
      code instanceof Uint8Array
        ? await this.runInterpreter(message)
        : { ...(await this.runPrecompile(code, message.data, message.gasLimit)), gasRefund };
    if (message.depth === 0) this.transientStorage.clear();
    return { execResult };
  }

  /** Moves the value of a call. Answers with what is wrong; the message's checkpoint then undoes what was done. */
  async #transfer(message: CalledMessage): Promise<EVMError | undefined> {
    if (message.value === 0n && this.clearsEmptyAccounts) {
      this.accesses.touch(message.caller.bytes);
      this.accesses.touch(message.to.bytes);
      return undefined;
    }
    let failure: EVMError | undefined;
    for (const step of [this.#takeValue, this.#giveValue]) {
      try {
        await step.call(this, message);
      } catch (error) {
        if (!isEvmError(error)) throw error;
        failure = error;
      }
    }
    return failure;
  }

  async #takeValue(message: CalledMessage): Promise<void> {
    const account = await this.stateManager.getAccount(message.caller);
    await this._reduceSenderBalance(account ?? new Account(), message);
  }

  async #giveValue(message: CalledMessage): Promise<void> {
    const account = await this.stateManager.getAccount(message.to);
    await this._addToBalance(account ?? new Account(), message);
  }

  override async runCall(opts: EVMRunCallOpts): Promise<EVMResult> {
    const { observer } = this;
    const { message } = opts;
    this.notes.clear();
    if (observer === undefined || message === undefined) return super.runCall(opts);
    observer.enter(message);
    const result = await super.runCall(opts);
    observer.exit(message, result, this.notes.at(message.depth));
    return result;
  }

  protected override async runPrecompile(
    code: PrecompileFunc,
    data: Uint8Array,
    gasLimit: bigint,
  ): Promise<ExecResult> {
    const result = await super.runPrecompile(code, data, gasLimit);
    // Some take milliseconds: read the clock at the next opcode.
    this.clock.budget = -1;
    return result;
  }

  noteFailure(frame: Frame): void {
    this.notes.noteFailure(frame);
  }

  noteInitCodeEnd(frame: Frame): void {
    this.notes.noteInitCodeEnd(frame);
  }

  isPrecompile(address: Uint8Array): boolean {
    return this.precompiles.has(hexKey(address));
  }
}

/**
 * Takes back the listener that EVM's constructor has just added for changes of hardfork. Our Commons never change, and a
 * Common would keep every core alive that was ever made for it.
 */
function stopListening(common: Common): void {
  const added = common.events.listeners("hardforkChanged").at(-1);
  if (added !== undefined) common.events.off("hardforkChanged", added);
}
