/** Errors for a core that trapped. */
import { InternalError, LimitError } from "../../errors/hindcast-error.ts";
import type { EngineLimits, Message } from "../../evm/engine.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";

/** The error of an execution that exceeds its memory limit. */
export function outOfMemory(memoryLimit: number, message: Message | undefined): LimitError {
  return new LimitError({
    code: "EXECUTION_MEMORY",
    what: `The execution needs more memory than the ${memoryLimit} bytes that one may have.`,
    where: describe(message),
    fix: "Give the call less gas, or raise the limit with --execution-memory or limits.executionMemory.",
    data: { limit: memoryLimit, flag: "--execution-memory" },
  });
}

/** The error of an execution that is refused, because too many wait already. */
export function queueFull({ concurrentExecutions, queuedExecutions }: EngineLimits): LimitError {
  return new LimitError({
    code: "EXECUTION_QUEUE_FULL",
    what: `${concurrentExecutions} executions are under way, and ${queuedExecutions} wait already.`,
    fix: "Ask again later, or raise the limits with --queued-executions or limits.queuedExecutions.",
    data: { limit: queuedExecutions, flag: "--queued-executions" },
  });
}

/** The error of a core that trapped because of a bug. */
export function brokenCore(cause: unknown, message: Message | undefined): InternalError {
  return new InternalError({
    code: "INTERNAL_ERROR",
    what: "The engine's core failed.",
    where: describe(message),
    cause,
  });
}

function describe(message: Message | undefined): string {
  if (message === undefined) return "No message had begun.";
  const { from, to, gasLimit, data } = message;
  const target = to === undefined ? "a creation" : `a call of ${encodeData(to)}`;
  return `It ran ${target} by ${encodeData(from)} with ${gasLimit} gas and ${data.length} bytes of data.`;
}
