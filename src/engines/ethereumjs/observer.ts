/**
 * Converts EthereumJS' events to those of a sink, finds reasons of failures, checks the time limit, and ends runs that
 * take too much memory.
 *
 * EthereumJS emits `step` before it charges and checks an operation. Whether the operation ran is known with the next
 * event.
 *
 * It has over 300 lines, because one listener has to see all events of a run in their order.
 */
import {
  type EVM,
  EVMError,
  type EVMResult,
  type ExecResult,
  type InterpreterStep,
  type Message,
} from "@ethereumjs/evm";
import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { LimitError } from "../../errors/hindcast-error.ts";
import type { CoverageSink } from "../../evm/coverage-sink.ts";
import type { Pace } from "../../evm/engine.ts";
import type { EventSink, FrameStart } from "../../evm/event-sink.ts";
import { isCreation, StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { minBigInt } from "../../primitives/bytes/limits.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { ENDING, type Failure, failureOf } from "./failures.ts";
import {
  addressOf,
  gasBehind,
  mayHearNext,
  type Operation,
  READABLE_BYTES,
  readRegion,
  readStep,
  unheardOperation,
} from "./operation.ts";
import { RunningFrame, type StartedFrame } from "./running-frame.ts";
import { StepCounter } from "./step-counter.ts";
import { StepReporter } from "./step-reporter.ts";

const texts = EVMError.errorMessages;

/** Steps between two checks of the time limit. This many bytes of copied memory count as a step. */
const STEPS_PER_CHECK = 100;
const BYTES_PER_STEP = 4096;

/** Most bytes of memory of all active frames together, and their price in gas (yellow paper appendix H.1). */
const MAX_MEMORY_BYTES = 2 ** 30;
const MAX_MEMORY_PRICE = 3 * 2 ** 25 + 2 ** 41;

/** The EVM that is listened to, and its listener. */
export interface ObservedEvm {
  readonly evm: EVM;
  readonly hardfork: Hardfork;
  readonly pace: Pace;
  isPrecompile(address: Bytes): boolean;
  /** As {@link SessionRequest.coverage}. */
  readonly coverage: CoverageSink | undefined;
}

/** Observes the messages of one transaction. Frames and steps are numbered through all of them. */
export class Observer {
  readonly #parts: ObservedEvm;
  readonly #sink: EventSink | undefined;
  readonly #reporter: StepReporter | undefined;
  readonly #codes = new WeakMap<Bytes, Bytes>();
  /** Active frames, the outermost first. */
  #running: RunningFrame[] = [];
  /** Number of frames so far, including those that never started. */
  #frameCount = 0;
  #isListening = false;
  #createdAddress: Bytes | undefined;
  #stepsUntilCheck = STEPS_PER_CHECK;
  /** Active memory of all active frames, in bytes. */
  #memory = 0;
  /** The sink's promise for its last steps, for which the run waits. */
  #taking: MaybePromise<void> = undefined;
  #stopped: { readonly error: unknown } | undefined;
  /** Failure of the last outermost message. */
  failure: Failure | undefined;

  constructor(parts: ObservedEvm, sink: EventSink | undefined) {
    this.#parts = parts;
    this.#sink = sink;
    this.#reporter = sink && new StepReporter(sink);
  }

  /** Observes while a message runs. `createdAddress` is the address of its new contract. */
  async during<Result>(createdAddress: Bytes | undefined, run: () => Promise<Result>): Promise<Result> {
    const { events } = this.#parts.evm;
    this.#createdAddress = createdAddress;
    this.#running = [];
    this.#memory = 0;
    // With one parameter each, because EthereumJS does not wait for such listeners.
    events.on("beforeMessage", (message) => this.#enter(message));
    events.on("afterMessage", (result) => this.#exit(result));
    const counter = this.#parts.coverage && new StepCounter();
    if (counter !== undefined) events.on("step", ({ pc }) => counter.count(this.#running.at(-1)?.code, pc));
    try {
      const result = await run();
      await this.#taking;
      this.#throwIfStopped();
      await this.#reporter?.flush();
      return result;
    } finally {
      events.removeAllListeners();
      if (this.#parts.coverage !== undefined) counter?.tell(this.#parts.coverage);
      this.#isListening = false;
    }
  }

  #listen(isWanted: boolean): void {
    if (isWanted === this.#isListening) return;
    const { events } = this.#parts.evm;
    if (isWanted) events.on("step", this.#listener);
    else events.off("step", this.#listener);
    this.#isListening = isWanted;
  }

  /** With two parameters, because EthereumJS then waits until the second one is called. Errors end the run. */
  readonly #listener = (step: InterpreterStep, resume?: () => void): void => {
    this.#throwIfStopped();
    this.#hear(step);
    const taking = this.#taking;
    this.#taking = undefined;
    const wait = taking instanceof Promise ? taking : this.#keepPace(step.memory.length);
    if (wait === undefined) {
      resume?.();
      return;
    }
    const stop = (error: unknown): void => {
      this.#stopped = { error };
    };
    void wait.catch(stop).then(resume);
  };

  #throwIfStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped.error;
  }

  #keepPace(copiedBytes: number): Promise<void> | undefined {
    this.#stepsUntilCheck -= 1 + copiedBytes / BYTES_PER_STEP;
    if (this.#stepsUntilCheck > 0) return undefined;
    this.#stepsUntilCheck = STEPS_PER_CHECK;
    this.#parts.pace.requireRoom?.(this.#sink?.size ?? 0);
    return this.#parts.pace.check();
  }

  #enter(message: Message): void {
    const parent = this.#running.at(-1);
    if (parent !== undefined) {
      this.#runs(parent);
      parent.hasChild = true;
    }
    const frame = new RunningFrame(this.#frameCount++, message, parent);
    this.#running.push(frame);
    if (this.#isWanted(frame)) this.#sink?.enterFrame?.(this.#startOf(frame.start));
    this.#listen(true);
  }

  #isWanted({ kind, message }: RunningFrame): boolean {
    const wanted = this.#sink?.wants.frames;
    if (wanted === undefined || wanted === "all") return wanted === "all";
    return !isCreation(kind) && equalBytes(message.codeAddress.bytes, wanted);
  }

  #startOf(start: StartedFrame): FrameStart {
    const isPrecompile = start.to !== undefined && this.#parts.isPrecompile(start.to);
    const input = this.#isDataWanted(start) ? start.input.slice() : EMPTY_BYTES;
    return { ...start, input, isPrecompile, step: start.depth === 0 ? -1 : (this.#reporter?.count ?? 0) - 1 };
  }

  /** Whether the sink wants input and output of a frame. */
  #isDataWanted({ depth, to }: Pick<FrameStart, "depth" | "to">): boolean {
    const data = this.#sink?.wants.data;
    if (!(data instanceof Uint8Array)) return data === "all" || (data === "outermost" && depth === 0);
    return to !== undefined && equalBytes(to, data);
  }

  #hear(step: InterpreterStep): void {
    const frame = this.#running.at(-1);
    if (frame === undefined) throw new TypeError("Observer: a step outside of any frame");
    this.#settle(frame, step.stack.at(-1), step.memory);
    const operation = readStep(step, frame.code, this.#parts.hardfork);
    this.#begin(frame, operation);
    frame.account = step.account;
    this.#growMemory(frame, operation);
    if (operation.opcode === Op.SELFDESTRUCT) {
      const beneficiary = addressOf(operation.stackItem(0));
      frame.selfDestruct = { address: step.address.bytes.slice(), beneficiary, balance: step.account.balance };
    }
    this.#listen(mayHearNext(operation, frame.code, this.#parts.hardfork));
  }

  #begin(frame: RunningFrame, operation: Operation): void {
    frame.last = operation;
    frame.isLastReported = false;
    frame.hasChild = false;
    frame.childGas = 0n;
    this.#taking = this.#reporter?.begin(operation, frame.number, frame.address);
  }

  #growMemory(frame: RunningFrame, { memoryBytes, cost, outcome }: Operation): void {
    this.#memory += memoryBytes - frame.memoryBytes;
    frame.memoryBytes = memoryBytes;
    const isTooDear = cost > MAX_MEMORY_PRICE && outcome === StepOutcome.done;
    if (isTooDear || this.#memory > MAX_MEMORY_BYTES) {
      throw new LimitError({
        code: "EXECUTION_MEMORY",
        what: `The execution needs more than ${MAX_MEMORY_BYTES} bytes of memory.`,
        fix: "Give the call less gas.",
        data: { limit: MAX_MEMORY_BYTES, flag: null },
      });
    }
  }

  /** Reports the effects of a frame's last operation, once. */
  #runs(frame: RunningFrame): void {
    if (frame.last === undefined || frame.isLastReported) return;
    frame.isLastReported = true;
    this.#reporter?.runs(frame.last, frame.address);
  }

  /** Completes a frame's last operation, with the present top of the stack and memory. */
  #settle(frame: RunningFrame, top: bigint | undefined, memory: Bytes): void {
    const { last } = frame;
    if (last === undefined) return;
    this.#runs(frame);
    if (last.starts !== undefined && !frame.hasChild) this.#refuse(frame, last);
    this.#reporter?.end(last, top, memory);
  }

  /** Reports a call or creation that started no frame. */
  #refuse(frame: RunningFrame, last: Operation): void {
    const refused = frame.refused(last);
    if (refused === undefined) return;
    this.#frameCount++;
    if (this.#sink?.wants.frames === "all") this.#sink.refuseFrame?.(this.#startOf(refused.start), refused.error);
  }

  #exit({ execResult, createdAddress }: EVMResult): void {
    const frame = this.#running.pop();
    if (frame === undefined) throw new TypeError("Observer: a message ended that never began");
    const { kind, message } = frame;
    this.#finish(frame, execResult);
    const isPrecompile = !isCreation(kind) && this.#parts.isPrecompile(message.codeAddress.bytes);
    const failure = failureOf(frame, execResult, isPrecompile);
    this.#tellOutcome(frame, failure, execResult);
    if (message.depth === 0) this.failure = failure;
    if (this.#isWanted(frame)) this.#tellEnd(frame, execResult, failure, createdAddress?.bytes);
    this.#memory -= frame.memoryBytes;
    const caller = this.#running.at(-1);
    if (caller?.last === undefined) return;
    caller.childGas = execResult.executionGasUsed;
    this.#listen(mayHearNext(caller.last, caller.code, this.#parts.hardfork));
  }

  /** Reports a last operation for which EthereumJS emitted no step. */
  #finish(frame: RunningFrame, { runState, exceptionError, gasRefund = 0n }: ExecResult): void {
    const { last, message } = frame;
    const text = exceptionError?.error;
    if (runState === undefined) return;
    const isRevert = text !== undefined && runState.opCode === Op.REVERT && last?.opcode !== Op.REVERT;
    const isStop = text === undefined && last !== undefined && !ENDING.has(last.opcode);
    if (!isRevert && !isStop) return;
    const hasRun = text !== texts.OUT_OF_GAS && text !== texts.STACK_UNDERFLOW;
    const gas = last === undefined ? Number(message.gasLimit) : gasBehind(last, frame.childGas);
    // A failed frame loses its refunds. Before a frame's first operation, the counter is what its caller had.
    const refund = isStop ? gasRefund : BigInt(last?.gasRefund ?? message.gasRefund);
    const opcode = isStop ? Op.STOP : Op.REVERT;
    const operation = unheardOperation(runState, opcode, { gas, gasRefund: refund, hasRun });
    // The operands of a completed REVERT are no longer on the stack.
    const top = isRevert && hasRun ? undefined : runState.stack.getStack().at(-1);
    // A REVERT that could not be paid has counted its region as active memory without allocating it, as reading it does.
    const counted = this.#sink?.wants.memory === true ? runState.memoryWordCount * 32n : 0n;
    const memory = runState.memory.read(0, Number(minBigInt(counted, READABLE_BYTES)));
    this.#settle(frame, top, memory);
    this.#begin(frame, operation);
  }

  #tellOutcome(frame: RunningFrame, failure: Failure | undefined, { gasRefund = 0n }: ExecResult): void {
    const { last } = frame;
    if (last === undefined) return;
    if (failure?.outcome === undefined) this.#runs(frame);
    // geth's counter includes the refund from this operation on.
    if (failure === undefined && last.opcode === Op.SELFDESTRUCT) this.#reporter?.setRefund(gasRefund);
    if (failure === undefined || (failure.outcome === undefined && last.opcode !== Op.REVERT)) return;
    this.#reporter?.fail(last, failure.outcome ?? StepOutcome.done);
  }

  #tellEnd(frame: RunningFrame, result: ExecResult, failure: Failure | undefined, created: Bytes | undefined): void {
    const { kind, message, selfDestruct, last } = frame;
    if (failure === undefined && selfDestruct !== undefined) this.#sink?.selfDestruct?.(selfDestruct);
    const hasOutput = failure === undefined || failure.error === "reverted";
    const isUndeposited = failure === undefined && result.exceptionError !== undefined && last?.opcode === Op.RETURN;
    const createdHere = message.depth === 0 ? this.#createdAddress : created;
    const to = isCreation(kind) ? undefined : message.codeAddress.bytes;
    const dataOf = (bytes: Bytes): Bytes => (this.#isDataWanted({ depth: message.depth, to }) ? bytes : EMPTY_BYTES);
    this.#sink?.exitFrame?.({
      error: failure?.error,
      detail: failure?.detail,
      gasUsed: result.executionGasUsed,
      output: hasOutput ? dataOf(result.returnValue).slice() : EMPTY_BYTES,
      undeposited: isUndeposited ? dataOf(readRegion(last, 0, 1)) : undefined,
      createdAddress: isCreation(kind) ? createdHere?.slice() : undefined,
      code: isCreation(kind) ? EMPTY_BYTES : this.#codeOf(frame.code),
      stepEnd: this.#reporter?.count ?? 0,
    });
  }

  /** A copy of code; the same array for the same code. */
  #codeOf(code: Bytes): Bytes {
    const copy = this.#codes.get(code) ?? code.slice();
    this.#codes.set(code, copy);
    return copy;
  }
}
