/**
 * The members of `hindcast/browser` and `hindcast/fuzz` that the fuzzer's worker uses. It imports the built package, and with
 * these declarations the compiler need not read the node to check the page. A test compares them with the entries.
 */

/** A node with a chain in memory. */
export interface FuzzedNode {
  loadState(bytes: Uint8Array): Promise<unknown>;
  close(): Promise<void>;
}

/** Creates a node in this thread. */
export declare function createNode(): Promise<FuzzedNode>;

/** The failure that is looked for, and the time for it. */
export interface FuzzOptions {
  readonly targets: Readonly<
    Record<string, { readonly abi: unknown; readonly address: `0x${string}`; readonly functions: readonly string[] }>
  >;
  readonly invariants: Readonly<
    Record<string, (state: { read(target: string, name: string): Promise<unknown> }) => unknown>
  >;
  readonly failOn: "assert" | "panic" | "revert";
  readonly timeoutMs: number;
  readonly runs: number;
  readonly seed?: number;
}

/** A search that found nothing. */
export interface FuzzReport {
  readonly runs: number;
  readonly calls: number;
  readonly blocks: number;
  readonly seed: number;
}

/** Looks for a sequence of calls that fails. @throws {Error} `FuzzFailure` with the shortest one that was found */
export declare function fuzz(node: FuzzedNode, options: FuzzOptions): Promise<FuzzReport>;
