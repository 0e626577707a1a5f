/** Tells a sink of operations: in step buffers, or one by one. */
import type { EventSink } from "../../../evm/event-sink.ts";
import { StepOutcome } from "../../../evm/frames.ts";
import { instructionOf } from "../../../evm/instructions.ts";
import { MEMORY_REGIONS } from "../../../evm/memory-regions.ts";
import { startsFrame } from "../../../evm/opcodes.ts";
import { StepWriter } from "../../../evm/step-writer.ts";
import type { Bytes } from "../../../primitives/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import type { Operation } from "./operation.ts";

/** Bytes written to memory with which a buffer is handed over before it is full. */
const MAX_WRITTEN_BYTES = 2 ** 20;

export class StepTeller {
  readonly #sink: EventSink;
  readonly #writer: StepWriter | undefined;
  readonly #isLive: boolean;
  #written = 0;

  constructor(sink: EventSink) {
    this.#sink = sink;
    this.#writer = sink.wants.steps === "recorded" ? new StepWriter() : undefined;
    this.#isLive = sink.wants.steps === "live";
  }

  /** Recorded steps so far. */
  get count(): number {
    return this.#writer?.count ?? 0;
  }

  /** An operation is next. What the sink returns for a full buffer is to be waited for. */
  begin(operation: Operation, frame: number): MaybePromise<void> {
    const { pc, opcode, memoryBytes, gas, cost, forwarded, gasRefund: refund, outcome } = operation;
    if (this.#isLive) this.#sink.beginStep?.(operation, outcome);
    const writer = this.#writer;
    if (writer === undefined) return undefined;
    const taken = writer.isFull || this.#written > MAX_WRITTEN_BYTES ? this.flush() : undefined;
    writer.begin({ pc, opcode, frame, memoryBytes, gas, cost, forwarded, refund });
    writer.setOutcome(outcome);
    return taken;
  }

  /** Hands over what is recorded and not yet handed over. */
  flush(): MaybePromise<void> {
    this.#written = 0;
    const steps = this.#writer?.take();
    return steps && this.#sink.takeSteps?.(steps);
  }

  /**
   * The operation of the last {@link begin} came to its end.
   *
   * @param top - the item that is on top of the stack now, where it is known
   * @param memory - as it is now
   */
  end(operation: Operation, top: bigint | undefined, memory: Bytes): void {
    const writer = this.#writer;
    const { opcode, outcome } = operation;
    if (writer === undefined || outcome !== StepOutcome.done || startsFrame(opcode)) return;
    if (top !== undefined && instructionOf(opcode).pushes === 1) writer.setWord(top);
    const region = this.#sink.wants.memory === true ? MEMORY_REGIONS[opcode] : undefined;
    if (region?.isWritten !== true) return;
    const length = region.length < 0 ? region.fixedLength : Number(operation.stackItem(region.length));
    if (length === 0) return;
    this.#written += length;
    writer.setWrite(memory, Number(operation.stackItem(region.offset)), length);
  }

  /** The refund counter after the operation of the last {@link begin}, in gas. */
  setRefund(refund: bigint): void {
    this.#writer?.setRefund(Number(refund));
  }

  /** The operation of the last {@link begin} failed, or is REVERT, whose outcome is `done`. */
  fail(operation: Operation, outcome: StepOutcome): void {
    this.#writer?.setOutcome(outcome);
    if (this.#isLive) this.#sink.failStep?.(operation, outcome);
  }
}
