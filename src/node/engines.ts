/** Opens the engine of a node. Only this file knows all engines. */
import { WasmEngine } from "../engines/wasm/engine.ts";
import { PrecompileSet } from "../engines/wasm/precompiles/precompile-set.ts";
import type { Engine, EngineLimits, EngineName } from "../evm/engine.ts";

/** Opens an engine. The reference engine is loaded on demand, because it brings all of EthereumJS' EVM. */
export async function openEngine(name: EngineName = "wasm", limits: Partial<EngineLimits> = {}): Promise<Engine> {
  if (name === "wasm") return new WasmEngine(new PrecompileSet(), limits);
  const { createEthereumJsEngine } = await import("../engines/ethereumjs/engine.ts");
  return createEthereumJsEngine();
}
