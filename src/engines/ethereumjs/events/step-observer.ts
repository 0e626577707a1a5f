/**
 * Hears the `step` events of EthereumJS: has a sink told of what operations do, keeps pace, and ends runs that take too
 * much memory.
 *
 * EthereumJS copies stack and memory for each event. So this listens only where the events are wanted, or memory could
 * grow without bound.
 */
import { Hardfork } from "@ethereumjs/common";
import type { ExecResult, InterpreterStep } from "@ethereumjs/evm";
import { LimitError } from "../../../errors/hindcast-error.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import { type FrameError, StepOutcome } from "../../../evm/frames.ts";
import { Op, startsFrame } from "../../../evm/opcodes.ts";
import type { Bytes } from "../../../primitives/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import type { SessionParts } from "../parts.ts";
import { refusalOf, requestedFrame, stipendOf, tellEffects } from "./effects.ts";
import { doneAt, type Operation, operationOf } from "./operation.ts";
import { addressOf, OperationReader } from "./operation-reader.ts";
import type { FrameStack, RunningFrame } from "./running-frame.ts";
import type { StepTeller } from "./step-teller.ts";
import { memoryNeeded } from "./touched-memory.ts";
import { mayHearNext, unheardRevert } from "./unheard-revert.ts";

/** Memory that all running frames may have together, in bytes. */
const MAX_MEMORY_BYTES = 2n ** 30n;

/** Steps between two calls of the pace's check. So many bytes of memory that EthereumJS copies count as one more. */
const STEPS_PER_CHECK = 100;
const BYTES_PER_STEP = 4096;

const ENDING: ReadonlySet<number> = new Set([Op.STOP, Op.RETURN, Op.REVERT, Op.SELFDESTRUCT]);

/** Who hears of a transaction's messages. Frames and steps are counted through all of them. */
export interface Listeners {
  readonly frames: FrameStack;
  readonly sink: EventSink | undefined;
  readonly teller: StepTeller | undefined;
}

export class StepObserver {
  readonly #parts: SessionParts;
  readonly #frames: FrameStack;
  readonly #sink: EventSink | undefined;
  readonly #reader: OperationReader;
  readonly #teller: StepTeller | undefined;
  readonly #hasRevert: boolean;
  #isListening = false;
  #stepsUntilCheck = STEPS_PER_CHECK;
  /** Active memory of all running frames, in bytes. */
  #memory = 0n;
  /** What a sink returned for steps, to be waited for. */
  #taking: MaybePromise<void> = undefined;
  #stopped: { readonly error: unknown } | undefined;

  constructor(parts: SessionParts, { frames, sink, teller }: Listeners) {
    this.#parts = parts;
    this.#frames = frames;
    this.#sink = sink;
    this.#teller = teller;
    this.#reader = new OperationReader(parts);
    this.#hasRevert = parts.evm.common.gteHardfork(Hardfork.Byzantium);
  }

  /** Steps recorded so far. */
  get count(): number {
    return this.#teller?.count ?? 0;
  }

  listen(): void {
    if (!this.#isListening) this.#parts.evm.events.on("step", this.#listener);
    this.#isListening = true;
    this.#reader.skip();
  }

  #unlisten(): void {
    this.#parts.evm.events.off("step", this.#listener);
    this.#isListening = false;
  }

  /** With two parameters: EthereumJS waits until the second one is called. What it throws ends the run. */
  readonly #listener = (step: InterpreterStep, resume?: () => void): void => {
    this.#throwIfStopped();
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

  #throwIfStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped.error;
  }

  #takingSteps(): Promise<void> | undefined {
    const taking = this.#taking;
    this.#taking = undefined;
    return taking instanceof Promise ? taking : undefined;
  }

  #keepPace(copiedBytes: number): Promise<void> | undefined {
    this.#stepsUntilCheck -= 1 + copiedBytes / BYTES_PER_STEP;
    if (this.#stepsUntilCheck > 0) return undefined;
    this.#stepsUntilCheck = STEPS_PER_CHECK;
    return this.#parts.pace.check();
  }

  /** The run is over: hands over the last steps. */
  async settle(): Promise<void> {
    await this.#takingSteps();
    this.#throwIfStopped();
    await this.#teller?.flush();
  }

  #hear(step: InterpreterStep): void {
    const frame = this.#frames.innermost;
    if (frame === undefined) throw new TypeError("StepObserver: a step outside of any frame");
    const operation = this.#reader.read(step, frame);
    this.#begin(operation, frame, step.stack.at(-1), step.memory);
    frame.childGas = 0n;
    const isDone = operation.outcome === StepOutcome.done;
    if (this.#sink !== undefined) tellEffects(this.#sink, operation, step.address.bytes, isDone);
    if (isDone) this.#runs(operation, step, frame);
  }

  /** Begins an operation, and ends the one before with what is on top of the stack and in memory now. */
  #begin(operation: Operation, frame: RunningFrame, top: bigint | undefined, memory: Bytes): void {
    if (frame.last !== undefined) this.#teller?.end(frame.last, top, memory);
    frame.last = operation;
    this.#taking = this.#teller?.begin(operation, frame.number);
  }

  /** An operation was paid for. */
  #runs(operation: Operation, step: InterpreterStep, frame: RunningFrame): void {
    this.#growMemory(operation, frame);
    if (operation.opcode === Op.SELFDESTRUCT) {
      const beneficiary = addressOf(operation.stackItem(0));
      frame.selfDestruct = { address: step.address.bytes.slice(), beneficiary, balance: step.account.balance };
    }
    const refusal = refusalOf(operation, step, frame);
    if (refusal !== undefined) this.#refuse(operation, step.address.bytes, frame, refusal);
    if (!this.#hasRevert || mayHearNext(operation, frame.code)) return;
    if (startsFrame(operation.opcode) && refusal === undefined) frame.isUnheardBehindChild = true;
    else this.#unlisten();
  }

  /** A call or creation starts no frame. */
  #refuse(operation: Operation, account: Bytes, frame: RunningFrame, error: FrameError): void {
    this.#frames.skip();
    if (this.#sink?.wants.frames !== "all") return;
    const start = requestedFrame(operation, frame, account);
    const isPrecompile = start.to !== undefined && this.#parts.homeOf(start.to) !== undefined;
    this.#sink.refuseFrame?.({ ...start, isPrecompile, step: this.count - 1 }, error);
  }

  #growMemory({ opcode, stack, memoryBytes }: Operation, frame: RunningFrame): void {
    const needed = memoryNeeded(opcode, stack, BigInt(memoryBytes));
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
    const { runState, exceptionError, gasRefund = 0n } = execResult;
    const { last, code, memoryBytes } = frame;
    const gas = last === undefined ? Number(frame.message.gasLimit) : gasBehind(last, frame);
    const unheard = unheardRevert(execResult, last, { code, gas });
    if (unheard !== undefined) {
      this.#begin(unheard.operation, frame, unheard.topBefore, unheard.memoryBefore);
      return;
    }
    if (exceptionError !== undefined || runState === undefined || last === undefined) return;
    // geth's counter has the refund from the operation on.
    if (last.opcode === Op.SELFDESTRUCT) this.#teller?.setRefund(gasRefund);
    if (ENDING.has(last.opcode)) return;
    // Beyond its end code reads zero, which is STOP (yellow paper §9.4.4).
    const { programCounter: pc, gasLeft } = runState;
    const stack = runState.stack.getStack();
    const memory = runState.memory.read(0, Number(memoryBytes));
    const shown = { pc, gasLeft, gasRefund, stack, memory, memoryWordCount: memoryBytes / 32n };
    this.#begin(operationOf(shown, Op.STOP, doneAt(0)), frame, stack.at(-1), memory);
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
    const caller = this.#frames.innermost;
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
