/** Runs one message in EthereumJS' EVM, observed as far as somebody wants to hear of it. */
import { EVMError, type EVMResult } from "@ethereumjs/evm";
import type { Message, MessageResult } from "../../evm/engine.ts";
import type { EventSink, SinkWants } from "../../evm/event-sink.ts";
import { EMPTY_BYTES } from "../../primitives/bytes.ts";
import { FrameStack } from "./frame-stack.ts";
import { MessageObserver } from "./message-observer.ts";
import type { CallOptions, SessionParts } from "./session-parts.ts";
import { StepObserver } from "./step-observer.ts";

/** With less gas, 1,025 frames cannot have a gigabyte of memory together (yellow paper appendix H.1). */
const GAS_FOR_TOO_MUCH_MEMORY = 2n ** 31n;

export class MessageRun {
  readonly #parts: SessionParts;
  readonly #gasLimit: bigint;
  readonly #messages: MessageObserver;
  readonly #steps: StepObserver | undefined;

  constructor(parts: SessionParts, message: Message, sink: EventSink | undefined) {
    const { evm, pace, homeOf } = parts;
    this.#parts = parts;
    this.#gasLimit = message.gasLimit;
    const frames = new FrameStack();
    const needsSteps = wantsSteps(sink?.wants) || message.gasLimit >= GAS_FOR_TOO_MUCH_MEMORY;
    const isPrecompile = (address: Uint8Array): boolean => homeOf(address) !== undefined;
    this.#steps = needsSteps
      ? new StepObserver({ evm, frames, surroundings: parts, pace, sink, isPrecompile })
      : undefined;
    const { createdAddress } = message;
    this.#messages = new MessageObserver({ frames, sink, steps: this.#steps, createdAddress, homeOf });
  }

  /** @throws {LimitError} from the pace or the sink; whatever is thrown, the state is half written */
  async run(options: CallOptions): Promise<MessageResult> {
    const { evm, metronome } = this.#parts;
    this.#messages.listen(evm.events);
    if (this.#steps === undefined) metronome.start();
    else this.#steps.listen();
    try {
      const result = await this.#call(options);
      metronome.throwIfStopped();
      await this.#steps?.settle();
      return this.#resultOf(result);
    } finally {
      metronome.stop();
      evm.events.removeAllListeners();
    }
  }

  /** The result; undefined for a creation whose sender lacks the value, which EthereumJS throws out. */
  async #call(options: CallOptions): Promise<EVMResult | undefined> {
    const { evm, stateManager, rules } = this.#parts;
    try {
      return await evm.runCall(options);
    } catch (error) {
      if (!(error instanceof EVMError)) throw error;
      while (stateManager.height > 0) {
        await evm.journal.revert();
        if (rules.hasTransientStorage) evm.transientStorage.revert();
      }
      this.#messages.abandon("insufficientBalance", this.#gasLimit);
      return undefined;
    }
  }

  #resultOf(result: EVMResult | undefined): MessageResult {
    const { failure } = this.#messages;
    const { executionGasUsed, returnValue, gasRefund, logs } = result?.execResult ?? {
      executionGasUsed: this.#gasLimit,
      returnValue: EMPTY_BYTES,
    };
    const hasOutput = failure === undefined || failure.error === "reverted";
    return {
      error: failure?.error,
      detail: failure?.detail,
      output: hasOutput ? returnValue : EMPTY_BYTES,
      gasUsed: executionGasUsed,
      stateGasUsed: 0n,
      gasRefund: failure === undefined ? (gasRefund ?? 0n) : 0n,
      logs: failure === undefined ? (logs ?? []).map(([address, topics, data]) => ({ address, topics, data })) : [],
    };
  }
}

/** Kinds of frames, self-destructs and calls that start no frame follow from steps; those of one address are told without. */
function wantsSteps(wants: SinkWants | undefined): boolean {
  if (wants === undefined) return false;
  return wants.frames === "all" || wants.logs === true || wants.accesses !== undefined || wants.steps !== undefined;
}
