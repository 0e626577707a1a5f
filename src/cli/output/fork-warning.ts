/** The warning about a fork's hardfork schedule, which every new fork may bring. */
import type { HindcastNode } from "../../node/hindcast-node.ts";
import type { Output } from "./output.ts";

/** Returns a function that prints the node's warning if it is not the one that was printed last. */
export function forkWarning(node: Pick<HindcastNode, "fork">, output: Pick<Output, "noticed">): () => void {
  let last: string | undefined;
  return () => {
    const warning = node.fork?.warning;
    if (warning !== undefined && warning !== last) output.noticed(`fork: ${warning}`);
    last = warning;
  };
}
