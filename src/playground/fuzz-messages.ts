/** Messages between the page and the worker that fuzzes. */
import type { FuzzReport } from "./fuzz-entries.d.ts";

/** The page's only message: a chain, and what is looked for in it. */
export interface FuzzRequest {
  /** A state file. */
  readonly chain: Uint8Array;
  /** The contract: its name, and the functions of its ABI. */
  readonly name: string;
  readonly address: `0x${string}`;
  readonly functions: readonly FuzzedFunction[];
  readonly failOn: "assert" | "panic" | "revert";
  readonly seconds: number;
  readonly seed?: number;
}

/** A function as an item of an ABI. */
export interface FuzzedFunction {
  readonly type: "function";
  readonly name: string;
  readonly inputs: readonly object[];
  readonly outputs: readonly object[];
  readonly stateMutability: string;
}

/** The worker's only answer: nothing was found, the sequence that fails, or why it could not search. */
export type FuzzAnswer = { readonly report: FuzzReport } | { readonly failure: string } | { readonly problem: string };
