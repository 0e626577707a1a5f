/** What a script may take, and how one is refused that takes more. */
import { LimitError } from "../../errors/hindcast-error.ts";

export interface SandboxLimits {
  /** Bytes that the script may have at once. */
  readonly memoryBytes: number;
  /** Milliseconds of one call into the sandbox. */
  readonly callMs: number;
  /** Milliseconds of the last call, which puts the result together. */
  readonly resultMs: number;
}

export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = { memoryBytes: 128 * 1024 * 1024, callMs: 250, resultMs: 2_000 };

/** Functions of a script that are called from outside. */
export const SCRIPT_FUNCTIONS = ["define", "step", "fault", "enter", "exit", "result"] as const;
export type ScriptFunction = (typeof SCRIPT_FUNCTIONS)[number];

/** How long a function may run, in milliseconds. */
export function timeOf(name: ScriptFunction, limits: SandboxLimits): number {
  return name === "result" ? limits.resultMs : limits.callMs;
}

/** @param ms - how long the function may run */
export function ranTooLong(name: ScriptFunction, ms: number): LimitError {
  return tracerLimit(`The tracer's function ${name} ran longer than ${ms} ms.`);
}

export function tracerLimit(what: string): LimitError {
  return new LimitError({ code: "TRACER_LIMIT", what, fix: "Make the tracer do less at a time." });
}

/** The script has had the time of the whole trace. */
export function traceTookTooLong(): LimitError {
  return new LimitError({
    code: "EXECUTION_TIMEOUT",
    what: "The tracer took longer than the time limit of the trace.",
    fix: "Raise the time limit, or make the tracer do less.",
  });
}
