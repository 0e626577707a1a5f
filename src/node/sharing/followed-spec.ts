/** The rules of a followed chain. */
import { ChainSpec } from "../../chainspec/chain-spec.ts";
import type { ChainDescription } from "../../sharing/chain-description.ts";

/** Makes them of what the writer says. */
export function followedSpec({ genesis, options }: ChainDescription): ChainSpec {
  return new ChainSpec({ ...genesis, alloc: [] }, options);
}
