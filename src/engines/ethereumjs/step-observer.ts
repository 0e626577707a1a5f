/**
 * Hears the `step` events of EthereumJS: has a sink told of what operations do, keeps pace, and ends runs that take too
 * much memory.
 *
 * EthereumJS copies stack and memory for each event. So this listens only where the events are wanted, or memory could
 * grow without bound.
 */
import type { EVM, ExecResult, InterpreterStep } from "@ethereumjs/evm";
import { LimitError } from "../../errors/hindcast-error.ts";
import type { Pace } from "../../evm/engine.ts";
import type { EventSink } from "../../evm/event-sink.ts";
import { type FrameError, StepOutcome } from "../../evm/frames.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { EffectTeller, refusalOf, stipendOf } from "./effect-teller.ts";
import type { FrameStack, RunningFrame } from "./frame-stack.ts";
import { memoryNeeded } from "./memory-price.ts";
import { Operation, readOperation } from "./operation.ts";
import { StepTeller } from "./step-teller.ts";
import type { Surroundings } from "./surroundings.ts";
import { mayHearNext, unheardRevert } from "./unheard-revert.ts";

/** Memory that all running frames may have together, in bytes. */
const MAX_MEMORY_BYTES = 2n ** 30n;

/** Steps between two calls of {@link Pace.check}. So many bytes of memory that EthereumJS copies count as one more. */
const STEPS_PER_CHECK = 500;
const BYTES_PER_STEP = 4096;

const ENDING: ReadonlySet<number> = new Set([Op.STOP, Op.RETURN, Op.REVERT, Op.SELFDESTRUCT]);

export interface StepRun {
  readonly evm: EVM;
  readonly frames: FrameStack;
  readonly surroundings: Surroundings;
  readonly pace: Pace;
  readonly sink: EventSink | undefined;
  readonly isPrecompile: (address: Bytes) => boolean;
}

export class StepObserver {
  readonly #run: StepRun;
  readonly #teller: StepTeller | undefined;
  readonly #effects: EffectTeller | undefined;
  #isListening = false;
  #stepsUntilCheck = STEPS_PER_CHECK;
  /** Active memory of all running frames, in bytes. */
  #memory = 0n;
  /** Accounts that were warm at some time of the transaction, before the running operation. */
  #warm = 0;
  /** What a sink returned for steps, to be waited for. */
  #taking: MaybePromise<void> = undefined;
  #stopped: { readonly error: unknown } | undefined;

  constructor(run: StepRun) {
    this.#run = run;
    this.#teller = run.sink?.wants.steps === undefined ? undefined : new StepTeller(run.sink);
    this.#effects = run.sink && new EffectTeller(run.sink, run.isPrecompile);
  }

  /** Steps recorded so far. */
  get count(): number {
    return this.#teller?.count ?? 0;
  }

  /** With two parameters: EthereumJS waits until the second one is called. What it throws ends the run. */
  readonly #listener = (step: InterpreterStep, resume?: () => void): void => {
    this.throwIfStopped();
    this.#hear(step);
    const wait = this.#takingSteps() ?? this.#keepPace(step.memory.length);
    if (wait === undefined) resume?.();
    else {
      wait.then(resume, (error: unknown) => {
        this.#stopped = { error };
        resume?.();
      });
    }
  };

  /** Throws what a promise was rejected with that the run waited for. */
  throwIfStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped.error;
  }

  #takingSteps(): Promise<void> | undefined {
    const taking = this.#taking;
    this.#taking = undefined;
    return taking instanceof Promise ? taking : undefined;
  }

  /** The run is over: hands over the last steps. */
  async settle(): Promise<void> {
    await this.#takingSteps();
    this.throwIfStopped();
    await this.#teller?.flush();
  }

  listen(): void {
    if (!this.#isListening) this.#run.evm.events.on("step", this.#listener);
    this.#isListening = true;
    this.#warm = this.#warmCount;
  }

  #unlisten(): void {
    this.#run.evm.events.off("step", this.#listener);
    this.#isListening = false;
  }

  get #warmCount(): number {
    return this.#run.evm.journal.accessList?.size ?? 0;
  }

  #keepPace(copiedBytes: number): Promise<void> | undefined {
    this.#stepsUntilCheck -= 1 + copiedBytes / BYTES_PER_STEP;
    if (this.#stepsUntilCheck > 0) return undefined;
    this.#stepsUntilCheck = STEPS_PER_CHECK;
    return this.#run.pace.check();
  }

  #hear(step: InterpreterStep): void {
    const frame = this.#run.frames.innermost;
    if (frame === undefined) throw new TypeError("StepObserver: a step outside of any frame");
    if (frame.last !== undefined) this.#teller?.end(frame.last, step.stack.at(-1), step.memory);
    const newlyWarm = this.#warmCount - this.#warm;
    this.#warm += newlyWarm;
    const facts = { code: frame.code, isStatic: frame.message.isStatic, newlyWarm };
    const operation = readOperation(step, facts, this.#run.surroundings);
    frame.last = operation;
    frame.childGas = 0n;
    this.#taking = this.#teller?.begin(operation, frame.number);
    this.#effects?.attempt(operation, step);
    if (operation.outcome === StepOutcome.done) this.#runs(operation, step, frame);
  }

  /** An operation was paid for. */
  #runs(operation: Operation, step: InterpreterStep, frame: RunningFrame): void {
    this.#growMemory(operation, frame);
    this.#effects?.run(operation, step, frame);
    const refusal = refusalOf(operation, step, frame);
    if (refusal !== undefined) {
      this.#run.frames.skip();
      this.#effects?.refuse(operation, step, frame, { error: refusal, step: this.count - 1 });
    }
    if (!this.#run.surroundings.rules.hasRevert || mayHearNext(operation, frame.code)) return;
    if (startsFrame(operation.opcode) && refusal === undefined) frame.isUnheardBehindChild = true;
    else this.#unlisten();
  }

  #growMemory(operation: Operation, frame: RunningFrame): void {
    const needed = memoryNeeded(operation.opcode, operation.stack, BigInt(operation.memoryBytes));
    this.#memory += needed - frame.memoryBytes;
    frame.memoryBytes = needed;
    if (this.#memory <= MAX_MEMORY_BYTES) return;
    throw new LimitError({
      code: "EXECUTION_MEMORY",
      what: `The execution needs more than ${MAX_MEMORY_BYTES} bytes of memory.`,
      fix: "Give the call less gas.",
    });
  }

  /** A frame ended: tells what was not heard of its last operations. */
  finish(frame: RunningFrame, execResult: ExecResult): void {
    const { runState, exceptionError } = execResult;
    const { last, code } = frame;
    const gas = last === undefined ? Number(frame.message.gasLimit) : gasBehind(last, frame);
    const unheard = unheardRevert(execResult, last, { code, gas });
    if (unheard !== undefined) {
      const { operation, topBefore, memoryBefore } = unheard;
      this.#begin(operation, frame, topBefore, memoryBefore);
    } else if (exceptionError === undefined && last?.opcode === Op.SELFDESTRUCT) {
      // geth's counter has it from the operation on.
      this.#teller?.setRefund(execResult.gasRefund ?? 0n);
    } else if (
      exceptionError === undefined &&
      runState !== undefined &&
      last !== undefined &&
      !ENDING.has(last.opcode)
    ) {
      const stack = runState.stack.getStack();
      const memory = runState.memory.read(0, Number(frame.memoryBytes));
      const shown = {
        pc: runState.programCounter,
        gasLeft: runState.gasLeft,
        gasRefund: execResult.gasRefund ?? 0n,
        stack,
        memory,
        memoryWordCount: frame.memoryBytes / 32n,
      };
      const stop = new Operation(shown, Op.STOP, {
        outcome: StepOutcome.done,
        cost: 0,
        forwarded: 0,
        cause: undefined,
      });
      this.#begin(stop, frame, stack.at(-1), memory);
    }
  }

  /** Begins an operation that was not heard, when the frame is over. */
  #begin(operation: Operation, frame: RunningFrame, top: bigint | undefined, memory: Bytes): void {
    if (frame.last !== undefined) this.#teller?.end(frame.last, top, memory);
    frame.last = operation;
    this.#taking = this.#teller?.begin(operation, frame.number);
  }

  /** A frame failed. What that says of an operation that had begun follows from the reason. */
  fail({ last }: RunningFrame, error: FrameError): void {
    if (last === undefined || last.outcome !== StepOutcome.done) return;
    if (last.opcode === Op.REVERT) this.#teller?.fail(last, StepOutcome.done);
    // What else had come to its end returned code that could not be stored.
    else if (!ENDING.has(last.opcode)) {
      this.#teller?.fail(last, error === "invalidJump" ? StepOutcome.badJump : StepOutcome.failed);
    }
  }

  /** A frame is gone, and its caller goes on. */
  leave(frame: RunningFrame, { executionGasUsed }: ExecResult): void {
    this.#memory -= frame.memoryBytes;
    const caller = this.#run.frames.innermost;
    if (caller === undefined) return;
    caller.childGas = executionGasUsed;
    if (caller.isUnheardBehindChild) this.#unlisten();
    else this.listen();
  }
}

/** Gas of a frame behind an operation that ran. */
function gasBehind(operation: Operation, { childGas }: RunningFrame): number {
  return operation.gas - operation.cost + stipendOf(operation) - Number(childGas);
}
