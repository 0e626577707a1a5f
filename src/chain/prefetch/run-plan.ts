/** A run on a fork that begins, and how it is repeated on other states. */

import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { ReadableState } from "./guessed-state.ts";

/** Limits of a speculative run, in the form of an execution's. */
export interface SpeculationLimits {
  readonly timeoutMs: number;
  readonly signal: AbortState;
}

/** A run that begins, and what is known of its reads. */
export interface RunPlan {
  /** The state that it reads. */
  readonly state: ReadableState;
  /** Calls that the upstream node can be asked about. */
  readonly calls: readonly CallRequest[];
  /** Hash of the block of the forked chain that is run again, if it came with an access list (EIP-7928). */
  readonly listedBlock?: Bytes | undefined;
  /** Other accounts that it reads. */
  readonly addresses?: readonly Bytes[];
  /** Does the same on another state. Nothing else may change, and nothing is reported. */
  repeat(state: ReadableState, limits: SpeculationLimits): Promise<unknown>;
}
