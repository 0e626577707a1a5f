/** Where tracers run that are written in JavaScript: in threads, beside an engine like the node's own. */
import type { EngineLimits, EngineName } from "../evm/engine.ts";
import { ScriptThreads } from "../tracer/script/thread/script-threads.ts";

/** Threads are started when a tracer needs them; to be closed by whoever asked. */
export function openScripts(engine: EngineName = "wasm", limits: Partial<EngineLimits> = {}): ScriptThreads {
  // Next to this file when compiled, and next to the bundle that holds it.
  return new ScriptThreads({ program: new URL("./script-worker.js", import.meta.url), engine, limits });
}
