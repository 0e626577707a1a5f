/** Opens the engine of a node in a browser, and what runs JavaScript tracers beside it. Counterpart of `node/engines.ts`. */
import { WasmEngine } from "../engines/wasm/engine.ts";
import { PrecompileSet } from "../engines/wasm/precompiles/precompile-set.ts";
import { UnsupportedError } from "../errors/hindcast-error.ts";
import type { Engine, EngineLimits, EngineName } from "../evm/engine.ts";
import type { Scripts } from "../tracer/script/scripts.ts";
import { ScriptsInPlace } from "./scripts-in-place.ts";

/**
 * Opens the engine of this library.
 *
 * @throws {UnsupportedError} `UNSUPPORTED` for the reference engine, which the bundle for browsers does not have
 */
export async function openEngine(name: EngineName = "wasm", limits: Partial<EngineLimits> = {}): Promise<Engine> {
  if (name === "wasm") return new WasmEngine(new PrecompileSet(), limits);
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: `The engine ${name} is not part of the bundle for browsers.`,
    fix: "Leave the option engine out, or use Hindcast in Node.",
  });
}

/** Runs JavaScript tracers in this thread, on the node's own engine. */
export const openScripts = (engine: Engine): Scripts => new ScriptsInPlace(engine);
