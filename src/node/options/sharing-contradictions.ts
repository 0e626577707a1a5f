/** Options that a shared chain, or a node that follows one, cannot have. */
import type { NodeOptions } from "./options.ts";

/** Options of a node that follows: what is its own, and no matter of the chain. */
const OF_A_READER: ReadonlySet<string> = new Set<keyof NodeOptions>([
  "follow",
  "shared",
  "dataDir",
  "responseShape",
  "engine",
  "clientVersion",
  "artifacts",
  "sources",
  "solidityStack",
  "limits",
  "maxCacheBytes",
  "maxBatchLength",
  "maxRequestValues",
  "onRequest",
  "onSlowRequest",
  "onMiningProgress",
  "onNotice",
  "onError",
]);

/** The first contradiction, and what to do about it, in sentences; undefined if there is none. */
export function sharingContradictionOf(options: NodeOptions): readonly [what: string, fix: string] | undefined {
  const { share, fork, follow, shared } = options;
  if (share !== undefined && share.token === undefined) {
    return ["A shared chain needs a token.", "Set share.token to a text that the nodes that follow give, too."];
  }
  if (share !== undefined && fork !== undefined) {
    return ["A fork cannot be shared: what it reads of the other chain is in no stream.", "Leave share or fork out."];
  }
  if (follow === undefined && shared?.role !== "reader") return undefined;
  const names = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const foreign = names.find((name) => !OF_A_READER.has(name));
  if (foreign === undefined) return undefined;
  return [
    `A node that follows another one has its chain and its settings: the option ${foreign} contradicts that.`,
    `Leave ${foreign} out, and set it at the node that is followed.`,
  ];
}
