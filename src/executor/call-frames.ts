/** Makes the frames of one core, and begins and ends those of calls and creations that EthereumJS does not see. */
import type { EVM, EVMError, EVMResult, ExecResult, PrecompileFunc } from "@ethereumjs/evm";
import type { Bytes } from "../primitives/bytes.ts";
import { EMPTY_ACCOUNT } from "../state/empty-account.ts";
import type { AccountState } from "../state/view.ts";
import type { CallMessage } from "./call-message.ts";
import { type CodeDeposit, codeDeposit } from "./code-deposit.ts";
import type { ExecutionClock } from "./evm-clock.ts";
import type { FrameContext, FrameMessage } from "./evm-environment.ts";
import { precompileResult } from "./evm-errors.ts";
import { Frame, type FrameSurroundings, type OpenCall } from "./evm-frame.ts";
import { type FrameClasses, frameResult, makeRunState } from "./evm-interpreter.ts";
import type { FrameNotebook } from "./evm-notes.ts";
import type { EvmObserver } from "./evm-observer.ts";
import { analyse, ProgramCache } from "./evm-program.ts";
import { moveValue, type TransferHost } from "./evm-transfer.ts";
import type { PrecompileAddresses } from "./precompile-addresses.ts";
import { precompileFault } from "./precompile-faults.ts";

/** The core that frames are made for. */
export interface FrameOwner extends EVM, FrameSurroundings, TransferHost {
  readonly notes: FrameNotebook;
  readonly precompileAddresses: PrecompileAddresses;
  readonly observer: EvmObserver | undefined;
  /** EIP-1153 holds. */
  readonly hasTransientStorage: boolean;
  readonly clock: ExecutionClock;
}

/** What of a message a precompile is told, and where it stands. */
interface PrecompileCall {
  readonly data: Bytes;
  readonly depth: number;
}

export class CallFrames {
  readonly #owner: FrameOwner;
  readonly #programs = new ProgramCache();
  readonly #depositCode: CodeDeposit;
  /** EthereumJS' classes, once they are known. */
  classes: FrameClasses | undefined;
  /** Block and transaction of the message that runs. */
  context: FrameContext | undefined;

  constructor(owner: FrameOwner) {
    this.#owner = owner;
    this.#depositCode = codeDeposit(owner.common);
  }

  /** A frame for a message, at its beginning. */
  make(message: FrameMessage, code: Bytes, call?: OpenCall): Frame {
    const { classes, context } = this;
    if (classes === undefined || context === undefined) throw new TypeError("CallFrames: no message runs");
    // Init code that a contract gives comes in an array of its own each time.
    const program = call?.caller !== undefined && message.isCreate ? analyse(code) : this.#programs.get(code);
    return new Frame(makeRunState(this.#owner, classes, message, context), program, this.#owner, call);
  }

  /** Begins a call of code, or a creation. */
  open(call: OpenCall): Frame {
    this.#begin(call.message);
    return this.make(call.message, call.message.code, call);
  }

  /** Ends what {@link open} began. */
  close({ state, call }: Frame, error: EVMError | undefined): ExecResult {
    if (call === undefined) throw new TypeError("CallFrames: the frame is not one of a call");
    const { message } = call;
    const failure = error ?? (message.isCreate ? this.#depositCode(state, this.#owner.view) : undefined);
    const execResult = frameResult(state, message.gasLimit, failure);
    this.#end(message, execResult);
    return execResult;
  }

  /** A call of a precompile, whole. */
  callPrecompile(precompile: PrecompileFunc, message: CallMessage): ExecResult | Promise<ExecResult> {
    this.#begin(message);
    // Some take milliseconds: read the clock at the next opcode.
    this.#owner.clock.budget = -1;
    const { data, gasLimit } = message;
    const answer = precompile({ data, gasLimit, common: this.#owner.common, _EVM: this.#owner });
    return answer instanceof Promise
      ? answer.then((result) => this.#endPrecompile(precompile, message, result))
      : this.#endPrecompile(precompile, message, answer);
  }

  /** What a precompile answered, as the EVM goes on with it. Notes what was wrong with its input. */
  settlePrecompile(precompile: PrecompileFunc, { data, depth }: PrecompileCall, answer: ExecResult): ExecResult {
    if (answer.exceptionError !== undefined) {
      const { notes, precompileAddresses } = this.#owner;
      const fault = precompileFault(answer.exceptionError.error, precompileAddresses.homeOf(precompile), data);
      if (fault !== undefined) notes.notePrecompileFault(fault, depth);
    }
    return precompileResult(answer);
  }

  #endPrecompile(precompile: PrecompileFunc, message: CallMessage, answer: ExecResult): ExecResult {
    const { executionGasUsed, returnValue, exceptionError } = this.settlePrecompile(precompile, message, answer);
    const error = exceptionError === undefined ? {} : { exceptionError };
    const execResult = { executionGasUsed, returnValue, gasRefund: message.gasRefund, ...error };
    this.#end(message, execResult);
    return execResult;
  }

  /** Begins a call or creation: tells the recorder, opens a checkpoint, makes the account, moves the value. */
  #begin(message: CallMessage): void {
    const owner = this.#owner;
    owner.notes.clear();
    owner.observer?.enter(message);
    // Stays warm even if the creation fails (EIP-2929).
    if (message.isCreate) owner.accesses.addWarmedAddress(message.to.bytes);
    owner.accesses.openCheckpoint();
    if (owner.hasTransientStorage) owner.transientStorage.checkpoint();
    if (message.isCreate) this.#makeAccount(message);
    const { caller, to, value } = message;
    if (!message.isDelegate) moveValue({ from: caller.bytes, to: to.bytes, value }, owner);
  }

  /** The account that init code runs at: it may have a balance, and begins with nonce 1 (EIP-161). */
  #makeAccount({ to, createdAddresses }: CallMessage): void {
    const { view } = this.#owner;
    const address = to.bytes;
    const { nonce, balance, storageRoot, codeHash } =
      (view.getAccount(address) as AccountState | undefined) ?? EMPTY_ACCOUNT;
    createdAddresses.add(to.toString());
    view.putAccount(address, { nonce: nonce + 1n, balance, storageRoot, codeHash });
    view.clearStorage(address);
  }

  /** Ends a call or creation: keeps what it did, or undoes it, and tells the recorder. */
  #end(message: CallMessage, execResult: ExecResult): void {
    const owner = this.#owner;
    if (execResult.exceptionError === undefined) {
      owner.accesses.commitCheckpoint();
      if (owner.hasTransientStorage) owner.transientStorage.commit();
    } else {
      execResult.gasRefund = 0n;
      forgetFrom(message.destroyedBefore, message.selfdestruct);
      forgetFrom(message.createdBefore, message.createdAddresses);
      owner.accesses.revertCheckpoint();
      if (owner.hasTransientStorage) owner.transientStorage.revert();
    }
    owner.observer?.exit(message, resultOf(message, execResult), owner.notes.at(message.depth));
  }
}

/** What EthereumJS' EVM would have answered. A creation has its address even if it failed. */
export function resultOf({ isCreate, to }: CallMessage, execResult: ExecResult): EVMResult {
  return isCreate ? { execResult, createdAddress: to } : { execResult };
}

/** Takes back what was added to so many members: they are in the order in which they came. */
function forgetFrom(size: number, members: Map<string, unknown> | Set<string>): void {
  if (members.size === size) return;
  let index = 0;
  for (const key of members.keys()) if (index++ >= size) members.delete(key);
}
