/**
 * The default engine: our own core in WebAssembly, with precompiles in JavaScript.
 *
 * It implements the engine port and knows nothing of blocks, fees and chains. The core sees only the state that a session
 * passes to it.
 */
import type { Engine, EngineLimits, EngineSession, SessionRequest } from "../../evm/engine.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { CoreInstance } from "./core-instance.ts";
import { InstancePool } from "./instance-pool.ts";
import type { PrecompileSet } from "./precompiles/precompile-set.ts";
import { WasmSession } from "./session.ts";

/** Default limits. The memory is enough for any execution with a hundred million gas, however deep its calls. */
export const DEFAULT_ENGINE_LIMITS: EngineLimits = {
  executionMemory: 256 * 1024 * 1024,
  importMemory: 2 * 1024 * 1024 * 1024,
  concurrentExecutions: 256,
  queuedExecutions: 1_024,
};

/** The engine. A session opens as soon as an instance of the core is free. */
export class WasmEngine implements Engine {
  readonly name = "wasm";
  readonly #instances: InstancePool;
  readonly #precompiles: PrecompileSet;

  constructor(precompiles: PrecompileSet, limits: Partial<EngineLimits> = {}) {
    this.#instances = new InstancePool({ ...DEFAULT_ENGINE_LIMITS, ...limits });
    this.#precompiles = precompiles;
  }

  open(request: SessionRequest): MaybePromise<EngineSession> {
    const rules = {
      hardfork: request.block.hardfork,
      maxCodeSize: request.maxCodeSize,
      maxInitCodeSize: request.maxInitCodeSize,
      isCounting: request.coverage !== undefined,
    };
    const open = (instance: CoreInstance): EngineSession => {
      const precompiles = this.#precompiles.of(rules.hardfork, request.signers);
      const release = (): void => this.#instances.give(instance, rules);
      try {
        return new WasmSession({ instance, request, precompiles, memory: this.#instances.memory, release });
      } catch (error) {
        instance.isBroken = true;
        release();
        throw error;
      }
    };
    const { state, pace, isImported, block } = request;
    const instance = this.#instances.take({ rules, state, isImported, gasLimit: block.gasLimit }, pace);
    return instance instanceof Promise ? instance.then(open) : open(instance);
  }

  async close(): Promise<void> {
    this.#instances.close();
    await this.#precompiles.close();
  }
}
