/** Which engine a node runs on: the only place that knows there are several. */
import { WasmEngine } from "../engines/wasm/engine.ts";
import { Precompiles } from "../engines/wasm/precompiles/precompiles.ts";
import type { Engine, EngineLimits, EngineName } from "../evm/engine.ts";

/** Makes an engine. The reference is loaded when it is asked for: it brings all of EthereumJS' EVM. */
export async function openEngine(name: EngineName = "wasm", limits: Partial<EngineLimits> = {}): Promise<Engine> {
  if (name === "wasm") return new WasmEngine(new Precompiles(), limits);
  const { createEthereumJsEngine } = await import("../engines/ethereumjs/engine.ts");
  return createEthereumJsEngine();
}
