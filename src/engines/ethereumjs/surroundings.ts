/** What surrounds an operation and decides how far it comes: rules, state, frame. For reading EthereumJS' events. */
import { type Hardfork, isAtLeast } from "../../chainspec/hardforks.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { StateOverlay } from "./overlay.ts";

export interface EngineRules {
  /** A caller keeps one 64th of its gas (EIP-150). */
  readonly keepsOneSixtyFourth: boolean;
  /** EIP-161. */
  readonly clearsEmptyAccounts: boolean;
  /** REVERT exists (EIP-140). */
  readonly hasRevert: boolean;
  /** SSTORE is refused with 2,300 gas or less (EIP-2200). */
  readonly hasSstoreSentry: boolean;
  /** EIP-2929. */
  readonly hasAccessLists: boolean;
  /** EIP-1153. */
  readonly hasTransientStorage: boolean;
  /** EIP-6780. */
  readonly destroysCreatedOnly: boolean;
  /** EIP-3860. */
  readonly hasInitCodePrice: boolean;
  /** Bytes that CREATE and CREATE2 take; without bound before Shanghai. */
  readonly maxInitCodeSize: number;
  /** EIP-7702. */
  readonly hasDelegations: boolean;
}

/** The rules of a hardfork. */
export function rulesOf(hardfork: Hardfork, maxInitCodeSize: number): EngineRules {
  const at = (other: Hardfork): boolean => isAtLeast(hardfork, other);
  return {
    keepsOneSixtyFourth: at("tangerineWhistle"),
    clearsEmptyAccounts: at("spuriousDragon"),
    hasRevert: at("byzantium"),
    hasSstoreSentry: at("istanbul"),
    hasAccessLists: at("berlin"),
    hasTransientStorage: at("cancun"),
    destroysCreatedOnly: at("cancun"),
    hasInitCodePrice: at("shanghai"),
    maxInitCodeSize: at("shanghai") ? maxInitCodeSize : Number.POSITIVE_INFINITY,
    hasDelegations: at("prague"),
  };
}

/** Rules and state that an operation stands in. */
export interface Surroundings {
  readonly rules: EngineRules;
  readonly state: StateOverlay;
  /** True for accounts that are warm now (EIP-2929). */
  readonly isWarm: (address: Bytes) => boolean;
}

/** What of the running frame decides how far an operation comes. */
export interface FrameFacts {
  readonly code: Bytes;
  readonly isStatic: boolean;
  /** Accounts that became warm for the first time in the transaction with this operation. */
  readonly newlyWarm: number;
}
