/** The port by which traces run JavaScript tracers: in threads, or in place where there are none. */
import type { Engine } from "../../evm/engine.ts";
import type { StateReader } from "../../evm/state-port.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import type { ScriptOutcome, ScriptTransaction } from "./script-transaction.ts";

/** A tracer and its transaction. */
export interface ScriptSubject {
  readonly code: string;
  /** JSON passed to the script's `setup`. */
  readonly config: string;
  /** Names that a request may give in place of a script, for errors. */
  readonly nativeTracers: readonly string[];
  /** Addresses of the hardfork's precompiles, as map keys. */
  readonly precompiles: ReadonlySet<string>;
  readonly transaction: ScriptTransaction;
  /** gas */
  readonly selfDestructRefund: number;
}

/** A script to open. */
export interface ScriptRun extends ScriptSubject {
  /** The state that `result` sees: the one after the transaction. */
  readonly stateAfter: StateReader;
}

/** Time limit and abort signal of a request. */
export interface ScriptBounds {
  /** Deadline of the script's result, by performance.now(); Infinity for none. */
  readonly deadline: number;
  /** The caller's time limit in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortState | undefined;
}

/** An open script. */
export interface RunningScript {
  /** Runs the transaction that the script traces. */
  readonly engine: Engine;
  /**
   * The script's result, as JSON.
   *
   * @throws {ExecutionError} `TRACER_FAILED`
   * @throws {LimitError} `TRACER_LIMIT`, `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`
   */
  result(outcome: ScriptOutcome): Promise<string>;
  /** Frees what the script holds. Idempotent. */
  close(): void;
}

/** Runs the scripts of a node, which closes it. */
export interface Scripts {
  /**
   * Evaluates a tracer and calls its `setup`, as soon as there is room for it.
   *
   * @param bounds - the same object for all scripts of a request
   * @throws {ExecutionError} `TRACER_FAILED` if the script does not define a tracer
   * @throws {LimitError} `TRACER_LIMIT`, `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`
   * @throws {UnsupportedError} `UNSUPPORTED` if no thread can be started
   */
  open(run: ScriptRun, bounds: ScriptBounds): Promise<RunningScript>;
  /** Running scripts fail, and no more can be opened. */
  close(): Promise<void>;
}
