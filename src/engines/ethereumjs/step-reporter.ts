/** Reports operations and their effects to a sink. */
import type { EventSink } from "../../evm/event-sink.ts";
import { StepOutcome } from "../../evm/frames.ts";
import { instructionOf, MEMORY_REGIONS } from "../../evm/instructions.ts";
import { Op } from "../../evm/opcodes.ts";
import { StepWriter } from "../../evm/step-writer.ts";
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { addressOf, type Operation, readRegion } from "./operation.ts";

/** Reports the operations of one transaction to its sink. */
export class StepReporter {
  readonly #sink: EventSink;
  readonly #writer: StepWriter | undefined;
  readonly #isLive: boolean;

  constructor(sink: EventSink) {
    this.#sink = sink;
    this.#writer = sink.wants.steps === "recorded" ? new StepWriter() : undefined;
    this.#isLive = sink.wants.steps === "live";
  }

  /** Number of recorded steps so far. */
  get count(): number {
    return this.#writer?.count ?? 0;
  }

  /** Reports the next operation of an account. The run must wait for the returned promise of a full buffer. */
  begin(operation: Operation, frame: number, account: Bytes): MaybePromise<void> {
    const { pc, opcode, memoryBytes, gas, cost, forwarded, gasRefund: refund, outcome } = operation;
    // geth's access list tracer requires this many items (eth/tracers/logger/access_list_tracer.go).
    const hasOperands = operation.stackHeight >= (operation.starts === undefined ? 1 : 5);
    if (this.#sink.wants.accesses === "attempted" && hasOperands) this.#tellAccess(operation, account);
    if (this.#isLive) this.#sink.beginStep?.(operation, outcome);
    const writer = this.#writer;
    if (writer === undefined) return undefined;
    const taken = writer.isFull ? this.flush() : undefined;
    writer.begin({ pc, opcode, frame, memoryBytes, gas, cost, forwarded, refund });
    writer.setOutcome(outcome);
    return taken;
  }

  /** Passes the recorded steps to the sink. */
  flush(): MaybePromise<void> {
    const steps = this.#writer?.take();
    return steps && this.#sink.takeSteps?.(steps);
  }

  /** Reports the accesses and logs of an operation that was paid for. */
  runs(operation: Operation, account: Bytes): void {
    const { accesses, logs } = this.#sink.wants;
    if (accesses === "done") this.#tellAccess(operation, account);
    const topics = operation.opcode - Op.LOG0;
    if (logs !== true || topics < 0 || operation.opcode > Op.LOG4) return;
    this.#sink.log?.({
      address: account.slice(),
      topics: Array.from({ length: topics }, (_, index) => bigIntToFixedBytes(operation.stackItem(2 + index), 32)),
      data: readRegion(operation, 0, 1),
    });
  }

  #tellAccess({ opcode, stackItem }: Operation, account: Bytes): void {
    const { names } = instructionOf(opcode);
    if (names.slot !== undefined) {
      this.#sink.accessSlot?.(account.slice(), bigIntToFixedBytes(stackItem(names.slot), 32));
    }
    if (names.account !== undefined) this.#sink.accessAccount?.(addressOf(stackItem(names.account)));
  }

  /**
   * Completes the operation of the last {@link begin}.
   *
   * @param top - present top of the stack, if known
   * @param memory - present memory
   */
  end({ opcode, stackItem, starts }: Operation, top: bigint | undefined, memory: Bytes): void {
    const writer = this.#writer;
    if (writer === undefined || starts !== undefined) return;
    if (top !== undefined && instructionOf(opcode).pushes === 1) writer.setWord(top);
    const region = this.#sink.wants.memory === true ? MEMORY_REGIONS[opcode] : undefined;
    if (region?.isWritten !== true) return;
    const length = region.length < 0 ? region.fixedLength : Number(stackItem(region.length));
    if (length > 0) writer.setWrite(memory, Number(stackItem(region.offset)), length);
  }

  /** Sets the refund counter after the operation of the last {@link begin}, in gas. */
  setRefund(refund: bigint): void {
    this.#writer?.setRefund(Number(refund));
  }

  /** Reports that the operation of the last {@link begin} failed; or that it is a REVERT, with outcome `done`. */
  fail(operation: Operation, outcome: StepOutcome): void {
    this.#writer?.setOutcome(outcome);
    // An operation that failed before it ran was already reported as such.
    if (this.#isLive && operation.outcome === StepOutcome.done) this.#sink.failStep?.(operation, outcome);
  }
}
