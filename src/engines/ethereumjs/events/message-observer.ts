/**
 * Hears the events of EthereumJS' messages: tells a sink of frames, and finds out why they failed.
 *
 * The outermost message is observed without any sink too, for its result.
 */
import type { EVMResult, ExecResult, Message } from "@ethereumjs/evm";
import type { EventSink, FrameStart } from "../../../evm/event-sink.ts";
import { isCreation, runsForeignCode } from "../../../evm/frames.ts";
import { Op } from "../../../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes.ts";
import type { SessionParts } from "../parts.ts";
import { type Failure, failureOf } from "./failures.ts";
import { lastOperation } from "./last-operation.ts";
import { readRegion } from "./operation.ts";
import type { FrameStack, RunningFrame } from "./running-frame.ts";
import type { StepObserver } from "./step-observer.ts";

export interface ObservedRun {
  readonly parts: SessionParts;
  readonly frames: FrameStack;
  readonly sink: EventSink | undefined;
  /** Undefined where steps are not listened to. */
  readonly steps: StepObserver | undefined;
  /** Where the outermost message creates its contract; undefined for a call. */
  readonly createdAddress: Bytes | undefined;
}

export class MessageObserver {
  readonly #run: ObservedRun;
  readonly #codes = new WeakMap<Bytes, Bytes>();
  /** Why the outermost message failed, once it has. */
  failure: Failure | undefined;

  constructor(run: ObservedRun) {
    this.#run = run;
  }

  /** Begins to listen. With one parameter each: EthereumJS does not wait for such listeners. */
  listen(): void {
    const { events } = this.#run.parts.evm;
    events.on("beforeMessage", (message) => this.#enter(message));
    events.on("afterMessage", (result) => this.#exit(result));
  }

  #enter(message: Message): void {
    const { frames, sink } = this.#run;
    const step = message.depth === 0 ? -1 : this.#recorded - 1;
    const frame = frames.push(message);
    if (this.#isWanted(frame)) sink?.enterFrame?.(this.#startOf(frame, step));
  }

  /** Steps recorded so far. */
  get #recorded(): number {
    return this.#run.steps?.count ?? 0;
  }

  #isWanted({ kind, message }: RunningFrame): boolean {
    const wanted = this.#run.sink?.wants.frames;
    if (wanted === undefined || wanted === "all") return wanted === "all";
    return !isCreation(kind) && equalBytes(message.codeAddress.bytes, wanted);
  }

  #startOf({ kind, message, input }: RunningFrame, step: number): FrameStart {
    const { depth, value, gasLimit: gas, caller, to: receiver } = message;
    const to = isCreation(kind) ? undefined : message.codeAddress.bytes.slice();
    const from = (runsForeignCode(kind) && receiver !== undefined ? receiver : caller).bytes.slice();
    const isPrecompile = to !== undefined && this.#run.parts.homeOf(to) !== undefined;
    return { kind, depth, from, to, value, gas, input: input.slice(), isPrecompile, step };
  }

  #exit({ execResult, createdAddress }: EVMResult): void {
    const { frames, steps } = this.#run;
    const frame = frames.pop();
    steps?.finish(frame, execResult);
    const failure = this.#failureOf(frame, execResult);
    if (failure !== undefined) steps?.fail(frame, failure.error);
    if (frame.message.depth === 0) this.failure = failure;
    if (this.#isWanted(frame)) this.#tellEnd(frame, execResult, failure, createdAddress?.bytes);
    steps?.leave(frame, execResult);
  }

  #failureOf({ message, input, kind, last }: RunningFrame, execResult: ExecResult): Failure | undefined {
    const text = execResult.exceptionError?.error;
    if (text === undefined) return undefined;
    const { steps, parts } = this.#run;
    return failureOf({
      text,
      isCreation: isCreation(kind),
      precompile: isCreation(kind) ? undefined : parts.homeOf(message.codeAddress.bytes),
      input,
      last: steps === undefined ? lastOperation(execResult) : last,
    });
  }

  #tellEnd(frame: RunningFrame, result: ExecResult, failure: Failure | undefined, created: Bytes | undefined): void {
    const { sink, createdAddress } = this.#run;
    const { kind, message, selfDestruct, last } = frame;
    if (failure === undefined && selfDestruct !== undefined) sink?.selfDestruct?.(selfDestruct);
    const hasOutput = failure === undefined || failure.error === "reverted";
    const isUndeposited = failure === undefined && result.exceptionError !== undefined && last?.opcode === Op.RETURN;
    const createdHere = message.depth === 0 ? createdAddress : created;
    sink?.exitFrame?.({
      error: failure?.error,
      detail: failure?.detail,
      gasUsed: result.executionGasUsed,
      output: hasOutput ? result.returnValue.slice() : EMPTY_BYTES,
      undeposited: isUndeposited ? readRegion(last, 0, 1) : undefined,
      createdAddress: isCreation(kind) ? createdHere?.slice() : undefined,
      code: isCreation(kind) ? EMPTY_BYTES : this.#codeOf(frame.code),
      stepEnd: this.#recorded,
    });
  }

  /** A copy of code, the same one for the same code. */
  #codeOf(code: Bytes): Bytes {
    let copy = this.#codes.get(code);
    if (copy === undefined) {
      copy = code.slice();
      this.#codes.set(code, copy);
    }
    return copy;
  }
}
