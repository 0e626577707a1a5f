/** Opens the engine of a node, and the threads that have one like it. Only this file knows all engines. */
import { WasmEngine } from "../engines/wasm/engine.ts";
import { PrecompileSet } from "../engines/wasm/precompiles/precompile-set.ts";
import type { Engine, EngineLimits, EngineName } from "../evm/engine.ts";
import { ScriptThreads } from "../tracer/script/thread/script-threads.ts";

/** Opens an engine. The reference engine is loaded on demand, because it brings all of EthereumJS' EVM. */
export async function openEngine(name: EngineName = "wasm", limits: Partial<EngineLimits> = {}): Promise<Engine> {
  if (name === "wasm") return new WasmEngine(new PrecompileSet(), limits);
  const { createEthereumJsEngine } = await import("../engines/ethereumjs/engine.ts");
  return createEthereumJsEngine();
}

/** Opens the threads for JavaScript tracers, which are started on demand. The caller must close them. */
export function openScripts(engine: Pick<Engine, "name">, limits: Partial<EngineLimits> = {}): ScriptThreads {
  return new ScriptThreads({ engine: engine.name, limits });
}
