/** The limits of a node: the defaults of all that options set, in one place. SECURITY.md lists them beside those that are fixed. */
import { DEFAULT_ENGINE_LIMITS } from "../../engines/wasm/engine.ts";
import { given } from "../../primitives/validation/given.ts";
import type { RequestLimits } from "../../rpc/context.ts";
import { DEFAULT_SIMULATION_LIMITS } from "../../services/simulate/call/simulation.ts";
import type { NodeOptions } from "./options.ts";

/**
 * Defaults, each at least ten times what the largest requests of viem, Hardhat, Foundry and Ponder need. At these limits no
 * request occupies the event loop for longer than 100 ms.
 */
export const DEFAULT_LIMITS: RequestLimits = {
  maxBatchLength: 1_000,
  // A log filter of Ponder names 1,000 addresses.
  maxRequestValues: 10_000,
  ...DEFAULT_SIMULATION_LIMITS,
  ...DEFAULT_ENGINE_LIMITS,
};

/** Longer on forks, because the time of a call includes waiting for the upstream node. */
const FORK_LIMITS = { callTimeoutMs: 60_000, traceTimeoutMs: 300_000 };

/** The limits of a node with some options. */
export function limitsOf({ fork, limits = {}, maxBatchLength, maxRequestValues }: NodeOptions): RequestLimits {
  return {
    ...DEFAULT_LIMITS,
    ...(fork && FORK_LIMITS),
    ...(given({ ...limits, maxBatchLength, maxRequestValues }) as Partial<RequestLimits>),
  };
}
