/** Errors for a core that trapped. */
import { InternalError, LimitError } from "../../errors/hindcast-error.ts";
import type { EngineLimits, Message } from "../../evm/engine.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";

/** The most bytes of memory of an execution, and the option that raises them. */
export interface MemoryLimit {
  readonly bytes: number;
  readonly option: "executionMemory" | "importMemory";
}

const FLAGS = { executionMemory: "--execution-memory", importMemory: "--import-memory" } as const;

/** The error of an execution that exceeds its memory limit. */
export function outOfMemory({ bytes, option }: MemoryLimit, message: Message | undefined): LimitError {
  const flag = FLAGS[option];
  const advice = option === "importMemory" ? "Raise" : "Give the call less gas, or raise";
  return new LimitError({
    code: "EXECUTION_MEMORY",
    what: `The execution needs more memory than the ${bytes} bytes that one may have.`,
    where: describe(message),
    fix: `${advice} the limit with ${flag} or limits.${option}.`,
    data: { limit: bytes, flag },
  });
}

/** The error of an execution for which the platform has no memory at all. */
export function noInstance(cause: unknown): LimitError {
  return new LimitError({
    code: "EXECUTION_MEMORY",
    what: "There is no memory for another execution: this process or page has as many WebAssembly memories as it may.",
    fix: "Close nodes, or tabs of this site, that are no longer used.",
    data: { flag: null },
    cause,
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
