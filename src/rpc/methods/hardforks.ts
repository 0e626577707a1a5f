/** hindcast_compareHardforks: what a hardfork changes for calls and transactions. */
import { encodeHardforkComparison } from "../encode/transactions/hardfork-comparison.ts";
import { method, optional } from "../method.ts";
import { comparisonParam, LATEST_BLOCK } from "../schema/call-sequences/comparison.ts";

export const compareHardforks = method({
  name: "hindcast_compareHardforks",
  summary: "Runs calls, or a block's transactions, under two hardforks: status, gas by cause, and what differs.",
  params: [optional("request", comparisonParam, LATEST_BLOCK)],
  run: ({ comparisons }, [request], { signal }) => comparisons.compare(request, { signal }),
  encode: encodeHardforkComparison,
});
