/**
 * A run on a fork, as it is known when it begins: the accounts that it reads for certain, and a function that repeats it on
 * another state, which shows what else it reads.
 */

import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { ReadableState } from "./guessed-state.ts";

/** Limits of a repetition, in the form of an execution's. */
export interface SpeculationLimits {
  readonly timeoutMs: number;
  readonly signal: AbortState;
}

/** A call, a sequence of calls, or a block that begins to run. */
export interface RunPlan {
  /** The state that it reads. */
  readonly state: ReadableState;
  /** Calls that the upstream node can be asked about. */
  readonly calls: readonly CallRequest[];
  /** Hash of the block of the forked chain that is run again, if it came with an access list (EIP-7928). */
  readonly listedBlock?: Bytes | undefined;
  /** Other accounts that it reads. */
  readonly addresses?: readonly Bytes[];
  /** Runs the same on another state, for its reads only: nothing is stored, recorded or reported. */
  repeat(state: ReadableState, limits: SpeculationLimits): Promise<unknown>;
}
