/** Makes the frames of one core, and begins and ends those of calls that EthereumJS does not see. */
import type { EVM, EVMError, ExecResult, PrecompileFunc } from "@ethereumjs/evm";
import type { Bytes } from "../primitives/bytes.ts";
import type { CallMessage } from "./call-message.ts";
import type { ExecutionClock } from "./evm-clock.ts";
import type { FrameContext, FrameMessage } from "./evm-environment.ts";
import { precompileResult } from "./evm-errors.ts";
import { Frame, type FrameSurroundings, type OpenCall } from "./evm-frame.ts";
import { type FrameClasses, frameResult, makeRunState } from "./evm-interpreter.ts";
import type { FrameNotebook } from "./evm-notes.ts";
import type { EvmObserver } from "./evm-observer.ts";
import { ProgramCache } from "./evm-program.ts";
import { moveValue, type TransferHost } from "./evm-transfer.ts";

/** The core that frames are made for. */
export interface FrameOwner extends EVM, FrameSurroundings, TransferHost {
  readonly notes: FrameNotebook;
  readonly observer: EvmObserver | undefined;
  /** EIP-1153 holds. */
  readonly hasTransientStorage: boolean;
  readonly clock: ExecutionClock;
}

export class CallFrames {
  readonly #owner: FrameOwner;
  readonly #programs = new ProgramCache();
  /** EthereumJS' classes, once they are known. */
  classes: FrameClasses | undefined;
  /** Block and transaction of the message that runs. */
  context: FrameContext | undefined;

  constructor(owner: FrameOwner) {
    this.#owner = owner;
  }

  /** A frame for a message, at its beginning. */
  make(message: FrameMessage, code: Bytes, call?: OpenCall): Frame {
    const { classes, context } = this;
    if (classes === undefined || context === undefined) throw new TypeError("CallFrames: no message runs");
    return new Frame(makeRunState(this.#owner, classes, message, context), this.#programs.get(code), this.#owner, call);
  }

  /** Begins a call of code. */
  open(call: OpenCall): Frame {
    this.#begin(call.message);
    return this.make(call.message, call.message.code, call);
  }

  /** Ends a call that {@link open} began. */
  close({ state, call }: Frame, error: EVMError | undefined): ExecResult {
    if (call === undefined) throw new TypeError("CallFrames: the frame is not one of a call");
    const execResult = frameResult(state, call.message.gasLimit, error);
    this.#end(call.message, execResult);
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
      ? answer.then((result) => this.#endPrecompile(message, result))
      : this.#endPrecompile(message, answer);
  }

  #endPrecompile(message: CallMessage, answer: ExecResult): ExecResult {
    const { executionGasUsed, returnValue, exceptionError } = precompileResult(answer);
    const error = exceptionError === undefined ? {} : { exceptionError };
    const execResult = { executionGasUsed, returnValue, gasRefund: message.gasRefund, ...error };
    this.#end(message, execResult);
    return execResult;
  }

  /** Begins a call: tells the recorder, opens a checkpoint, moves the value. */
  #begin(message: CallMessage): void {
    const owner = this.#owner;
    owner.notes.clear();
    owner.observer?.enter(message);
    owner.accesses.openCheckpoint();
    if (owner.hasTransientStorage) owner.transientStorage.checkpoint();
    const { caller, to, value } = message;
    if (!message.isDelegate) moveValue({ from: caller.bytes, to: to.bytes, value }, owner);
  }

  /** Ends a call: keeps what it did, or undoes it, and tells the recorder. */
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
    owner.observer?.exit(message, { execResult }, owner.notes.at(message.depth));
  }
}

/** Takes back what was added to so many members: they are in the order in which they came. */
function forgetFrom(size: number, members: Map<string, unknown> | Set<string>): void {
  if (members.size === size) return;
  let index = 0;
  for (const key of members.keys()) if (index++ >= size) members.delete(key);
}
