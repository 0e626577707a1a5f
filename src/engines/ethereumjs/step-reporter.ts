/** Tells a sink of operations and of what they do. */
import type { EventSink } from "../../evm/event-sink.ts";
import { isCreation, StepOutcome } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { MEMORY_REGIONS } from "../../evm/memory-regions.ts";
import { Op } from "../../evm/opcodes.ts";
import { StepWriter } from "../../evm/step-writer.ts";
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { addressOf, type Operation, readRegion } from "./operation.ts";

/** Operations that look at the account on top of the stack. */
const LOOKING: ReadonlySet<number> = new Set([
  ...[Op.BALANCE, Op.EXTCODESIZE, Op.EXTCODECOPY, Op.EXTCODEHASH, Op.SELFDESTRUCT],
]);

export class StepReporter {
  readonly #sink: EventSink;
  readonly #writer: StepWriter | undefined;
  readonly #isLive: boolean;

  constructor(sink: EventSink) {
    this.#sink = sink;
    this.#writer = sink.wants.steps === "recorded" ? new StepWriter() : undefined;
    this.#isLive = sink.wants.steps === "live";
  }

  /** Recorded steps so far. */
  get count(): number {
    return this.#writer?.count ?? 0;
  }

  /** An operation of an account is next. What the sink returns for a full buffer is to be waited for. */
  begin(operation: Operation, frame: number, account: Bytes): MaybePromise<void> {
    const { pc, opcode, memoryBytes, gas, cost, forwarded, gasRefund: refund, outcome } = operation;
    // geth's access list tracer asks for so many items (eth/tracers/logger/access_list_tracer.go).
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

  /** Hands over what is recorded and not yet handed over. */
  flush(): MaybePromise<void> {
    const steps = this.#writer?.take();
    return steps && this.#sink.takeSteps?.(steps);
  }

  /** An operation of an account was paid for, and runs: tells what it looks at and logs. */
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

  #tellAccess({ opcode, stackItem, starts }: Operation, account: Bytes): void {
    if (opcode === Op.SLOAD || opcode === Op.SSTORE) {
      this.#sink.accessSlot?.(account.slice(), bigIntToFixedBytes(stackItem(0), 32));
    } else if (LOOKING.has(opcode)) this.#sink.accessAccount?.(addressOf(stackItem(0)));
    else if (starts !== undefined && !isCreation(starts)) this.#sink.accessAccount?.(addressOf(stackItem(1)));
  }

  /**
   * The operation of the last {@link begin} came to its end.
   *
   * @param top - the item that is on top of the stack now, where it is known
   * @param memory - as it is now
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

  /** The refund counter after the operation of the last {@link begin}, in gas. */
  setRefund(refund: bigint): void {
    this.#writer?.setRefund(Number(refund));
  }

  /** The operation of the last {@link begin} failed, or is REVERT, whose outcome is `done`. */
  fail(operation: Operation, outcome: StepOutcome): void {
    this.#writer?.setOutcome(outcome);
    // One that was refused from the start was told of as such.
    if (this.#isLive && operation.outcome === StepOutcome.done) this.#sink.failStep?.(operation, outcome);
  }
}
