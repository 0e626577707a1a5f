/** Limits of a script, and the errors of scripts that exceed them or fail. */
import { ExecutionError, LimitError } from "../../errors/hindcast-error.ts";
import { aborted } from "../../evm/out-of-time.ts";
import type { SandboxErrors, SandboxLimits } from "../../sandbox/sandbox.ts";
import type { ScriptBounds } from "./scripts.ts";

/** Limits of a sandbox: 128 MiB, and 250 ms for each call of a function. */
export const SANDBOX_LIMITS: SandboxLimits = { memoryBytes: 128 * 1024 * 1024, callMs: 250 };
/** Milliseconds for the last call, which builds the result. */
export const RESULT_MS = 2_000;

/** Milliseconds beyond its limit in which a script can still stop by itself, so that its thread can be used again. */
export const GRACE_MS = 50;

/** Functions of a script that the tracer calls. */
export const SCRIPT_FUNCTIONS = ["define", "step", "fault", "enter", "exit", "result"] as const;
/** The name of a function that a tracer may have. */
export type ScriptFunction = (typeof SCRIPT_FUNCTIONS)[number];

/** Time limit of a function in milliseconds. */
export function timeOf(name: ScriptFunction): number {
  return name === "result" ? RESULT_MS : SANDBOX_LIMITS.callMs;
}

/** @param ms - time limit of the function */
export function ranTooLong(name: string, ms: number): LimitError {
  return tracerLimit(`The tracer's function ${name} ran longer than ${ms} ms.`, ms);
}

function tracerLimit(what: string, limit: number): LimitError {
  const fix = "Make the tracer do less at a time.";
  return new LimitError({ code: "TRACER_LIMIT", what, fix, data: { limit, flag: null } });
}

/**
 * A script's own errors, in geth's form.
 *
 * @param nativeTracers - names that a request may give in place of a script
 */
export const scriptErrors = (nativeTracers: readonly string[]): SandboxErrors => ({
  failed: (name, text, cause) => {
    const what = name === "define" ? text : `${text}    in server-side tracer function '${name}'`;
    const fix = `A tracer is one of ${nativeTracers.join(", ")}, or JavaScript such as {result: () => 1, fault: () => {}}.`;
    return new ExecutionError({ code: "TRACER_FAILED", what, ...(name === "define" ? { fix } : {}), cause });
  },
  tooMuch: (name, limit) =>
    "ms" in limit
      ? ranTooLong(name, limit.ms)
      : tracerLimit(`The tracer asked for more than ${limit.memoryBytes} bytes of memory.`, limit.memoryBytes),
});

/**
 * The error of a script that used up the time of the whole trace.
 *
 * @param timeoutMs - time limit of the trace
 */
export function traceTookTooLong(timeoutMs: number): LimitError {
  return new LimitError({
    code: "EXECUTION_TIMEOUT",
    what: "The tracer took longer than the time limit of the trace.",
    fix: "Raise it with --trace-timeout or limits.traceTimeoutMs, or make the tracer do less.",
    data: { limit: timeoutMs, flag: "--trace-timeout" },
  });
}

/** Throws if a request must end: at once if its caller aborted it, after a short grace time at its deadline. */
export function checkBounds({ deadline, timeoutMs, signal }: ScriptBounds): void {
  if (signal?.aborted === true) throw aborted(signal.reason);
  if (performance.now() > deadline + GRACE_MS) throw traceTookTooLong(timeoutMs);
}
