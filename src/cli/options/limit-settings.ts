/** The limits that the flags give. */
import type { NodeOptions } from "../../node/options/options.ts";
import { given } from "../../primitives/validation/given.ts";
import type { GivenValues } from "../flags/flags.ts";
import { LIMIT_FLAGS } from "../flags/limits.ts";

/** Undefined if none is given. */
export function limitsOf(values: GivenValues): NodeOptions["limits"] {
  const names = Object.keys(LIMIT_FLAGS) as (keyof typeof LIMIT_FLAGS)[];
  if (names.every((name) => values[name] === undefined)) return undefined;
  return given({
    callGasLimit: values.callGasLimit,
    callTimeoutMs: values.callTimeout,
    traceTimeoutMs: values.traceTimeout,
    traceFilterBlocks: values.traceFilterBlocks,
    minedBlocks: values.minedBlocks,
    waitTimeoutMs: values.waitTimeout,
    stateFileBytes: values.stateFileBytes,
    stateFileValues: values.stateFileValues,
    recordingMemory: values.recordingMemory,
    executionMemory: values.executionMemory,
    importMemory: values.importMemory,
    concurrentExecutions: values.concurrentExecutions,
    queuedExecutions: values.queuedExecutions,
  }) as NonNullable<NodeOptions["limits"]>;
}
