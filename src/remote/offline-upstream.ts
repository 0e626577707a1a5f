/** The upstream of an offline fork: every call is an error, because only answers missing from the cache reach it. */
import { missingOffline } from "./remote-errors.ts";
import type { Upstream, UpstreamStats } from "./upstream.ts";

const NO_STATS: UpstreamStats = { requests: 0, roundTrips: 0, retries: 0, rateLimited: 0 };

/** Every request throws {@link RemoteError}. */
export const offlineUpstream: Upstream = {
  label: "offline",
  stats: NO_STATS,
  request: async (method, params) => {
    throw missingOffline(`the answer to ${method} with ${JSON.stringify(params).slice(0, 200)}`);
  },
  close: async () => undefined,
};
