/** The error for requests of a closed node. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";

/**
 * The error of requests that were made after `close()` or interrupted by it.
 *
 * @param cause - error that closing caused in the request
 */
export function nodeClosed(cause?: unknown): UnsupportedError {
  return new UnsupportedError({
    code: "NODE_CLOSED",
    cause,
    what: "The node is closed.",
    where: "close() was called on it, or on the node it branched from.",
    fix: "Await its answers before it is closed, or create a new one with createNode().",
  });
}
