/** A kind of work over a range of blocks: a request for each block. A further kind is a file like `trace-kind.ts`. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** Parameters of a run, as JSON. */
export type JobParameters = Readonly<Record<string, unknown>>;

/** A block of the chain that a run is about. */
export interface JobBlock {
  readonly number: bigint;
  readonly hash: Bytes;
}

/** A flag of a kind, for the command. */
export interface JobFlag {
  /** The parameter that it sets. */
  readonly name: string;
  /** With its value, such as `--types <types>`. */
  readonly flags: string;
  readonly help: string;
  /** The text of a flag that is not given; without it the parameter is left out. */
  readonly fallback?: string;
  /** The value of the parameter, or what would be right, such as "addresses between commas". */
  readonly read: (text: string) => { readonly value: unknown } | { readonly expected: string };
}

/** A kind of work. */
export interface JobKind {
  /** Names the subcommand. */
  readonly name: string;
  /** A line for the help. */
  readonly summary: string;
  readonly flags: readonly JobFlag[];
  /** The request whose answer, a list, is the result of a block. */
  readonly request: (
    parameters: JobParameters,
    block: JobBlock,
  ) => { readonly method: string; readonly params: readonly unknown[] };
  /** True if blocks with an empty list have no result. */
  readonly leavesOutEmpty: boolean;
}
