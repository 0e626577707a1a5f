/** Runs one message in EthereumJS' EVM, observed as far as somebody wants to hear of it. */
import type { ExecResult } from "@ethereumjs/evm";
import type { Message, MessageResult } from "../../evm/engine.ts";
import type { EventSink, SinkWants } from "../../evm/event-sink.ts";
import { EMPTY_BYTES } from "../../primitives/bytes.ts";
import type { Failure } from "./events/failures.ts";
import { MessageObserver } from "./events/message-observer.ts";
import { FrameStack } from "./events/running-frame.ts";
import { type Listeners, StepObserver } from "./events/step-observer.ts";
import { StepTeller } from "./events/step-teller.ts";
import type { CallOptions, SessionParts } from "./parts.ts";

/** With less gas, 1,025 frames cannot have a gigabyte of memory together (yellow paper appendix H.1). */
const GAS_FOR_TOO_MUCH_MEMORY = 2n ** 31n;

/** Who hears of a transaction that begins. */
export function listenersFor(sink: EventSink | undefined): Listeners {
  const teller = sink?.wants.steps === undefined ? undefined : new StepTeller(sink);
  return { sink, frames: new FrameStack(), teller };
}

/**
 * Runs a message.
 *
 * @throws {LimitError} from the pace or the sink; whatever is thrown, the state is half written
 */
export async function runMessage(
  parts: SessionParts,
  message: Message,
  options: CallOptions,
  listeners: Listeners,
): Promise<MessageResult> {
  const { evm, metronome } = parts;
  const { createdAddress, gasLimit } = message;
  const { sink, frames } = listeners;
  const needsSteps = wantsSteps(sink?.wants) || gasLimit >= GAS_FOR_TOO_MUCH_MEMORY;
  const steps = needsSteps ? new StepObserver(parts, listeners) : undefined;
  const messages = new MessageObserver({ parts, frames, sink, steps, createdAddress });
  messages.listen();
  if (steps === undefined) metronome.start();
  else steps.listen();
  try {
    const { execResult } = await evm.runCall(options);
    metronome.throwIfStopped();
    await steps?.settle();
    return resultOf(execResult, messages.failure);
  } finally {
    metronome.stop();
    evm.events.removeAllListeners();
  }
}

function resultOf(result: ExecResult, failure: Failure | undefined): MessageResult {
  const { executionGasUsed, returnValue, gasRefund = 0n, logs = [] } = result;
  const hasOutput = failure === undefined || failure.error === "reverted";
  return {
    error: failure?.error,
    detail: failure?.detail,
    output: hasOutput ? returnValue : EMPTY_BYTES,
    gasUsed: executionGasUsed,
    stateGasUsed: 0n,
    gasRefund: failure === undefined ? gasRefund : 0n,
    logs: failure === undefined ? logs.map(([address, topics, data]) => ({ address, topics, data })) : [],
  };
}

/** Kinds of frames, self-destructs and calls that start no frame follow from steps; those of one address are told without. */
function wantsSteps(wants: SinkWants | undefined): boolean {
  if (wants === undefined) return false;
  return wants.frames === "all" || wants.logs === true || wants.accesses !== undefined || wants.steps !== undefined;
}
