/**
 * EthereumJS' EVM with our run loop, journal and frames inside.
 *
 * EthereumJS' interpreter runs nothing but one opcode of each core, by which it shows its classes. A call or creation that
 * need not wait for anything begins and ends here ({@link EvmCore.openFrame}); all others go through EthereumJS' `runCall`,
 * which comes back for the code's sake ({@link EvmCore.runInterpreter}). Delegation and what precompiles compute stay
 * EthereumJS' own; random programs on every hardfork compare the two.
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
import { Account, Address } from "@ethereumjs/util";
import type { Log } from "../evm/frames.ts";
import { createAddress, createSaltedAddress } from "../primitives/address.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import { EthereumJsStateManager } from "../state/ethereumjs-state-manager.ts";
import type { StateReader, WorkingStateView } from "../state/view.ts";
import { WorkingState } from "../state/working-state.ts";
import { AccessJournal } from "./access-journal.ts";
import { CallFrames, resultOf } from "./call-frames.ts";
import type { CallMessage } from "./call-message.ts";
import { ExecutionClock } from "./evm-clock.ts";
import type { CalledMessage, LoadedMessage } from "./evm-environment.ts";
import type { Frame, OpenCall } from "./evm-frame.ts";
import type { CoreRun, FrameHost } from "./evm-host.ts";
import { type FrameClasses, frameClassesOf, frameResult } from "./evm-interpreter.ts";
import { runFrames } from "./evm-loop.ts";
import { FrameNotebook } from "./evm-notes.ts";
import { EvmObserver } from "./evm-observer.ts";
import { toCoreMessage } from "./evm-result.ts";
import { transferValue } from "./evm-transfer.ts";
import type { OpcodeMapEntry, RunState } from "./evm-types.ts";
import { InitCodeReverts } from "./init-code-reverts.ts";
import type { OldEventSink } from "./old-events.ts";
import { buildOpcodeTable, type OpcodeEntry } from "./opcode-table.ts";
import { outermostCall } from "./outermost-call.ts";
import { PrecompileAddresses } from "./precompile-addresses.ts";
import type { PrecompileTable } from "./precompile-overrides.ts";
import { stopListening } from "./stop-listening.ts";
import type { EvmMessage } from "./types.ts";

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
  steps: OldEventSink | undefined;
  /** What the run loop noted of the frame that ended last. */
  readonly notes = new FrameNotebook();
  readonly accesses: AccessJournal;
  readonly precompileAddresses: PrecompileAddresses;
  readonly #frames = new CallFrames(this);
  readonly #initCodeReverts = new InitCodeReverts();
  readonly #states: EthereumJsStateManager;
  /** What an idle core holds instead of somebody's state. */
  readonly #noState: WorkingStateView;
  /** EIP-161 holds. */
  readonly clearsEmptyAccounts: boolean;
  /** EIP-1153 holds. */
  readonly hasTransientStorage: boolean;

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
    this.hasTransientStorage = common.isActivatedEIP(1153);
    this.precompileAddresses = new PrecompileAddresses(this.precompiles);
  }

  /** With our Keccak: EthereumJS' is JavaScript, slow over init code until V8 has compiled it. */
  protected override async _generateAddress(message: Parameters<EVM["_generateAddress"]>[0]): Promise<Address> {
    const { caller, salt, code } = message;
    if (salt !== undefined) return new Address(createSaltedAddress(caller.bytes, salt, code as Bytes));
    const creator = await this.stateManager.getAccount(caller);
    // Counted before a creation begins.
    return new Address(createAddress(caller.bytes, (creator?.nonce ?? 1n) - 1n));
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
    if (precompiles !== undefined) this._precompiles = this.precompileAddresses.use(precompiles);
  }

  /** Marks precompiles as accessed from the transaction's start (EIP-2929). */
  warmPrecompiles(): void {
    this.accesses.warmFromStart(this.precompileAddresses.addresses);
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
    // Not by `delete`, which makes everything on the core slower to reach.
    Object.assign(this, { _block: undefined });
    this.#frames.context = undefined;
    this._precompiles = this.precompileAddresses.useHome();
    this.#states.view = this.#noState;
  }

  /** Undoes what a run that ended by a thrown error has written. */
  async undoCheckpoints(): Promise<void> {
    while (this.accesses.height > 0) {
      await this.accesses.revert();
      if (this.hasTransientStorage) this.transientStorage.revert();
    }
  }

  /**
   * Runs an outermost message under a context. Does not bump the sender's nonce.
   *
   * @throws {EVMError} for a creation whose sender lacks the value; such a message is not answered
   */
  async runMessage(message: EvmMessage, run: CoreRun): Promise<EVMResult> {
    this.#frames.classes ??= await this.#learnClasses();
    const origin = new Address(message.from);
    this._block = run.block;
    this._tx = { gasPrice: run.gasPrice, origin };
    this.#frames.context = { block: run.block, gasPrice: run.gasPrice, origin, view: this.view };
    this.blockchain = run.blockchain;
    this.clock = run.clock;
    this.steps = run.sink?.wantsSteps === true ? run.sink : undefined;
    this.observer = run.sink && new EvmObserver(run.sink, (address) => this.isPrecompile(address));
    const call = outermostCall(message, origin, this);
    return call === undefined
      ? this.runCall({ message: toCoreMessage(message, origin), skipNonceIncrement: true })
      : this.#runOutermost(call);
  }

  async #runOutermost(call: OpenCall): Promise<EVMResult> {
    const frame = this.openFrame(call);
    const error = await runFrames(frame, this);
    const execResult = this.closeFrame(frame, error);
    this.transientStorage.clear();
    return resultOf(call.message, execResult);
  }

  openFrame(call: OpenCall): Frame {
    return this.#frames.open(call);
  }

  closeFrame(frame: Frame, error: EVMError | undefined): ExecResult {
    return this.#frames.close(frame, error);
  }

  callPrecompile(precompile: PrecompileFunc, message: CallMessage): ExecResult | Promise<ExecResult> {
    return this.#frames.callPrecompile(precompile, message);
  }

  /** Called by EVM's constructor: takes its opcode table and puts one in its place that runs nothing. */
  override getActiveOpcodes(): ReturnType<EVM["getActiveOpcodes"]> {
    const opcodes = super.getActiveOpcodes();
    this.table = buildOpcodeTable(this._opcodeMap as readonly OpcodeMapEntry[], this.common);
    const stop = opcodes.get(0);
    if (stop === undefined) throw new TypeError("EthereumJS' opcode table has no STOP");
    // STOP's description: free, without dynamic gas, valid.
    const opHandler = (state: RunState): void => {
      this.#frames.classes = frameClassesOf(state);
    };
    const entry = { opcodeInfo: stop, opHandler, gasHandler: async () => 0n };
    this._opcodeMap = Array.from({ length: 256 }, () => entry);
    return opcodes;
  }

  /** Has EthereumJS' interpreter make a frame, on no state, for the classes behind it. */
  async #learnClasses(): Promise<FrameClasses> {
    const { view } = this;
    this.#states.view = this.#noState;
    try {
      await this.runCode({ code: Uint8Array.of(0) });
    } finally {
      this.#states.view = view;
    }
    if (this.#frames.classes === undefined) throw new TypeError("EthereumJS' interpreter ran no opcode");
    return this.#frames.classes;
  }

  /** Runs the code of a message that came through EthereumJS. */
  protected override async runInterpreter(message: LoadedMessage, opts?: object): Promise<ExecResult> {
    if (this.#frames.classes === undefined) return super.runInterpreter(message, opts);
    const frame = this.#frames.make(message, message.code as Bytes);
    frame.env.contract = (await this.stateManager.getAccount(frame.env.address)) ?? new Account();
    const error = await runFrames(frame, this);
    const result = frameResult(frame.state, message.gasLimit, error);
    if (message.isCreate === true) this.#initCodeReverts.note(result);
    return result;
  }

  protected override async _executeCreate(message: Message): Promise<EVMResult> {
    return this.#initCodeReverts.restore(await super._executeCreate(message));
  }

  /**
   * EthereumJS' own, for the hardforks we offer, without its copy of the message, and without writing accounts that a
   * call without value does not change (EIP-161 only wants to know that they were touched).
   */
  protected override async _executeCall(message: CalledMessage): Promise<EVMResult> {
    const failure = message.delegatecall ? undefined : await transferValue(message, this);
    await this._loadCode(message);
    const { code, gasRefund } = message;
    if (failure !== undefined || code === undefined || (code instanceof Uint8Array && code.length === 0)) {
      const error = failure === undefined ? {} : { exceptionError: failure };
      return { execResult: { gasRefund, executionGasUsed: 0n, returnValue: EMPTY_BYTES, ...error } };
    }
    const execResult =
      code instanceof Uint8Array
        ? await this.runInterpreter(message)
        : { ...(await this.#answerOf(code, message)), gasRefund };
    if (message.depth === 0) this.transientStorage.clear();
    return { execResult };
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

  async #answerOf(precompile: PrecompileFunc, message: CalledMessage): Promise<ExecResult> {
    // Some take milliseconds: read the clock at the next opcode.
    this.clock.budget = -1;
    const answer = await this.runPrecompile(precompile, message.data, message.gasLimit);
    return this.#frames.settlePrecompile(precompile, message, answer);
  }

  noteFailure(frame: Frame): void {
    this.notes.noteFailure(frame);
  }

  noteLog(log: Log): void {
    this.observer?.log(log);
  }

  noteInitCodeEnd(frame: Frame): void {
    this.notes.noteInitCodeEnd(frame);
  }

  isPrecompile(address: Uint8Array): boolean {
    return this.precompileAt(address) !== undefined;
  }

  precompileAt(address: Uint8Array): PrecompileFunc | undefined {
    return this.precompileAddresses.get(address);
  }
}
