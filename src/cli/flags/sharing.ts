/** Options of nodes that share a chain. */
import { LONGEST_LEASE_MS, SHORTEST_LEASE_MS } from "../../node/options/limit-bounds.ts";
import type { FlagsOf } from "./flag.ts";
import { oneOf, wholeNumber, words } from "./option-values.ts";

/** Values by option. */
export interface SharingValues {
  readonly share: boolean;
  readonly follow: string;
  readonly shareToken: string;
  readonly shared: string;
  readonly role: "writer" | "reader" | "standby";
  readonly chain: string;
  readonly sharedAddress: string;
  /** milliseconds */
  readonly sharedLease: number;
  readonly work: boolean;
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
  shared: {
    flags: "--shared <url>",
    help: "have the chain in that PostgreSQL; with a password better in HINDCAST_SHARED (default: off)",
    shape: words,
    isText: true,
  },
  role: {
    flags: "--role <role>",
    help: "writer, reader, or standby: writes if no other node does, and otherwise follows (default: standby)",
    shape: oneOf(["writer", "reader", "standby"] as const),
  },
  chain: {
    flags: "--chain <name>",
    help: "name of the chain in PostgreSQL (default: hindcast)",
    shape: words,
    isText: true,
  },
  sharedAddress: {
    flags: "--shared-address <url>",
    help: "where readers of the chain in PostgreSQL reach this node (default: where it listens)",
    shape: words,
    isText: true,
  },
  sharedLease: {
    flags: "--shared-lease <milliseconds>",
    help: "without a sign for so long, another node takes over; 500 to 600000 (default: 10000)",
    shape: wholeNumber(SHORTEST_LEASE_MS, LONGEST_LEASE_MS),
  },
  work: {
    flags: "--work",
    help: "be a reader that takes jobs of hindcast jobs (default: off)",
  },
};
