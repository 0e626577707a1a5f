/** Options of nodes that share a chain. */
import type { FlagsOf } from "./flag.ts";
import { words } from "./option-values.ts";

/** Values by option. */
export interface SharingValues {
  readonly share: boolean;
  readonly follow: string;
  readonly shareToken: string;
}

/** The options of this group, in the order of the help. */
export const SHARING_FLAGS: FlagsOf<SharingValues> = {
  share: {
    flags: "--share",
    help: "let other nodes follow this one, each with a copy of the chain (default: off)",
  },
  follow: {
    flags: "--follow <url>",
    help: "answer from a copy of that node's chain, and forward what changes it (default: off)",
    shape: words,
    isText: true,
  },
  shareToken: {
    flags: "--share-token <token>",
    help: "token of the shared chain, 16 characters or more; better in HINDCAST_SHARE_TOKEN",
    shape: words,
    isText: true,
  },
};
