/** What a session works with, all of it its own. */
import type { EVM } from "@ethereumjs/evm";
import type { Pace } from "../../evm/engine.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { Metronome } from "./metronome.ts";
import type { OverlayStateManager } from "./state-manager.ts";
import type { Surroundings } from "./surroundings.ts";

/** What a message is given to EthereumJS with. */
export type CallOptions = Parameters<EVM["runCall"]>[0];

export interface SessionParts extends Surroundings {
  readonly evm: EVM;
  readonly stateManager: OverlayStateManager;
  readonly metronome: Metronome;
  readonly pace: Pace;
  readonly block: NonNullable<CallOptions["block"]>;
  /** Addresses at which precompiles are at home. */
  readonly precompiles: readonly Bytes[];
  /** Number of the address at which the precompile is at home that answers at an address; undefined where none does. */
  readonly homeOf: (address: Bytes) => number | undefined;
}
