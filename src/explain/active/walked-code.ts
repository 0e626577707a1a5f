/** The code of a frame whose functions are followed. */
import type { CallGraph } from "../source/functions/call-graph.ts";
import type { CodeFunctions } from "../source/functions/code-functions.ts";
import type { SourceFunction } from "../source/source-file.ts";

/** The code of a frame, and the function that begins it. */
export interface WalkedCode {
  readonly functions: CodeFunctions;
  readonly graph: CallGraph;
  /** The function that the call data selects, or the constructor; undefined if there is none. */
  readonly outermost: SourceFunction | undefined;
  /** Undefined for a creation, and for call data that select no function. */
  readonly selector: bigint | undefined;
  readonly isCreation: boolean;
}
