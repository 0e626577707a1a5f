/** The errors of a writer that may no longer write, or may not be believed. */
import { RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";

/** Another node has a later epoch, or the log is no longer the one that this node wrote. */
export function fenced(chain: string, epoch: bigint, found: bigint | undefined): UnsupportedError {
  return new UnsupportedError({
    code: "WRITER_FENCED",
    what:
      found === epoch
        ? "The log does not end where this node ended: it was restored, or written to by hand."
        : "Another node writes this chain now.",
    where: `The chain: ${chain}; this node's epoch: ${epoch}${found === undefined ? "" : `, the log's: ${found}`}.`,
    fix: "Ask a reader, or the new writer. Close this node and start it again: it follows then. The command does so itself.",
  });
}

/** The node has not reached the log for as long as its lease is. */
export function leaseOver(chain: string): RemoteError {
  return new RemoteError({
    code: "WRITER_LEASE_OVER",
    what: "This node has not reached PostgreSQL for so long that another one may write the chain by now.",
    where: `The chain: ${chain}.`,
    fix: "Ask again: it answers as soon as it has renewed its lease. Readers answer meanwhile.",
  });
}

/** The log has entries after the last one that its row names. Each append writes both, or neither. */
export function beyondEnd(
  chain: string,
  { id, end, last }: { readonly id: string; readonly end: string; readonly last: string },
): UnsupportedError {
  return new UnsupportedError({
    code: "SHARED_LOG_REFUSED",
    what: "The log has entries beyond its end: it was restored table by table, or written to by hand. No node writes it.",
    where: `The chain: ${chain}; its end: entry ${end}; its last entry: ${last}.`,
    fix:
      "Stop the nodes and restore a backup of pg_dump, or remove those entries: " +
      `delete from hindcast.entries where chain = ${id} and sequence > ${end}. Then start the nodes again.`,
  });
}
