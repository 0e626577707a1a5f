/** Options and results of the fuzzer, as plain values. */
import type { AbiValue } from "../../explain/abi/coder.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import type { Hex } from "../../primitives/bytes/hex.ts";

/** A contract whose functions are called. */
export interface FuzzTarget {
  /** Its JSON ABI, or an artifact with one. Functions that are `view` or `pure` are not called. */
  readonly abi: unknown;
  readonly address: Hex;
  /** Names of the functions to call, or signatures such as `turn(uint256)`. Default: all that may change the state. */
  readonly functions?: readonly string[];
}

/** One call of a sequence. */
export interface FuzzCall {
  /** Name of the target. */
  readonly target: string;
  /** Name of the function; its signature if the ABI has several of that name. */
  readonly function: string;
  /** Values of its parameters; default none. Tuples are lists. */
  readonly args?: readonly AbiValue[];
  readonly from: Hex;
  /** Wei; default 0. */
  readonly value?: bigint;
  /** Seconds between the call before and this one, beyond the one second that each takes; default 0. */
  readonly delay?: bigint;
}

/** The chain after a call of a sequence, for invariants. */
export interface FuzzState {
  /** A branch of the node. Transactions that an invariant sends on it are undone afterwards. */
  readonly node: HindcastNode;
  /** The calls so far. */
  readonly calls: readonly FuzzCall[];
  /**
   * Calls a function of a target, and returns its result: a value, or a list of several. The type is not checked.
   *
   * @throws {ProviderRpcError} if the call fails
   */
  read<Value = bigint>(target: string, functionName: string, ...args: readonly AbiValue[]): Promise<Value>;
  /** Balance of a target, by its name, or of an address, in wei. */
  balanceOf(of: string): Promise<bigint>;
}

/** Holds unless it returns false or throws. */
export type FuzzInvariant = (state: FuzzState) => unknown;

/** The options of `fuzz()` in `hindcast/fuzz`. Amounts are in wei, delays in seconds. */
export interface FuzzOptions {
  /** Contracts to call, by the names that sequences show. */
  readonly targets: Readonly<Record<string, FuzzTarget>>;
  /** Checked after every call that succeeded, by name. */
  readonly invariants?: Readonly<Record<string, FuzzInvariant>>;
  /** Senders of calls; no signature is needed. Default: the first three accounts of the node. */
  readonly senders?: readonly Hex[];
  /**
   * Failures of calls that end the search: of `assert` (the default), of any panic, any revert, or `nothing`.
   */
  readonly failOn?: "nothing" | "assert" | "panic" | "revert";
  /** Sequences to try; default 1000. */
  readonly runs?: number;
  /** Most calls of a sequence; default 20. */
  readonly maxCalls?: number;
  /** Longest time to search, and then again to shorten a failing sequence; default 20,000. */
  readonly timeoutMs?: number;
  /** Most wei that a call of a payable function sends; default 100 ether. */
  readonly maxValue?: bigint;
  /** Longest time between two calls, in seconds; default 400 days. 0 leaves time as it is. */
  readonly maxDelay?: bigint;
  /** Gas limit of calls; default 10 million. */
  readonly gasLimit?: bigint;
  /** Seed of the random numbers: the same one tries the same sequences. Default: a new one. */
  readonly seed?: number;
  /**
   * The test file (`import.meta.url`): sequences that failed are stored beside it, in `__fuzz__`, and run first. Default:
   * none are stored.
   */
  readonly file?: string;
  /** Name of the sequences in that file, if it has several searches; default those of the targets. */
  readonly name?: string;
}

/** A search that found nothing. */
export interface FuzzReport {
  /** Sequences that were tried. */
  readonly runs: number;
  /** Calls that were executed. Beginnings that sequences share are executed once. */
  readonly calls: number;
  /** Blocks of code that they ran. */
  readonly blocks: number;
  readonly seed: number;
}
