/** Options of forks that exclude each other. */
import type { ForkOptions } from "./fork-options.ts";
import type { NodeOptions } from "./options.ts";

/** At most one of each row is given: the node that is read, what is sent to it, and the block. */
const ALTERNATIVES = [
  ["url", "urls", "provider"],
  ["provider", "headers"],
  ["blockNumber", "blockHash", "transactionHash"],
] as const satisfies readonly (readonly (keyof ForkOptions)[])[];

/** The first contradiction, and what to do about it, in sentences; undefined if there is none. */
export function contradictionOf({ fork, hardforkAt }: NodeOptions): readonly [what: string, fix: string] | undefined {
  if (fork === undefined) return undefined;
  if (hardforkAt !== undefined) {
    const fix = "Give a genesis whose config has the hardfork's time, or hardfork, which is that of all new blocks.";
    return ["The option hardforkAt is for development chains, not for forks.", fix];
  }
  for (const names of ALTERNATIVES) {
    const [first, second] = names.filter((name) => fork[name] !== undefined);
    if (second === undefined) continue;
    return [`The options fork.${first} and fork.${second} exclude each other.`, "Leave one of the two out."];
  }
  if (fork.offline !== true || fork.cache !== false) return undefined;
  return ["A fork that is offline reads only its cache, and fork.cache is false.", "Leave one of the two options out."];
}
