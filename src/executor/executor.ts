/**
 * Executes transactions and blocks by the rules of one chain, on a given engine.
 *
 * Takes states, blocks and transactions; gives outcomes, receipts and the changed state. It knows the rules of each
 * hardfork, but not which engine runs.
 */
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { CoverageSink } from "../evm/coverage-sink.ts";
import type { BlockContext, Engine, EngineName, EngineSession, PrecompileTable } from "../evm/engine.ts";
import type { TimeoutFlag } from "../evm/out-of-time.ts";
import type { EngineState } from "../evm/state-port.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import { ExecutionClock, type ExecutionLimits, Turns } from "./clock.ts";

/** State, block and rules of a session of the engine. */
export interface SessionOptions {
  readonly rules: Rules;
  readonly state: EngineState;
  /** As {@link SessionRequest.isStateFixed}. */
  readonly isStateFixed?: boolean | undefined;
  readonly block: BlockContext;
  /** Limits of all runs in the session. A clock that was started before continues. */
  readonly limits?: ExecutionLimits | undefined;
  /** Precompiles by address; default: those of the hardfork at their own addresses. */
  readonly precompiles?: PrecompileTable | undefined;
  /** Runs the code; default the executor's own. */
  readonly engine?: Engine | undefined;
  /** As {@link SessionRequest.isImported}. */
  readonly isImported?: boolean | undefined;
  /** True to count executed code while coverage is on; default false. */
  readonly isCovered?: boolean | undefined;
}

/** Enough for some 1.4 million steps, or 447,000 calls. */
export const DEFAULT_RECORDING_MEMORY = 128 * 1024 * 1024;

/** Executes the transactions and blocks of one chain. */
export class Executor {
  readonly #engine: Engine;
  readonly #turns = new Turns();
  readonly #recordingMemory: number;
  #spec: ChainSpec;
  /** Called with the code that runs; undefined if nobody listens. */
  coverage: CoverageSink | undefined;

  /** @param recordingMemory - most bytes that may be recorded of a run that states no other limit */
  constructor(spec: ChainSpec, engine: Engine, recordingMemory: number = DEFAULT_RECORDING_MEMORY) {
    this.#spec = spec;
    this.#engine = engine;
    this.#recordingMemory = recordingMemory;
  }

  get spec(): ChainSpec {
    return this.#spec;
  }

  /** Switches to another chain's rules. */
  follow(spec: ChainSpec): void {
    this.#spec = spec;
  }

  get engineName(): EngineName {
    return this.#engine.name;
  }

  /** A clock that shares the event loop with all other runs of this executor. */
  clock(limits: ExecutionLimits = {}, flag?: TimeoutFlag): ExecutionClock {
    if (limits instanceof ExecutionClock) return limits;
    const { recordingMemory = this.#recordingMemory } = limits;
    return new ExecutionClock(this.#turns, { ...limits, recordingMemory }, flag);
  }

  /** Opens a session of the engine. The caller must close it. */
  open(options: SessionOptions): MaybePromise<EngineSession> {
    const { rules, state, isStateFixed, block, limits, precompiles, engine = this.#engine } = options;
    return engine.open({
      state,
      isStateFixed,
      block,
      chainId: block.chainId ?? this.spec.chainIdAt(block.number),
      signers: block.signers ?? this.spec.signersAt(block.number),
      maxCodeSize: rules.maxCodeSize,
      maxInitCodeSize: rules.maxInitCodeSize,
      pace: this.clock(limits),
      isImported: options.isImported,
      precompiles,
      coverage: options.isCovered === true ? this.coverage : undefined,
    });
  }
}
