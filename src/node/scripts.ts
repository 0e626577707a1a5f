/** Threads for JavaScript tracers, each with an engine like the node's own. */
import type { EngineLimits, EngineName } from "../evm/engine.ts";
import { ScriptThreads } from "../tracer/script/thread/script-threads.ts";

/** Threads are started on demand. The caller must close the pool. */
export function openScripts(engine: EngineName = "wasm", limits: Partial<EngineLimits> = {}): ScriptThreads {
  // The worker is beside this file when compiled, and beside the bundle.
  return new ScriptThreads({ program: new URL("./script-worker.js", import.meta.url), engine, limits });
}
