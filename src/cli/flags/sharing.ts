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
    help: "let other nodes follow this one: each has a copy of the chain, and answers from it",
  },
  follow: {
    flags: "--follow <url>",
    help: "follow a node that was started with --share, and forward to it what changes the chain",
    shape: words,
    isText: true,
  },
  shareToken: {
    flags: "--share-token <token>",
    help: "token of the shared chain, at least 16 characters; safer as HINDCAST_SHARE_TOKEN",
    shape: words,
    isText: true,
  },
};
